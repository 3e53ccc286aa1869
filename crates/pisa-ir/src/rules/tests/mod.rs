//! Every rule of the table is right, and the checker refutes what is not.

mod page;
mod table;
mod wrong;

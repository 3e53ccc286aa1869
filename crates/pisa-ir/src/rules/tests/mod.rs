//! Every rule of the table is right, and the checker refutes what is not.

mod table;
mod wrong;

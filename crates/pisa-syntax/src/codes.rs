//! The codes of this crate's diagnostics.

use pisa_diag::{Code, Kind};

macro_rules! codes {
    ($($name:ident $text:literal $kind:ident $title:literal;)*) => {
        $(#[doc = concat!("`", $text, "`: ", $title, ".")] pub const $name: Code = Code($text);)*
        /// Every code of this crate with its title and kind, in the order of the codes.
        pub const TABLE: &[(Code, &str, Kind)] = &[$(($name, $title, Kind::$kind),)*];
    };
}

codes! {
    MISSING_SEMICOLON "E0101" Error "`;` is missing";
    UNEXPECTED_TOKEN "E0102" Error "something else was expected here";
    MISSING_COMMA "E0103" Error "`,` is missing";
    NOT_CLOSED "E0104" Error "a brace, bracket or parenthesis is not closed";
    NOT_OPENED "E0105" Error "`}` without a `{`";
    UNKNOWN_DIRECTIVE "E0106" Error "unknown directive";
    MISPLACED_DIRECTIVE "E0107" Error "a directive in the wrong place";
    BLOCK_COMMENT "E0108" Error "block comment";
    MALFORMED_INTEGER "E0109" Error "malformed integer literal";
    MALFORMED_FLOAT "E0110" Error "malformed floating-point literal";
    PLUS_SIGN "E0111" Error "a literal with a leading `+`";
    STRING_NOT_CLOSED "E0112" Error "a string without its closing quote";
    EMPTY_STRING "E0113" Error "empty string";
    FOREIGN_CHARACTER "E0114" Error "a character that PISA does not use";
    NOT_UTF8 "E0115" Error "bytes that are not UTF-8";
    MALFORMED_NAME "E0116" Error "malformed name";
    BLANK_IN_MNEMONIC "E0117" Error "a blank inside a mnemonic";
    UPPER_CASE_MNEMONIC "E0118" Error "an opcode in upper case";
    TRAILING_COMMA "E0119" Error "trailing comma";
    EMPTY_INITIALIZER "E0120" Error "empty initialiser";
    NESTED_INITIALIZER "E0121" Error "nested initialiser";
    WRONG_DECLARATOR "E0122" Error "a declaration of the wrong kind of name, or of too many";
    OUTSIDE_BODY "E0123" Error "a statement outside every kernel and function";
    KERNEL_RETURN_TYPE "E0124" Error "a kernel with a return type";
    MISSING_RETURN_TYPE "E0125" Error "a function without return type";
    MISSING_PARAMETER_LIST "E0126" Error "a kernel or function without `( )`";
    UNTYPED_ELEMENT "E0127" Error "an initialiser value without its size";
    ARGUMENT_NOT_REGISTER "E0128" Error "a call argument that is not a register";
    MISSING_TYPE "E0129" Error "a register declaration without type";
    PREDICATE_TYPE "E0130" Error "a predicate declaration with a type";
    ATTRIBUTE_FORM "E0131" Error "an attribute written in the form of another place";
    TOO_LARGE "E0132" Error "a file too large to read";
    MORE_ERRORS "E0199" Error "more syntax errors than are listed";
    LABEL_SHARES_LINE "W0001" Departure "a label that shares its line";
    QUOTED_NAME "W0002" Departure "a quoted name";
    STRAY_SEMICOLON "W0101" Lint "a `;` without a statement";
    MORE_WARNINGS "W0199" Lint "more warnings about the syntax than are listed";
}

//! The codes of everything that is found after parsing, each with its title and kind.
//!
//! `E02xx` names, types and widths · `E03xx` qualifiers and forms · `E04xx` variables and initialisers · `E05xx`
//! kernels, functions, calls, control flow · `E06xx` linking · `W00xx` departures · `W01xx` lints.

use pisa_diag::{Code, Kind};

macro_rules! codes {
    ($($name:ident $text:literal $kind:ident $title:literal,)*) => {
        $(#[doc = $title] pub const $name: Code = Code($text);)*
        /// Every code of this crate: the code, its title, its kind.
        pub const TABLE: &[(Code, &str, Kind)] = &[$(($name, $title, Kind::$kind),)*];
    };
}

codes! {
    // Names, types, widths.
    UNKNOWN_REGISTER "E0201" Error "undeclared register",
    UNKNOWN_SYMBOL "E0202" Error "undeclared variable or function",
    WRONG_WIDTH "E0203" Error "operand of the wrong width",
    PACKED_SHAPE "E0204" Error "packed operand of the wrong shape",
    ELEMENT_COUNT "E0205" Error "vector with the wrong number of elements",
    SWIZZLED_WIDTH "E0206" Error "swizzled operand of the wrong total width",
    BAD_SWIZZLE "E0207" Error "swizzle that the register does not have",
    SPECIAL_ELEMENT "E0208" Error "special vector register not read by one element",
    SPECIAL_WRITTEN "E0209" Error "special register written",
    OPERAND_KIND "E0210" Error "operand of the wrong kind",
    IMMEDIATE_NOT_ALLOWED "E0211" Error "immediate where a register is required",
    IMMEDIATE_RANGE "E0212" Error "immediate out of range",
    INTEGER_FOR_FLOAT "E0213" Error "integer literal for a floating-point operand",
    FLOAT_FOR_INTEGER "E0214" Error "floating-point literal for an untyped or integer operand",
    HEX_FLOAT_LENGTH "E0215" Error "hexadecimal floating-point literal with too many digits",
    NEGATION_NOT_ALLOWED "E0216" Error "negated predicate where a plain one is required",
    VECTOR_FOR_SCALAR "E0217" Error "vector where a scalar is required",
    DUPLICATE_REGISTER "E0218" Error "register declared twice in one scope",
    RESERVED_NAME "E0219" Error "name of a special register",
    BAD_RANGE "E0220" Error "bad register range",
    SWIZZLE_CLASH "E0221" Error "register name that reads like a swizzle of a visible vector",
    BAD_TYPE "E0222" Error "type that does not exist",
    DUPLICATE_SYMBOL "E0223" Error "variable or function declared twice",
    ADDRESS_WIDTH "E0224" Error "address of the wrong width",
    ADDRESS_SPACE "E0225" Error "variable of another address space",
    VARIABLE_ADDRESS_SIZE "E0226" Error "address size of the variable differs from the type",
    ADDRESS_FORM "E0227" Error "form of address that no instruction takes",
    OFFSET_RANGE "E0228" Error "address offset out of range",
    OPERAND_COUNT "E0229" Error "wrong number of operands",
    PARAMETER_AS_OPERAND "E0230" Error "kernel parameter outside `ld.param`",
    UNKNOWN_PARAMETER "E0231" Error "`ld.param` of something that is no kernel parameter",
    OFFSET_WIDTH "E0232" Error "address offset register of the wrong width",
    USED_BEFORE_DECLARATION "E0233" Error "register used before its declaration",
    NEGATIVE_HEX_FLOAT "E0234" Error "hexadecimal floating-point literal with a sign",
    // Qualifiers and forms.
    UNKNOWN_OPCODE "E0301" Error "unknown opcode",
    UNKNOWN_QUALIFIER "E0302" Error "qualifier that the opcode does not have",
    QUALIFIER_ORDER "E0303" Error "qualifiers in the wrong order",
    MISSING_QUALIFIER "E0304" Error "missing qualifier",
    QUALIFIER_COMBINATION "E0305" Error "qualifiers that no form of the opcode combines",
    FORBIDDEN_QUALIFIER "E0306" Error "qualifier that must not be specified here",
    QUALIFIER_ONLY_WHEN "E0307" Error "qualifier that can be specified only with another",
    EXCLUDED_VALUE "E0308" Error "qualifier value that the other qualifiers exclude",
    OPERAND_ONLY_WHEN "E0309" Error "operand that the qualifiers do not define, or that they require",
    INDEX_RANGE "E0310" Error "index past the end of the vector",
    INDEX_ALIGNMENT "E0311" Error "index that is not a multiple of the element count",
    INDEX_SUM "E0312" Error "sub-vector past the end of the vector",
    NOT_WIDER "E0313" Error "conversion to a type that is not wider",
    NOT_NARROWER "E0314" Error "conversion to a type that is not narrower",
    REPEATED_QUALIFIER "E0316" Error "qualifier given twice",
    TRUTH_TABLE "E0317" Error "bad truth table of `bfn`",
    UNKNOWN_VERSION "E0320" Error "unknown `.version`",
    UNKNOWN_TARGET "E0321" Error "unknown `.target`",
    // Variables and initialisers.
    SPACE_AT_MODULE "E0401" Error "`.shared` or `.private` variable outside a kernel or function",
    GLOBAL_IN_BODY "E0402" Error "`.global` variable inside a kernel or function",
    MISSING_SIZE "E0403" Error "variable without a size",
    BAD_SIZE "E0404" Error "bad size",
    BAD_ALIGNMENT "E0405" Error "bad alignment",
    DUPLICATE_ATTRIBUTE "E0406" Error "attribute given twice",
    UNKNOWN_ATTRIBUTE "E0407" Error "attribute that does not belong here",
    MISSING_INITIALIZER "E0408" Error "`.const` variable without an initialiser",
    INITIALIZER_NOT_ALLOWED "E0409" Error "initialiser where none is allowed",
    INITIALIZER_SIZE "E0410" Error "initialiser of another size than the variable",
    INITIALIZER_TYPE "E0411" Error "bad type of an initialiser element",
    INITIALIZER_VALUE "E0412" Error "bad value of an initialiser element",
    SYMBOL_ELEMENT_WIDTH "E0413" Error "address in an element that is not `.64b`",
    FUNCTION_OFFSET "E0414" Error "offset on the address of a function",
    ZERO_COUNT "E0415" Error "bad count of `.zero`",
    INITIALIZER_SYMBOL "E0416" Error "symbol that cannot be an initialiser",
    DUPLICATE_HOST_ACCESS "E0417" Error "host name given twice",
    LINKAGE_ON_LOCAL "E0419" Error "linkage on a local variable",
    STORE_TO_CONST "E0420" Error "store to a constant",
    // Kernels, functions, calls, control flow.
    LINKAGE_ON_KERNEL "E0501" Error "linkage on a kernel",
    WORK_GROUP_SIZE "E0502" Error "bad `.reqd_work_group_size`",
    PARAMETER_SPACE "E0503" Error "bad `.addrspace` of a kernel parameter",
    PARAMETER_CLASH "E0504" Error "name of a parameter declared again",
    IMPORT_WITH_BODY "E0505" Error "imported function with a body",
    MISSING_BODY "E0506" Error "function without a body",
    UNNAMED_PARAMETER "E0507" Error "parameter without a name",
    RETURN_NOT_LAST "E0509" Error "non-void function that does not end with `return`",
    RETURN_TYPE "E0510" Error "return value of the wrong type",
    RETURN_VALUE "E0511" Error "return value missing, or given where there is none",
    CALL_RESULT "E0512" Error "result of a call does not match the function",
    ARGUMENT_COUNT "E0513" Error "wrong number of arguments",
    ARGUMENT_TYPE "E0514" Error "argument of the wrong type",
    CALL_OF_KERNEL "E0515" Error "kernel called or its address taken",
    CALL_TARGET "E0516" Error "call of something that is no function",
    ARGUMENT_KIND "E0517" Error "argument that is no register",
    UNKNOWN_LABEL "E0518" Error "undeclared label",
    DUPLICATE_LABEL "E0519" Error "label declared twice in one function",
    LD_PARAM_IN_FUNCTION "E0520" Error "`ld.param` outside a kernel",
    PARAMETER_SIZE "E0521" Error "bad size of a kernel parameter",
    PARAMETER_KIND "E0522" Error "parameter of the wrong kind",
    // Linking.
    UNRESOLVED_IMPORT "E0601" Error "import that no module exports",
    DUPLICATE_EXPORT "E0602" Error "name exported by two modules",
    LINK_KIND "E0603" Error "variable on one side, function on the other",
    LINK_SPACE "E0604" Error "import and export in different address spaces",
    LINK_SIZE "E0605" Error "import and export of different sizes",
    LINK_ALIGNMENT "E0606" Error "import aligned more strictly than the export",
    LINK_SIGNATURE "E0607" Error "import and export with different signatures",
    DUPLICATE_KERNEL "E0608" Error "kernel defined by two modules",
    LINK_HOST_ACCESS "E0611" Error "host name given by two modules",
    // Departures.
    HEADER_MISSING "W0010" Departure "missing `.version` or `.target`",
    HEADER_ORDER "W0011" Departure "`.version` and `.target` not at the beginning",
    VERSION_ONE "W0012" Departure "`.version 1.0`",
    LIFETIME_START "W0013" Departure "`lifetime.start`",
    PARAMETER_WITHOUT_REG "W0014" Departure "function parameter without `.reg`",
    PARAMETER_BOUNDS "W0015" Departure "constant access past the end of a kernel parameter",
    PARAMETER_SIGIL "W0016" Departure "kernel parameter written with `@`",
    CACHE_CONTROL_SHARED "W0017" Departure "cache control on shared memory",
    MISSING_SCOPE "W0018" Departure "memory order without a scope",
    ATOMIC_64 "W0019" Departure "64-bit atomic load or store outside global memory",
    NARROW_OFFSET "W0020" Departure "address offset register narrower than the address",
    MINUS_OFFSET "W0021" Departure "address offset subtracted",
    IMMEDIATE_INTO_ELEMENT "W0022" Departure "immediate moved into elements of a vector",
    SIZE_OMITTED "W0023" Departure "initialised variable without a size",
    ELEMENT_TYPE "W0024" Departure "element type in a variable declaration",
    SWIZZLED_OFFSET "W0025" Departure "element of a vector as address offset",
    MULTI_SWIZZLE "W0026" Departure "swizzle of several elements outside `mov`",
    VECTOR_RESULT "W0027" Departure "function that returns a vector",
    // Lints.
    BARE_F2I "W0110" Lint "conversion to integer without a rounding mode",
    EMPTY_MASK "W0111" Lint "sub-group instruction with an empty mask",
    SHFL_CLAMP_ZERO "W0112" Lint "shuffle whose clamp leaves every lane its own value",
    SHFL_SEGMENT "W0113" Lint "shuffle control that is not in the table",
    DIVISION_BY_ZERO "W0114" Lint "division by the constant zero",
    SHIFT_TOO_FAR "W0115" Lint "constant shift by the width or more",
    PACKED_SHIFT "W0116" Lint "packed shift that moves the low half only",
    UNALIGNED "W0117" Lint "access that its variable is not aligned for",
    VALUE_TRUNCATED "W0118" Lint "initialiser value cut to its element",
    HIDES_GLOBAL "W0119" Lint "local variable hides a global one",
    RECURSION "W0120" Lint "function calls itself",
    LABEL_LIKE_DIRECTIVE "W0121" Lint "label that reads like a directive",
    SHADOWED "W0122" Lint "declaration hides one of an outer scope",
    SHORT_HEX_FLOAT "W0123" Lint "hexadecimal floating-point literal with too few digits",
    FLOAT_OVERFLOW "W0124" Lint "floating-point literal overflows to infinity",
    SHARED_IN_FUNCTION "W0125" Lint "`.shared` variable in a function",
    POINTER_SIZE "W0126" Lint "pointer attribute on a parameter that is no pointer",
    SHFL_IGNORED_BITS "W0127" Lint "shuffle control with bits that are ignored",
    SHFL_CROSSES_SEGMENTS "W0128" Lint "exclusive-or shuffle across segments",
}

/// The code of a rule's violation.
pub const fn of_rule(rule: &pisa_isa::Rule) -> Code {
    use pisa_isa::Rule;
    match rule {
        Rule::Width { .. } => WRONG_WIDTH,
        Rule::PackedShape { .. } => PACKED_SHAPE,
        Rule::SwizzledWidth { .. } => SWIZZLED_WIDTH,
        Rule::AddressSpace { .. } => ADDRESS_SPACE,
        Rule::VariableAddressSize { .. } => VARIABLE_ADDRESS_SIZE,
        Rule::ElementCount { .. } => ELEMENT_COUNT,
        Rule::IndexInRange { .. } => INDEX_RANGE,
        Rule::IndexAligned { .. } => INDEX_ALIGNMENT,
        Rule::IndexSum { .. } => INDEX_SUM,
        Rule::Wider => NOT_WIDER,
        Rule::Narrower => NOT_NARROWER,
        Rule::OperandOnlyWhen { .. } => OPERAND_ONLY_WHEN,
        Rule::NotSpecifiedWhen { .. } => FORBIDDEN_QUALIFIER,
        Rule::SpecifiedOnlyWhen { .. } => QUALIFIER_ONLY_WHEN,
        Rule::ValueExcludedWhen { .. } => EXCLUDED_VALUE,
        Rule::ReturnType { .. } => RETURN_TYPE,
    }
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn codes_are_unique_and_ordered_by_kind() {
        let mut seen = std::collections::HashSet::new();
        for (code, title, kind) in TABLE {
            assert!(seen.insert(code.0), "{} twice", code.0);
            assert!(!title.is_empty());
            let letter = if *kind == pisa_diag::Kind::Error { 'E' } else { 'W' };
            assert!(code.0.starts_with(letter), "{}", code.0);
        }
    }
}

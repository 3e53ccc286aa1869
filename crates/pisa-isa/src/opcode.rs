//! The 86 opcodes of PISA 0.1, each with the section that defines it.

macro_rules! opcodes {
    ($($variant:ident $text:literal $section:literal $page:ident $summary:literal,)*) => {
        /// An opcode. `.cond`, `.full`, `.fast` and the like are qualifiers, not opcodes.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Opcode {
            $(#[doc = concat!("`", $text, "`: ", $summary)] $variant,)*
        }
        impl Opcode {
            /// Every opcode in the order of the spec.
            pub const ALL: &[Opcode] = &[$(Opcode::$variant,)*];
            /// The text, `iadd` or `ld.param`.
            pub const fn text(self) -> &'static str {
                match self { $(Opcode::$variant => $text,)* }
            }
            /// The section of the instruction reference, `1.3`.
            pub const fn section(self) -> &'static str {
                match self { $(Opcode::$variant => $section,)* }
            }
            /// The chapter.
            pub const fn chapter(self) -> Chapter {
                match self { $(Opcode::$variant => Chapter::$page,)* }
            }
            /// One line that says what it does.
            pub const fn summary(self) -> &'static str {
                match self { $(Opcode::$variant => $summary,)* }
            }
        }
    };
}

/// A chapter of the instruction reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Chapter {
    Arithmetic,
    FloatingPoint,
    Logical,
    DataMovement,
    Comparison,
    ControlFlow,
    CrossLane,
    Memory,
    Synchronization,
}

impl Chapter {
    /// Every chapter in the order of the spec.
    pub const ALL: &[Chapter] = &[
        Chapter::Arithmetic,
        Chapter::FloatingPoint,
        Chapter::Logical,
        Chapter::DataMovement,
        Chapter::Comparison,
        Chapter::ControlFlow,
        Chapter::CrossLane,
        Chapter::Memory,
        Chapter::Synchronization,
    ];
    /// Its number in the instruction reference, from 1.
    pub const fn number(self) -> usize {
        self as usize + 1
    }
    /// File name of the page in the specification, without `.md`.
    pub const fn page(self) -> &'static str {
        match self {
            Chapter::Arithmetic => "instructions_arithmetic",
            Chapter::FloatingPoint => "instructions_floating_point",
            Chapter::Logical => "instructions_logical",
            Chapter::DataMovement => "instructions_data_movement",
            Chapter::Comparison => "instructions_comparison",
            Chapter::ControlFlow => "instructions_control_flow",
            Chapter::CrossLane => "instructions_cross_lane",
            Chapter::Memory => "instructions_memory",
            Chapter::Synchronization => "instructions_synchronization",
        }
    }
    /// The heading of the chapter.
    pub const fn title(self) -> &'static str {
        match self {
            Chapter::Arithmetic => "Integer Arithmetic",
            Chapter::FloatingPoint => "Floating Point",
            Chapter::Logical => "Logic and Shift",
            Chapter::DataMovement => "Data Movement and Conversion",
            Chapter::Comparison => "Comparison and Selection",
            Chapter::ControlFlow => "Control Flow",
            Chapter::CrossLane => "Sub-group Communication",
            Chapter::Memory => "Memory and Atomics",
            Chapter::Synchronization => "Synchronization",
        }
    }
}

opcodes! {
    Dp4a "dp4a" "1.1" Arithmetic "Compute the dot product of four pairs of bytes from two 32-bit operands, and add a 32-bit accumulator.",
    Iabs "iabs" "1.2" Arithmetic "Compute the absolute value of an integer.",
    Iadd "iadd" "1.3" Arithmetic "Add two integer values.",
    Ineg "ineg" "1.4" Arithmetic "Negate an integer value.",
    Isub "isub" "1.5" Arithmetic "Subtract two integer values.",
    Sdiv "sdiv" "1.6" Arithmetic "Divide two signed integers.",
    Smad "smad" "1.7" Arithmetic "Multiply and add signed integers.",
    Smax "smax" "1.8" Arithmetic "Find the maximum of two signed integers.",
    Smin "smin" "1.9" Arithmetic "Find the minimum of two signed integers.",
    Smul "smul" "1.10" Arithmetic "Multiply two signed integers.",
    Uaddc "uaddc" "1.11" Arithmetic "Add unsigned integers with carry.",
    Udiv "udiv" "1.12" Arithmetic "Divide two unsigned integers.",
    Umad "umad" "1.13" Arithmetic "Multiply and add unsigned integers.",
    Umax "umax" "1.14" Arithmetic "Find the maximum of two unsigned integers.",
    Umin "umin" "1.15" Arithmetic "Find the minimum of two unsigned integers.",
    Umul "umul" "1.16" Arithmetic "Multiply two unsigned integers.",
    Fabs "fabs" "2.1" FloatingPoint "Compute the absolute value of a floating-point number.",
    Fadd "fadd" "2.2" FloatingPoint "Add two floating-point numbers.",
    Fcos "fcos" "2.3" FloatingPoint "Compute the cosine of a floating-point number.",
    Fdiv "fdiv" "2.4" FloatingPoint "Divide two floating-point numbers.",
    Fexp2 "fexp2" "2.5" FloatingPoint "Compute the base-2 exponential of a floating-point number.",
    Flog2 "flog2" "2.6" FloatingPoint "Compute the base-2 logarithm of a floating-point number.",
    Fmad "fmad" "2.7" FloatingPoint "Compute the fused multiply-add of floating-point numbers.",
    Fmax "fmax" "2.8" FloatingPoint "Find the maximum of two floating-point numbers.",
    Fmin "fmin" "2.9" FloatingPoint "Find the minimum of two floating-point numbers.",
    Fmul "fmul" "2.10" FloatingPoint "Multiply two floating-point numbers.",
    Fneg "fneg" "2.11" FloatingPoint "Negate a floating-point number.",
    Frc "frc" "2.12" FloatingPoint "Compute the fractional part of a floating-point number.",
    Frcp "frcp" "2.13" FloatingPoint "Compute the reciprocal of a floating-point number.",
    Frsqrt "frsqrt" "2.14" FloatingPoint "Compute the reciprocal square root of a floating-point number.",
    Fsin "fsin" "2.15" FloatingPoint "Compute the sine of a floating-point number.",
    Fsqrt "fsqrt" "2.16" FloatingPoint "Compute the square root of a floating-point number.",
    Fsub "fsub" "2.17" FloatingPoint "Subtract two floating-point numbers.",
    Ftanh "ftanh" "2.18" FloatingPoint "Compute the hyperbolic tangent of a floating-point number.",
    And "and" "3.1" Logical "Compute bitwise AND operation.",
    Asr "asr" "3.2" Logical "Perform an arithmetic right shift.",
    Bfi "bfi" "3.3" Logical "Replace bits in `src0` with bits from `src1`.",
    Bfn "bfn" "3.4" Logical "Perform an arbitrary bitwise operation.",
    Bfrev "bfrev" "3.5" Logical "Reverse bits in a source value.",
    Cbit "cbit" "3.6" Logical "Count the number of set bits.",
    Fbh "fbh" "3.7" Logical "Find the first bit set from the MSB side.",
    Fbl "fbl" "3.8" Logical "Find the first bit set from the LSB side.",
    Not "not" "3.9" Logical "Compute bitwise NOT operation.",
    Or "or" "3.10" Logical "Compute bitwise OR operation.",
    Sbfe "sbfe" "3.11" Logical "Extract and sign-extend bits.",
    Shr "shr" "3.12" Logical "Perform a logical right shift.",
    Shl "shl" "3.13" Logical "Perform a logical left shift.",
    Shf "shf" "3.14" Logical "Perform a funnel shift operation.",
    Ubfe "ubfe" "3.15" Logical "Extract and zero-extend bits.",
    Xor "xor" "3.16" Logical "Compute bitwise XOR operation.",
    Addrcast "addrcast" "4.1" DataMovement "Convert between specific and generic address spaces.",
    Addrof "addrof" "4.2" DataMovement "Compute the non-generic address of a source variable.",
    ExtractDynamic "extract.dynamic" "4.3" DataMovement "Extract an element from a vector register using a dynamic index.",
    Extract "extract" "4.4" DataMovement "Extract elements from a vector register.",
    F2i "f2i" "4.5" DataMovement "Convert a floating-point value to an integer.",
    Fext "fext" "4.6" DataMovement "Extend a floating-point value to higher precision.",
    Frnd "frnd" "4.7" DataMovement "Round a floating-point number to the nearest integer.",
    Ftrunc "ftrunc" "4.8" DataMovement "Truncate a floating-point value to lower precision.",
    Ftrunc2 "ftrunc2" "4.9" DataMovement "Truncate and pack two floating-point values into a packed vector.",
    I2f "i2f" "4.10" DataMovement "Convert an integer to a floating-point value.",
    InsertDynamic "insert.dynamic" "4.11" DataMovement "Insert an element into a vector using a dynamic index.",
    Insert "insert" "4.12" DataMovement "Insert elements into a vector.",
    Isaddr "isaddr" "4.13" DataMovement "Check if a generic address belongs to a specific address space.",
    Mov "mov" "4.14" DataMovement "Move data between registers.",
    Pf2i "pf2i" "4.15" DataMovement "Convert packed floats to packed integers.",
    Sext "sext" "4.16" DataMovement "Sign-extend an integer to a larger type.",
    Trunc "trunc" "4.17" DataMovement "Truncate an integer to a smaller type.",
    Zext "zext" "4.18" DataMovement "Zero-extend an integer to a larger type.",
    Scmp "scmp" "5.1" Comparison "Compare two signed integer values.",
    Ucmp "ucmp" "5.2" Comparison "Compare two unsigned integer values.",
    Fcmp "fcmp" "5.3" Comparison "Compare two floating-point values.",
    Sel "sel" "5.4" Comparison "Select one of two sources based on value.",
    Call "call" "6.1" ControlFlow "Call a function.",
    Goto "goto" "6.2" ControlFlow "Branch to a label.",
    Return "return" "6.3" ControlFlow "Return from a function or end a work-item’s execution in a kernel.",
    Fred "fred" "7.1" CrossLane "Perform a floating-point reduction operation across participating work-items within a sub-group.",
    Ired "ired" "7.2" CrossLane "Perform an integer reduction operation across participating work-items within a sub-group.",
    Redfirstidx "redfirstidx" "7.3" CrossLane "Get the index of the first active work-item within a sub-group.",
    Shfl "shfl" "7.4" CrossLane "Shuffle data across work-items within a sub-group.",
    Fatom "fatom" "8.1" Memory "Perform a floating-point atomic operation.",
    Iatom "iatom" "8.2" Memory "Perform an integer atomic operation.",
    Ld "ld" "8.3" Memory "Load data from memory.",
    LdParam "ld.param" "8.4" Memory "Load data from kernel parameter.",
    St "st" "8.5" Memory "Store data to memory.",
    BarrierWorkgroup "barrier.workgroup" "9.1" Synchronization "Synchronize work-items within the same work-group.",
    Fence "fence" "9.2" Synchronization "Wait for previous memory accesses to become observable in the specified scope.",
}

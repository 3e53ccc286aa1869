//! Every qualifier value that some instruction form accepts.

macro_rules! qualifiers {
    ($($variant:ident $text:literal,)*) => {
        /// A named qualifier value, such as `.32b` or `.ftz`.
        ///
        /// Cache-control values are fixed combinations (M-25), hence one value each.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Qualifier {
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }
        impl Qualifier {
            /// Every qualifier value, in declaration order.
            pub const ALL: &[Qualifier] = &[$(Qualifier::$variant,)*];
            /// The text as it stands in a mnemonic, with its leading dot.
            pub const fn text(self) -> &'static str {
                match self { $(Qualifier::$variant => $text,)* }
            }
        }
    };
}

qualifiers! {
    // Types (spec spaces_types 2.2).
    B8 ".8b", B16 ".16b", B32 ".32b", B64 ".64b", B128 ".128b",
    Bf ".bf", Hf ".hf", F ".f", Df ".df",
    U8 ".u8", S8 ".s8", U16 ".u16", S16 ".s16", U32 ".u32", S32 ".s32", U64 ".u64", S64 ".s64",
    B8x4 ".8bx4", B16x2 ".16bx2", Hfx2 ".hfx2", Bfx2 ".bfx2", U16x2 ".u16x2", S16x2 ".s16x2",
    // Rounding modes (spec floating_point 3.2).
    Re ".re", Rd ".rd", Ru ".ru", Rz ".rz", Rna ".rna",
    // Flags.
    Ftz ".ftz", Dsat ".dsat", Nanp ".nanp", Fast ".fast", Full ".full", Sg ".sg", Cond ".cond", Ci ".ci", Co ".co",
    // dp4a.
    Ss ".ss", Us ".us", Su ".su", Uu ".uu",
    // sdiv, udiv.
    Quo ".quo", Rem ".rem",
    // Comparisons.
    Eq ".eq", Ne ".ne", Gt ".gt", Ge ".ge", Lt ".lt", Le ".le",
    // shf.
    L ".l", R ".r",
    // Reductions, shuffles, atomics.
    Min ".min", Max ".max", Absmax ".absmax", Sum ".sum",
    Smin ".smin", Smax ".smax", Umin ".umin", Umax ".umax", And ".and", Or ".or", Xor ".xor",
    Up ".up", Dn ".dn", Idx ".idx",
    Add ".add", Sub ".sub", Cas ".cas", Xchg ".xchg",
    Inc ".inc", Dec ".dec", Incwrap ".incwrap", Decwrap ".decwrap",
    // Address spaces.
    Global ".global", Generic ".generic", Shared ".shared", Private ".private", Const ".const",
    // Memory order and scope.
    Weak ".weak", Relaxed ".relaxed", Release ".release", Acquire ".acquire", AcqRel ".acq_rel", SeqCst ".seq_cst",
    Subgroup ".subgroup", Workgroup ".workgroup", Gpu ".gpu", System ".system",
    // Cache control: atomics, loads, stores.
    Uc ".uc", L2wb ".L2wb", L3wb ".L3wb",
    L1ucL2ucL3uc ".L1uc.L2uc.L3uc", L1ucL2ucL3c ".L1uc.L2uc.L3c", L1ucL2cL3uc ".L1uc.L2c.L3uc", L1ucL2cL3c ".L1uc.L2c.L3c",
    L1cL2ucL3uc ".L1c.L2uc.L3uc", L1cL2ucL3c ".L1c.L2uc.L3c", L1cL2cL3uc ".L1c.L2c.L3uc", L1cL2cL3c ".L1c.L2c.L3c",
    L1sL2ucL3uc ".L1s.L2uc.L3uc", L1sL2ucL3c ".L1s.L2uc.L3c", L1sL2cL3uc ".L1s.L2c.L3uc", L1sL2cL3c ".L1s.L2c.L3c",
    Ri ".ri",
    L1ucL2ucL3wb ".L1uc.L2uc.L3wb", L1ucL2wbL3uc ".L1uc.L2wb.L3uc", L1ucL2wbL3wb ".L1uc.L2wb.L3wb",
    L1wtL2ucL3uc ".L1wt.L2uc.L3uc", L1wtL2ucL3wb ".L1wt.L2uc.L3wb", L1wtL2wbL3uc ".L1wt.L2wb.L3uc", L1wtL2wbL3wb ".L1wt.L2wb.L3wb",
    L1sL2ucL3wb ".L1s.L2uc.L3wb", L1sL2wbL3uc ".L1s.L2wb.L3uc",
    L1wbL2ucL3uc ".L1wb.L2uc.L3uc", L1wbL2wbL3uc ".L1wb.L2wb.L3uc", L1wbL2ucL3wb ".L1wb.L2uc.L3wb",
    // Vector element counts.
    V2 ".v2", V3 ".v3", V4 ".v4", V5 ".v5", V6 ".v6", V7 ".v7", V8 ".v8", V16 ".v16", V32 ".v32", V64 ".v64",
}

impl Qualifier {
    /// Width in bits of a value of this type, the whole packed value included; `None` where this is not a type.
    pub const fn bits(self) -> Option<u16> {
        use Qualifier::*;
        Some(match self {
            B8 | U8 | S8 => 8,
            B16 | Bf | Hf | U16 | S16 => 16,
            B32 | F | U32 | S32 | B8x4 | B16x2 | Hfx2 | Bfx2 | U16x2 | S16x2 => 32,
            B64 | Df | U64 | S64 => 64,
            B128 => 128,
            _ => return None,
        })
    }

    /// Element count and element width in bits of a packed type (spec 2.2.2, T-06).
    pub const fn packed(self) -> Option<(u8, u16)> {
        use Qualifier::*;
        match self {
            B8x4 => Some((4, 8)),
            B16x2 | Hfx2 | Bfx2 | U16x2 | S16x2 => Some((2, 16)),
            _ => None,
        }
    }

    /// Element count of a `.vN` value.
    pub const fn elements(self) -> Option<u8> {
        use Qualifier::*;
        Some(match self {
            V2 => 2,
            V3 => 3,
            V4 => 4,
            V5 => 5,
            V6 => 6,
            V7 => 7,
            V8 => 8,
            V16 => 16,
            V32 => 32,
            V64 => 64,
            _ => return None,
        })
    }

    /// Address width in bits of an address space (spec 2.1): 32 for private and shared, 64 for the others.
    pub const fn address_bits(self) -> Option<u16> {
        use Qualifier::*;
        match self {
            Private | Shared => Some(32),
            Global | Const | Generic => Some(64),
            _ => None,
        }
    }

    /// Whether this is a floating-point type, packed ones included.
    pub const fn is_float(self) -> bool {
        use Qualifier::*;
        matches!(self, Bf | Hf | F | Df | Hfx2 | Bfx2)
    }
}

/// The value an instruction has in one qualifier slot of its form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Value {
    /// An optional slot was left out.
    #[default]
    Absent,
    /// A named value.
    Named(Qualifier),
    /// The number of an `.index` slot (0 to 63) or of the truth table of `bfn` (0x01 to 0xfe).
    Number(u8),
}

impl Value {
    /// The named value, if this is one.
    pub const fn named(self) -> Option<Qualifier> {
        match self {
            Value::Named(q) => Some(q),
            _ => None,
        }
    }
}

//! The element types of values.

use std::fmt;

macro_rules! types {
    ($($variant:ident $name:literal $bytes:literal $($alias:literal)?;)*) => {
        /// The type of the elements of a buffer or of a by-value argument.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum ElementType {
            $(#[doc = concat!("`", $name, "`", $(", also `", $alias, "`",)? ": ", $bytes, " bytes")] $variant,)*
        }
        impl ElementType {
            /// All types.
            pub const ALL: &[ElementType] = &[$(ElementType::$variant,)*];
            /// Its name in a VALUE.
            pub const fn name(self) -> &'static str {
                match self { $(ElementType::$variant => $name,)* }
            }
            /// Size of an element in bytes: 1, 2, 4 or 8.
            pub const fn bytes(self) -> usize {
                match self { $(ElementType::$variant => $bytes,)* }
            }
            /// The type with this name or alias.
            pub fn from_name(name: &str) -> Option<ElementType> {
                match name {
                    $($name $(| $alias)? => Some(ElementType::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

types! {
    U8 "u8" 1;
    S8 "s8" 1 "i8";
    U16 "u16" 2;
    S16 "s16" 2 "i16";
    U32 "u32" 4;
    S32 "s32" 4 "i32";
    U64 "u64" 8;
    S64 "s64" 8 "i64";
    Hf "hf" 2 "f16";
    Bf "bf" 2 "bf16";
    F "f" 4 "f32";
    Df "df" 8 "f64";
}

impl ElementType {
    /// Width of an element in bits.
    pub const fn bits(self) -> u32 {
        self.bytes() as u32 * 8
    }
    /// Whether it is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, ElementType::Hf | ElementType::Bf | ElementType::F | ElementType::Df)
    }
    /// Whether it is a signed integer type.
    pub const fn is_signed(self) -> bool {
        matches!(self, ElementType::S8 | ElementType::S16 | ElementType::S32 | ElementType::S64)
    }
    /// The bits an element can have.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
    /// The type of the same class with that many bytes; `bf` has no wider or narrower relative but the IEEE ones.
    pub fn with_bytes(self, bytes: usize) -> Option<ElementType> {
        if self.bytes() == bytes {
            return Some(self);
        }
        ElementType::ALL.iter().copied().find(|t| {
            t.bytes() == bytes && t.is_float() == self.is_float() && t.is_signed() == self.is_signed()
        })
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases() {
        for &ty in ElementType::ALL {
            assert_eq!(ElementType::from_name(ty.name()), Some(ty));
        }
        assert_eq!(ElementType::from_name("f16"), Some(ElementType::Hf));
        assert_eq!(ElementType::from_name("bf16"), Some(ElementType::Bf));
        assert_eq!(ElementType::from_name("f32"), Some(ElementType::F));
        assert_eq!(ElementType::from_name("f64"), Some(ElementType::Df));
        assert_eq!(ElementType::from_name("i64"), Some(ElementType::S64));
        assert_eq!(ElementType::from_name("F"), None);
        assert_eq!(ElementType::from_name(""), None);
    }

    #[test]
    fn relatives_of_another_size() {
        assert_eq!(ElementType::U64.with_bytes(4), Some(ElementType::U32));
        assert_eq!(ElementType::S8.with_bytes(8), Some(ElementType::S64));
        assert_eq!(ElementType::Bf.with_bytes(4), Some(ElementType::F));
        assert_eq!(ElementType::Df.with_bytes(2), Some(ElementType::Hf));
        assert_eq!(ElementType::Df.with_bytes(1), None);
        assert_eq!(ElementType::Bf.with_bytes(2), Some(ElementType::Bf));
    }
}

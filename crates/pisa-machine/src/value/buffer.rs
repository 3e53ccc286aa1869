//! A buffer's content on the host's side.

use crate::ElementType;

/// Typed bytes with a shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// Type of its elements.
    pub ty: ElementType,
    /// Elements per dimension, the last one contiguous; their product is the count of elements.
    pub shape: Vec<u64>,
    /// The elements, little-endian.
    pub bytes: Vec<u8>,
}

impl Buffer {
    /// A one-dimensional buffer; bytes beyond the last whole element are dropped.
    pub fn flat(ty: ElementType, mut bytes: Vec<u8>) -> Buffer {
        bytes.truncate(bytes.len() / ty.bytes() * ty.bytes());
        Buffer { ty, shape: vec![(bytes.len() / ty.bytes()) as u64], bytes }
    }
    /// How many elements it has.
    pub fn count(&self) -> usize {
        self.bytes.len() / self.ty.bytes()
    }
    /// The bits of element `index`; `None` past the end.
    pub fn element(&self, index: usize) -> Option<u64> {
        let size = self.ty.bytes();
        let start = index.checked_mul(size)?;
        let bytes = self.bytes.get(start..start.checked_add(size)?)?;
        let mut word = [0; 8];
        word[..size].copy_from_slice(bytes);
        Some(u64::from_le_bytes(word))
    }
    /// The bits of all elements.
    pub fn elements(&self) -> impl Iterator<Item = u64> {
        elements(self.ty, &self.bytes)
    }
    /// Whether the shape belongs to these bytes.
    pub fn is_consistent(&self) -> bool {
        let count = self.shape.iter().try_fold(1u64, |n, &d| n.checked_mul(d));
        let size = count.and_then(|n| n.checked_mul(self.ty.bytes() as u64));
        size == Some(self.bytes.len() as u64)
    }
}

/// The bits of the elements of some bytes.
pub(crate) fn elements(ty: ElementType, bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(ty.bytes()).map(|bytes| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_little_endian() {
        let buffer = Buffer::flat(ElementType::U16, vec![1, 2, 3, 4, 5]);
        assert_eq!(buffer.shape, [2]);
        assert_eq!(buffer.elements().collect::<Vec<_>>(), [0x0201, 0x0403]);
        assert_eq!(
            (buffer.element(1), buffer.element(2), buffer.element(usize::MAX)),
            (Some(0x0403), None, None)
        );
        assert!(buffer.is_consistent());
        assert!(!Buffer { shape: vec![u64::MAX, 2], ..buffer }.is_consistent());
    }
}

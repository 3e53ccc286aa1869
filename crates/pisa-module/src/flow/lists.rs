//! Lists of different lengths in one allocation.

/// Lists of numbers, one for each of so many keys, all in one row.
#[derive(Clone, Debug, Default)]
pub struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    /// From pairs of a key and an item, in the order of the pairs. `pairs` is walked twice.
    pub fn new<I: Iterator<Item = (usize, T)>>(keys: usize, pairs: impl Fn() -> I) -> Lists<T> {
        let mut starts = vec![0u32; keys + 1];
        pairs().for_each(|(key, _)| starts[key + 1] += 1);
        (0..keys).for_each(|key| starts[key + 1] += starts[key]);
        let mut filled = starts.clone();
        let mut items: Vec<T> = Vec::new();
        if let Some((_, some)) = pairs().next() {
            items.resize(starts[keys] as usize, some);
        }
        for (key, item) in pairs() {
            items[filled[key] as usize] = item;
            filled[key] += 1;
        }
        Lists { starts, items }
    }
    /// The list of a key.
    pub fn get(&self, key: usize) -> &[T] {
        &self.items[self.starts[key] as usize..self.starts[key + 1] as usize]
    }
}

//! Where a lack of a value came from.

use pisa_diag::Place;
use rustc_hash::FxHashMap;

/// Names an [`Origin`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct OriginId(u32);

/// Where a lack of a value came from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Origin {
    pub(crate) place: Option<Place>,
    pub(crate) text: String,
}

/// All that have been met.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    list: Vec<Origin>,
    known: FxHashMap<Origin, OriginId>,
}

impl Origins {
    pub(crate) fn add(&mut self, place: Option<Place>, text: String) -> OriginId {
        let origin = Origin { place, text };
        if let Some(&id) = self.known.get(&origin) {
            return id;
        }
        let id = OriginId(self.list.len() as u32);
        self.list.push(origin.clone());
        self.known.insert(origin, id);
        id
    }

    pub(crate) fn get(&self, id: OriginId) -> Option<&Origin> {
        self.list.get(id.0 as usize)
    }
}

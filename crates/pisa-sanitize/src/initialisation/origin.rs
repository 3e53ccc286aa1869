//! Where a lack of a value came from.

use pisa_diag::Place;
use rustc_hash::FxHashMap;

/// Names an [`Origin`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct OriginId(u32);

/// What lacked a value first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Root {
    /// A register or predicate, by name, that was read before anything was written to it.
    Register(Box<str>),
    /// Memory that was loaded before anything was stored to it.
    Memory,
    /// The result of a call.
    Result,
}

/// Where a lack of a value came from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Origin {
    pub(crate) root: Root,
    pub(crate) place: Option<Place>,
    pub(crate) text: String,
    /// Whether this is the declaration of a register that nobody has read so far.
    declared: bool,
}

/// All that have been met.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    list: Vec<Origin>,
    known: FxHashMap<Origin, OriginId>,
    /// By the declaration and where it was read first.
    read: FxHashMap<(OriginId, Place), OriginId>,
}

impl Origins {
    pub(crate) fn add(&mut self, root: Root, place: Option<Place>, text: String) -> OriginId {
        self.insert(Origin { root, place, text, declared: false })
    }

    /// A register whose declaration is all there is to show.
    pub(crate) fn declared(&mut self, kind: &str, name: &str, place: Place) -> OriginId {
        let text = format!("the {kind} `%{name}` is declared here, and nothing was written to it before");
        self.insert(Origin { root: Root::Register(name.into()), place: Some(place), text, declared: true })
    }

    /// What is said of a lack that an instruction carries on: where a register was read that nothing was written to, there.
    pub(crate) fn carried(&mut self, id: OriginId, place: Place) -> OriginId {
        if let Some(&known) = self.read.get(&(id, place)) {
            return known;
        }
        let carried = match self.get(id) {
            Some(Origin { root: Root::Register(name), declared: true, .. }) => {
                let text = format!("`%{name}` is read here, and nothing was written to it before");
                let root = Root::Register(name.clone());
                self.insert(Origin { root, place: Some(place), text, declared: false })
            }
            _ => id,
        };
        self.read.insert((id, place), carried);
        carried
    }

    fn insert(&mut self, origin: Origin) -> OriginId {
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

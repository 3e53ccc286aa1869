//! Names of registers, parameters and local variables, and where they are visible (G-09, G-11, G-12).

use crate::{FunctionId, Instruction, Label, LabelId, ParameterId, Register, RegisterId, VariableId};
use rustc_hash::FxHashMap;
use std::borrow::{Borrow, Cow};
use std::hash::Hash;

/// What a `%` name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    Register(RegisterId),
    Parameter(ParameterId),
}

/// A map with nested scopes: leaving one brings back what it hid.
#[derive(Debug)]
pub(super) struct Scoped<K, V> {
    map: FxHashMap<K, (V, u32)>,
    hidden: Vec<(K, Option<(V, u32)>)>,
    marks: Vec<usize>,
}

impl<K, V> Default for Scoped<K, V> {
    fn default() -> Self {
        Scoped { map: FxHashMap::default(), hidden: Vec::new(), marks: Vec::new() }
    }
}

impl<K: Hash + Eq + Clone, V: Copy> Scoped<K, V> {
    /// Forgets everything.
    pub fn reset(&mut self) {
        // Clearing costs as much as the table is large; a table from one huge function must not slow all others down.
        if self.map.capacity() > 4096 {
            self.map = FxHashMap::default();
        } else {
            self.map.clear();
        }
        self.hidden.clear();
        self.marks.clear();
    }
    pub fn enter(&mut self) {
        self.marks.push(self.hidden.len());
    }
    pub fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for (key, earlier) in self.hidden.drain(mark..).rev() {
            match earlier {
                Some(value) => self.map.insert(key, value),
                None => self.map.remove(&key),
            };
        }
    }
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.map.get(key).map(|&(value, _)| value)
    }
    /// The value if it was declared in the innermost open scope.
    pub fn get_here<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.map.get(key).filter(|&&(_, depth)| depth as usize == self.marks.len()).map(|&(value, _)| value)
    }
    pub fn insert(&mut self, key: K, value: V) {
        let depth = self.marks.len() as u32;
        if depth == 0 {
            self.map.insert(key, (value, 0));
        } else {
            let earlier = self.map.insert(key.clone(), (value, depth));
            self.hidden.push((key, earlier));
        }
    }
    pub fn len(&self) -> usize {
        self.map.len()
    }
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.map.keys()
    }
}

/// What belongs to the function that is being read.
#[derive(Debug)]
pub(super) struct Body<'t> {
    pub function: FunctionId,
    pub registers: Vec<Register>,
    pub names: Scoped<Cow<'t, str>, Name>,
    pub locals: Scoped<&'t str, VariableId>,
    pub labels: FxHashMap<&'t str, LabelId>,
    pub label_list: Vec<Label>,
    pub code: Vec<Instruction>,
    pub variables: Vec<VariableId>,
    /// Whether an unknown register has been searched for in the whole body, and what was found: names declared
    /// somewhere, each with its place. Made when first needed.
    pub declared_anywhere: Option<FxHashMap<String, pisa_diag::Span>>,
}

impl Default for Body<'_> {
    fn default() -> Self {
        Body {
            function: FunctionId(0),
            registers: Vec::new(),
            names: Scoped::default(),
            locals: Scoped::default(),
            labels: FxHashMap::default(),
            label_list: Vec::new(),
            code: Vec::new(),
            variables: Vec::new(),
            declared_anywhere: None,
        }
    }
}

impl Body<'_> {
    /// Begins another function.
    pub fn begin(&mut self, function: FunctionId) {
        self.function = function;
        self.registers.clear();
        self.names.reset();
        self.locals.reset();
        if self.labels.capacity() > 4096 {
            self.labels = FxHashMap::default();
        } else {
            self.labels.clear();
        }
        self.label_list.clear();
        self.code.clear();
        self.variables.clear();
        self.declared_anywhere = None;
    }
}

#[cfg(test)]
mod tests {
    use super::Scoped;

    #[test]
    fn leaving_a_scope_brings_back_what_it_hid() {
        let mut names: Scoped<&str, u32> = Scoped::default();
        names.insert("a", 1);
        names.enter();
        assert_eq!(names.get_here("a"), None);
        names.insert("a", 2);
        names.insert("b", 3);
        names.enter();
        names.insert("a", 4);
        assert_eq!((names.get("a"), names.get_here("a"), names.get("b")), (Some(4), Some(4), Some(3)));
        names.leave();
        assert_eq!(names.get("a"), Some(2));
        names.leave();
        assert_eq!((names.get("a"), names.get("b")), (Some(1), None));
    }
}

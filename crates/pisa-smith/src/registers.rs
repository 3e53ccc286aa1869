//! The registers of every body: a fixed catalogue, of which each body declares what it uses.

/// A register of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Register(pub u16);

/// What a register is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Filled at the start, stored at the end.
    Pool,
    /// Written by the lines that read it.
    Temporary,
}

/// A register's type and use.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Elements, 1 for a scalar.
    pub elements: u8,
    /// Bits of an element, 1 for a predicate.
    pub bits: u16,
    /// Its number among those of its type and use.
    pub number: u8,
    /// What it is for.
    pub purpose: Use,
}

/// Elements, bits, how many there are.
const POOL: &[(u8, u16, u8)] = &[
    (1, 8, 3),
    (1, 16, 4),
    (1, 32, 6),
    (1, 64, 4),
    (1, 128, 2),
    (2, 8, 1),
    (3, 8, 1),
    (4, 8, 3),
    (2, 16, 4),
    (3, 16, 1),
    (4, 16, 2),
    (2, 32, 2),
    (3, 32, 2),
    (4, 32, 2),
    (5, 32, 1),
    (6, 32, 1),
    (7, 32, 1),
    (8, 32, 2),
    (16, 32, 1),
    (32, 32, 1),
    (64, 32, 1),
    (2, 64, 2),
    (3, 64, 1),
    (4, 64, 1),
    (1, 1, 4),
];

const TEMPORARIES: &[(u8, u16, u8)] =
    &[(1, 8, 1), (1, 16, 1), (1, 32, 6), (1, 64, 4), (1, 128, 1), (2, 32, 1), (2, 64, 1), (1, 1, 2)];

const COUNT: usize = {
    let mut sum = 0;
    let mut i = 0;
    while i < POOL.len() {
        sum += POOL[i].2 as usize;
        i += 1;
    }
    i = 0;
    while i < TEMPORARIES.len() {
        sum += TEMPORARIES[i].2 as usize;
        i += 1;
    }
    sum
};

static CATALOGUE: [Info; COUNT] = {
    let mut all = [Info { elements: 0, bits: 0, number: 0, purpose: Use::Pool }; COUNT];
    let mut at = 0;
    let mut list = POOL;
    let mut purpose = Use::Pool;
    let mut pass = 0;
    while pass < 2 {
        let mut i = 0;
        while i < list.len() {
            let mut number = 0;
            while number < list[i].2 {
                all[at] = Info { elements: list[i].0, bits: list[i].1, number, purpose };
                at += 1;
                number += 1;
            }
            i += 1;
        }
        list = TEMPORARIES;
        purpose = Use::Temporary;
        pass += 1;
    }
    all
};

/// Every register.
pub fn all() -> impl Iterator<Item = Register> {
    (0..COUNT as u16).map(Register)
}

/// The registers of the pool with this shape.
pub fn pool(elements: u8, bits: u16) -> Vec<Register> {
    all()
        .filter(|r| {
            let info = r.info();
            info.purpose == Use::Pool && info.elements == elements && info.bits == bits
        })
        .collect()
}

/// The temporary of this shape and number, or the last one there is.
pub fn temporary(elements: u8, bits: u16, number: u8) -> Register {
    let mut found = Register(0);
    for r in all() {
        let info = r.info();
        if info.purpose == Use::Temporary
            && (info.elements, info.bits) == (elements, bits)
            && info.number <= number
        {
            found = r;
        }
    }
    found
}

impl Register {
    /// Its type and use.
    pub fn info(self) -> Info {
        CATALOGUE[usize::from(self.0).min(COUNT - 1)]
    }

    /// Size in bytes; a predicate takes a word of memory.
    pub fn bytes(self) -> usize {
        let info = self.info();
        if info.bits == 1 { 4 } else { usize::from(info.elements) * usize::from(info.bits) / 8 }
    }

    /// Whether it is a predicate.
    pub fn is_predicate(self) -> bool {
        self.info().bits == 1
    }

    /// The name without its number: `%v4w`.
    pub fn stem(self) -> String {
        let info = self.info();
        let temporary = if info.purpose == Use::Temporary { "t" } else { "" };
        let vector = if info.elements > 1 { format!("v{}", info.elements) } else { String::new() };
        let letter = match info.bits {
            1 => "p",
            8 => "b",
            16 => "h",
            32 => "w",
            64 => "d",
            _ => "q",
        };
        format!("%{temporary}{vector}{letter}")
    }

    /// The name: `%v4w0`.
    pub fn name(self) -> String {
        format!("{}{}", self.stem(), self.info().number)
    }

    /// The type as declarations write it: `.reg .v4.32b`.
    pub fn declaration(self) -> String {
        let info = self.info();
        match (info.bits, info.elements) {
            (1, _) => ".pred".to_owned(),
            (bits, 1) => format!(".reg .{bits}b"),
            (bits, elements) => format!(".reg .v{elements}.{bits}b"),
        }
    }

    /// The type without `.reg`: `.v4.32b`.
    pub fn type_text(self) -> String {
        self.declaration().trim_start_matches(".reg ").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<String> = all().map(Register::name).collect();
        assert_eq!(names.len(), COUNT);
        assert_eq!(temporary(1, 32, 5).name(), "%tw5");
        assert_eq!(pool(4, 32)[1].name(), "%v4w1");
    }
}

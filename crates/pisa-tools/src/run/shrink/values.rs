//! Values that are simpler than another one.

use pisa_machine::{Argument, Directory, Fill, Value, host_memory_limit};

/// Most elements of a list whose elements are made 0 in parts.
const MOST_ELEMENTS: usize = 4096;
/// Most values that are tried for one.
const MOST: usize = 48;

/// The argument with simpler values, the simplest first.
pub(super) fn simpler(argument: &Argument) -> Vec<Argument> {
    let mut values = match &argument.value {
        Value::Made { ty, count, fill } => {
            let with = |count, fill| Value::Made { ty: *ty, count, fill };
            let mut values: Vec<Value> = fewer(*count).map(|count| with(count, *fill)).collect();
            if *fill != Fill::Zeros {
                values.insert(0, with(*count, Fill::Zeros));
            }
            values
        }
        Value::File { .. } => {
            let buffer = argument.value.materialise(&Directory::default(), host_memory_limit() / 4);
            buffer.map_or(Vec::new(), |buffer| {
                let elements: Vec<u64> = buffer.elements().collect();
                let zeros = Value::Made { ty: buffer.ty, count: elements.len() as u64, fill: Fill::Zeros };
                let lists = fewer(elements.len() as u64).map(|count| Value::List {
                    ty: buffer.ty,
                    elements: elements[..count as usize].to_vec(),
                });
                std::iter::once(zeros).chain(lists).collect()
            })
        }
        Value::List { ty, elements } => {
            let count = elements.len();
            let zeros = Value::Made { ty: *ty, count: count as u64, fill: Fill::Zeros };
            let shorter = fewer(count as u64)
                .map(|count| Value::List { ty: *ty, elements: elements[..count as usize].to_vec() });
            let zeroed = zeroed(elements).into_iter().map(|elements| Value::List { ty: *ty, elements });
            std::iter::once(zeros).chain(shorter).chain(zeroed).collect()
        }
        Value::Scalar { ty, bits } if ty.is_float() => {
            if *bits == 0 {
                Vec::new()
            } else {
                vec![Value::Scalar { ty: *ty, bits: 0 }]
            }
        }
        Value::Scalar { ty, bits } => fewer(*bits)
            .chain((*bits != 0).then_some(0))
            .map(|bits| Value::Scalar { ty: *ty, bits })
            .collect(),
        Value::Shared(bytes) => fewer(*bytes).map(Value::Shared).collect(),
        Value::Bytes(_) | Value::Pointer { .. } | Value::Null => Vec::new(),
    };
    values.truncate(MOST);
    values.into_iter().map(|value| named(argument, value)).collect()
}

fn named(argument: &Argument, value: Value) -> Argument {
    let wrote = match &argument.name {
        Some(name) => format!("{name}={value}"),
        None => format!("-a {value}"),
    };
    Argument { name: argument.name.clone(), value, wrote }
}

/// Counts below this one: one, and what is left when ever less is taken away.
fn fewer(count: u64) -> impl Iterator<Item = u64> {
    let parts = [2, 4, 16].into_iter().map(move |part| count - (count / part).max(1));
    let mut counts: Vec<u64> = if count > 1 { std::iter::once(1).chain(parts).collect() } else { Vec::new() };
    counts.push(count.saturating_sub(1));
    counts.retain(|&fewer| fewer > 0 && fewer < count);
    counts.sort_unstable();
    counts.dedup();
    counts.into_iter()
}

/// The elements with one part of them 0 that is not yet: halves, quarters, and so on.
fn zeroed(elements: &[u64]) -> Vec<Vec<u64>> {
    let mut lists = Vec::new();
    if elements.len() > MOST_ELEMENTS {
        return lists;
    }
    let mut length = elements.len().div_ceil(2);
    while length > 0 && lists.len() < MOST {
        for (part, values) in elements.chunks(length).enumerate() {
            if values.iter().any(|&value| value != 0) {
                let mut list = elements.to_vec();
                list[part * length..part * length + values.len()].fill(0);
                if !lists.contains(&list) {
                    lists.push(list);
                }
            }
        }
        length /= 2;
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let argument = Argument::parse_named(&format!("x={text}")).expect("an argument");
        simpler(&argument).into_iter().map(|argument| argument.value.to_string()).collect()
    }

    #[test]
    fn values_become_simpler() {
        assert_eq!(texts("zeros:u32:1"), Vec::<String>::new());
        assert_eq!(texts("iota:u32:2"), ["zeros:u32:2", "iota:u32:1"]);
        assert_eq!(texts("zeros:u32:16"), ["zeros:u32:1", "zeros:u32:8", "zeros:u32:12", "zeros:u32:15"]);
        assert_eq!(texts("u32:5"), ["u32:1", "u32:3", "u32:4", "u32:0"]);
        assert_eq!(texts("f:1.5").len(), 1);
        assert_eq!(texts("f:0"), Vec::<String>::new());
        assert_eq!(texts("null"), Vec::<String>::new());
        assert_eq!(
            texts("buf:u32:7,0,9,0"),
            [
                "zeros:u32:4",
                "buf:u32:7",
                "buf:u32:7,0",
                "buf:u32:7,0,9",
                "buf:u32:0,0,9,0",
                "buf:u32:7,0,0,0"
            ]
        );
    }
}

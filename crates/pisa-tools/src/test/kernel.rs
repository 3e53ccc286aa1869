//! The kernel that a group of facts is tested with.
//!
//! One sub-group tests one fact. Each lane loads its operands and what the destinations hold before, the lanes that
//! are to be active execute the instruction, and after they have met the others again each lane stores its destinations.

use super::fact::{Key, OperandAt, Shape};
use std::fmt::Write;

const LETTERS: [&str; 4] = ["x", "y", "z", "w"];

/// The text of a module with the kernel `@facts`. Its parameters are the buffers `mask`, `s0`…, `o0`…, `d0`…: masks,
/// sources, destinations before and after.
pub(super) fn module_text(key: &Key) -> String {
    let mut parameters = vec![".param[8] %mask".to_owned()];
    let buffers = [("s", key.sources.len()), ("o", key.results.len()), ("d", key.results.len())];
    for (letter, count) in buffers {
        parameters.extend((0..count).map(|i| format!(".param[8] %{letter}{i}")));
    }
    let mut text = String::from(".version 0.1;\n.target 100;\n");
    let _ = writeln!(text, ".kernel @facts({}) {{", parameters.join(", "));
    text.push_str(
        "  .reg .64b %fact, %item, %at, %distance;\n  .reg .32b %lanes, %bit;\n  .pred %active;\n  \
         zext.64b.32b %fact, %groupid.x;\n  \
         ld.param.64b %at, [%mask];\n  \
         umul.64b %distance, %fact, 4;\n  \
         iadd.64b %at, %at, %distance;\n  \
         ld.global.32b %lanes, [%at];\n  \
         umul.64b %item, %fact, 32;\n  \
         zext.64b.32b %distance, %laneid;\n  \
         iadd.64b %item, %item, %distance;\n",
    );
    for (i, &shape) in key.sources.iter().enumerate() {
        declare(&mut text, shape, &format!("source{i}"));
        place(&mut text, &format!("%s{i}"), shape);
        load(&mut text, shape, &format!("source{i}"));
    }
    for (i, &shape) in key.results.iter().enumerate() {
        declare(&mut text, shape, &format!("result{i}"));
        place(&mut text, &format!("%o{i}"), shape);
        load(&mut text, shape, &format!("result{i}"));
    }
    text.push_str(
        "  shr.32b %bit, %lanes, %laneid;\n  \
         and.32b %bit, %bit, 1;\n  \
         ucmp.ne.32b %active, %bit, 0;\n  \
         goto.cond !%active, met;\n",
    );
    let operands: Vec<String> = key
        .order
        .iter()
        .map(|operand| match *operand {
            OperandAt::Source(i) => {
                let negation = if key.sources[i].negated { "!" } else { "" };
                format!("{negation}%source{i}")
            }
            OperandAt::Result(i) => format!("%result{i}"),
        })
        .collect();
    let _ = writeln!(text, "  {} {};\nmet:", key.mnemonic, operands.join(", "));
    for (i, &shape) in key.results.iter().enumerate() {
        place(&mut text, &format!("%d{i}"), shape);
        store(&mut text, shape, &format!("result{i}"));
    }
    text.push_str("}\n");
    text
}

fn declare(text: &mut String, shape: Shape, name: &str) {
    let bits = shape.element.bits;
    let _ = match (bits, shape.elements) {
        (1, _) => writeln!(text, "  .pred %{name};\n  .reg .32b %{name}_word;"),
        (_, 1) => writeln!(text, "  .reg .{bits}b %{name};"),
        (_, n) => writeln!(text, "  .reg .v{n}.{bits}b %{name};\n  .reg .{bits}b %{name}_element;"),
    };
}

/// The address of this lane's value in a buffer into `%at`.
fn place(text: &mut String, parameter: &str, shape: Shape) {
    let _ = writeln!(text, "  ld.param.64b %at, [{parameter}];");
    let _ = writeln!(text, "  umul.64b %distance, %item, {};", shape.bytes());
    text.push_str("  iadd.64b %at, %at, %distance;\n");
}

fn load(text: &mut String, shape: Shape, name: &str) {
    let bits = shape.element.bits;
    match (bits, shape.elements) {
        (1, _) => {
            let _ = writeln!(text, "  ld.global.32b %{name}_word, [%at];");
            let _ = writeln!(text, "  ucmp.ne.32b %{name}, %{name}_word, 0;");
        }
        // Only atomic accesses are 128 bits wide.
        (128, 1) => {
            let _ = writeln!(text, "  ld.global.relaxed.128b %{name}, [%at];");
        }
        (_, 1) => {
            let _ = writeln!(text, "  ld.global.{bits}b %{name}, [%at];");
        }
        (_, n) => {
            for i in 0..usize::from(n) {
                let offset = i * shape.element.bytes();
                let _ = writeln!(text, "  ld.global.{bits}b %{name}_element, [%at + {offset}];");
                let _ = match LETTERS.get(i) {
                    Some(letter) => writeln!(text, "  mov.{bits}b %{name}.{letter}, %{name}_element;"),
                    None => writeln!(text, "  insert.{i}.{bits}b %{name}, %{name}_element;"),
                };
            }
        }
    }
}

fn store(text: &mut String, shape: Shape, name: &str) {
    let bits = shape.element.bits;
    match (bits, shape.elements) {
        (1, _) => {
            let _ = writeln!(text, "  sel.32b %{name}_word, 1, 0, %{name};");
            let _ = writeln!(text, "  st.global.32b [%at], %{name}_word;");
        }
        (128, 1) => {
            let _ = writeln!(text, "  st.global.relaxed.128b [%at], %{name};");
        }
        (_, 1) => {
            let _ = writeln!(text, "  st.global.{bits}b [%at], %{name};");
        }
        (_, n) => {
            for i in 0..usize::from(n) {
                let offset = i * shape.element.bytes();
                let _ = match LETTERS.get(i) {
                    Some(letter) => writeln!(text, "  mov.{bits}b %{name}_element, %{name}.{letter};"),
                    None => writeln!(text, "  extract.{i}.{bits}b %{name}_element, %{name};"),
                };
                let _ = writeln!(text, "  st.global.{bits}b [%at + {offset}], %{name}_element;");
            }
        }
    }
}

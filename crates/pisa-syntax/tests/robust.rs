//! No text makes the parser or the formatter fail or lose a byte.

mod support;

use support::{LLVM, Numbers, SAMPLE, check, messages, read};

#[test]
fn the_samples_have_no_errors() {
    assert_eq!(messages(SAMPLE), "");
    assert_eq!(messages(LLVM), "");
    check(SAMPLE);
    check(LLVM);
}

#[test]
fn every_prefix_and_suffix() {
    for text in [SAMPLE, LLVM] {
        for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
            check(&text[..end]);
            check(&text[end..]);
        }
    }
}

/// Bytes and words put where they do not belong.
const PIECES: &[&str] = &[
    ";",
    ",",
    ":",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "~",
    "+",
    "-",
    "=",
    "!",
    "@",
    "%",
    "\"",
    "/",
    "//",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\t",
    " ",
    ".",
    "0",
    "0x",
    "1.5",
    ".5",
    "1e",
    "1_0",
    "é",
    "\u{a0}",
    "\u{fffd}",
    "\0",
    "\\",
    "#",
    "@%p",
    ".reg",
    ".32b",
    ".kernel",
    ".function",
    ".foo",
    "void",
    "mov.32b",
    "return",
    "%v.xy",
    "@g",
    "@\"q\"",
    "@\"q",
    "L:",
    "// c",
    "\u{feff}",
    ".zero",
    ".param",
    ".align",
    ".export",
];

/// Which sequence of numbers, and how many times as many rounds: `PISA_FUZZ_SEED` and `PISA_FUZZ_ROUNDS`, 1 each.
fn setting(name: &str) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(1)
}

#[test]
fn mutated_texts() {
    let mut numbers = Numbers(setting("PISA_FUZZ_SEED"));
    for round in 0..12_000 * setting("PISA_FUZZ_ROUNDS") {
        let mut text = if round % 4 == 0 { LLVM.to_owned() } else { SAMPLE.to_owned() };
        for _ in 0..1 + numbers.below(4) {
            let boundary = |t: &str, mut at: usize| {
                while !t.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let (a, b) = (numbers.below(text.len() + 1), numbers.below(text.len() + 1));
            let a = boundary(&text, a);
            let near = boundary(&text, (a + numbers.below(12)).min(text.len()));
            match numbers.below(6) {
                0 => text.replace_range(a..near, ""),
                1 | 2 => text.insert_str(a, PIECES[numbers.below(PIECES.len())]),
                3 => text.replace_range(a..near, PIECES[numbers.below(PIECES.len())]),
                4 => {
                    let copy = text[a..near].to_owned();
                    text.insert_str(boundary(&text, b), &copy);
                }
                _ => text.truncate(a),
            }
        }
        check(&text);
    }
}

#[test]
fn random_pieces() {
    let mut numbers = Numbers(setting("PISA_FUZZ_SEED") + 7);
    for _ in 0..6_000 * setting("PISA_FUZZ_ROUNDS") {
        let count = numbers.below(30);
        let text: String = (0..count).map(|_| PIECES[numbers.below(PIECES.len())]).collect();
        check(&text);
    }
}

#[test]
fn scopes_nest_without_end() {
    const DEPTH: usize = 1_000_000;
    let head = ".version 0.1;\n.target 100;\n.kernel @k()\n";
    let closed = format!("{head}{}{}", "{".repeat(DEPTH), "}".repeat(DEPTH));
    let tree = read(&closed);
    assert_eq!(tree.diagnostics, []);
    let mut node = tree.root().children().last().expect("the kernel").children().last().expect("the body");
    let mut depth = 1;
    while let Some(inner) = node.children().next() {
        node = inner;
        depth += 1;
    }
    assert_eq!(depth, DEPTH);
    let open = format!("{head}{}", "{".repeat(DEPTH));
    let tree = read(&open);
    assert_eq!(tree.diagnostics.len(), 1);
    assert!(tree.diagnostics[0].notes[1].1.contains("1000000 `}` are missing"), "{:?}", tree.diagnostics);
    let formatted = pisa_syntax::format(&read(&closed));
    assert!(formatted.len() < DEPTH * 2 * 90, "indentation stops growing");
    for text in
        ["{", "(", "[", "[-", "((", "{ .32b ", "@g = {", "/*", "\"", "@", "-", "!", "<", "}", ":", "a:"]
    {
        read(&format!("{head}{{ call {}", text.repeat(100_000)));
        read(&format!(".global @g = {}", text.repeat(100_000)));
    }
}

#[test]
fn binary_files_are_quick_and_their_errors_limited() {
    let mut numbers = Numbers(3);
    let bytes: Vec<u8> = (0..1_000_000).flat_map(|_| numbers.next().to_le_bytes()[..4].to_vec()).collect();
    let decoded = pisa_syntax::decode(bytes);
    let tree = pisa_syntax::parse_decoded(pisa_diag::FileId(0), &decoded);
    let last = tree.diagnostics.iter().find(|d| d.code == pisa_syntax::codes::MORE_ERRORS).expect("a count");
    assert!(last.message.ends_with("more syntax errors are not listed"), "{}", last.message);
    assert!(tree.diagnostics.len() <= 2 * pisa_syntax::DIAGNOSTIC_LIMIT + 2);
    let joined: usize = tree.tokens().map(|t| t.text().len()).sum();
    assert_eq!(joined, decoded.text.len());
    let zeros = pisa_syntax::decode(vec![0; 4_000_000]);
    assert_eq!(pisa_syntax::parse_decoded(pisa_diag::FileId(0), &zeros).diagnostics.len(), 1);
}

#[test]
fn bytes_that_are_not_utf8_are_reported_once_and_the_rest_is_read() {
    let text = b".version 0.1;\n// caf\xe9\n.target 100;\n.global @gr\xf6\xdfe[4];\n".to_vec();
    let decoded = pisa_syntax::decode(text);
    let tree = pisa_syntax::parse_decoded(pisa_diag::FileId(0), &decoded);
    let found: Vec<_> =
        tree.diagnostics.iter().map(|d| (d.code.0, d.place().expect("a place").span.start)).collect();
    assert_eq!(found, [("E0115", 20), ("E0115", 48)]);
    assert_eq!(tree.root().children().count(), 3);
}

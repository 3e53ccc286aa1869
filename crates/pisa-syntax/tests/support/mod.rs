//! Text for the tests, and what must hold for every tree.
#![allow(dead_code)]

use pisa_diag::{FileId, Severity, Sources};
use pisa_syntax::{Node, NodeKind, TokenKind, Tree, format, parse};

/// A module with every construct of the grammar, without a diagnostic.
pub const SAMPLE: &str = r#"// A module with a bit of everything.
.version 0.1;
.target 100ca;

.import .function .32b @external(.reg .32b, .reg .v4.32b);
.import .global .align 4 @table[64];
.export .global .align 8 .section(".data \"x\"") .host_access("host \\ name") @values[24] = { .64b 0xFFFFFFFFFFFFFFFF, .32b -1, .zero 4, .64b @table+8 };
.const .align 8 @pointers = {
  .64b @external, // a function
  .64b @table-4
};
.global @plain[0x10];

// Adds two numbers.
.function .32b @add(.reg .32b %a, .reg .v2.32b %b) {
  .reg .32b %r, %s<0~5>, %t;
  .pred %p, %q<1~4>;
  .private .align 16 @local[16];

  iadd.32b %r, %a, %b.x;    //~ error[E0203]
  mov.128b %v4w0.xyzw, %v2d0.xy;
  bfn.0xba.32b %r, %a, %b.y, -0x1;
  fadd.ftz.f %r, %r, 1.5e-3;
  fmul.f %r, %r, -2.;
  ld.global.L1c.L2c.L3c.v2.32b %b, [%d0 + 8];
  st.generic.64b [%d0 - 8], %d1;
  ld.shared.32b %r, [@local + %a];
  uaddc.ci.co.32b %r, %p, %a, %a, !%q1;
loop: // again
  {
    .reg .64b %f;
    addrof.64b %f, @add;
    call %r, %f(%r, %b);
    {
    }
  .inner:
    goto.cond !%p, .inner;
  }
  goto.cond %p, loop;
  call void, @nothing();
  return %r;
}

//! launch k -g 64 x=buf:u32:1
.kernel .reqd_work_group_size(256, 2, 1) .vec_type_hint(int2) @k(.param[4] %n, .param[8] .align(4) .addrspace(global) .ptr_align(16) %x) {
  .shared @tile[1024];
  ld.param.32b %w, [%n];
  barrier.workgroup;
  fence.shared.acquire.workgroup;
  return;
}
.export .function void @nothing() {
}
"#;

/// What LLVM prints.
pub const LLVM: &str = ".version 1.0;\n.target 100;\n\n.import .function .32b @g(.reg .32b, .reg .32b)\n;\n.export .global  .align 4 @D = { .16b 0xffff, .zero 2, .64b @D-4 };\n.export .function .32b @f(.reg .32b %w0, .reg .64b %d0)\n{\n\t.reg .32b %w1, %w2;\n\t.reg .64b %d<1~7>;\n\t.pred %p0;\n\t.private .align 4 @R0[16];\n// %bb.0:\n\tiadd.32b \t%w2, %w0, %w1;\nLBB0_1:                                 // =>This Inner Loop Header: Depth=1\n\tld.private.8b\t %b0, [%d0 - 8];\n\tld.param.32b %w0, [%arg0+4];\n\tcall %w0, @f (%w1, %w2);\n\tcall void, %d0 ();\n\tgoto.cond !%p0, LBB0_1;\n\treturn %w0;\n}\n                                        // -- End function\n";

/// A generator of numbers with a fixed sequence (splitmix64).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

pub fn read(text: &str) -> Tree {
    parse(FileId(0), text.into())
}

pub fn significant(tree: &Tree) -> Vec<(TokenKind, &str)> {
    tree.tokens().filter(|t| !t.kind().is_trivia()).map(|t| (t.kind(), t.text())).collect()
}

pub fn comments(tree: &Tree) -> Vec<&str> {
    tree.tokens().filter(|t| t.kind() == TokenKind::Comment).map(|t| t.text().trim_end()).collect()
}

pub fn kinds(tree: &Tree) -> Vec<(NodeKind, String)> {
    let mut all = Vec::new();
    let mut stack = vec![tree.root()];
    while let Some(node) = stack.pop() {
        all.push((node.kind(), node.tokens().map(|t| t.text()).collect::<Vec<_>>().join(" ")));
        stack.extend(node.children());
    }
    all
}

/// Everything that holds for the tree of any text.
pub fn check(text: &str) {
    let tree = read(text);
    let joined: String = tree.tokens().map(|t| t.text()).collect();
    assert_eq!(joined, text, "the tokens are the text");
    check_nesting(tree.root());
    let has_error = tree.diagnostics.iter().any(|d| d.severity == Severity::Error);
    if !has_error {
        assert!(!tree.root().has_error(), "an Error node without an error:\n{text}");
    }
    for d in &tree.diagnostics {
        let span = d.place().expect("a place").span;
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{d:?}");
        assert!(
            text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize),
            "{d:?}"
        );
        assert!(!d.message.is_empty() && !d.message.contains('\n'), "{d:?}");
    }
    let formatted = format(&tree);
    let again = read(&formatted);
    assert_eq!(significant(&tree), significant(&again), "only trivia changes:\n{text}\n---\n{formatted}");
    if !has_error {
        assert_eq!(comments(&tree), comments(&again), "comments are kept");
        assert_eq!(kinds(&tree), kinds(&again), "the tree stays:\n{text}\n---\n{formatted}");
        assert_eq!(format(&again), formatted, "formatting again changes nothing:\n{text}");
        let still = again.diagnostics.iter().any(|d| d.severity == Severity::Error);
        assert!(!still, "{formatted}\n{:?}", again.diagnostics);
    }
}

fn check_nesting(root: Node<'_>) {
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        let span = node.span();
        let mut end = span.start;
        for child in node.children() {
            let inner = child.span();
            let is_empty = inner.start == inner.end;
            assert!(end <= inner.start || is_empty, "{child:?} overlaps the one before in {node:?}");
            assert!(inner.end <= span.end || is_empty, "{child:?} leaves {node:?}");
            end = end.max(inner.end);
            stack.push(child);
        }
        assert!(node.own_tokens().all(|t| span.start <= t.span().start && t.span().end <= span.end));
    }
}

/// The diagnostics of a text, one a line: place, code, message, label, notes.
pub fn messages(text: &str) -> String {
    let mut sources = Sources::new();
    let file = sources.add("t.pisa", text);
    let tree = parse(file, text.into());
    let mut out = String::new();
    for d in &tree.diagnostics {
        let place = d.place().expect("a place").span;
        let ((line, column), (_, end)) =
            (sources.file(file).line_column(place.start), sources.file(file).line_column(place.end));
        out += &format!("{line}:{column}..{end} {}: {}\n", d.code.0, d.message);
        for label in &d.labels {
            let (line, column) = sources.file(file).line_column(label.place.span.start);
            if !label.text.is_empty() {
                out += &format!("    {line}:{column} {}\n", label.text);
            }
        }
        for (kind, note) in &d.notes {
            out += &format!("    {kind:?}: {note}\n");
        }
        if let Some(fix) = &d.fix {
            let span = fix.place.span;
            out += &format!(
                "    Fix: {:?} for {:?}\n",
                fix.replacement,
                &text[span.start as usize..span.end as usize]
            );
        }
    }
    out
}

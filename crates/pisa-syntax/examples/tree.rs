//! Prints the tree of a file and its diagnostics: `cargo run --example tree FILE`.
#![allow(clippy::print_stdout)]

use pisa_syntax::Node;

fn main() -> std::io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "/dev/stdin".to_owned());
    let decoded = pisa_syntax::decode(std::fs::read(name)?);
    let mut sources = pisa_diag::Sources::new();
    let file = sources.add("file", decoded.text.clone());
    let tree = pisa_syntax::parse_decoded(file, &decoded);
    let mut stack: Vec<(Node<'_>, usize)> = vec![(tree.root(), 0)];
    while let Some((node, depth)) = stack.pop() {
        let own: Vec<&str> = node.own_tokens().map(|t| t.text()).collect();
        println!("{:1$}{node:?} {own:?}", "", 2 * depth);
        let children: Vec<_> = node.children().collect();
        stack.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    for d in &tree.diagnostics {
        let at = d.place().map_or((0, 0), |p| sources.file(file).line_column(p.span.start));
        println!("{:?} {:?} {}:{} {} | {:?}", d.severity, d.code, at.0, at.1, d.message, d.notes);
    }
    Ok(())
}

//! Prints a file in the canonical layout: `cargo run --example format FILE`.
#![allow(clippy::print_stdout)]

fn main() -> std::io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "/dev/stdin".to_owned());
    let decoded = pisa_syntax::decode(std::fs::read(name)?);
    print!("{}", pisa_syntax::format(&pisa_syntax::parse_decoded(pisa_diag::FileId(0), &decoded)));
    Ok(())
}

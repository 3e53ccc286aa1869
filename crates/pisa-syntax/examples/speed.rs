//! Measures lexer and parser on text such as compilers print: `cargo run --release --example speed [MEGABYTES]`.
#![allow(clippy::print_stdout)]

/// Seconds that this thread has run, or wall-clock time where the system does not tell.
fn now() -> f64 {
    let on_processor = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = on_processor.and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    nanoseconds.map_or_else(
        || std::time::UNIX_EPOCH.elapsed().map_or(0.0, |d| d.as_secs_f64()),
        |nanoseconds| nanoseconds / 1e9,
    )
}

fn main() {
    let megabytes: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100);
    let mut text = String::from(".version 0.1;\n.target 100;\n\n");
    let mut number = 0;
    while text.len() < megabytes * 1_000_000 {
        text += &format!(
            ".export .function .32b @f{number}(.reg .32b %w0, .reg .64b %d0)\n{{\n\t.reg .32b %w<1~64>;\n\t.pred %p0;\n"
        );
        for i in 1..40 {
            text += &format!(
                "\tiadd.32b \t%w{}, %w{i}, {};\n\tld.private.32b\t %w{i}, [%d0 - {}];\n",
                i + 1,
                i * 37,
                i * 4
            );
            text += &format!("\tfmad.ftz.f \t%w{i}, %w0, 0x3F800000, %w{i};\n");
        }
        text += &format!(
            "LBB{number}_1:                                 // =>This Inner Loop Header: Depth=1\n\tucmp.lt.32b \t%p0, %w1, %w2;\n\tgoto.cond %p0, LBB{number}_1;\n\treturn %w0;\n}}\n"
        );
        number += 1;
    }
    let bytes = text.len() as f64 / 1e6;
    let text: std::sync::Arc<str> = text.into();
    for _ in 0..3 {
        let start = now();
        let tokens = pisa_syntax::lex_only(&text);
        let lexed = now() - start;
        let start = now();
        let tree = pisa_syntax::parse(pisa_diag::FileId(0), text.clone());
        let parsed = now() - start;
        let start = now();
        let formatted = pisa_syntax::format(&tree);
        let printed = now() - start;
        println!(
            "{bytes:.0} MB, {tokens} tokens: lexer {:.0} MB/s, lexer and parser {:.0} MB/s, formatter {:.0} MB/s ({} diagnostics, {} MB formatted)",
            bytes / lexed,
            bytes / parsed,
            bytes / printed,
            tree.diagnostics.len(),
            formatted.len() / 1_000_000
        );
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or("peak memory: unknown"));
}

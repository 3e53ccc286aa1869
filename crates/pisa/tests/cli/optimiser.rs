//! What the optimiser saves: the table of `docs/optimiser.md`.

use crate::common::Folder;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(root().join(folder)).expect("a folder");
    let mut files: Vec<PathBuf> = all
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    files
}

/// The launches that are measured: a name, and the words behind `pisa run`.
fn launches() -> Vec<(String, String)> {
    let stem = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut launches: Vec<(String, String)> = files("examples", "toml")
        .iter()
        .map(|path| (format!("examples/{}", stem(path)), format!("--launch {}", path.display())))
        .collect();
    for path in files("conformance/optimisation/benchmarks", "pisa") {
        let text = std::fs::read_to_string(&path).expect("a module");
        for line in text.lines().filter_map(|line| line.strip_prefix("//! launch ")) {
            let (kernel, rest) = line.split_once(' ').expect("a kernel");
            launches.push((
                format!("{}/{kernel}", stem(&path)),
                format!("{} -k {kernel} {rest}", path.display()),
            ));
        }
    }
    launches
}

/// Executed instructions of sub-groups.
fn count(folder: &Folder, words: &str, level: &str) -> u64 {
    let ran = folder.run(&format!("run {words} --stats --threads 1 {level}")).gives(0);
    let all = ran.stdout + &ran.stderr;
    let mut counts = all.lines().filter_map(|line| line.split_once(" instructions of a sub-group"));
    let (before, _) = counts.next_back().expect("the statistics");
    let (_, number) = before.rsplit_once(": ").expect("a name before the count");
    // Thousands are set apart.
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    digits.parse().expect("a count")
}

#[test]
fn what_the_optimiser_saves_is_in_its_page() {
    let folder = Folder::new();
    let mut table = String::from(
        "| launch | written | `-O0` | `-O1` | `-O2` | saved at `-O2` |\n|---|---|---|---|---|---|\n",
    );
    let mut sums = [[0.0f64; 2]; 2];
    let mut counted = [0u32; 2];
    for (name, words) in launches() {
        let [written, zero, one, two] = ["", "-O0", "-O1", "-O2"].map(|level| count(&folder, &words, level));
        let saved = |now: u64| 100.0 * (1.0 - now as f64 / written as f64);
        let _ = writeln!(table, "| {name} | {written} | {zero} | {one} | {two} | {:.1} % |", saved(two));
        // Nothing gets longer.
        assert!(two <= one && one <= zero && zero <= written, "{name}: {written} {zero} {one} {two}");
        let set = usize::from(!name.starts_with("examples/"));
        sums[set][0] += (zero as f64 / written as f64).ln();
        sums[set][1] += (two as f64 / written as f64).ln();
        counted[set] += 1;
    }
    for (set, name) in ["examples", "benchmark kernels"].into_iter().enumerate() {
        let mean = |column: usize| 100.0 * (1.0 - (sums[set][column] / f64::from(counted[set])).exp());
        let _ = writeln!(
            table,
            "| **{name}**, geometric mean | | {:.1} % less | | | **{:.1} %** |",
            mean(0),
            mean(1)
        );
    }
    let page = root().join("docs/optimiser.md");
    let text = std::fs::read_to_string(&page).expect("the page");
    let (before, rest) = text.split_once("<!-- counts -->\n").expect("the mark before the table");
    let (_, behind) = rest.split_once("<!-- /counts -->").expect("the mark behind the table");
    let new = format!("{before}<!-- counts -->\n{table}<!-- /counts -->{behind}");
    if new != text {
        let update = std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1");
        assert!(update, "docs/optimiser.md is out of date; UPDATE_EXPECT=1 writes it anew:\n{table}");
        std::fs::write(&page, new).expect("the page");
    }
}

use super::LaunchFile;
use crate::{Argument, Expectation, Extent, PrintRequest, SaveTarget, Schedule, ScheduleChoice, Tolerance};

const WHOLE: &str = r#"files = ["softmax.pisa", "lib/exp.pisa"]
kernel = "softmax"
global = [1024, 4]
local = [256]
offset = [16]
printf = 65536
fuel = 1000000
schedule = "independent"
seed = 7
san = "mem,race"
print = ["out:0..8", "@count:u32"]

[args]
x = "rand:f:4096:7"
out = "zeros:f:4096"
n = "u32:4096"
w = "@weights.bin:hf"

[globals]
"@count" = "u32:0"

[buffers]
extra = "iota:u8:3"

[save]
out = "@result.npy"

[expect]
out = "@expected.npy~rel:1e-6"
"@count" = "u32:4"
"#;

fn parse(text: &str) -> Result<LaunchFile, String> {
    LaunchFile::parse(text, "k.toml").map_err(|e| e.text(None))
}

#[test]
fn every_entry_is_read() {
    let file = parse(WHOLE).unwrap();
    assert_eq!(file.files, ["softmax.pisa", "lib/exp.pisa"]);
    assert_eq!(file.kernel.as_deref(), Some("softmax"));
    assert_eq!(file.global, Extent::new(&[1024, 4]));
    assert_eq!((file.local, file.offset), (Extent::new(&[256]), Extent::new(&[16])));
    assert_eq!((file.printf_size, file.fuel), (Some(65536), Some(1_000_000)));
    assert_eq!(file.sanitize.as_deref(), Some("mem,race"));
    assert_eq!(parse("san = [\"mem\", \"race\"]").unwrap().sanitize, file.sanitize);
    assert_eq!((file.schedule, file.seed), (Some(ScheduleChoice::Independent), Some(7)));
    assert_eq!(file.spec().unwrap().schedule, Schedule::Independent(7));
    assert_eq!(parse("global = 1\nschedule = \"lanes\"").unwrap().spec().unwrap().schedule, Schedule::Lanes);
    let names: Vec<_> = file.arguments.iter().map(|a| a.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["x", "out", "n", "w", "@count"]);
    assert_eq!(file.arguments[2].wrote, "n=u32:4096");
    assert_eq!(file.buffers[0].name.as_deref(), Some("extra"));
    assert_eq!(file.save, [("out".to_owned(), SaveTarget::parse("@result.npy").unwrap())]);
    assert_eq!(file.print[1], PrintRequest::parse("@count:u32").unwrap());
    assert_eq!(file.expect[0].tolerance, Tolerance::Relative(1e-6));
    assert_eq!(file.expect[1].name, "@count");
    let spec = file.spec().unwrap();
    assert_eq!((spec.fuel, spec.threads, spec.arguments.len()), (1_000_000, 1, 5));
}

#[test]
fn what_is_written_reads_as_the_same() {
    let file = parse(WHOLE).unwrap();
    // The fixture is in the layout of the writer.
    assert_eq!(file.to_toml(), WHOLE);
    let in_order = parse("global = 4\nargs = [\"u32:1\", \"null\"]\n").unwrap();
    assert_eq!(in_order.arguments[1].name, None);
    assert_eq!(in_order.to_toml(), "global = [4]\nargs = [\"u32:1\", \"null\"]\n");
    let strange = LaunchFile { kernel: Some("a\"\\\n\u{1}ü".to_owned()), ..LaunchFile::default() };
    assert_eq!(parse(&strange.to_toml()).unwrap(), strange);
    assert_eq!(parse("").unwrap(), LaunchFile::default());
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (text, start, part) in [
        ("kernal = \"k\"\n", "k.toml:1:1: ", "unknown field `kernal`"),
        ("global = [1]\n[args]\nx = 5\n", "k.toml:3:5: ", "expected a string"),
        ("global = [1]\n[args]\nx = \"zero:u8:1\"\n", "k.toml:3:5: ", "`zero:u8:1` is not a value"),
        ("global = [1]\n[args]\nx = \"zero:u8:1\"\n", "k.toml:3:5: ", "you wrote:  x = \"zero:u8:1\""),
        ("global = [1]\n[args]\nx = \"zero:u8:1\"\n", "k.toml:3:5: ", "did you mean `zeros:u8:1`?"),
        ("global = [1, 2, 3, 4]", "k.toml:1:10: ", "one to three dimensions"),
        ("global = []", "k.toml:1:10: ", "one to three dimensions"),
        ("global = -1", "k.toml:1:10: ", "negative"),
        ("global = \"x\"", "k.toml:1:10: ", "expected a whole number"),
        ("global = [-1]", "k.toml:1:11: ", "expected"),
        ("fuel = -1", "k.toml:1:8: ", "expected"),
        ("schedule = \"warp\"", "k.toml:1:12: ", "no schedule `warp`"),
        ("san = 1", "k.toml:1:7: ", "expected a text such as"),
        ("print = [\"out:x\"]", "k.toml:1:10: ", "`x` is not a type"),
        ("[save]\nout = \"x.npy\"", "k.toml:2:7: ", "is not a file to save to"),
        ("[expect]\nout = \"zeros:u8:1~ulp\"", "k.toml:2:7: ", "is not a tolerance"),
        ("[args]\nx = \"u32:1\"\nx = \"u32:2\"", "k.toml:3:1: ", "duplicate key"),
        ("[args", "k.toml:1:", ""),
        ("a = [[[[", "k.toml:1:", ""),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.starts_with(start), "{text}\n{error}");
        assert!(error.contains(part), "{text}\n{error}");
    }
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("[", "]"), ("{x=", "}")] {
        let text = format!("kernel = {}{}", open.repeat(100_000), close.repeat(100_000));
        assert!(parse(&text).is_err());
    }
    let dotted = format!("{}z = 1", "a.".repeat(100_000));
    assert!(parse(&dotted).is_err());
}

#[test]
fn the_command_line_wins() {
    let mut file = parse(WHOLE).unwrap();
    file.merge(LaunchFile {
        kernel: Some("other".to_owned()),
        local: Extent::new(&[32]),
        arguments: vec![Argument::parse_named("n=u32:8").unwrap()],
        expect: vec![Expectation::parse("x=zeros:f:1").unwrap()],
        ..LaunchFile::default()
    });
    assert_eq!(file.kernel.as_deref(), Some("other"));
    assert_eq!((file.local, file.global), (Extent::new(&[32]), Extent::new(&[1024, 4])));
    let n: Vec<_> = file.arguments.iter().filter(|a| a.name.as_deref() == Some("n")).collect();
    assert_eq!((n.len(), n[0].wrote.as_str()), (1, "n=u32:8"));
    assert_eq!((file.arguments.len(), file.expect.len()), (5, 3));
    assert!(LaunchFile::default().spec().unwrap_err().message.contains("no global size"));
}

#[test]
fn paths_are_relative_to_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("k.toml");
    std::fs::write(&path, WHOLE).unwrap();
    let path = path.to_str().unwrap();
    let file = LaunchFile::load(path).unwrap();
    let base = directory.path().to_str().unwrap();
    assert_eq!(file.files[1], format!("{base}/lib/exp.pisa"));
    assert_eq!(file.arguments[3].value.to_string(), format!("@{base}/weights.bin:hf"));
    assert_eq!(file.save[0].1.path, format!("{base}/result.npy"));
    assert_eq!(file.expect[0].to_string(), format!("out=@{base}/expected.npy~rel:1e-6"));
    file.save(path).unwrap();
    assert_eq!(LaunchFile::load(path).unwrap().to_toml(), file.to_toml());
    assert!(
        LaunchFile::load(&format!("{base}/none.toml")).unwrap_err().message.contains("there is no such file")
    );
    std::fs::write(path, [0xFF, 0xFE]).unwrap();
    assert!(LaunchFile::load(path).unwrap_err().message.contains("not UTF-8"));
}

//! Reading the text of a VALUE.

use super::{ElementType, Fill, Value, ValueError, number::parse_number};
use crate::{GLOBAL_END, suggest::suggestion};

/// The words a VALUE can start with, for suggestions.
const FORMS: &[&str] = &["zeros", "fill", "iota", "rand", "uninit", "buf", "bytes", "shared", "ptr", "null"];
const SYNTAX: &str = "a value is `@FILE`, `zeros:TYPE:N`, `fill:TYPE:N:V`, `iota:TYPE:N`, `rand:TYPE:N[:SEED]`, \
    `uninit:TYPE:N`, `buf:TYPE:V,V,…`, `TYPE:V`, `bytes:HEX`, `shared:BYTES`, `ptr:NAME[+BYTES]` or `null`";

impl Value {
    /// Reads a VALUE.
    pub fn parse(text: &str) -> Result<Value, ValueError> {
        let text = text.trim();
        if let Some(path) = text.strip_prefix('@') {
            return parse_file(path);
        }
        if text == "null" {
            return Ok(Value::Null);
        }
        let (word, rest) = match text.split_once(':') {
            Some((word, rest)) => (word.trim(), Some(rest.trim())),
            None => (text, None),
        };
        if let Some(ty) = ElementType::from_name(word) {
            let rest = rest.ok_or_else(|| incomplete(text, "TYPE:V"))?;
            return Ok(Value::Scalar { ty, bits: parse_number(ty, rest)? });
        }
        let form =
            |syntax: &'static str| rest.filter(|r| !r.is_empty()).ok_or_else(|| incomplete(text, syntax));
        match word {
            "zeros" => made(text, form("zeros:TYPE:N")?, "zeros:TYPE:N", Fill::Zeros),
            "uninit" => made(text, form("uninit:TYPE:N")?, "uninit:TYPE:N", Fill::Undefined),
            "iota" => made(text, form("iota:TYPE:N")?, "iota:TYPE:N", Fill::Iota),
            "rand" => parse_random(text, form("rand:TYPE:N[:SEED]")?),
            "fill" => parse_fill(text, form("fill:TYPE:N:V")?),
            "buf" => parse_list(text, form("buf:TYPE:V,V,…")?),
            "bytes" => parse_bytes(form("bytes:HEX")?),
            "shared" => Ok(Value::Shared(parse_count(form("shared:BYTES")?, "a size in bytes")?)),
            "ptr" => parse_pointer(text, form("ptr:NAME[+BYTES]")?),
            "null" => Err(ValueError::new(format!("`{text}`: `null` stands alone"))),
            _ => Err(unknown_form(text, word)),
        }
    }
}

fn incomplete(text: &str, syntax: &str) -> ValueError {
    ValueError::new(format!("`{text}` is incomplete")).help(format!("the form is `{syntax}`"))
}

fn unknown_form(text: &str, word: &str) -> ValueError {
    let types = ElementType::ALL.iter().map(|t| t.name());
    let error = ValueError::new(format!("`{text}` is not a value"));
    if word.is_empty() || word.bytes().next().is_some_and(|b| b.is_ascii_digit() || b == b'-') {
        let text = if text.is_empty() { "7" } else { text };
        let ty = if text.contains('.') { "f" } else { "u32" };
        return error.help(format!("a number has its type before it, as in `{ty}:{text}`"));
    }
    match suggestion(word, FORMS.iter().copied().chain(types)) {
        Some(close) => error.help(format!("did you mean `{}`?", text.replacen(word, close, 1))),
        None => error.help(SYNTAX),
    }
}

/// `@FILE` without its `@`.
fn parse_file(path: &str) -> Result<Value, ValueError> {
    if path.is_empty() {
        return Err(ValueError::new("`@` without the name of a file"));
    }
    let (path, ty) = match path.rsplit_once(':') {
        Some((path, ty)) if !ty.contains(['/', '.']) => (path, Some(parse_type(ty)?)),
        _ => (path, None),
    };
    match (crate::files::Format::of(path)?, ty) {
        (crate::files::Format::Raw, None) => {
            Err(ValueError::new(format!("`@{path}` does not say the type of its elements"))
                .help(format!("for example `@{path}:u32`")))
        }
        (crate::files::Format::Picture(_), Some(ty)) if ty != ElementType::U8 => {
            Err(ValueError::new(format!("pictures are read as u8, not as {ty}"))
                .help(format!("write `@{path}`")))
        }
        (crate::files::Format::Picture(_), _) => Ok(Value::File { path: path.to_owned(), ty: None }),
        (_, ty) => Ok(Value::File { path: path.to_owned(), ty }),
    }
}

/// `TYPE:N` of most made buffers.
fn made(text: &str, rest: &str, syntax: &str, fill: Fill) -> Result<Value, ValueError> {
    let (ty, count) = rest.split_once(':').ok_or_else(|| incomplete(text, syntax))?;
    if count.contains(':') {
        return Err(
            ValueError::new(format!("`{text}` has too many parts")).help(format!("the form is `{syntax}`"))
        );
    }
    let ty = parse_type(ty)?;
    Ok(Value::Made { ty, count: parse_elements(text, ty, count)?, fill })
}

fn parse_random(text: &str, rest: &str) -> Result<Value, ValueError> {
    let syntax = "rand:TYPE:N[:SEED]";
    let Some((ty, rest)) = rest.split_once(':') else { return Err(incomplete(text, syntax)) };
    match rest.split_once(':') {
        None => made(text, &format!("{ty}:{rest}"), syntax, Fill::Random(0)),
        Some((count, seed)) => {
            let seed = parse_count(seed, "a seed")?;
            made(text, &format!("{ty}:{count}"), syntax, Fill::Random(seed))
        }
    }
}

fn parse_fill(text: &str, rest: &str) -> Result<Value, ValueError> {
    let mut parts = rest.splitn(3, ':');
    let (Some(ty), Some(count), Some(element)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(incomplete(text, "fill:TYPE:N:V"));
    };
    let ty = parse_type(ty)?;
    let bits = parse_number(ty, element)?;
    Ok(Value::Made { ty, count: parse_elements(text, ty, count)?, fill: Fill::Same(bits) })
}

fn parse_list(text: &str, rest: &str) -> Result<Value, ValueError> {
    let (ty, list) = rest.split_once(':').ok_or_else(|| incomplete(text, "buf:TYPE:V,V,…"))?;
    let ty = parse_type(ty)?;
    if list.trim().is_empty() {
        return Err(ValueError::new(format!("`{text}` has no elements"))
            .help(format!("an empty buffer is `zeros:{ty}:0`")));
    }
    let elements = list.split(',').map(|v| parse_number(ty, v)).collect::<Result<_, _>>()?;
    Ok(Value::List { ty, elements })
}

fn parse_bytes(digits: &str) -> Result<Value, ValueError> {
    let digits = digits.strip_prefix("0x").unwrap_or(digits).as_bytes();
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(ValueError::new(format!("`bytes:` takes two digits a byte, here are {}", digits.len())));
    }
    let digit = |d: u8| char::from(d).to_digit(16).map(|v| v as u8);
    let bytes: Option<Vec<u8>> = pairs.iter().map(|&[h, l]| Some(digit(h)? << 4 | digit(l)?)).collect();
    match bytes {
        Some(bytes) if !bytes.is_empty() => Ok(Value::Bytes(bytes)),
        Some(_) => Err(ValueError::new("`bytes:` has no digits")),
        None => Err(ValueError::new("`bytes:` takes hexadecimal digits only").help("as in `bytes:00ff1234`")),
    }
}

fn parse_pointer(text: &str, rest: &str) -> Result<Value, ValueError> {
    let (name, offset) = match rest.split_once('+') {
        Some((name, offset)) => (name.trim(), parse_count(offset, "an offset in bytes")?),
        None => (rest, 0),
    };
    if name.is_empty() {
        return Err(incomplete(text, "ptr:NAME[+BYTES]"));
    }
    Ok(Value::Pointer { name: name.to_owned(), offset })
}

/// A TYPE.
pub(crate) fn parse_type(text: &str) -> Result<ElementType, ValueError> {
    let text = text.trim();
    ElementType::from_name(text).ok_or_else(|| {
        let names = || ElementType::ALL.iter().map(|t| t.name());
        let error = ValueError::new(format!("`{text}` is not a type"));
        match suggestion(text, names()) {
            Some(close) => error.help(format!("did you mean `{close}`?")),
            None => error.help(format!("types are {}", names().collect::<Vec<_>>().join(" "))),
        }
    })
}

/// The N of a made buffer.
fn parse_elements(text: &str, ty: ElementType, count: &str) -> Result<u64, ValueError> {
    let count = parse_count(count, "a count of elements")?;
    count.checked_mul(ty.bytes() as u64).filter(|&size| size < GLOBAL_END).map(|_| count).ok_or_else(|| {
        ValueError::new(format!("`{text}` is larger than all of global memory"))
            .help(format!("it has {} bytes of addresses", GLOBAL_END))
    })
}

/// A count, decimal or hexadecimal.
pub(crate) fn parse_count(text: &str, what: &str) -> Result<u64, ValueError> {
    let text = text.trim();
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let valid = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    if !valid {
        return Err(ValueError::new(format!("`{text}` is not {what}")).help("write a whole number from 0 on"));
    }
    u64::from_str_radix(digits, radix)
        .map_err(|_| ValueError::new(format!("`{text}` is too large for {what}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Value {
        Value::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
    }
    fn error(text: &str) -> ValueError {
        Value::parse(text).expect_err(text)
    }
    fn made(ty: ElementType, count: u64, fill: Fill) -> Value {
        Value::Made { ty, count, fill }
    }

    #[test]
    fn every_form_is_read() {
        use ElementType::*;
        assert_eq!(parse("@a/b.npy"), Value::File { path: "a/b.npy".into(), ty: None });
        assert_eq!(parse("@w.npy:bf16"), Value::File { path: "w.npy".into(), ty: Some(Bf) });
        assert_eq!(parse("@x.bin:u32"), Value::File { path: "x.bin".into(), ty: Some(U32) });
        assert_eq!(parse("@c:d/x.pgm"), Value::File { path: "c:d/x.pgm".into(), ty: None });
        assert_eq!(parse("@x.PNG"), Value::File { path: "x.PNG".into(), ty: None });
        assert_eq!(parse("@x.png:u8"), Value::File { path: "x.png".into(), ty: None });
        assert_eq!(parse("zeros:u32:64"), made(U32, 64, Fill::Zeros));
        assert_eq!(parse("zeros:i32:0x10"), made(S32, 16, Fill::Zeros));
        assert_eq!(parse("fill:s16:5:-2"), made(S16, 5, Fill::Same(0xFFFE)));
        assert_eq!(parse("iota:hf:9"), made(Hf, 9, Fill::Iota));
        assert_eq!(parse("rand:df:9"), made(Df, 9, Fill::Random(0)));
        assert_eq!(parse("rand:df:9:77"), made(Df, 9, Fill::Random(77)));
        assert_eq!(parse("uninit:u8:1"), made(U8, 1, Fill::Undefined));
        assert_eq!(parse("buf:u8:1, 2,0xff"), Value::List { ty: U8, elements: vec![1, 2, 255] });
        assert_eq!(parse("u32:1024"), Value::Scalar { ty: U32, bits: 1024 });
        assert_eq!(parse("bytes:00fF12"), Value::Bytes(vec![0, 255, 0x12]));
        assert_eq!(parse("shared:4096"), Value::Shared(4096));
        assert_eq!(parse("ptr:out"), Value::Pointer { name: "out".into(), offset: 0 });
        assert_eq!(parse("ptr:@table+16"), Value::Pointer { name: "@table".into(), offset: 16 });
        assert_eq!(parse("null"), Value::Null);
    }

    #[test]
    fn the_text_of_a_value_reads_as_the_same_value() {
        for text in [
            "@a.npy",
            "@a.bin:bf",
            "zeros:u32:64",
            "uninit:u32:1",
            "iota:f:2",
            "rand:u8:4:9",
            "fill:s8:4:-3",
            "buf:s64:-1,9223372036854775807",
            "u64:18446744073709551615",
            "f:1.5",
            "bytes:00ff",
            "shared:64",
            "ptr:a+4",
            "ptr:@b",
            "null",
        ] {
            assert_eq!(parse(text).to_string(), text);
        }
        let nan = parse("f:0x7fc01234");
        assert_eq!(parse(&nan.to_string()), nan);
    }

    #[test]
    fn hostile_numbers_end_in_errors() {
        for text in [
            "zeros:u32:-1",
            "zeros:u32:",
            "zeros:u32:1e3",
            "zeros:u32:99999999999999999999",
            "zeros:u32:4:4",
            "zeros:u64:0x2000000000000000",
            "zeros:u8:281474976710656",
            "zeros:u32:0x",
            "zeros:u32:+4",
            "iota:u32",
            "rand:u32:4:-1",
            "rand:u32:4:x",
            "rand:u32:4:1:2",
            "fill:u8:3",
            "fill:u8:3:256",
            "fill:u8:x:1",
            "buf:u8:",
            "buf:u8:1,,2",
            "buf:u8",
            "bytes:",
            "bytes:123",
            "bytes:zz",
            "bytes:é0",
            "shared:-4",
            "shared:",
            "shared:99999999999999999999999",
            "ptr:",
            "ptr:+4",
            "ptr:a+-4",
            "ptr:a+",
            "null:",
            "null:0",
            "u32",
            "u32:",
            "",
            ":",
            "::",
            "@",
            "@x",
            "@x.bin",
            "@x.bin:u33",
            "@x.txt",
            "@x.png:f",
        ] {
            assert!(Value::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_say_what_to_do() {
        assert_eq!(error("zero:u32:4").help.unwrap(), "did you mean `zeros:u32:4`?");
        assert_eq!(error("u23:4").help.unwrap(), "did you mean `u32:4`?");
        assert_eq!(error("zeros:u33:4").help.unwrap(), "did you mean `u32`?");
        assert_eq!(error("1024").help.unwrap(), "a number has its type before it, as in `u32:1024`");
        assert_eq!(error("-1.5").help.unwrap(), "a number has its type before it, as in `f:-1.5`");
        assert_eq!(error("@x.bin").help.unwrap(), "for example `@x.bin:u32`");
        assert_eq!(error("zeros:u32").help.unwrap(), "the form is `zeros:TYPE:N`");
    }
}

//! Every code there is, each area in a list of its own.
//!
//! A line of a list names the constant, the code, its kind and its title; the long text is `explain/CODE.md`.

use crate::{Code, Kind};

/// What is known about a code.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// A few words.
    pub title: &'static str,
    /// What `--strict` makes of it, and whether its level can be set.
    pub kind: Kind,
    /// The long text, Markdown, with a wrong and a right example.
    pub explain: &'static str,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $code:ident $kind:ident $title:literal,)*) => {
        $(
            #[doc = concat!("`", stringify!($code), "`: ", $title)]
            $(#[$doc])*
            pub const $name: crate::Code = crate::Code(stringify!($code));
        )*
        /// The codes of this area, in order.
        pub(in crate::codes) const LIST: &[crate::CodeInfo] = &[$(crate::CodeInfo {
            code: $name,
            title: $title,
            kind: crate::Kind::$kind,
            explain: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/explain/", stringify!($code), ".md")),
        },)*];
    };
}

pub mod finding;
pub mod ir;
pub mod link;
pub mod module;
pub mod run;
pub mod syntax;

const AREAS: &[&[CodeInfo]] = &[
    syntax::LIST,
    module::LIST,
    link::LIST,
    ir::LIST,
    run::LIST,
    finding::memory::LIST,
    finding::initialisation::LIST,
    finding::convergence::LIST,
    finding::race::LIST,
    finding::barrier::LIST,
    finding::undefined::LIST,
    finding::schedule::LIST,
];
const COUNT: usize = count();

const fn count() -> usize {
    let (mut area, mut count) = (0, 0);
    while area < AREAS.len() {
        count += AREAS[area].len();
        area += 1;
    }
    count
}

/// Every code, in alphabetical order.
pub static CODES: [CodeInfo; COUNT] = sorted();

/// Joins the areas and sorts them by code, at compile time.
const fn sorted() -> [CodeInfo; COUNT] {
    let mut all = [run::LIST[0]; COUNT];
    let (mut area, mut filled) = (0, 0);
    while area < AREAS.len() {
        let mut i = 0;
        while i < AREAS[area].len() {
            let entry = AREAS[area][i];
            let mut at = filled;
            while at > 0 && is_less(entry.code.0, all[at - 1].code.0) {
                all[at] = all[at - 1];
                at -= 1;
            }
            all[at] = entry;
            filled += 1;
            i += 1;
        }
        area += 1;
    }
    all
}

const fn is_less(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() {
        if a[i] != b[i] {
            return a[i] < b[i];
        }
        i += 1;
    }
    a.len() < b.len()
}

/// The entry of a code; `None` for a code that is not registered, which a test rules out for those in use.
pub fn info(code: Code) -> Option<&'static CodeInfo> {
    CODES.binary_search_by(|entry| entry.code.cmp(&code)).ok().map(|i| &CODES[i])
}

/// The entry of a code as a user writes it, in either case.
///
/// # Errors
/// For an unknown code, the known one that looks most like it.
pub fn find(text: &str) -> Result<&'static CodeInfo, Option<&'static CodeInfo>> {
    let wanted = text.to_ascii_uppercase();
    if let Ok(i) = CODES.binary_search_by(|entry| entry.code.0.cmp(&wanted)) {
        return Ok(&CODES[i]);
    }
    let nearest = CODES.iter().min_by_key(|entry| strsim::damerau_levenshtein(&wanted, entry.code.0));
    Err(nearest.filter(|entry| strsim::damerau_levenshtein(&wanted, entry.code.0) <= 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_sorted() {
        for pair in CODES.windows(2) {
            assert!(pair[0].code < pair[1].code, "{} and {}", pair[0].code.0, pair[1].code.0);
        }
    }

    #[test]
    fn every_area_is_in_its_own_order() {
        for area in AREAS {
            assert!(area.is_sorted_by_key(|entry| entry.code), "{:?}", area.iter().map(|e| e.code.0));
        }
    }

    #[test]
    fn the_letter_tells_the_kind() {
        for entry in &CODES {
            let (letter, digits) = entry.code.0.split_at(1);
            assert!(digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()), "{}", entry.code.0);
            let fits = entry.code.kind() == entry.kind && letter.bytes().all(|b| b"EWPMICRBUS".contains(&b));
            assert!(fits, "{} is not a code for {:?}", entry.code.0, entry.kind);
        }
    }

    #[test]
    fn findings_have_the_numbers_of_their_area() {
        use finding::*;
        let areas = [
            ("M01", memory::LIST),
            ("I02", initialisation::LIST),
            ("C03", convergence::LIST),
            ("R04", race::LIST),
            ("B05", barrier::LIST),
            ("U07", undefined::LIST),
            ("S08", schedule::LIST),
        ];
        for (prefix, list) in areas {
            for entry in list {
                assert!(entry.code.0.starts_with(prefix), "{} is not of {prefix}", entry.code.0);
            }
        }
    }

    #[test]
    fn every_text_has_its_form() {
        for entry in &CODES {
            let code = entry.code.0;
            let heading = format!("# {code}: {}\n", entry.title);
            assert!(entry.explain.starts_with(&heading), "explain/{code}.md does not begin with {heading:?}");
            // The codes of the IR show its text, which the tests of `pisa-ir` read.
            let block = if code.starts_with("E07") { "```ir\n" } else { "```pisa" };
            for part in ["\n## Wrong\n", "\n## Right\n", block] {
                assert!(entry.explain.contains(part), "explain/{code}.md lacks {part:?}");
            }
        }
    }

    #[test]
    fn every_text_has_a_code() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/explain");
        for file in std::fs::read_dir(folder).expect("the folder of the texts") {
            let name = file.expect("an entry").file_name().into_string().expect("a plain name");
            let code = name.strip_suffix(".md").expect("only Markdown files");
            assert!(
                code == "README" || find(code).is_ok_and(|e| e.code.0 == code),
                "no code for explain/{name}"
            );
        }
    }

    #[test]
    fn a_code_is_found_in_either_case_and_a_slip_gets_a_hint() {
        assert_eq!(find("p0601").expect("a code").code.0, "P0601");
        assert_eq!(find("P06O1").expect_err("a slip").expect("a hint").code.0, "P0601");
        assert!(find("nonsense").expect_err("unknown").is_none());
    }
}

//! From TOML to a launch.

use super::LaunchFile;
use crate::{Argument, Expectation, Extent, LaunchError, PrintRequest, SaveTarget, UnknownSchedule};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// The file as TOML has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    files: Vec<String>,
    kernel: Option<String>,
    global: Option<Sizes>,
    local: Option<Sizes>,
    offset: Option<Sizes>,
    printf: Option<u64>,
    fuel: Option<u64>,
    schedule: Option<Spanned<String>>,
    seed: Option<u64>,
    san: Option<Words>,
    #[serde(default)]
    args: Arguments,
    #[serde(default)]
    globals: Entries,
    #[serde(default)]
    buffers: Entries,
    #[serde(default)]
    save: Entries,
    #[serde(default)]
    print: Vec<Spanned<String>>,
    #[serde(default)]
    expect: Entries,
}

/// A number, or a list of one to three.
struct Sizes(Extent);

impl<'de> Deserialize<'de> for Sizes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sizes, D::Error> {
        struct SizesVisitor;
        impl<'de> Visitor<'de> for SizesVisitor {
            type Value = Sizes;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number from 0 on, or a list of one to three of them")
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Sizes, E> {
                let number =
                    u64::try_from(number).map_err(|_| E::custom(format!("the size {number} is negative")))?;
                Extent::new(&[number]).map(Sizes).ok_or_else(|| E::custom("a size is missing"))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Sizes, A::Error> {
                let mut numbers = Vec::new();
                while let Some(number) = list.next_element::<u64>()? {
                    numbers.push(number);
                    if numbers.len() > 3 {
                        break;
                    }
                }
                Extent::new(&numbers)
                    .map(Sizes)
                    .ok_or_else(|| A::Error::custom("sizes have one to three dimensions"))
            }
        }
        deserializer.deserialize_any(SizesVisitor)
    }
}

/// A text of words with commas between them, or a list of such.
struct Words(String);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Words, D::Error> {
        struct WordsVisitor;
        impl<'de> Visitor<'de> for WordsVisitor {
            type Value = Words;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text such as \"mem,race\", or a list of words")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Words, E> {
                Ok(Words(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Words, A::Error> {
                let mut words: Vec<String> = Vec::new();
                while let Some(word) = list.next_element()? {
                    words.push(word);
                }
                Ok(Words(words.join(",")))
            }
        }
        deserializer.deserialize_any(WordsVisitor)
    }
}

/// Names and texts in the order of the file.
#[derive(Default)]
struct Entries(Vec<(String, Spanned<String>)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        struct EntriesVisitor;
        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of names with texts, such as `x = \"zeros:u32:64\"`")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entries, A::Error> {
                entries(map).map(Entries)
            }
        }
        deserializer.deserialize_map(EntriesVisitor)
    }
}

fn entries<'de, A: MapAccess<'de>>(mut map: A) -> Result<Vec<(String, Spanned<String>)>, A::Error> {
    let mut entries = Vec::new();
    while let Some(entry) = map.next_entry()? {
        entries.push(entry);
    }
    Ok(entries)
}

/// Arguments by name, or in order.
enum Arguments {
    Named(Entries),
    InOrder(Vec<Spanned<String>>),
}

impl Default for Arguments {
    fn default() -> Arguments {
        Arguments::InOrder(Vec::new())
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Arguments, D::Error> {
        struct ArgumentsVisitor;
        impl<'de> Visitor<'de> for ArgumentsVisitor {
            type Value = Arguments;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of names with values, or a list of values in order")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Arguments, A::Error> {
                entries(map).map(Entries).map(Arguments::Named)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Arguments, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = list.next_element()? {
                    values.push(value);
                }
                Ok(Arguments::InOrder(values))
            }
        }
        deserializer.deserialize_any(ArgumentsVisitor)
    }
}

/// A text and its name, for places in messages.
struct Source<'a> {
    name: &'a str,
    text: &'a str,
}

impl Source<'_> {
    /// An error in this place of the file.
    fn at(&self, span: Option<Range<usize>>, error: LaunchError) -> LaunchError {
        let Some(before) = span.and_then(|span| self.text.get(..span.start)) else {
            return LaunchError { message: format!("{}: {}", self.name, error.message), ..error };
        };
        let line = before.matches('\n').count();
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        let written = self.text.lines().nth(line).unwrap_or_default().trim();
        LaunchError {
            message: format!("{}:{}:{column}: {}", self.name, line + 1, error.message),
            wrote: Some(written.chars().take(200).collect()),
            ..error
        }
    }

    fn each<T>(
        &self,
        entries: Entries,
        read: impl Fn(&str, &str) -> Result<T, LaunchError>,
    ) -> Result<Vec<T>, LaunchError> {
        let one = |(name, value): (String, Spanned<String>)| {
            let span = value.span();
            read(&name, value.get_ref()).map_err(|e| self.at(Some(span), e))
        };
        entries.0.into_iter().map(one).collect()
    }
}

impl LaunchFile {
    /// Reads the text of a launch file; `name` is how messages call it. Paths stay as they are written.
    pub fn parse(text: &str, name: &str) -> Result<LaunchFile, LaunchError> {
        let source = Source { name, text };
        let raw: Raw = toml::from_str(text)
            .map_err(|e| source.at(e.span(), LaunchError::new(e.message().trim().to_owned())))?;
        let named = |name: &str, value: &str| Argument::parse_named(&format!("{name}={value}"));
        let mut arguments = match raw.args {
            Arguments::Named(entries) => source.each(entries, named)?,
            Arguments::InOrder(values) => {
                let entries = Entries(values.into_iter().map(|v| (String::new(), v)).collect());
                source.each(entries, |_, value| Argument::parse_positional(value))?
            }
        };
        arguments.extend(source.each(raw.globals, |name, value| {
            let at = if name.starts_with('@') { "" } else { "@" };
            named(&format!("{at}{name}"), value)
        })?);
        let print = raw.print.into_iter().map(|request| {
            PrintRequest::parse(request.get_ref()).map_err(|e| source.at(Some(request.span()), e))
        });
        let schedule = raw.schedule.map(|name| {
            let read = name.get_ref().parse();
            read.map_err(|e: UnknownSchedule| source.at(Some(name.span()), LaunchError::new(e.to_string())))
        });
        Ok(LaunchFile {
            files: raw.files,
            kernel: raw.kernel,
            global: raw.global.map(|s| s.0),
            local: raw.local.map(|s| s.0),
            offset: raw.offset.map(|s| s.0),
            arguments,
            buffers: source.each(raw.buffers, named)?,
            save: source.each(raw.save, |name, target| Ok((name.to_owned(), SaveTarget::parse(target)?)))?,
            print: print.collect::<Result<_, _>>()?,
            expect: source.each(raw.expect, |name, value| Expectation::parse(&format!("{name}={value}")))?,
            printf_size: raw.printf,
            fuel: raw.fuel,
            schedule: schedule.transpose()?,
            seed: raw.seed,
            sanitize: raw.san.map(|words| words.0),
        })
    }
}

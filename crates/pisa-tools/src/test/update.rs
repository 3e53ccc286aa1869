//! Rewriting expectations in place.

use super::outcome::Edit;
use super::source::comment_start;
use std::collections::BTreeMap;

/// The text with the edits made; lines without one stay as they are to the byte.
pub(super) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut lines: BTreeMap<u32, Vec<&Edit>> = BTreeMap::new();
    for edit in edits {
        let line = match edit {
            Edit::Replace(line, ..) | Edit::Mark(line, _) => *line,
            Edit::Unmark(mark) => mark.written,
        };
        lines.entry(line).or_default().push(edit);
    }
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split_inclusive('\n').enumerate() {
        match lines.get(&(index as u32 + 1)) {
            None => out.push_str(line),
            Some(edits) => {
                let body = line.trim_end_matches(['\n', '\r']);
                out.push_str(&edit_line(body, edits));
                out.push_str(&line[body.len()..]);
            }
        }
    }
    out
}

fn edit_line(line: &str, edits: &[&Edit]) -> String {
    let mut text = line.to_owned();
    for edit in edits {
        if let Edit::Replace(_, range, new) = edit
            && text.get(range.clone()).is_some()
        {
            text.replace_range(range.clone(), new);
        }
    }
    let mut below = String::new();
    for edit in edits {
        match edit {
            Edit::Replace(..) => {}
            Edit::Unmark(mark) => {
                let shown = mark.show();
                if let Some(at) = text.find(&shown) {
                    text.replace_range(at..at + shown.len(), "");
                }
                // A comment that is left without a mark goes, too.
                if let Some(at) = text.find("//~")
                    && text[at + 3..].trim_matches([' ', '^']).is_empty()
                {
                    text.truncate(at);
                    text.truncate(text.trim_end().len());
                }
            }
            Edit::Mark(_, mark) => match comment_start(&text) {
                None => text = format!("{}  //~ {mark}", text.trim_end()),
                Some(at) if text[at..].starts_with("//~ ") => text = format!("{} {mark}", text.trim_end()),
                // Another comment stands there.
                Some(_) if below.is_empty() => below = format!("\n//~^ {mark}"),
                Some(_) => below = format!("{below} {mark}"),
            },
        }
    }
    text + &below
}

#[cfg(test)]
mod tests {
    use super::super::mark;
    use super::*;

    #[test]
    fn values_are_replaced_where_they_stand() {
        let edits = [Edit::Replace(2, 14..15, "{1, 2}".to_owned())];
        assert_eq!(apply("a\r\n//! op x (1) = 3\r\nb", &edits), "a\r\n//! op x (1) ={1, 2}3\r\nb");
    }

    #[test]
    fn marks_come_and_go() {
        let old = mark::parse(1, " error[E0203] \"x\"").unwrap().remove(0);
        let edits = [Edit::Unmark(old), Edit::Mark(1, "error[E0204]".to_owned())];
        assert_eq!(apply("a; //~ error[E0203] \"x\"\n", &edits), "a;  //~ error[E0204]\n");
        let more = [Edit::Mark(1, "error[E0204]".to_owned())];
        assert_eq!(apply("a; //~ error[E0203]\n", &more), "a; //~ error[E0203] error[E0204]\n");
        assert_eq!(apply("a; // why\n", &more), "a; // why\n//~^ error[E0204]\n");
    }
}

//! Reads the instruction pages of the specification, without help from the table.

use std::path::PathBuf;

/// One syntax block with what belongs to it.
#[derive(Debug, Default)]
pub struct Template {
    pub opcode: String,
    pub title: String,
    /// The syntax line, blanks normalised.
    pub syntax: String,
    /// `.name = { … }` in order: name, values.
    pub values: Vec<(String, Vec<String>)>,
    /// `- dst is a register`: names, description.
    pub operands: Vec<(Vec<String>, String)>,
    /// `* src0 is interpreted as signed integer`: names, `signed`.
    pub interpretations: Vec<(Vec<String>, String)>,
    /// The bullets under "Restrictions", Markdown as it is.
    pub restrictions: Vec<String>,
    pub version: String,
    pub target: String,
}

/// One instruction.
#[derive(Debug, Default)]
pub struct Section {
    pub opcode: String,
    pub number: String,
    pub summary: String,
    pub templates: Vec<Template>,
    /// Everything after the templates.
    pub rest: Vec<String>,
}

/// Where the specification is, if it is there at all.
pub fn directory() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec");
    let path = std::env::var_os("PISA_SPEC").map_or_else(beside, PathBuf::from);
    path.is_dir().then_some(path)
}

/// The lines of a page.
pub fn lines(page: &str) -> Option<Vec<String>> {
    let path = directory()?.join(format!("{page}.md"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Some(text.lines().map(str::to_owned).collect())
}

/// The sections of a page of the instruction reference.
pub fn sections(page: &str) -> Option<Vec<Section>> {
    let lines = lines(page)?;
    let mut sections: Vec<Section> = Vec::new();
    for line in lines {
        if let Some(heading) = line.strip_prefix("## ") {
            let (number, opcode) = heading.split_once(". `").unwrap();
            sections.push(Section {
                number: number.to_owned(),
                opcode: opcode.trim_end_matches('`').to_owned(),
                ..Section::default()
            });
        } else if let Some(section) = sections.last_mut() {
            section.rest.push(line);
        }
    }
    sections.iter_mut().for_each(read_templates);
    Some(sections)
}

fn read_templates(section: &mut Section) {
    let lines = std::mem::take(&mut section.rest);
    let mut lines = lines.into_iter().peekable();
    let mut title = String::new();
    let mut in_restrictions = false;
    while let Some(line) = lines.next() {
        let text = line.trim();
        if ["Semantics:", "Notes:", "Examples:"].contains(&text) {
            section.rest.push(line);
            break;
        } else if text == "```" {
            let block: Vec<String> = lines.by_ref().take_while(|line| line != "```").collect();
            if block[0].starts_with(&section.opcode) {
                section.templates.push(template(&section.opcode, &title, &block));
            } else {
                // `addrcast` has its example without a heading.
                section.rest.push("Examples:".to_owned());
                section.rest.push("```".to_owned());
                section.rest.extend(block);
                section.rest.push("```".to_owned());
            }
        } else if text == "Restrictions" {
            in_restrictions = true;
        } else if text == "PISA Notes" {
            in_restrictions = false;
        } else if let Some(bullet) = text.strip_prefix("* ") {
            let template = section.templates.last_mut().unwrap();
            if in_restrictions {
                template.restrictions.push(bullet.to_owned());
            } else if let Some(version) = bullet.strip_prefix("introduced in PISA version ") {
                template.version = version.trim_matches('*').to_owned();
            } else if let Some(target) = bullet.strip_prefix("requires PISA target ") {
                template.target = target.strip_suffix(" or compatible").unwrap().trim_matches('*').to_owned();
            } else {
                panic!("{}: what is `{bullet}`?", section.opcode);
            }
        } else if let Some(heading) = text.strip_suffix(':') {
            title = heading.to_owned();
        } else if section.templates.is_empty() && !text.is_empty() {
            section.summary.push_str(text);
        }
    }
    section.rest.extend(lines);
}

fn template(opcode: &str, title: &str, block: &[String]) -> Template {
    let mut template = Template {
        opcode: opcode.to_owned(),
        title: title.to_owned(),
        syntax: block[0].split_whitespace().collect::<Vec<_>>().join(" "),
        ..Template::default()
    };
    let names = |text: &str| text.split(", ").map(str::to_owned).collect::<Vec<_>>();
    let mut body = block[1..].iter().map(|line| line.trim());
    while let Some(line) = body.next() {
        if let Some((name, list)) = line.strip_prefix('.').and_then(|rest| rest.split_once(" = {")) {
            let mut list = list.to_owned();
            while !list.contains('}') {
                list.push_str(body.next().unwrap());
            }
            let list = list.trim_end_matches('}').split(',').map(|v| v.trim().to_owned()).collect();
            template.values.push((name.to_owned(), list));
        } else if let Some(bullet) = line.strip_prefix("- ") {
            let (operands, description) = [" is ", " are ", " can be "]
                .iter()
                .filter_map(|verb| bullet.split_once(verb))
                .min_by_key(|(operands, _)| operands.len())
                .unwrap();
            template.operands.push((names(operands), description.to_owned()));
        } else if let Some(bullet) = line.strip_prefix("* ") {
            let (operands, how) = bullet
                .split_once(" is interpreted as ")
                .or_else(|| bullet.split_once(" are interpreted as "))
                .unwrap();
            let how = how.split(' ').next().unwrap();
            template.interpretations.push((names(operands), how.to_owned()));
        } else {
            assert!(line.is_empty(), "{opcode}: what is `{line}`?");
        }
    }
    template
}

/// Removes the marks of code, emphasis and links.
pub fn plain(markdown: &str) -> String {
    let mut text = String::new();
    let mut rest = markdown;
    while let Some(at) = rest.find("](") {
        // A link: its text stays, its address goes.
        let open = rest[..at].rfind('[').unwrap();
        text.push_str(&rest[..open]);
        text.push_str(&rest[open + 1..at]);
        rest = &rest[at + rest[at..].find(')').unwrap() + 1..];
    }
    text.push_str(rest);
    text.replace(['`', '*'], "")
}

/// The words between back quotes.
pub fn quoted(markdown: &str) -> Vec<&str> {
    markdown.split('`').skip(1).step_by(2).collect()
}

/// The cells of a Markdown table row.
pub fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(|cell| cell.trim().replace('`', "")).collect())
}

//! How a finding happened, for people: where in the launch, who was where, and who called.

use crate::{Diagnostic, Elsewhere, Occurrence, Place, Sources};

const LANES: u32 = 32;
/// Most places and calls that are listed.
const SHOWN: usize = 6;

impl Occurrence {
    /// ` in @reduce, work-group (0,0,0), sub-group 1`: what stands behind the place.
    pub(super) fn location(&self) -> String {
        let [x, y, z] = self.group;
        format!(" in {}, work-group ({x},{y},{z}), sub-group {}", self.function, self.subgroup)
    }

    /// Footnotes of a diagnostic: a word, and what it says. Where its labels show a place, it is not said again.
    pub(super) fn lines(&self, diagnostic: &Diagnostic, sources: &Sources) -> Vec<(&'static str, String)> {
        let place = diagnostic.place();
        let mut lines = vec![("lanes", self.map()), ("first", self.first())];
        let at = |other: Option<Place>| other.map(|other| near(other, place, sources));
        let is_new = |elsewhere: &&Elsewhere| {
            let at = |place: Place| diagnostic.labels.iter().any(|label| label.place == place);
            !elsewhere.place.is_some_and(at)
        };
        let elsewhere: Vec<&Elsewhere> = self.elsewhere.iter().filter(is_new).collect();
        for elsewhere in elsewhere.iter().take(SHOWN) {
            let place =
                at(elsewhere.place).map_or("at the end of the function".to_owned(), |at| format!("at {at}"));
            let doing = match elsewhere.lanes.is_power_of_two() {
                true => elsewhere.doing.replacen("wait", "waits", 1).replacen("run", "runs", 1),
                false => elsewhere.doing.clone(),
            };
            lines.push(("elsewhere", format!("{} {doing} {place}", lanes_text(elsewhere.lanes))));
        }
        if let Some(more) = elsewhere.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            lines.push(("elsewhere", format!("others at {more} more places")));
        }
        for call in self.calls.iter().take(SHOWN) {
            let place = at(call.place).map_or(String::new(), |at| format!(" at {at}"));
            lines.push(("called", format!("by {}{place}", call.caller)));
        }
        if let Some(more) = self.calls.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            lines.push(("called", format!("through {more} calls more")));
        }
        lines
    }

    /// A cell for each lane, in groups of eight, and what the signs mean that occur.
    fn map(&self) -> String {
        let mut text = String::new();
        for lane in 0..LANES {
            if lane > 0 && lane.is_multiple_of(8) {
                text.push(' ');
            }
            text.push(self.sign(lane));
        }
        let names = [
            ('■', format!("{} of this finding", lanes_text(self.lanes))),
            ('□', "also here".to_owned()),
            ('w', "waiting elsewhere".to_owned()),
            ('·', "left the kernel, or never there".to_owned()),
        ];
        for (sign, name) in names {
            if (0..LANES).any(|lane| self.sign(lane) == sign) {
                text.push_str(&format!("   {sign} {name}"));
            }
        }
        text
    }

    fn sign(&self, lane: u32) -> char {
        let is_in = |lanes: u32| lanes >> lane & 1 == 1;
        if is_in(self.lanes) {
            '■'
        } else if is_in(self.active) {
            '□'
        } else if is_in(self.live) {
            'w'
        } else {
            '·'
        }
    }

    fn first(&self) -> String {
        let [x, y, z] = self.global_id;
        let [a, b, c] = self.local_id;
        let lane = self.lanes.trailing_zeros() % LANES;
        let seed = self.seed.map_or(String::new(), |seed| format!(", seed {seed}"));
        format!(
            "lane {lane} is work-item ({x},{y},{z}), ({a},{b},{c}) in its work-group; schedule {}{seed}",
            self.schedule
        )
    }
}

/// `line 40`, or with the file where it is another one.
fn near(place: Place, from: Option<Place>, sources: &Sources) -> String {
    let file = sources.file(place.file);
    let (line, column) = file.line_column(place.span.start);
    match from.is_some_and(|from| from.file == place.file) {
        true => format!("line {line}"),
        false => format!("{}:{line}:{column}", file.name),
    }
}

/// `lane 0`, `lanes 1-31`.
///
/// A set in many pieces is only counted: the map has it.
fn lanes_text(lanes: u32) -> String {
    let word = if lanes.is_power_of_two() { "lane" } else { "lanes" };
    let ranges = ranges(lanes);
    match ranges.matches(',').count() {
        0..=4 => format!("{word} {ranges}"),
        _ => format!("{} lanes", lanes.count_ones()),
    }
}

/// A set of lanes as ranges: `0-7,9`.
pub(super) fn ranges(lanes: u32) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut lane = 0;
    while lane < LANES {
        let first = lane;
        while lane < LANES && lanes >> lane & 1 == 1 {
            lane += 1;
        }
        match lane - first {
            0 => lane += 1,
            1 => parts.push(first.to_string()),
            _ => parts.push(format!("{first}-{}", lane - 1)),
        }
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_ranges() {
        for (lanes, text) in
            [(0, ""), (u32::MAX, "0-31"), (0x8000_02FF, "0-7,9,31"), (0b110, "1-2"), (1 << 31, "31")]
        {
            assert_eq!(ranges(lanes), text);
        }
    }
}

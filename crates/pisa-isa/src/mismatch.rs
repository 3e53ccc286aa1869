//! Why no form takes a mnemonic: found only after matching has failed, so that it may take its time.

use crate::matching::Token;
use crate::{FORMS, Form, FormId, Opcode, Qualifier, Slot, SlotName, Values, foreign, forms_of, nearest};

/// What is wrong with the qualifiers of a mnemonic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MismatchKind {
    /// No instruction has a qualifier of this text.
    Unknown,
    /// A qualifier of other instructions; this opcode has no slot for it.
    Extra,
    /// The slot exists, the value is not one of its values here.
    NotAllowed,
    /// Two qualifiers that the opcode has in different forms, never in one.
    Conflict {
        /// The number of the qualifier it clashes with.
        with: usize,
    },
    /// The slot is filled already.
    Duplicate {
        /// The number of the qualifier that fills it.
        first: usize,
    },
    /// All qualifiers are right, their order is not (G-15).
    WrongOrder,
    /// A slot that must be filled is empty.
    Missing,
}

/// The best explanation of a failed match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// What kind of mistake it is.
    pub kind: MismatchKind,
    /// The number of the qualifier at fault; for [`MismatchKind::Missing`] the number it would have.
    pub at: usize,
    /// The form that comes closest.
    pub form: FormId,
    /// The slot concerned, where there is one.
    pub slot: Option<SlotName>,
    /// The values allowed in that slot, as text, in the order of the spec; ranges as `.0 to .63`.
    pub allowed: Vec<String>,
    /// A qualifier that is probably meant in place of the one at fault.
    pub meant: Option<String>,
    /// A whole mnemonic that is right, where it is plain which one that is.
    pub corrected: Option<String>,
}

/// How the tokens fall on the slots of one form when order does not matter.
struct Assignment {
    form: &'static Form,
    /// The slot of each token.
    slots: Vec<Option<usize>>,
    /// The token in each slot.
    tokens: Vec<Option<usize>>,
}

impl Assignment {
    fn new(form: &'static Form, tokens: &[Token]) -> Assignment {
        let mut this =
            Assignment { form, slots: vec![None; tokens.len()], tokens: vec![None; form.slots.len()] };
        // In order as far as that goes, …
        let mut next = 0;
        for (t, &token) in tokens.iter().enumerate() {
            let later = form.slots.iter().enumerate().skip(next);
            let found = later.filter(|(_, slot)| slot.accept(token).is_some()).map(|(s, _)| s).next();
            if let Some(s) = found {
                this.place(t, s);
                next = s + 1;
            }
        }
        // … and the rest wherever there is room.
        for (t, &token) in tokens.iter().enumerate() {
            let free = |(s, slot): &(usize, &Slot)| this.tokens[*s].is_none() && slot.accept(token).is_some();
            if this.slots[t].is_none()
                && let Some((s, _)) = form.slots.iter().enumerate().find(free)
            {
                this.place(t, s);
            }
        }
        this
    }

    fn place(&mut self, token: usize, slot: usize) {
        self.slots[token] = Some(slot);
        self.tokens[slot] = Some(token);
    }

    fn placed(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    fn missing(&self) -> impl Iterator<Item = usize> {
        (0..self.form.slots.len()).filter(|&s| self.tokens[s].is_none() && !self.form.slots[s].optional)
    }

    fn unplaced(&self) -> Option<usize> {
        self.slots.iter().position(Option::is_none)
    }

    /// The slot that by its name is meant for this token, free or not.
    fn slot_meant_for(&self, token: Token) -> Option<usize> {
        let named = |s: &usize| is_value_of(self.form.slots[*s].name, token);
        let all = 0..self.form.slots.len();
        all.clone().filter(|&s| self.tokens[s].is_none()).find(named).or_else(|| all.clone().find(named))
    }

    /// The qualifiers in the order of the slots.
    fn in_order(&self, qualifiers: &[&str]) -> String {
        let mut text = String::from(self.form.opcode.text());
        for token in self.tokens.iter().flatten() {
            text.push_str(qualifiers[*token]);
        }
        text
    }

    fn report(&self, kind: MismatchKind, at: usize, slot: Option<usize>) -> Mismatch {
        let slot = slot.map(|s| &self.form.slots[s]);
        Mismatch {
            kind,
            at,
            form: self.form.id(),
            slot: slot.map(|slot| slot.name),
            allowed: slot.map(|slot| slot.values.texts()).unwrap_or_default(),
            meant: None,
            corrected: None,
        }
    }
}

/// Whether some form has a slot of this name that takes the token, or would but for the range of its number.
fn is_value_of(name: SlotName, token: Token) -> bool {
    match (name, token) {
        (SlotName::Index, Token::Index(_)) | (SlotName::Operation, Token::TruthTable(_)) => true,
        // Any type is meant for a type's place.
        (SlotName::Type | SlotName::To | SlotName::From, Token::Named(q)) if q.bits().is_some() => true,
        _ => FORMS.iter().any(|form| form.slot(name).is_some_and(|(_, slot)| slot.accept(token).is_some())),
    }
}

impl Values {
    /// The values as text, `.16b`, in the order of the spec; ranges in one piece.
    pub fn texts(&self) -> Vec<String> {
        match self {
            Values::OneOf(list) => list.iter().map(|q| q.text().to_owned()).collect(),
            Values::Index => vec![".0 to .63".to_owned()],
            Values::TruthTable => vec![".0x01 to .0xfe".to_owned()],
        }
    }
}

fn append(list: &mut Vec<String>, more: Vec<String>) {
    for text in more {
        if !list.contains(&text) {
            list.push(text);
        }
    }
}

impl Mismatch {
    /// Why no form of the opcode takes the qualifiers; only for such that none takes.
    pub(crate) fn explain(opcode: Opcode, qualifiers: &[&str]) -> Mismatch {
        let tokens: Vec<Token> = qualifiers.iter().map(|text| Token::read(text)).collect();
        let all: Vec<Assignment> =
            forms_of(opcode).iter().map(|form| Assignment::new(form, &tokens)).collect();
        let rank = |a: &Assignment| (a.placed(), std::cmp::Reverse(a.missing().count()));
        // Of equally good ones the first.
        let mut best = &all[0];
        for assignment in &all[1..] {
            if rank(assignment) > rank(best) {
                best = assignment;
            }
        }
        let tied = || all.iter().filter(|a| rank(a) == rank(best));

        // A number is an index where the opcode has one, a width without its `b` elsewhere.
        let has_index = all.iter().any(|a| a.form.slot(SlotName::Index).is_some());
        let unreadable = |token: &Token| match token {
            Token::Index(_) => !has_index,
            token => *token == Token::Unknown,
        };
        if let Some(at) = tokens.iter().position(unreadable) {
            return unknown(best, &all, qualifiers, at);
        }
        if let Some(at) = best.unplaced() {
            let mut report = surplus(best, &all, &tokens, at);
            if report.kind == MismatchKind::NotAllowed {
                let meant = foreign::qualifiers(qualifiers[report.at]).iter().map(|q| q.text());
                report.meant = meant.map(str::to_owned).find(|text| report.allowed.contains(text));
            }
            return report;
        }
        let out_of_order =
            (1..best.slots.len()).find(|&t| best.slots[..t].iter().any(|s| *s > best.slots[t]));
        if let Some(at) = out_of_order {
            let mut report = best.report(MismatchKind::WrongOrder, at, best.slots[at]);
            report.corrected = best.missing().next().is_none().then(|| best.in_order(qualifiers));
            return report;
        }
        let slot = best.missing().next();
        let at = best.tokens[..slot.unwrap_or(0)].iter().flatten().count();
        let mut report = best.report(MismatchKind::Missing, at, slot);
        for other in tied() {
            if let Some(missing) = other.missing().next() {
                append(&mut report.allowed, other.form.slots[missing].values.texts());
            }
        }
        report
    }

    /// The qualifier at fault; `None` where one is missing.
    pub fn qualifier<'a>(&self, qualifiers: &[&'a str]) -> Option<&'a str> {
        match self.kind {
            MismatchKind::Missing => None,
            _ => qualifiers.get(self.at).copied(),
        }
    }

    /// What is wrong in one line, for the qualifiers that were matched.
    pub fn message(&self, qualifiers: &[&str]) -> String {
        let opcode = crate::form(self.form).opcode.text();
        let at = self.qualifier(qualifiers).unwrap_or_default();
        let slot = self.slot.map_or("qualifier", SlotName::text);
        let other = |number: usize| qualifiers.get(number).copied().unwrap_or_default();
        match self.kind {
            MismatchKind::Unknown => format!("`{at}` is not a qualifier"),
            MismatchKind::Extra => format!("`{opcode}` takes no `{at}`"),
            MismatchKind::NotAllowed => {
                let before: String = qualifiers.iter().take(self.at).copied().collect();
                format!("`{at}` is not a `.{slot}` of `{opcode}{before}`")
            }
            MismatchKind::Conflict { with } => {
                format!("`{opcode}` takes `{}` or `{at}`, not both", other(with))
            }
            MismatchKind::Duplicate { first } if other(first) == at => format!("`{at}` is there twice"),
            MismatchKind::Duplicate { first } => {
                format!("`{at}` is one `.{slot}` too many, `{}` is there already", other(first))
            }
            MismatchKind::WrongOrder => format!("`{at}` stands in the wrong place"),
            MismatchKind::Missing if self.allowed.len() == 1 => {
                format!("`{opcode}` needs `{}` here", self.allowed[0])
            }
            MismatchKind::Missing => format!("`{opcode}` needs a `.{slot}` here"),
        }
    }

    /// What to do about it, where the table knows.
    pub fn help(&self) -> Option<String> {
        if let Some(corrected) = &self.corrected {
            return Some(format!("the order is `{corrected}`"));
        }
        let meant = self.meant.as_ref().map(|meant| format!("did you mean `{meant}`?"));
        let duplicate = matches!(self.kind, MismatchKind::Duplicate { .. });
        match self.slot {
            Some(slot) if self.allowed.len() > 1 && !duplicate => {
                let values = format!("`.{}` is one of {}", slot.text(), self.allowed.join(" "));
                Some(meant.map_or(values.clone(), |meant| format!("{meant} {values}")))
            }
            _ => meant,
        }
    }
}

/// Explains a qualifier that no instruction has.
fn unknown(best: &Assignment, all: &[Assignment], qualifiers: &[&str], at: usize) -> Mismatch {
    let opcode = best.form.opcode;
    let text = qualifiers[at];
    let slots = || all.iter().flat_map(|a| a.form.slots);
    let values = slots().flat_map(|slot| match slot.values {
        Values::OneOf(list) => list,
        _ => &[],
    });
    // `ld.parm` may mean another opcode.
    let words = Opcode::ALL.iter().filter_map(|other| other.text().strip_prefix(opcode.text()));
    let of_this = values.map(|q| q.text()).chain(words.filter(|word| word.starts_with('.')));
    let known = foreign::qualifiers(text)
        .iter()
        .find(|q| slots().any(|slot| slot.accept(Token::Named(**q)).is_some()));
    let meant = known
        .map(|q| q.text())
        .or_else(|| nearest(text, of_this))
        .or_else(|| nearest(text, Qualifier::ALL.iter().map(|q| q.text())));
    // Where the meaning is not plain, what is missing probably belongs here.
    let token = meant.map_or(Token::Unknown, Token::read);
    let takes = |a: &&Assignment| a.form.slots.iter().any(|slot| slot.accept(token).is_some());
    let closest = Some(best).filter(takes).or_else(|| all.iter().find(takes)).unwrap_or(best);
    let slot = closest.form.slots.iter().position(|slot| slot.accept(token).is_some());
    let mut report = closest.report(MismatchKind::Unknown, at, slot.or_else(|| closest.missing().next()));
    if let Some(name) = report.slot {
        for other in slots().filter(|slot| slot.name == name) {
            append(&mut report.allowed, other.values.texts());
        }
    }
    report.meant = meant.map(str::to_owned);
    report
}

/// Explains a known qualifier for which the form that comes closest has no room.
fn surplus(best: &Assignment, all: &[Assignment], tokens: &[Token], at: usize) -> Mismatch {
    let token = tokens[at];
    if let Some(slot) = best.slot_meant_for(token) {
        if let Some(first) = best.tokens[slot] {
            // Two types and the like; the later one is at fault, whichever of them fits the form.
            let kind = MismatchKind::Duplicate { first: first.min(at) };
            return best.report(kind, first.max(at), Some(slot));
        }
        let mut report = best.report(MismatchKind::NotAllowed, at, Some(slot));
        // Other forms may allow other values in the same place beside the same qualifiers.
        for other in all.iter().filter(|other| other.slots == best.slots || other.placed() == best.placed()) {
            let same = other.form.slot(best.form.slots[slot].name);
            if let Some((s, slot)) = same
                && other.unplaced() == Some(at)
                && other.tokens[s].is_none()
            {
                append(&mut report.allowed, slot.values.texts());
            }
        }
        return report;
    }
    // Another form has room for it; what has that one no room for?
    let Some(other) = all.iter().find(|a| a.slots[at].is_some()) else {
        return best.report(MismatchKind::Extra, at, None);
    };
    match other.unplaced() {
        Some(clash) => match other.slot_meant_for(tokens[clash]) {
            Some(slot) if other.tokens[slot].is_none() => {
                other.report(MismatchKind::NotAllowed, clash, Some(slot))
            }
            _ => best.report(MismatchKind::Conflict { with: clash.min(at) }, clash.max(at), None),
        },
        None => other.report(MismatchKind::Missing, tokens.len(), other.missing().next()),
    }
}

#[cfg(test)]
mod tests {
    use super::MismatchKind::*;
    use super::*;

    fn explain(text: &str) -> Mismatch {
        let mnemonic = crate::split_mnemonic(text).unwrap();
        *crate::match_mnemonic(mnemonic.opcode, mnemonic.qualifiers()).unwrap_err()
    }

    fn check(text: &str, kind: MismatchKind, at: usize, slot: Option<SlotName>, allowed: &str) {
        let found = explain(text);
        let allowed: Vec<&str> = allowed.split_whitespace().collect();
        assert_eq!(
            (found.kind, found.at, found.slot, found.allowed.iter().map(String::as_str).collect::<Vec<_>>()),
            (kind, at, slot, allowed),
            "{text}"
        );
    }

    #[test]
    fn unknown_qualifiers() {
        check("fadd.tfz.f", Unknown, 0, Some(SlotName::Ftz), ".ftz");
        assert_eq!(explain("fadd.tfz.f").meant.as_deref(), Some(".ftz"));
        check("iadd.b32", Unknown, 0, Some(SlotName::Type), ".16b .32b .64b .8bx4 .16bx2");
        check("iadd.frob", Unknown, 0, Some(SlotName::Type), ".16b .32b .64b .8bx4 .16bx2");
        assert_eq!(explain("iadd.frob").meant, None);
        assert_eq!(explain("ld.parm.32b").meant.as_deref(), Some(".param"));
        assert_eq!(explain("ld.global.L1c.L2c.L3x.32b").meant.as_deref(), Some(".L1c.L2c.L3c"));
        check("goto.frob", Unknown, 0, None, "");
        // Words of other languages.
        assert_eq!(explain("iadd.b32").meant.as_deref(), Some(".32b"));
        assert_eq!(explain("f2i.i32.f").meant.as_deref(), Some(".s32"));
        assert_eq!(explain("fadd.rn.f").meant.as_deref(), Some(".re"));
        assert_eq!(explain("fadd.f32").meant.as_deref(), Some(".f"));
        assert_eq!(explain("ld.local.32b").meant.as_deref(), Some(".private"));
    }

    #[test]
    fn qualifiers_of_other_instructions() {
        check("iadd.ftz.32b", Extra, 0, None, "");
        check("barrier.workgroup.gpu", Extra, 0, None, "");
        check("goto.32b", Extra, 0, None, "");
        check(
            "iadd.32b.32b.32b.32b.32b.32b.32b.ftz",
            Duplicate { first: 0 },
            1,
            Some(SlotName::Type),
            ".16b .32b .64b",
        );
    }

    #[test]
    fn values_that_are_not_allowed() {
        check("iadd.8b", NotAllowed, 0, Some(SlotName::Type), ".16b .32b .64b .8bx4 .16bx2");
        check("smad.full.64b", NotAllowed, 1, Some(SlotName::Type), ".16b .32b");
        check("fdiv.ru.hf", NotAllowed, 1, Some(SlotName::Type), ".f .df");
        check("fatom.shared.add.32b", NotAllowed, 2, Some(SlotName::Type), ".bf .hf .f .df");
        check("iatom.private.add.32b", NotAllowed, 0, Some(SlotName::Addrspace), ".global .shared .generic");
        check(
            "ld.global.acq_rel.32b",
            NotAllowed,
            1,
            Some(SlotName::Memorder),
            ".weak .relaxed .acquire .seq_cst",
        );
        check("st.const.32b", NotAllowed, 0, Some(SlotName::Addrspace), ".global .generic .shared .private");
        check("iadd.s32", NotAllowed, 0, Some(SlotName::Type), ".16b .32b .64b .8bx4 .16bx2");
        assert_eq!(explain("iadd.s32").meant.as_deref(), Some(".32b"));
        assert_eq!(explain("iadd.f").meant, None);
        let index = explain("extract.64.32b");
        assert_eq!((index.kind, index.at, index.slot), (NotAllowed, 0, Some(SlotName::Index)));
        assert_eq!(index.allowed, [".0 to .63"]);
    }

    #[test]
    fn conflicts_and_duplicates() {
        check("fsqrt.re.fast.f", Conflict { with: 0 }, 1, None, "");
        check("iadd.32b.64b", Duplicate { first: 0 }, 1, Some(SlotName::Type), ".16b .32b .64b");
        check("fadd.ftz.ftz.f", Duplicate { first: 0 }, 1, Some(SlotName::Ftz), ".ftz");
        check("call.cond.cond", Duplicate { first: 0 }, 1, Some(SlotName::Cond), ".cond");
    }

    #[test]
    fn wrong_order() {
        check("iadd.32b.dsat", WrongOrder, 1, Some(SlotName::Dsat), ".dsat");
        assert_eq!(explain("iadd.32b.dsat").corrected.as_deref(), Some("iadd.dsat.32b"));
        assert_eq!(explain("fadd.f.ftz.ru").corrected.as_deref(), Some("fadd.ru.ftz.f"));
        assert_eq!(explain("ld.32b.v4.global").corrected.as_deref(), Some("ld.global.v4.32b"));
        assert_eq!(explain("f2i.f.s32").corrected.as_deref(), Some("f2i.s32.f"));
        assert_eq!(explain("uaddc.co.ci.32b").corrected.as_deref(), Some("uaddc.ci.co.32b"));
        // With a slot empty there is no whole mnemonic to offer.
        assert_eq!(explain("fatom.f.global").kind, WrongOrder);
        assert_eq!(explain("fatom.f.global").corrected, None);
    }

    #[test]
    fn missing_qualifiers() {
        check("iadd", Missing, 0, Some(SlotName::Type), ".16b .32b .64b .8bx4 .16bx2");
        check("iadd.dsat", Missing, 1, Some(SlotName::Type), ".16b .32b .64b .8bx4 .16bx2");
        check("uaddc.32b", Missing, 0, Some(SlotName::Ci), ".ci .co");
        check("ld.global.relaxed", Missing, 2, Some(SlotName::Type), ".16b .32b .64b .128b");
        check("frsqrt.f", Missing, 0, Some(SlotName::Fast), ".fast");
        check("fence", Missing, 0, Some(SlotName::Memscope), ".workgroup .gpu .subgroup");
        check(
            "ired.32b",
            Missing,
            0,
            Some(SlotName::Op),
            ".sum .smin .smax .umin .umax .and .or .xor .absmax",
        );
    }

    #[test]
    fn messages() {
        let message = |text: &str| {
            let mnemonic = crate::split_mnemonic(text).unwrap();
            let found = crate::match_mnemonic(mnemonic.opcode, mnemonic.qualifiers()).unwrap_err();
            (found.message(mnemonic.qualifiers()), found.help().unwrap_or_default())
        };
        let pair = |message: &str, help: &str| (message.to_owned(), help.to_owned());
        assert_eq!(message("fadd.tfz.f"), pair("`.tfz` is not a qualifier", "did you mean `.ftz`?"));
        assert_eq!(message("iadd.ftz.32b"), pair("`iadd` takes no `.ftz`", ""));
        assert_eq!(
            message("fatom.shared.add.32b"),
            pair("`.32b` is not a `.type` of `fatom.shared.add`", "`.type` is one of .bf .hf .f .df")
        );
        assert_eq!(message("fsqrt.re.fast.f"), pair("`fsqrt` takes `.re` or `.fast`, not both", ""));
        assert_eq!(message("fadd.ftz.ftz.f"), pair("`.ftz` is there twice", ""));
        assert_eq!(
            message("shl.32b.64b"),
            pair("`.64b` is one `.type` too many, `.32b` is there already", "")
        );
        assert_eq!(
            message("iadd.32b.dsat"),
            pair("`.dsat` stands in the wrong place", "the order is `iadd.dsat.32b`")
        );
        assert_eq!(message("frsqrt.f"), pair("`frsqrt` needs `.fast` here", ""));
        assert_eq!(
            message("shl"),
            pair("`shl` needs a `.type` here", "`.type` is one of .16b .32b .64b .16bx2")
        );
        assert_eq!(
            message("shl.i32"),
            pair("`.i32` is not a qualifier", "did you mean `.32b`? `.type` is one of .16b .32b .64b .16bx2")
        );
    }

    #[test]
    fn hostile_mnemonics_are_explained_too() {
        for opcode in Opcode::ALL {
            for rest in
                ["", ".", "..", ".é", ".a.b.c.d.e.f.g.h.i.j.k", ".32b.32b.32b.32b.32b.32b.32b.32b.32b"]
            {
                let text = format!("{}{rest}", opcode.text());
                let mnemonic = crate::split_mnemonic(&text).unwrap();
                if let Err(found) = crate::match_mnemonic(mnemonic.opcode, mnemonic.qualifiers()) {
                    assert!(found.at <= mnemonic.qualifiers().len(), "{text}");
                }
            }
        }
    }
}

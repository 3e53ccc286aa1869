//! Lints of whole functions: sub-group code that does not do what it looks like (S-03, S-10, X-01, X-04).

use super::flow::{Components, Reach};
use super::{Lowerer, codes};
use crate::{Function, FunctionId, FunctionKind, Instruction, Operand, RegisterId};
use pisa_diag::{Code, Place};
use pisa_isa::{Access, Opcode, Qualifier, SlotName};

/// Instructions between the steps of a ladder, at most.
const STEP: usize = 8;

/// Something doubtful.
struct Doubt {
    code: Code,
    place: Place,
    message: String,
    also: Vec<(Place, &'static str)>,
    spec: &'static str,
    help: &'static str,
}

impl Lowerer<'_> {
    /// Looks at a function whose code is complete.
    pub(super) fn lint_function(&mut self, id: FunctionId) {
        let Some(function) = self.functions.get(id.index()) else { return };
        let (mut cross_lane, mut barrier, mut atomic) = (false, false, false);
        for instruction in &function.code {
            match instruction.row().opcode {
                Opcode::Shfl | Opcode::Ired | Opcode::Fred | Opcode::Redfirstidx => cross_lane = true,
                Opcode::BarrierWorkgroup => barrier = true,
                Opcode::Iatom => atomic = true,
                _ => {}
            }
        }
        let mut doubts = Vec::new();
        if cross_lane {
            results_left_out(function, &mut doubts);
            scans(function, &mut doubts);
        }
        if cross_lane || barrier {
            late_merges(function, &mut doubts);
        }
        if atomic {
            spins(function, &mut doubts);
        }
        for doubt in doubts {
            let mut diagnostic = self.lint(doubt.code, doubt.place.span, doubt.message);
            for (place, text) in doubt.also {
                diagnostic = diagnostic.also(place, text);
            }
            self.report(diagnostic.spec(doubt.spec).help(doubt.help));
        }
    }
}

/// The register that an operand is, whole or in part.
fn register(operand: Option<&Operand>) -> Option<RegisterId> {
    match operand {
        Some(Operand::Register(used)) => Some(used.register),
        Some(Operand::Predicate { register, .. }) => Some(*register),
        _ => None,
    }
}

/// The immediate that an operand is.
fn constant(operand: Option<&Operand>) -> Option<u32> {
    match operand {
        Some(Operand::Immediate { bits, .. }) => Some(*bits as u32),
        _ => None,
    }
}

/// Operands with how they are used; the arguments of a call follow its last operand.
fn uses(instruction: &Instruction) -> impl Iterator<Item = (&Operand, Access)> {
    let row = instruction.row();
    instruction.operands.iter().enumerate().filter_map(move |(i, operand)| {
        let definition = row.operands.get(i.min(row.operands.len().checked_sub(1)?))?;
        Some((operand, definition.access))
    })
}

/// Whether an instruction reads a register, be it as part of an address.
fn reads(instruction: &Instruction, wanted: RegisterId) -> bool {
    use crate::{AddressBase, AddressOffset};
    uses(instruction).any(|(operand, access)| match operand {
        Operand::Address { base, offset } => {
            matches!(base, AddressBase::Register(used) if used.register == wanted)
                || matches!(offset, AddressOffset::Register(used) if used.register == wanted)
        }
        operand => access == Access::Read && register(Some(operand)) == Some(wanted),
    })
}

/// Whether an instruction writes a register in every active lane.
fn writes(instruction: &Instruction, wanted: RegisterId) -> bool {
    uses(instruction)
        .any(|(operand, access)| access == Access::Write && register(Some(operand)) == Some(wanted))
}

/// Where a `goto` leads.
fn target(function: &Function, instruction: &Instruction) -> Option<usize> {
    if instruction.row().opcode != Opcode::Goto {
        return None;
    }
    instruction.operands.iter().find_map(|operand| match operand {
        Operand::Label(id) => function.labels.get(id.index()).map(|label| label.target as usize),
        _ => None,
    })
}

/// At the begin of a kernel all lanes are active: a constant mask leaves some out, whose result has no value yet and is
/// read all the same.
fn results_left_out(function: &Function, doubts: &mut Vec<Doubt>) {
    let FunctionKind::Kernel { required_work_group_size, .. } = &function.kind else { return };
    let items = required_work_group_size.map_or(u32::MAX, |size| size.iter().product());
    let existing = if items < 32 { (1 << items) - 1 } else { u32::MAX };
    let first_label = function.labels.iter().map(|label| label.target as usize).min().unwrap_or(usize::MAX);
    let straight = function.code.iter().take(first_label).take_while(|instruction| {
        !matches!(instruction.row().opcode, Opcode::Goto | Opcode::Return | Opcode::Call)
    });
    let straight: Vec<&Instruction> = straight.collect();
    for (index, instruction) in straight.iter().enumerate() {
        let mask = match instruction.row().opcode {
            Opcode::Shfl => constant(instruction.operands.get(3)),
            Opcode::Ired | Opcode::Fred => constant(instruction.operands.get(2)),
            _ => None,
        };
        let (Some(mask), Some(result)) = (mask, register(instruction.operands.first())) else { continue };
        if mask == 0 || mask & existing == existing {
            continue;
        }
        let before = straight.get(..index).unwrap_or_default();
        if before.iter().any(|earlier| {
            uses(earlier)
                .any(|(operand, access)| access != Access::Read && register(Some(operand)) == Some(result))
        }) {
            continue;
        }
        let after = straight.get(index + 1..).unwrap_or_default();
        let used = after.iter().find(|later| reads(later, result) || writes(later, result));
        if let Some(used) = used.filter(|later| reads(later, result)) {
            doubts.push(Doubt {
                code: codes::RESULT_LEFT_OUT,
                place: instruction.place,
                message: format!(
                    "the mask {mask:#010x} leaves active lanes without a result, which they use"
                ),
                also: vec![(used.place, "read by all lanes, also those that got nothing")],
                spec: "7 sub-group communication: non-participating work-items do not update dst",
                help: "give the destination a value before, name all lanes, or send the others round",
            });
        }
    }
}

/// S-10: a ladder of `shfl.up` and additions counts the values of the first lanes twice, unless they are told apart.
fn scans(function: &Function, doubts: &mut Vec<Doubt>) {
    // The last step: where, its offset, whether it was reported.
    let mut last: Option<(usize, u32, bool)> = None;
    for (index, pair) in function.code.windows(2).enumerate() {
        let [shuffle, add] = pair else { continue };
        let is_up =
            shuffle.row().opcode == Opcode::Shfl && shuffle.qualifier(SlotName::Op) == Some(Qualifier::Up);
        let offset = constant(shuffle.operands.get(2)).map(|control| control & 31);
        let (Some(offset), true) = (offset, is_up) else { continue };
        let (moved, own) = (register(shuffle.operands.first()), register(shuffle.operands.get(1)));
        let adds = matches!(add.row().opcode, Opcode::Iadd | Opcode::Fadd) && moved.is_some() && moved != own;
        let (a, b) = (register(add.operands.get(1)), register(add.operands.get(2)));
        if !adds || !((a == moved && b == own) || (a == own && b == moved)) {
            last = None;
            continue;
        }
        let mut reported = false;
        if let Some((before, half, known)) = last
            && index - before <= STEP
            && offset == 2 * half
        {
            reported = true;
            if !known && let Some(first) = function.code.get(before) {
                doubts.push(Doubt {
                    code: codes::SCAN_WITHOUT_EDGE,
                    place: first.place,
                    message: "this scan adds the own value of the first lanes to itself".to_owned(),
                    also: vec![(shuffle.place, "and so does the next step")],
                    spec: "7.4 shfl: out-of-bounds work-item access copies its own src0 to dst",
                    help: "add only where `%laneid` is at least the offset: `ucmp.ge.32b`, and `sel` with 0",
                });
            }
        }
        last = Some((index, offset, reported));
    }
}

/// A block behind the end of the straight way that jumps back into it: lanes that are there come to the merge after the others
/// have passed, under a schedule that runs the lowest instruction first.
fn late_merges(function: &Function, doubts: &mut Vec<Doubt>) {
    let code = &function.code;
    let leaves = |index: usize| {
        code.get(index).is_some_and(|instruction| {
            matches!(instruction.row().opcode, Opcode::Goto | Opcode::Return)
                && !instruction.has(SlotName::Cond)
        })
    };
    let mut is_label = vec![false; code.len()];
    let mut is_branched_to = vec![false; code.len()];
    for label in &function.labels {
        if let Some(known) = is_label.get_mut(label.target as usize) {
            *known = true;
        }
    }
    for (index, instruction) in code.iter().enumerate() {
        if let Some(to) = target(function, instruction).filter(|&to| to > index)
            && instruction.has(SlotName::Cond)
            && let Some(known) = is_branched_to.get_mut(to)
        {
            *known = true;
        }
    }
    let mut begin = 0;
    let mut candidates = Vec::new();
    for (index, instruction) in code.iter().enumerate() {
        if is_label[index] {
            begin = index;
        }
        let aside = begin > 0 && is_branched_to[begin] && leaves(begin - 1);
        if let Some(to) = target(function, instruction).filter(|&to| to < begin)
            && aside
            && !instruction.has(SlotName::Cond)
        {
            candidates.push((index, to));
        }
    }
    if candidates.is_empty() {
        return;
    }
    let components = Components::of(function);
    let meets = Reach::of(function, |instruction| {
        matches!(
            instruction.row().opcode,
            Opcode::Shfl | Opcode::Ired | Opcode::Fred | Opcode::Redfirstidx | Opcode::BarrierWorkgroup
        )
    });
    for (index, to) in candidates {
        if components.are_together(index, to) {
            continue;
        }
        let Some(meeting) = meets.from(to) else { continue };
        doubts.push(Doubt {
            code: codes::LATE_MERGE,
            place: code[index].place,
            message: "lanes that jump back here may come after the others have gone on".to_owned(),
            also: vec![(code[meeting].place, "here they are not together any more")],
            spec: "1.1 execution model: nothing says where lanes that parted meet again",
            help: "put the block before the label that it jumps to, so that all lanes fall into it together",
        });
    }
}

/// Whether at most one lane of a sub-group comes to a loop: on the straight way before it, all others leave the kernel or
/// jump past it, by a comparison of `%laneid` or `%localid.x` with a number or with what `redfirstidx` gave.
fn one_lane_is_left(function: &Function, begin: usize, end: usize) -> bool {
    let code = &function.code;
    // Nobody else jumps to the loop or to the way there.
    let first = code[..begin]
        .iter()
        .rposition(|i| matches!(i.row().opcode, Opcode::Goto | Opcode::Return) && i.has(SlotName::Cond));
    let Some(split) = first else { return false };
    let joins = |(index, i): (usize, &Instruction)| {
        index != end && target(function, i).is_some_and(|to| to > split && to <= end)
    };
    if code.iter().enumerate().any(joins) {
        return false;
    }
    let branch = &code[split];
    let leaves = branch.row().opcode == Opcode::Return || target(function, branch).is_some_and(|to| to > end);
    let Some(Operand::Predicate { register: guard, negated }) = branch.operands.first() else { return false };
    let last = |wanted| code[..split].iter().rev().find(|i| writes(i, wanted));
    let Some(compare) = last(*guard).filter(|i| matches!(i.row().opcode, Opcode::Ucmp | Opcode::Scmp)) else {
        return false;
    };
    // Those that stay are equal.
    let stay = if *negated { Qualifier::Eq } else { Qualifier::Ne };
    let origin = |operand: Option<&Operand>| match operand {
        Some(Operand::Register(used)) => {
            let moved = last(used.register)?;
            match moved.row().opcode {
                Opcode::Mov => moved.operands.get(1).cloned(),
                // One lane's number, the same in all.
                Opcode::Redfirstidx => Some(Operand::Immediate { bits: 0, sign_extend: false }),
                _ => None,
            }
        }
        operand => operand.cloned(),
    };
    let (a, b) = (origin(compare.operands.get(1)), origin(compare.operands.get(2)));
    let is_lane = |operand: &Option<Operand>| {
        use crate::{Dimension, SpecialRegister};
        matches!(
            operand,
            Some(Operand::Special(SpecialRegister::LaneId | SpecialRegister::LocalId(Dimension::X)))
        )
    };
    let is_number = |operand: &Option<Operand>| matches!(operand, Some(Operand::Immediate { .. }));
    leaves
        && compare.qualifier(SlotName::Cop) == Some(stay)
        && ((is_lane(&a) && is_number(&b)) || (is_number(&a) && is_lane(&b)))
}

/// lanes that wait for a lock in a loop, behind which the lane that has it would release it.
fn spins(function: &Function, doubts: &mut Vec<Doubt>) {
    let code = &function.code;
    for (end, branch) in code.iter().enumerate() {
        let Some(begin) = target(function, branch).filter(|&to| to <= end) else { continue };
        if !branch.has(SlotName::Cond) || end - begin > 4 * STEP {
            continue;
        }
        let body = &code[begin..end];
        let others =
            function.labels.iter().any(|l| (l.target as usize) > begin && (l.target as usize) <= end);
        let is_store = |i: &Instruction| matches!(i.row().opcode, Opcode::St | Opcode::Iatom | Opcode::Fatom);
        let leaves = |i: &Instruction| matches!(i.row().opcode, Opcode::Goto | Opcode::Return | Opcode::Call);
        let mut stores = body.iter().filter(|i| is_store(i));
        let (Some(lock), None) = (stores.next(), stores.next()) else { continue };
        let takes = lock.row().opcode == Opcode::Iatom
            && matches!(lock.qualifier(SlotName::Op), Some(Qualifier::Cas | Qualifier::Xchg));
        if others || !takes || body.iter().any(leaves) {
            continue;
        }
        // The branch looks at what the lock held.
        let (old, guard) = (register(lock.operands.first()), register(branch.operands.first()));
        let looks = body.iter().any(|i| {
            matches!(i.row().opcode, Opcode::Ucmp | Opcode::Scmp)
                && register(i.operands.first()) == guard
                && old.is_some_and(|old| reads(i, old))
        });
        let address =
            |i: &Instruction| i.operands.iter().find(|o| matches!(o, Operand::Address { .. })).cloned();
        let taken = address(lock);
        let release =
            code[end + 1..].iter().take_while(|i| !leaves(i)).find(|i| is_store(i) && address(i) == taken);
        if let Some(release) = release.filter(|_| looks && !one_lane_is_left(function, begin, end)) {
            doubts.push(Doubt {
                code: codes::SPIN_BETWEEN_LANES,
                place: branch.place,
                message: "lanes that wait for the lock here may keep the lane that has it from going on".to_owned(),
                also: vec![(lock.place, "the lock is taken here"), (release.place, "and released behind the loop")],
                spec: "1.1.1 Order of Execution: progress is promised between sub-groups, not between lanes of one",
                help: "put what the lock protects, and its release, into the loop; or let one lane of the sub-group take it",
            });
        }
    }
}

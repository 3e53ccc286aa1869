//! The words of reports about races.

use super::clock::Region;
use super::knowledge::Scope;
use super::report::{Kind, Lack, Why};
use super::site::{AccessSite, Effect};
use crate::check::Context;
use crate::finding::Text;
use crate::names::{Names, Space};
use pisa_diag::Place;
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_machine::{LANES, Step, SubGroupId, local_id};
use pisa_module::{Function, Instruction, Operand};

/// One of two accesses.
pub(super) struct Side<'a> {
    pub(super) site: AccessSite,
    pub(super) instruction: Option<&'a Instruction>,
    pub(super) subgroup: SubGroupId,
    pub(super) lane: u32,
}

/// Two accesses that race.
pub(super) struct Pair<'a> {
    pub(super) first: Side<'a>,
    pub(super) second: Side<'a>,
    pub(super) location: String,
    pub(super) bytes: u32,
    pub(super) region: Region,
    /// Of the first access, where it is not that of the second.
    pub(super) place: Option<Place>,
    /// Of a barrier between them.
    pub(super) barrier: Option<Place>,
    /// Whether the code loads from that address, and stores to it later.
    pub(super) updates: bool,
}

const MEMORY_MODEL: &str = "1.2.1 Memory Consistency";
const SCOPES: &str = "1.2.1.2 Memory Scope";
const BARRIER: &str = "9.1 barrier.workgroup";
const FENCE: &str = "9.2 fence";
const STORE: &str = "8.5 st";

fn memory(region: Region) -> &'static str {
    match region {
        Region::Shared => "shared",
        Region::Global => "global",
    }
}

/// How messages call a byte of memory: `@tile+64`, `out+12`.
pub(super) fn location(context: &Context<'_>, region: Region, address: u64) -> String {
    let space = match region {
        Region::Global => Space::Global,
        Region::Shared => Space::Shared,
    };
    Names::new(context).text(space, address)
}

/// `work-item (17,0,0), sub-group 0`, with the work-group where it is another one.
fn who(context: &Context<'_>, side: &Side<'_>, other: u64) -> String {
    let group = context.launch.group_id(side.subgroup.group);
    let size = context.launch.local_size(group);
    let [x, y, z] = local_id(side.subgroup.number * LANES + side.lane, size);
    let within = match side.subgroup.group == other {
        true => String::new(),
        false => format!(" of work-group ({},{},{})", group[0], group[1], group[2]),
    };
    format!("work-item ({x},{y},{z}){within}, sub-group {}, lane {}", side.subgroup.number, side.lane)
}

fn verb(site: &AccessSite) -> &'static str {
    match site.effect {
        Effect::Read => "reads",
        Effect::Write => "writes",
        Effect::AtomicRead(_) => "reads atomically",
        Effect::AtomicWrite(_) if site.modifies => "modifies atomically",
        Effect::AtomicWrite(_) => "writes atomically",
    }
}

/// A race between two accesses.
pub(super) fn race(context: &Context<'_>, pair: &Pair<'_>, kind: Kind, why: Why) -> Text {
    let Pair { first, second, location, bytes, region, .. } = pair;
    let plural = if *bytes == 1 { "" } else { "s" };
    let what = match kind {
        Kind::SubGroup => "race between lanes of a sub-group on",
        Kind::WorkItems => "race on",
        Kind::SameValue => "racing stores of the same value to",
        Kind::Mixed => "race of a weak and an atomic access to",
        Kind::Scopes => "atomic accesses whose scopes do not reach each other to",
        Kind::Widths => "racing atomic accesses of different widths to",
    };
    let message = format!("{what} `{location}` ({}, {bytes} byte{plural})", memory(*region));
    let label = format!("{} {}", who(context, second, first.subgroup.group), verb(&second.site));
    let earlier = format!(
        "{} {} before, and nothing orders the two",
        who(context, first, second.subgroup.group),
        verb(&first.site)
    );
    let mut text = Text { message, label, spec: MEMORY_MODEL, ..Text::default() };
    match pair.place {
        Some(place) => text.also.push((place, earlier)),
        None => text.notes.push(format!("{earlier}; both by this instruction")),
    }
    if let Some(barrier) = pair.barrier {
        text.also.push((barrier, "waits for all, but orders no memory".to_owned()));
    }
    match kind {
        Kind::Scopes => scopes(&mut text, pair),
        Kind::Widths => {
            let (one, two) = (8 * first.site.bytes, 8 * second.site.bytes);
            let (one, two) = (one.min(two), one.max(two));
            text.notes.push(format!("{one} and {two} bits: neither is indivisible for the other"));
            text.help = "access the location with one width, or order the two".to_owned();
        }
        _ => order(&mut text, pair, kind, why),
    }
    if pair.updates {
        text.help = format!(
            "where the store changes what the load gave, let one `iatom` or `fatom` do both: nobody can come between; else {}",
            text.help
        );
    }
    text
}

/// Whether two accesses go to an address, as the text has it, that the function loads from and stores to later.
pub(super) fn updates(function: &Function, one: &Instruction, two: &Instruction) -> bool {
    let address = |instruction: &Instruction| {
        instruction.operands.iter().find(|operand| matches!(operand, Operand::Address { .. })).cloned()
    };
    let (Some(first), Some(second)) = (address(one), address(two)) else { return false };
    let with = |opcode: Opcode| {
        let first = &first;
        move |instruction: &Instruction| {
            instruction.row().opcode == opcode && address(instruction).as_ref() == Some(first)
        }
    };
    let load = function.code.iter().position(with(Opcode::Ld));
    let store = function.code.iter().rposition(with(Opcode::St));
    first == second && load.zip(store).is_some_and(|(load, store)| load < store)
}

fn scopes(text: &mut Text, pair: &Pair<'_>) {
    let Pair { first, second, .. } = pair;
    let scope = |side: &Side<'_>| match side.site.effect {
        Effect::AtomicRead(scope) | Effect::AtomicWrite(scope) => scope_name(scope),
        _ => "",
    };
    text.spec = SCOPES;
    text.notes.push(format!(
        "the scopes are `.{}` and `.{}`; an atomic access is indivisible only for the work-items in its scope",
        scope(first),
        scope(second)
    ));
    text.help = "give both the scope `.gpu`, which has the work-items of all work-groups in it".to_owned();
}

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::SubGroup => "subgroup",
        Scope::WorkGroup => "workgroup",
        Scope::Launch => "gpu",
    }
}

/// What ordering lacks, and the fix.
fn order(text: &mut Text, pair: &Pair<'_>, kind: Kind, why: Why) {
    let space = memory(pair.region);
    match why {
        Why::SubGroup => {
            text.notes
                .push("lanes of a sub-group are work-items: that they run in step orders nothing".to_owned());
            text.spec = FENCE;
            text.help = "`fence.subgroup;` between the two, executed by both lanes together".to_owned();
        }
        Why::NoBarrier => {
            text.notes.push("no barrier, and no release and acquire, lies between them".to_owned());
            text.help = format!(
                "between the two: `fence.{space}.release.workgroup;`, `barrier.workgroup;`, `fence.{space}.acquire.workgroup;`"
            );
        }
        Why::Barrier(lack) => barrier(text, space, lack),
        Why::WorkGroups => {
            text.notes.push("they are of different work-groups, which a barrier does not order".to_owned());
            text.help = "publish with an atomic flag: `st.global.release.gpu` after the first, and before the second \
                         `ld.global.acquire.gpu` until the flag is seen; or leave the second to another launch"
                .to_owned();
        }
        Why::ReleaseScope(scope) => {
            let needed = match pair.first.subgroup.group == pair.second.subgroup.group {
                true => "workgroup",
                false => "gpu",
            };
            let name = scope_name(scope);
            text.spec = SCOPES;
            text.notes.push(format!(
                "the fence after the first has scope `.{name}`: it publishes nothing to the second work-item"
            ));
            text.help = format!("give the fence after the first access the scope `.{needed}`");
        }
        Why::NoAcquire(scope) => {
            let name = scope_name(scope);
            text.notes.push(format!(
                "the second work-item has read an atomic that the first had published by, but has not acquired it in \
                 scope `.{name}`"
            ));
            text.help = format!(
                "read it with `.acquire.{name}`, or `fence.{space}.acquire.{name};` between that and the access"
            );
        }
    }
    match kind {
        Kind::SameValue => {
            text.notes
                .push("both store the same value; the memory model calls it a race all the same".to_owned());
            if is_plain(pair.second.instruction) && is_plain(pair.first.instruction) {
                text.help = format!(
                    "let one work-item store it, or make both atomic: `st.{space}.relaxed{}`",
                    width(pair.second.instruction)
                );
            }
        }
        Kind::Mixed if !matches!(why, Why::Barrier(_)) => {
            let weak = if pair.first.site.effect.is_atomic() { &pair.second } else { &pair.first };
            let opcode = if weak.site.effect == Effect::Write { "st" } else { "ld" };
            if is_plain(weak.instruction) {
                text.help = format!(
                    "make the weak access atomic, `{opcode}.{space}.relaxed{}`, or order the two",
                    width(weak.instruction)
                );
            }
        }
        _ => {}
    }
}

fn barrier(text: &mut Text, space: &str, lack: Lack) {
    text.spec = BARRIER;
    let other = if space == "shared" { "global" } else { "shared" };
    let (release, acquire) =
        (format!("`fence.{space}.release.workgroup;`"), format!("`fence.{space}.acquire.workgroup;`"));
    if lack.other_memory {
        text.notes.push(format!("there is a fence, but it covers {other} memory only"));
    }
    text.help = match (lack.release, lack.acquire) {
        (true, true) => format!("{release} before the barrier and {acquire} after it"),
        (true, false) => format!("{release} between the first access and the barrier"),
        _ => format!("{acquire} between the barrier and the second access"),
    };
    if lack.opencl {
        text.notes.push(
            "the fence before the barrier is acquire-release: `--san race=opencl` counts it for both sides"
                .to_owned(),
        );
    }
}

/// Whether an access could be atomic: one element of at least 16 bits.
fn is_plain(instruction: Option<&Instruction>) -> bool {
    let Some(instruction) = instruction else { return false };
    let ty = instruction.qualifier(SlotName::Type);
    instruction.qualifier(SlotName::Vec).is_none() && ty.is_some_and(|ty| ty != Qualifier::B8)
}

fn width(instruction: Option<&Instruction>) -> &'static str {
    instruction.and_then(|i| i.qualifier(SlotName::Type)).map_or("", Qualifier::text)
}

/// Lanes of one store that store different values (M-16).
pub(super) fn one_store(step: &Step<'_>, location: &str, [one, two]: [u32; 2]) -> Text {
    let item = |lane: u32| {
        let [x, y, z] = local_id(step.subgroup.number * LANES + lane, step.size);
        format!("({x},{y},{z})")
    };
    Text {
        message: format!("lanes of one store write different values to {location}"),
        label: format!("lanes {one} and {two}, among others, hit the same bytes"),
        notes: vec![format!(
            "work-items {} and {}: which value stays is not defined; the tools keep that of the highest lane",
            item(one),
            item(two)
        )],
        spec: STORE,
        help: "store from one lane, or combine the values first (`ired`, or an atomic)".to_owned(),
        ..Text::default()
    }
}

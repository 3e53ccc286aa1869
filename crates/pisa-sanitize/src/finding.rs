//! Findings: grouped, counted, each with all a reader needs.

use pisa_diag::{Code, Place};
use pisa_machine::{CallFrame, Standing, Step};
use pisa_module::Program;
use rustc_hash::FxHashMap;

/// Something that went wrong, at one place or between two, as often as it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Its code.
    pub code: Code,
    /// The instruction.
    pub place: Place,
    /// What it says of itself; the rest is of the first time it happened.
    pub text: Text,
    /// Instructions executed in which it happened.
    pub count: u64,
    /// Lanes it happened to, summed over them.
    pub lanes_in_all: u64,
    /// Id of the work-group.
    pub group: [u64; 3],
    /// Actual size of the work-group.
    pub size: [u32; 3],
    /// The sub-group in it.
    pub subgroup: u32,
    /// The lanes it concerns.
    pub lanes: u32,
    /// The lanes that were active.
    pub active: u32,
    /// The lanes that had not left the kernel, the active ones among them.
    pub live: u32,
    /// Name of the function it happened in.
    pub function: Box<str>,
    /// What the instruction accesses, where it accesses memory: a variable with its `@`, a buffer or a dynamic block.
    pub object: Option<String>,
    /// Where the other live lanes stood.
    pub elsewhere: Vec<Standing>,
    /// The calls that led there, innermost first.
    pub calls: Vec<CallFrame>,
}

/// What a finding says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    /// What is wrong in the user's terms, one line.
    pub message: String,
    /// A few words at the instruction, may be empty.
    pub label: String,
    /// Other places, with a few words each.
    pub also: Vec<(Place, String)>,
    /// More to know, a line each.
    pub notes: Vec<String>,
    /// The section of the specification, `7.4 shfl`.
    pub spec: &'static str,
    /// What to do.
    pub help: String,
}

/// The findings of a launch.
#[derive(Debug)]
pub struct Findings {
    list: Vec<Finding>,
    /// Names of functions by index.
    functions: Vec<Box<str>>,
    /// By code, place, and other place.
    known: FxHashMap<(Code, Place, Option<Place>), usize>,
    /// Over-reads that were tolerated, in lanes (E9, E10).
    over_reads: u64,
}

impl Findings {
    pub(crate) fn new(program: &Program) -> Findings {
        let functions = program.functions().map(|(_, function)| function.name.clone()).collect();
        Findings { list: Vec::new(), functions, known: FxHashMap::default(), over_reads: 0 }
    }

    /// Reports what is about to happen in these lanes of a step; `other` is the second place where two instructions make
    /// the fault. The text is asked for the first time only.
    pub(crate) fn report(
        &mut self,
        code: Code,
        step: &Step<'_>,
        lanes: u32,
        other: Option<Place>,
        text: impl FnOnce() -> Text,
    ) {
        self.report_at(code, step.instruction.place, step, lanes, other, text);
    }

    /// [`Findings::report`] at another place than the instruction: where two make the fault, and either may come last.
    pub(crate) fn report_at(
        &mut self,
        code: Code,
        place: Place,
        step: &Step<'_>,
        lanes: u32,
        other: Option<Place>,
        text: impl FnOnce() -> Text,
    ) {
        let count = u64::from(lanes.count_ones());
        let next = self.list.len();
        let index = *self.known.entry((code, place, other)).or_insert(next);
        if let Some(finding) = self.list.get_mut(index) {
            finding.count += 1;
            finding.lanes_in_all += count;
            return;
        }
        self.list.push(Finding {
            code,
            place,
            text: text(),
            count: 1,
            lanes_in_all: count,
            group: step.group,
            size: step.size,
            subgroup: step.subgroup.number,
            lanes,
            active: step.lanes,
            live: step.view.live(),
            function: self.functions.get(step.function.index()).cloned().unwrap_or_default(),
            object: None,
            elsewhere: step.view.elsewhere(),
            calls: step.view.calls(),
        });
    }

    /// Reports what no single step shows; `other` as in [`Findings::report`]. The finding is asked for the first time only.
    pub(crate) fn report_finding(
        &mut self,
        key: (Code, Place, Option<Place>),
        lanes: u32,
        finding: impl FnOnce() -> Finding,
    ) {
        let next = self.list.len();
        let index = *self.known.entry(key).or_insert(next);
        match self.list.get_mut(index) {
            Some(finding) => {
                finding.count += 1;
                finding.lanes_in_all += u64::from(lanes.count_ones());
            }
            None => self.list.push(finding()),
        }
    }

    /// Counts over-reads that are tolerated instead of reported (`mem=llvm`).
    pub(crate) fn tolerate_over_reads(&mut self, lanes: u64) {
        self.over_reads += lanes;
    }

    /// Lanes that read past the end of an object in a way that was tolerated (`mem=llvm`).
    pub fn tolerated_over_reads(&self) -> u64 {
        self.over_reads
    }

    /// Names what the findings from this one on accessed.
    pub(crate) fn name_objects(&mut self, from: usize, name: impl Fn(u32) -> Option<String>) {
        for finding in self.list.iter_mut().skip(from) {
            finding.object = name(finding.lanes);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing went wrong.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them in the order in which they first happened.
    pub fn into_list(self) -> Vec<Finding> {
        self.list
    }
}

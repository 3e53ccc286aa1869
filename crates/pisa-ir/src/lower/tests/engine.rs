//! Lowered operations as code, run by the reference engine under `lexical`, against their meaning.

use super::counts::lengths;
use super::run::{datum, words};
use super::votes::ELEMENTS;
use super::{Mask, Random, WORD, reductions};
use crate::model::{Datum, scalars};
use crate::samples::function;
use crate::{
    Axis, ClusterSize, CrossLane, CrossLaneKind as Kind, Element, Function, InactiveSource, Module, Operand,
    Operation, Reduction, Scope, ShuffleKind, Terminator, Value,
};
use pisa_diag::Sources;
use pisa_machine::{Contents, Engine, Image, Launch, Memory};
use pisa_module::{FunctionKind, RegisterType};
use std::fmt::Write;
use std::sync::Arc;

/// Sub-groups of a launch, each with an active set of its own.
const SUB_GROUPS: usize = 8;
/// Bytes that a work-item has for its arguments, and for its result.
const ROOM: usize = 32;
const SLOT: usize = 8;

/// A function that computes one operation of its arguments, and which they are.
struct Call {
    function: Function,
    arguments: Vec<(Value, RegisterType)>,
    result: Value,
    operation: CrossLane,
}

impl Call {
    /// With predicates as words on its outside.
    fn new(operation: CrossLane, mask: Mask) -> Call {
        let outside = |ty: RegisterType| if ty.is_predicate() { WORD } else { ty };
        let ty = operation.result();
        let mut types = Vec::new();
        types.extend(operation.has_data().then(|| operation.element.register()));
        types.extend(operation.has_index().then_some(WORD));
        if mask == Mask::Register {
            types.extend(operation.has_mask().then_some(WORD));
            types.extend(operation.has_pass_through().then_some(ty));
        }
        let arguments: Vec<RegisterType> = types.iter().map(|&ty| outside(ty)).collect();
        let kind = FunctionKind::Function { result: Some(outside(ty)), parameters: Vec::new() };
        let names: Vec<String> = (0..arguments.len()).map(|i| format!("a{i}")).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let mut function = function("op", kind, &arguments, &names);
        let block = function.append_block();
        let arguments: Vec<(Value, RegisterType)> =
            arguments.iter().map(|&ty| (function.add_parameter(block, ty), ty)).collect();
        let table = |function: &mut Function, mnemonic: &str, form, operands: Vec<Operand>, ty| {
            let split = pisa_isa::split_mnemonic(mnemonic).expect("a mnemonic");
            let matches = pisa_isa::match_mnemonic(split.opcode, split.qualifiers()).expect("a form");
            let found: pisa_isa::Match = matches[form];
            let operation = Operation::Table { form: found.form, qualifiers: found.values };
            function.append_value(block, operation, operands, ty)
        };
        let mut operands = Vec::new();
        for (&(value, _), inside) in arguments.iter().zip(&types) {
            operands.push(Operand::Value(if inside.is_predicate() {
                let zero = Operand::word(0);
                table(&mut function, "ucmp.ne.32b", 0, vec![value.into(), zero], RegisterType::PREDICATE)
            } else {
                value
            }));
        }
        if mask == Mask::All {
            operands.extend(operation.has_mask().then_some(Operand::ALL_LANES));
            operands.extend(operation.has_pass_through().then_some(Operand::Dead));
        }
        let mut result = function.append_value(block, Operation::CrossLane(operation), operands, ty);
        if ty.is_predicate() {
            let operands = vec![Operand::word(1), Operand::word(0), result.into()];
            result = table(&mut function, "sel.32b", 1, operands, WORD);
        }
        function.blocks[block.index()].terminator = Terminator::Return(Some(result.into()));
        Call { function, arguments, result, operation }
    }

    /// The function with its operation lowered, in a module.
    fn lowered(&self) -> Module {
        let mut function = self.function.clone();
        crate::lower::lower(&mut function, &crate::lower::NoFacts);
        Module {
            version: pisa_isa::Version(0, 1),
            target: pisa_isa::Target::T100,
            variables: Vec::new(),
            functions: vec![function],
        }
    }

    /// Its code, and a kernel that calls it on active lanes.
    fn text(&self) -> String {
        let code = crate::export::export(&self.lowered()).unwrap_or_else(|error| panic!("{error}"));
        let mut text = pisa_module::print(&code);
        text.push_str(
            ".kernel @k(.param[8] %in, .param[8] %out, .param[8] %active) {
            .reg .64b %i, %o, %s, %t; .reg .32b %g, %b, %w; .pred %p;
            ld.param.64b %i, [%in]; ld.param.64b %o, [%out]; ld.param.64b %s, [%active];
            umad.full.32b %i, %localid.x, 32, %i; umad.full.32b %o, %localid.x, 8, %o;
            shr.32b %g, %localid.x, 5; umad.full.32b %s, %g, 4, %s;
            ld.global.32b %g, [%s]; ubfe.32b %b, %g, 1, %laneid; ucmp.eq.32b %p, %b, 0;\n",
        );
        let mut names = Vec::new();
        for (i, (_, ty)) in self.arguments.iter().enumerate() {
            let (name, offset) = (format!("%x{i}"), SLOT * i);
            if ty.is_vector() {
                writeln!(text, ".reg .v2.16b {name}; ld.global.32b %w, [%i + {offset}];").expect("text");
                writeln!(text, "mov.32b {name}.xy, %w;").expect("text");
            } else {
                let bits = ty.bits;
                writeln!(text, ".reg .{bits}b {name}; ld.global.{bits}b {name}, [%i + {offset}];")
                    .expect("text");
            }
            names.push(name);
        }
        let ty = self.function.value(self.result).ty;
        let declared = if ty.is_vector() { ".v2.16b".to_owned() } else { format!(".{}b", ty.bits) };
        writeln!(text, ".reg {declared} %r;\ngoto.cond %p, done;\ncall %r, @op({});", names.join(", "))
            .expect("text");
        if ty.is_vector() {
            text.push_str("mov.32b %w, %r.xy; st.global.32b [%o], %w;\n");
        } else {
            writeln!(text, "st.global.{}b [%o], %r;", ty.bits).expect("text");
        }
        text.push_str("done:\nreturn;\n}\n");
        text
    }

    /// Runs it on random arguments.
    fn check(&self, random: &mut Random, index: impl Fn(&mut Random) -> Datum) {
        let text = self.text();
        let mut bytes = vec![0; SUB_GROUPS * 32 * ROOM];
        let mut active = Vec::new();
        let mut meant = Vec::new();
        for group in 0..SUB_GROUPS {
            let set = if group == 0 { u32::MAX } else { random.lanes() };
            let mask = random.lanes();
            let element = self.operation.element;
            let predicate = element == Element::Predicate;
            let mut given = Vec::new();
            given.extend(self.operation.has_data().then(|| match predicate {
                true => words_of(random, 2),
                false => datum(random, element),
            }));
            given.extend(self.operation.has_index().then(|| index(random)));
            if given.len() < self.arguments.len() {
                given.extend(self.operation.has_mask().then(|| words(|_| mask)));
            }
            if let Some((_, ty)) = self.arguments.get(given.len()) {
                let limit = if self.operation.result().is_predicate() { 2 } else { u64::MAX };
                let cut = u128::MAX >> (128 - u32::from(ty.bits));
                given.push(std::array::from_fn(|_| {
                    (0..ty.elements).map(|_| Some(u128::from(random.below(limit)) & cut)).collect()
                }));
            }
            for (i, datum) in given.iter().enumerate() {
                for (lane, elements) in datum.iter().enumerate() {
                    let at = (group * 32 + lane) * ROOM + SLOT * i;
                    let bits = row(elements, self.arguments[i].1);
                    bytes[at..at + SLOT].copy_from_slice(&(bits as u64).to_le_bytes());
                }
            }
            let inputs: Vec<(Value, Datum)> =
                self.arguments.iter().zip(given).map(|(&(value, _), datum)| (value, datum)).collect();
            let block = self.function.layout[0];
            let lanes = crate::model::run_block(&self.function, block, &inputs, set).expect("the operation");
            meant.push(lanes.get(self.result).expect("a result").clone());
            active.push(set);
        }
        let got = launch(&text, &bytes, &active);
        let ty = self.function.value(self.result).ty;
        for (group, (&set, meant)) in active.iter().zip(&meant).enumerate() {
            for lane in (0..32).filter(|lane| set >> lane & 1 == 1) {
                if meant[lane].iter().any(Option::is_none) {
                    continue;
                }
                let at = (group * 32 + lane) * SLOT;
                let mut word = [0; SLOT];
                word.copy_from_slice(&got[at..at + SLOT]);
                let cut = u128::MAX >> (128 - ty.total_bits());
                let got = u128::from(u64::from_le_bytes(word)) & cut;
                let meant = row(&meant[lane], ty);
                assert_eq!(got, meant, "{:?}, lane {lane} of {set:#x}\n{text}", self.operation);
            }
        }
    }
}

/// The elements in one row.
fn row(elements: &[Option<u128>], ty: RegisterType) -> u128 {
    elements.iter().rev().fold(0, |row, element| row << ty.bits | element.unwrap_or(0))
}

fn words_of(random: &mut Random, limit: u64) -> Datum {
    let words: Vec<u64> = (0..32).map(|_| random.below(limit)).collect();
    scalars(|lane| u128::from(words[lane]))
}

/// Runs `@k`, one work-group, and gives the results.
fn launch(text: &str, bytes: &[u8], active: &[u32]) -> Vec<u8> {
    let mut sources = Sources::new();
    let shared: Arc<str> = text.into();
    let file = sources.add("test.pisa", shared.clone());
    let tree = pisa_syntax::parse(file, shared);
    let lowered = pisa_module::lower(&tree, &pisa_module::Options::default());
    let messages: Vec<_> = tree.diagnostics.iter().chain(&lowered.diagnostics).map(|d| &d.message).collect();
    let module = lowered.module.unwrap_or_else(|| panic!("{messages:?} in\n{text}"));
    let program = pisa_module::link(vec![module]).unwrap_or_else(|error| panic!("{error:?}"));
    let mut memory = Memory::with_limit(64 << 20);
    let image = Image::load(Arc::new(program), &mut memory).unwrap_or_else(|error| panic!("{error}"));
    let kernel = image.kernel("k").expect("a kernel");
    let active: Vec<u8> = active.iter().flat_map(|set| set.to_le_bytes()).collect();
    let results = vec![0; bytes.len() / ROOM * SLOT];
    let mut arguments = Vec::new();
    let mut addresses = Vec::new();
    for (name, content) in [("in", bytes), ("out", &results), ("active", &active)] {
        let address = memory.allocate_buffer(name, Contents::Bytes(content), 64).expect("memory");
        arguments.extend(address.to_le_bytes());
        addresses.push(address);
    }
    let size = (SUB_GROUPS * 32) as u32;
    let launch = Launch {
        kernel,
        dimensions: 1,
        global: [u64::from(size), 1, 1],
        local: [size, 1, 1],
        offset: [0; 3],
        arguments,
        shared_size: image.shared_size(),
        shared_blocks: Vec::new(),
        printf_buffer: 0,
        fuel: 1_000_000,
        threads: 1,
        max_call_depth: 16,
        schedule: pisa_machine::Schedule::default(),
    };
    let outcome = pisa_reference::ReferenceEngine.run(&image, &memory, &launch);
    assert_eq!(outcome.stop, None, "{text}");
    memory.find(addresses[1], 1).expect("the buffer").bytes().expect("bytes")
}

fn each(kinds: &[Kind], elements: &[Element], index: fn(&mut Random) -> Datum) {
    let mut random = Random(21);
    for &kind in kinds {
        for &element in elements {
            for mask in [Mask::All, Mask::Register] {
                let operation = CrossLane { kind, element, inactive: InactiveSource::Own };
                Call::new(operation, mask).check(&mut random, index);
            }
        }
    }
}

fn lane(random: &mut Random) -> Datum {
    let lane = random.below(32) as u32;
    words(|_| lane)
}

#[test]
fn votes_and_matches_run() {
    let votes = [Kind::Ballot { bits: 64 }, Kind::VoteAny, Kind::VoteAll, Kind::QuadAny, Kind::QuadAll];
    each(&votes, &[Element::Predicate], lane);
    each(&[Kind::Elect], &[Element::I32], lane);
    each(&[Kind::VoteAllEqual, Kind::MatchAny, Kind::MatchAll], &ELEMENTS, lane);
}

#[test]
fn shuffles_run() {
    let shuffle = Kind::Shuffle { kind: ShuffleKind::Index, segmented: false };
    let kinds = [shuffle, Kind::ReadInvocation, Kind::ReadFirstInvocation, Kind::Rotate(ClusterSize::FULL)];
    each(&kinds, &ELEMENTS, lane);
    each(&[Kind::QuadBroadcast], &ELEMENTS, |random| words_of(random, 4));
    for fine in [false, true] {
        each(&[Kind::Derivative { axis: Axis::Vertical, fine }], &ELEMENTS[4..10], lane);
    }
}

fn reductions_run(elements: &[Element]) {
    for &element in elements {
        for &reduction in Reduction::ALL.iter().filter(|reduction| reduction.applies_to(element)) {
            let mut kinds = Vec::new();
            for scope in [Scope::Reduce, Scope::Inclusive, Scope::Exclusive] {
                for size in [0, 2, 4, 8, 32] {
                    let partitioned = size == 0;
                    let cluster = ClusterSize::new(size).unwrap_or(ClusterSize::FULL);
                    kinds.push(Kind::Reduce { reduction, scope, cluster, partitioned });
                }
            }
            each(&kinds, &[element], reductions::partition);
        }
    }
}

#[test]
fn integer_reductions_run() {
    reductions_run(&[Element::I8, Element::I32, Element::I64, Element::Predicate]);
}

#[test]
fn float_reductions_run() {
    reductions_run(&[Element::Hf, Element::F, Element::Df, Element::Bfx2]);
}

/// What is counted is what comes out as code.
#[test]
fn code_is_no_longer_than_counted() {
    for element in ELEMENTS {
        let mut kinds = vec![Kind::VoteAllEqual, Kind::MatchAny, Kind::MatchAll, Kind::ReadFirstInvocation];
        for &reduction in Reduction::ALL.iter().filter(|reduction| reduction.applies_to(element)) {
            for scope in [Scope::Reduce, Scope::Inclusive, Scope::Exclusive] {
                for size in [0, 2, 4, 8, 32] {
                    let partitioned = size == 0;
                    let cluster = ClusterSize::new(size).unwrap_or(ClusterSize::FULL);
                    kinds.push(Kind::Reduce { reduction, scope, cluster, partitioned });
                }
            }
        }
        for kind in kinds {
            let operation = CrossLane { kind, element, inactive: InactiveSource::Own };
            let module = Call::new(operation, Mask::All).lowered();
            let counted: usize = lengths(&module.functions[0], true).iter().sum();
            let code = crate::export::export(&module).unwrap_or_else(|error| panic!("{error}"));
            // And `return`.
            let length = code.functions[0].code.len() - 1;
            assert!(length <= counted, "{length} for {counted}: {}", pisa_module::print(&code));
        }
    }
}

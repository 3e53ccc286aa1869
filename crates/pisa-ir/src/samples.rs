//! Modules made by hand, for the tests of the text and of the verifier.

use crate::cross_lane::*;
use crate::function::*;
use crate::operation::*;
use pisa_diag::{FileId, Place, Span};
use pisa_isa::{Opcode, Qualifier, SlotName, Version};
use pisa_module::{
    FunctionId, FunctionKind, Initializer, KernelParameter, Linkage, ParameterId, RegisterType, Space,
    SpecialRegister, Variable, VariableId,
};

pub(crate) const B32: RegisterType = RegisterType::scalar(32);
pub(crate) const B64: RegisterType = RegisterType::scalar(64);
pub(crate) const NOWHERE: Place = Place { file: FileId(0), span: Span::new(0, 0) };

pub(crate) fn table(opcode: Opcode, form: usize, values: &[(SlotName, Qualifier)]) -> Operation {
    Operation::table(&pisa_isa::forms_of(opcode)[form], values).expect("a form")
}

pub(crate) fn function(
    name: &str,
    kind: FunctionKind,
    arguments: &[RegisterType],
    names: &[&str],
) -> Function {
    let mut function = Function::new(name, kind, NOWHERE);
    function.arguments = arguments.to_vec();
    function.argument_names = names.iter().map(|&n| n.into()).collect();
    function
}

pub(crate) fn kernel(name: &str, parameters: &[&str]) -> Function {
    let parameters = parameters.iter().enumerate().map(|(i, &name)| KernelParameter {
        name: name.into(),
        size: 8,
        align: 8,
        offset: 8 * i as u32,
        space: None,
        pointer_align: None,
        place: NOWHERE,
    });
    let kind = FunctionKind::Kernel {
        parameters: parameters.collect(),
        required_work_group_size: None,
        vector_type_hint: None,
    };
    function(name, kind, &[], &[])
}

pub(crate) fn name_value(function: &mut Function, value: Value, name: &str) {
    let name = function.add_name(name);
    function.values[value.index()].name = Some(name);
}

pub(crate) fn name_block(function: &mut Function, block: Block, name: &str) {
    let name = function.add_name(name);
    function.blocks[block.index()].name = Some(name);
}

/// A kernel with a loop, a barrier and a call, the function that it calls, and one that is imported.
pub(crate) fn sample() -> Module {
    use SlotName::{Addrspace, Cop, Type};
    let variable = |name: &str, space, initializer, owner| Variable {
        name: name.into(),
        space,
        size: 16,
        align: 4,
        linkage: Linkage::Internal,
        owner,
        initializer,
        section: None,
        host_access: None,
        place: NOWHERE,
    };
    let words = vec![Initializer::Value { bytes: 4, value: 7 }, Initializer::Zero(12)];
    let variables = vec![
        variable("tile", Space::Shared, None, Some(FunctionId(0))),
        variable("table", Space::Const, Some(words), None),
    ];

    let mut f = kernel("sum", &["in", "out"]);
    f.variables = vec![VariableId(0)];
    let [entry, turn, done] = [f.append_block(), f.append_block(), f.append_block()];
    for (block, name) in [(entry, "entry"), (turn, "turn"), (done, "done")] {
        name_block(&mut f, block, name);
    }
    let zero = Operand::word(0);
    let load_parameter = table(Opcode::LdParam, 0, &[(Type, Qualifier::B64)]);
    let load = table(Opcode::Ld, 0, &[(Addrspace, Qualifier::Global), (Type, Qualifier::B32)]);
    let store = table(Opcode::St, 0, &[(Addrspace, Qualifier::Shared), (Type, Qualifier::B32)]);
    let compare = table(Opcode::Scmp, 0, &[(Cop, Qualifier::Ne), (Type, Qualifier::B32)]);
    let add = table(Opcode::Iadd, 0, &[(Type, Qualifier::B32)]);
    let p = f.append_value(entry, load_parameter, [Operand::Parameter(ParameterId(0)), zero], B64);
    name_value(&mut f, p, "p");
    let a = f.append_value(entry, load, [p.into(), Operand::word(4)], B32);
    name_value(&mut f, a, "a");
    let sum = CrossLane {
        kind: CrossLaneKind::Reduce {
            reduction: Reduction::Sum,
            scope: Scope::Reduce,
            cluster: ClusterSize::FULL,
            partitioned: false,
        },
        element: Element::I32,
        inactive: InactiveSource::Own,
    };
    let operands = [a.into(), Operand::ALL_LANES, Operand::Dead];
    let s = f.append_value(entry, Operation::CrossLane(sum), operands, B32);
    name_value(&mut f, s, "s");
    let more =
        f.append_value(entry, compare, [s.into(), Operand::word(-1i32 as u32)], RegisterType::PREDICATE);
    let t = f.add_parameter(turn, B32);
    name_value(&mut f, t, "s");
    f.blocks[entry.index()].terminator = Terminator::Branch {
        condition: more.into(),
        taken: Target { block: turn, arguments: [s.into()].into_iter().collect() },
        otherwise: Target::new(done),
    };

    let barrier = table(Opcode::BarrierWorkgroup, 0, &[]);
    f.append(turn, store, [Operand::Variable(VariableId(0)), zero, t.into()], [], None);
    f.append(turn, barrier, [], [], None);
    let active =
        CrossLane { kind: CrossLaneKind::ActiveMask, element: Element::I32, inactive: InactiveSource::Own };
    let mask = f.append_value(turn, Operation::CrossLane(active), [], B32);
    let shuffle = CrossLane {
        kind: CrossLaneKind::Shuffle { kind: ShuffleKind::Index, segmented: true },
        element: Element::I32,
        inactive: InactiveSource::Undefined,
    };
    let operands = [t.into(), Operand::word(0x1f00), mask.into(), t.into()];
    let other = f.append_value(turn, Operation::CrossLane(shuffle), operands, B32);
    let lane = Operand::Special(SpecialRegister::LaneId);
    let next = f.append_value(turn, add, [other.into(), lane], B32);
    let call = Operation::Call { conditional: true };
    let long = Operand::Constant(Constant::scalar(0, 64));
    let operands = [Operand::Negated(more), Operand::Function(FunctionId(1)), next.into(), long, next.into()];
    let called = f.append(turn, call, operands, [B32], None);
    let called = f.instruction(called).results[0];
    f.blocks[turn.index()].terminator = Terminator::ReturnIf {
        condition: Operand::Negated(more),
        value: None,
        otherwise: Target { block: turn, arguments: [called.into()].into_iter().collect() },
    };

    let mut g = function(
        "g",
        FunctionKind::Function { result: Some(B32), parameters: Vec::new() },
        &[B32, B64],
        &["x", "y"],
    );
    g.linkage = Linkage::Export;
    let entry = g.append_block();
    let x = g.add_parameter(entry, B32);
    name_value(&mut g, x, "x");
    g.add_parameter(entry, B64);
    g.blocks[0].terminator = Terminator::Return(Some(Operand::word(9)));
    let mut h = function("h", FunctionKind::Function { result: None, parameters: Vec::new() }, &[B64], &[""]);
    h.linkage = Linkage::Import;
    Module { version: Version(0, 1), target: pisa_isa::Target::T100, variables, functions: vec![f, g, h] }
}

//! Whether two modules mean the same.

use crate::{
    AddressBase, Function, FunctionKind, Initializer, Instruction, Module, Operand, Variable, VariableId,
};

/// Whether two modules are the same but for places, the numbers of variables, and names that only one function sees
/// (registers, labels, local variables).
pub fn same(a: &Module, b: &Module) -> bool {
    let (order_a, order_b) = (canonical(a), canonical(b));
    let numbers =
        Numbers { a: positions(&order_a, a.variables.len()), b: positions(&order_b, b.variables.len()) };
    a.version == b.version
        && a.target == b.target
        && order_a.len() == order_b.len()
        && a.functions.len() == b.functions.len()
        && order_a
            .iter()
            .zip(&order_b)
            .all(|(x, y)| same_variable(&a.variables[x.index()], &b.variables[y.index()], &numbers))
        && a.functions.iter().zip(&b.functions).all(|(x, y)| same_function(x, y, &numbers))
}

/// Variables in the order of the text: globals, then the locals of each function.
fn canonical(module: &Module) -> Vec<VariableId> {
    let globals = module.variables.iter().enumerate().filter(|(_, v)| v.owner.is_none());
    let globals = globals.map(|(i, _)| VariableId(i as u32));
    globals.chain(module.functions.iter().flat_map(|f| f.variables.iter().copied())).collect()
}

fn positions(order: &[VariableId], count: usize) -> Vec<u32> {
    let mut positions = vec![u32::MAX; count];
    for (position, id) in order.iter().enumerate() {
        positions[id.index()] = position as u32;
    }
    positions
}

/// Where each variable stands in the common order.
struct Numbers {
    a: Vec<u32>,
    b: Vec<u32>,
}

impl Numbers {
    fn same(&self, a: VariableId, b: VariableId) -> bool {
        self.a.get(a.index()) == self.b.get(b.index())
    }
}

fn same_variable(a: &Variable, b: &Variable, numbers: &Numbers) -> bool {
    let names = a.owner.is_some() || a.name == b.name;
    let initializers = match (&a.initializer, &b.initializer) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|pair| match pair {
                    (Initializer::Variable(a, i), Initializer::Variable(b, j)) => {
                        numbers.same(*a, *b) && i == j
                    }
                    (a, b) => a == b,
                })
        }
        _ => false,
    };
    names
        && initializers
        && (a.space, a.size, a.align, a.linkage, a.owner) == (b.space, b.size, b.align, b.linkage, b.owner)
        && (&a.section, &a.host_access) == (&b.section, &b.host_access)
}

fn same_function(a: &Function, b: &Function, numbers: &Numbers) -> bool {
    a.name == b.name
        && a.linkage == b.linkage
        && same_kind(&a.kind, &b.kind)
        && a.registers.iter().map(|r| r.ty).eq(b.registers.iter().map(|r| r.ty))
        && a.variables.len() == b.variables.len()
        && a.variables.iter().zip(&b.variables).all(|(x, y)| numbers.same(*x, *y))
        && a.labels.iter().map(|l| l.target).eq(b.labels.iter().map(|l| l.target))
        && a.code.len() == b.code.len()
        && a.code.iter().zip(&b.code).all(|(x, y)| same_instruction(x, y, numbers))
}

fn same_kind(a: &FunctionKind, b: &FunctionKind) -> bool {
    match (a, b) {
        (
            FunctionKind::Kernel { parameters: p, required_work_group_size: s, vector_type_hint: h },
            FunctionKind::Kernel { parameters: q, required_work_group_size: t, vector_type_hint: i },
        ) => {
            s == t
                && h == i
                && p.len() == q.len()
                && p.iter().zip(q).all(|(p, q)| {
                    (&p.name, p.size, p.align, p.offset, p.space, p.pointer_align)
                        == (&q.name, q.size, q.align, q.offset, q.space, q.pointer_align)
                })
        }
        (a, b) => a == b,
    }
}

fn same_instruction(a: &Instruction, b: &Instruction, numbers: &Numbers) -> bool {
    a.form == b.form
        && a.qualifiers == b.qualifiers
        && a.operands.len() == b.operands.len()
        && a.operands.iter().zip(&b.operands).all(|pair| match pair {
            (Operand::Variable(x), Operand::Variable(y)) => numbers.same(*x, *y),
            (
                Operand::Address { base: AddressBase::Variable(x), offset: i },
                Operand::Address { base: AddressBase::Variable(y), offset: j },
            ) => numbers.same(*x, *y) && i == j,
            (x, y) => x == y,
        })
}

//! Whether two modules in IR mean the same.

use crate::function::{
    ActiveSet, Block, Function, Instruction, InstructionData, Module, Operand, Target, Terminator,
};
use crate::text::names::definitions;
use pisa_module::{FunctionKind, Initializer, KernelParameter, Variable, VariableId};

/// Whether two modules are the same but for places, the numbers of variables, blocks, instructions and values, and what no
/// layout lists. Names count; names of arguments that are missing do not, nor do the registers in the signatures of functions.
pub fn same(a: &Module, b: &Module) -> bool {
    let (order_a, order_b) = (variables_in_order(a), variables_in_order(b));
    let numbers = [positions(&order_a, a.variables.len()), positions(&order_b, b.variables.len())];
    (a.version, a.target) == (b.version, b.target)
        && order_a.len() == order_b.len()
        && a.functions.len() == b.functions.len()
        && order_a
            .iter()
            .zip(&order_b)
            .all(|(x, y)| same_variable(&a.variables[x.index()], &b.variables[y.index()], &numbers))
        && a.functions.iter().zip(&b.functions).all(|(x, y)| {
            let functions = [x, y];
            Comparison { functions, numbers: &numbers, maps: functions.map(Maps::of) }.run()
        })
}

/// Variables in the order of the text: those of the module, then those of each function.
fn variables_in_order(module: &Module) -> Vec<VariableId> {
    let globals = module.variables.iter().enumerate().filter(|(_, v)| v.owner.is_none());
    let globals = globals.map(|(i, _)| VariableId(i as u32));
    let locals = module.functions.iter().flat_map(|f| f.variables.iter().copied());
    globals.chain(locals.filter(|id| id.index() < module.variables.len())).collect()
}

fn positions(order: &[VariableId], count: usize) -> Vec<u32> {
    let mut positions = vec![u32::MAX; count];
    for (position, id) in order.iter().enumerate() {
        positions[id.index()] = position as u32;
    }
    positions
}

fn same_variable(a: &Variable, b: &Variable, numbers: &[Vec<u32>; 2]) -> bool {
    let initializers = match (&a.initializer, &b.initializer) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|pair| match pair {
                    (Initializer::Variable(x, i), Initializer::Variable(y, j)) => {
                        i == j && numbers[0].get(x.index()) == numbers[1].get(y.index())
                    }
                    (x, y) => x == y,
                })
        }
        _ => false,
    };
    initializers
        // Names of variables of functions are made unique when they are printed.
        && (a.owner.is_some() || a.name == b.name)
        && (a.space, a.size, a.align, a.linkage, a.owner) == (b.space, b.size, b.align, b.linkage, b.owner)
        && (&a.section, &a.host_access) == (&b.section, &b.host_access)
}

/// Numbers by the order in which the text has things.
struct Maps {
    values: Vec<u32>,
    blocks: Vec<u32>,
    instructions: Vec<u32>,
}

impl Maps {
    fn of(function: &Function) -> Maps {
        let mut maps = Maps {
            values: vec![u32::MAX; function.values.len()],
            blocks: vec![u32::MAX; function.blocks.len()],
            instructions: vec![u32::MAX; function.instructions.len()],
        };
        for (number, value) in definitions(function).into_iter().enumerate() {
            maps.values[value.index()] = number as u32;
        }
        for (number, block) in function.layout.iter().enumerate() {
            maps.blocks[block.index()] = number as u32;
        }
        for (number, (_, instruction)) in function.all_instructions().enumerate() {
            maps.instructions[instruction.index()] = number as u32;
        }
        maps
    }
}

/// Two functions side by side.
struct Comparison<'a> {
    functions: [&'a Function; 2],
    numbers: &'a [Vec<u32>; 2],
    maps: [Maps; 2],
}

impl Comparison<'_> {
    fn run(&self) -> bool {
        let [a, b] = self.functions;
        a.name == b.name
            && a.linkage == b.linkage
            && same_kind(&a.kind, &b.kind)
            && a.arguments == b.arguments
            && self.argument_names()
            && a.variables.len() == b.variables.len()
            && a.variables.iter().zip(&b.variables).all(|(x, y)| self.variable(*x, *y))
            && a.layout.len() == b.layout.len()
            && a.layout.iter().zip(&b.layout).all(|(x, y)| self.block(*x, *y))
    }

    fn argument_names(&self) -> bool {
        let [a, b] = self.functions;
        a.argument_names.iter().zip(&b.argument_names).all(|(x, y)| x == y || x.is_empty() || y.is_empty())
    }

    fn variable(&self, x: VariableId, y: VariableId) -> bool {
        self.numbers[0].get(x.index()) == self.numbers[1].get(y.index())
    }

    fn name(&self, x: Option<u32>, y: Option<u32>) -> bool {
        self.functions[0].name(x) == self.functions[1].name(y)
    }

    /// Values that are defined at the same place of both, with equal types and names.
    fn definitions(&self, x: &[crate::Value], y: &[crate::Value]) -> bool {
        let [a, b] = self.functions;
        x.len() == y.len()
            && x.iter().zip(y).all(|(x, y)| {
                let (x, y) = (a.value(*x), b.value(*y));
                x.ty == y.ty && self.name(x.name, y.name)
            })
    }

    fn block(&self, x: Block, y: Block) -> bool {
        let (x, y) = (self.functions[0].block(x), self.functions[1].block(y));
        self.name(x.name, y.name)
            && self.definitions(&x.parameters, &y.parameters)
            && x.instructions.len() == y.instructions.len()
            && x.instructions.iter().zip(&y.instructions).all(|(x, y)| self.instruction(*x, *y))
            && self.terminator(&x.terminator, &y.terminator)
    }

    fn instruction(&self, x: Instruction, y: Instruction) -> bool {
        let (x, y): (&InstructionData, &InstructionData) =
            (self.functions[0].instruction(x), self.functions[1].instruction(y));
        x.operation == y.operation
            && self.definitions(&x.results, &y.results)
            && self.operands(&x.operands, &y.operands)
            && match (x.active, y.active) {
                (Some(ActiveSet::Entry(x)), Some(ActiveSet::Entry(y))) => {
                    self.maps[0].blocks.get(x.index()) == self.maps[1].blocks.get(y.index())
                }
                (Some(ActiveSet::After(x)), Some(ActiveSet::After(y))) => {
                    self.maps[0].instructions.get(x.index()) == self.maps[1].instructions.get(y.index())
                }
                (x, y) => x == y,
            }
    }

    fn operands(&self, x: &[Operand], y: &[Operand]) -> bool {
        x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.operand(*x, *y))
    }

    fn operand(&self, x: Operand, y: Operand) -> bool {
        match (x, y) {
            (Operand::Value(x), Operand::Value(y)) | (Operand::Negated(x), Operand::Negated(y)) => {
                self.maps[0].values.get(x.index()) == self.maps[1].values.get(y.index())
            }
            (Operand::Variable(x), Operand::Variable(y)) => self.variable(x, y),
            (x, y) => x == y,
        }
    }

    fn target(&self, x: &Target, y: &Target) -> bool {
        self.maps[0].blocks.get(x.block.index()) == self.maps[1].blocks.get(y.block.index())
            && self.operands(&x.arguments, &y.arguments)
    }

    fn terminator(&self, x: &Terminator, y: &Terminator) -> bool {
        let (targets_x, targets_y) = (x.targets(), y.targets());
        std::mem::discriminant(x) == std::mem::discriminant(y)
            && self.operands(&x.operands(), &y.operands())
            && targets_x.iter().zip(&targets_y).all(|(x, y)| self.target(x, y))
    }
}

fn same_kind(a: &FunctionKind, b: &FunctionKind) -> bool {
    let without_place =
        |p: &KernelParameter| (p.name.clone(), p.size, p.align, p.offset, p.space, p.pointer_align);
    match (a, b) {
        (
            FunctionKind::Kernel { parameters: p, required_work_group_size: s, vector_type_hint: h },
            FunctionKind::Kernel { parameters: q, required_work_group_size: t, vector_type_hint: i },
        ) => s == t && h == i && p.iter().map(without_place).eq(q.iter().map(without_place)),
        (FunctionKind::Function { result: x, .. }, FunctionKind::Function { result: y, .. }) => x == y,
        _ => false,
    }
}

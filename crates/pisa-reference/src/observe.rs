//! What an observer is shown of a sub-group.

use crate::code::Code;
use crate::cross_lane::lanes_of;
use crate::operands::{Identity, Operands, Source, Sources};
use crate::subgroup::{Activation, Lane, Position, SubGroup};
use pisa_machine::{
    CallFrame, Doing, Entry, GroupBegin, Image, LANES, LaneValues, Observer, Standing, Step, SubGroupId, View,
};
use pisa_module::{FunctionId, RegisterId};
use std::ops::Range;

/// An observer, and the instructions it wants to see.
pub(crate) struct Watch<'a> {
    pub(crate) observer: &'a mut dyn Observer,
    /// By function and instruction: what can be read of each operand; `None` where nobody wants to.
    sites: Vec<Vec<Option<Operation>>>,
}

/// What can be read of each operand of an instruction.
type Operation = Vec<Option<Source>>;

impl<'a> Watch<'a> {
    pub(crate) fn new(observer: &'a mut dyn Observer, image: &Image, code: &[Code]) -> Watch<'a> {
        let mut sites = Vec::with_capacity(code.len());
        for ((id, function), code) in image.program.functions().zip(code) {
            let operands = Operands { image, function, slots: &code.slots };
            let mut all = Vec::with_capacity(function.code.len());
            for (index, instruction) in function.code.iter().enumerate() {
                let wanted = observer.wants(&image.program, id, index as u32);
                let read = |operand| operands.visible(operand, instruction);
                all.push(wanted.then(|| instruction.operands.iter().map(read).collect()));
            }
            sites.push(all);
        }
        Watch { observer, sites }
    }

    /// Shows the observer an instruction it wants to see.
    pub(crate) fn before(
        &mut self,
        image: &Image,
        code: &[Code],
        subgroup: &SubGroup,
        identity: Identity<'_>,
        position: Position,
        lanes: u32,
    ) {
        let Some(activation) = subgroup.activations.get(&position.activation) else { return };
        let function = activation.function;
        let site = self.sites.get(function.index()).and_then(|sites| sites.get(position.pc));
        let Some(Some(operands)) = site else { return };
        let Some(instruction) = image.program.function(function).code.get(position.pc) else { return };
        let view = SubGroupView { image, code, subgroup, identity, position, activation, operands, lanes };
        self.observer.before(&Step {
            subgroup: identity.id(),
            group: identity.group,
            size: identity.size,
            function,
            index: position.pc as u32,
            instruction,
            lanes,
            activation: position.activation,
            view: &view,
        });
    }

    pub(crate) fn begin_group(&mut self, number: u64, id: [u64; 3], size: [u32; 3]) {
        self.observer.begin_group(&GroupBegin { number, id, size });
    }

    /// Lanes have entered an activation.
    pub(crate) fn enter(&mut self, id: SubGroupId, activation_id: u64, activation: &Activation) {
        self.observer.enter(&Entry {
            subgroup: id,
            call: activation.caller.map(|(caller, pc)| (caller, pc as u32)),
            function: activation.function,
            activation: activation_id,
            lanes: activation.inside,
            private: activation.frame_base..activation.frame_end,
        });
    }
}

/// A sub-group before an instruction.
struct SubGroupView<'a> {
    image: &'a Image,
    code: &'a [Code],
    subgroup: &'a SubGroup,
    identity: Identity<'a>,
    position: Position,
    activation: &'a Activation,
    operands: &'a [Option<Source>],
    lanes: u32,
}

impl SubGroupView<'_> {
    fn read_source(&self, source: &Source, element: usize, into: &mut LaneValues) {
        for lane in lanes_of(self.lanes) {
            into[lane] = self.sources(lane).read(source, element) as u64;
        }
    }

    fn sources(&self, lane: usize) -> Sources<'_> {
        Sources {
            operands: &[],
            registers: &self.activation.registers,
            stride: LANES as usize,
            frame_base: self.activation.frame_base,
            identity: Some(self.identity),
            activemask: self.lanes,
            lane,
        }
    }

    fn function_at(&self, position: Position) -> Option<FunctionId> {
        self.subgroup.activations.get(&position.activation).map(|activation| activation.function)
    }
}

impl View for SubGroupView<'_> {
    fn read(&self, operand: usize, element: usize, into: &mut LaneValues) {
        if let Some(Some(source)) = self.operands.get(operand) {
            self.read_source(source, element, into);
        }
    }

    fn read_register(&self, register: RegisterId, element: usize, into: &mut LaneValues) {
        let slots = &self.code[self.activation.function.index()].slots;
        if let Some((slot, ty)) = slots.register(register.index())
            && element < usize::from(ty.elements)
        {
            self.read_source(&Source::Register { slot: slot + element, elements: 1 }, 0, into);
        }
    }

    fn predicate(&self, operand: usize) -> u32 {
        let mut values = [0; LANES as usize];
        self.read(operand, 0, &mut values);
        lanes_of(self.lanes).filter(|&lane| values[lane] & 1 == 1).fold(0, |set, lane| set | 1 << lane)
    }

    fn private_frame(&self) -> Range<u32> {
        self.activation.frame_base..self.activation.frame_end
    }

    fn live(&self) -> u32 {
        self.subgroup.live()
    }

    fn elsewhere(&self) -> Vec<Standing> {
        let mut left = self.subgroup.live() & !self.lanes;
        let mut sets = Vec::new();
        while left != 0 {
            let state = self.subgroup.lanes[left.trailing_zeros() as usize];
            let same = lanes_of(left).filter(|&lane| self.subgroup.lanes[lane] == state);
            let lanes = same.fold(0u32, |set, lane| set | 1 << lane);
            left &= !lanes;
            let (position, doing) = match state {
                Lane::Ready(position) => (position, Doing::WaitForThem),
                Lane::Waiting(position) => (position, Doing::WaitAtBarrier),
                Lane::Gone => continue,
            };
            // Lanes at a barrier stand behind it.
            let pc = position.pc.saturating_sub(usize::from(doing == Doing::WaitAtBarrier));
            let place = self.function_at(position).and_then(|function| {
                let code = &self.image.program.function(function).code;
                code.get(pc).map(|instruction| instruction.place)
            });
            let (group, subgroup) = (self.identity.group, self.identity.subgroup);
            sets.push(Standing { group, subgroup, lanes, doing, place });
        }
        sets
    }

    fn calls(&self) -> Vec<CallFrame> {
        let mut frames = Vec::new();
        let mut inner = self.subgroup.activations.get(&self.position.activation);
        while let Some((id, pc)) = inner.and_then(|activation| activation.caller) {
            inner = self.subgroup.activations.get(&id);
            let Some(caller) = inner.map(|activation| activation.function) else { break };
            let code = &self.image.program.function(caller).code;
            frames.push(CallFrame { caller, place: code.get(pc).map(|instruction| instruction.place) });
        }
        frames
    }
}

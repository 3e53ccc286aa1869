//! A sub-group: its lanes, their call stacks, and which of them run next.

use crate::code::Code;
use crate::cross_lane::{LANES, lanes_of};
use crate::schedule::Scheduler;
use pisa_module::FunctionId;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Number of an activation of a sub-group: those that began later have higher numbers.
pub(crate) type ActivationId = u64;

/// The kernel's own activation.
pub(crate) const KERNEL: ActivationId = 0;

/// Most bytes of private memory of a lane, all activations together.
const MAX_PRIVATE: u32 = 32 << 20;

/// Most bytes of registers of a sub-group in all calls: deep recursion of a function with very many registers would take
/// more than hosts have.
const MAX_REGISTERS: usize = 512 << 20;

/// One execution of a function by the lanes that called it together.
pub(crate) struct Activation {
    pub(crate) function: FunctionId,
    /// Who called it, and from which instruction; `None` for the kernel.
    pub(crate) caller: Option<(ActivationId, usize)>,
    /// Calls that lead to it; 0 for the kernel.
    pub(crate) depth: u32,
    /// 32 lanes a slot ([`crate::operands::Slots`]).
    pub(crate) registers: Vec<u128>,
    /// Where its frame begins in the private memory of its lanes (V-16).
    pub(crate) frame_base: u32,
    /// Where that ends.
    pub(crate) frame_end: u32,
    /// Lanes that have not returned from it.
    pub(crate) inside: u32,
}

/// Where a lane stands: in an activation, before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    pub(crate) activation: ActivationId,
    pub(crate) pc: usize,
}

/// What a lane does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lane {
    /// It does not exist or has left the kernel (C-06, X-03, X-06).
    Gone,
    /// It can run.
    Ready(Position),
    /// It waits at a barrier and goes on here.
    Waiting(Position),
}

/// 32 work-items with consecutive local ids.
pub(crate) struct SubGroup {
    /// Its number in the work-group.
    pub(crate) number: u32,
    pub(crate) lanes: [Lane; LANES],
    /// The activations that lanes are in.
    pub(crate) activations: BTreeMap<ActivationId, Activation>,
    next_activation: ActivationId,
    /// Bytes of registers in the activations other than the kernel's own.
    register_bytes: usize,
    /// Private memory of each lane, up to the end of the deepest frame so far.
    pub(crate) private: Vec<Vec<u8>>,
    /// Who runs next.
    pub(crate) scheduler: Scheduler,
    /// How the search for a livelock stands.
    pub(crate) watch: crate::livelock::Watch,
}

impl SubGroup {
    /// A sub-group with these lanes, before the first instruction of the kernel. `None` where the host
    /// has no room.
    pub(crate) fn new(
        number: u32,
        live: u32,
        kernel: FunctionId,
        code: &Code,
        scheduler: Scheduler,
    ) -> Option<SubGroup> {
        let start = Lane::Ready(Position { activation: KERNEL, pc: 0 });
        let lanes = std::array::from_fn(|lane| if live >> lane & 1 == 1 { start } else { Lane::Gone });
        let mut subgroup = SubGroup {
            number,
            lanes,
            activations: BTreeMap::new(),
            next_activation: KERNEL,
            register_bytes: 0,
            private: vec![Vec::new(); LANES],
            scheduler,
            watch: Default::default(),
        };
        subgroup.enter(kernel, code, None, 0, 0, live)?;
        Some(subgroup)
    }

    /// Begins an activation: undefined registers and private memory (V-16). `None` where the host or the limits on
    /// registers and private memory leave no room.
    pub(crate) fn enter(
        &mut self,
        function: FunctionId,
        code: &Code,
        caller: Option<(ActivationId, usize)>,
        depth: u32,
        frame_base: u32,
        lanes: u32,
    ) -> Option<ActivationId> {
        let id = self.next_activation;
        self.next_activation += 1;
        let bytes = if id == KERNEL { 0 } else { code.slots.count() * LANES * size_of::<u128>() };
        let register_bytes = self.register_bytes.checked_add(bytes).filter(|&all| all <= MAX_REGISTERS)?;
        let frame_end = frame_base.checked_add(code.frame_size).filter(|&end| end <= MAX_PRIVATE)?;
        for lane in lanes_of(lanes) {
            // What lies above the frame is over.
            self.private[lane].truncate(frame_base as usize);
            self.private[lane].try_reserve(code.frame_size as usize).ok()?;
            self.private[lane].resize(frame_end as usize, pisa_machine::UNDEFINED_BYTE);
        }
        let registers = code.slots.undefined()?;
        self.register_bytes = register_bytes;
        let activation =
            Activation { function, caller, depth, registers, frame_base, frame_end, inside: lanes };
        self.activations.insert(id, activation);
        Some(id)
    }

    /// Takes lanes out of an activation and forgets it when it is empty.
    pub(crate) fn leave(&mut self, id: ActivationId, lanes: u32) {
        if let Some(activation) = self.activations.get_mut(&id) {
            activation.inside &= !lanes;
            if activation.inside == 0 {
                let gone = self.activations.remove(&id);
                let registers =
                    gone.filter(|_| id != KERNEL).map_or(0, |activation| activation.registers.len());
                self.register_bytes = self.register_bytes.saturating_sub(registers * size_of::<u128>());
            }
        }
    }

    /// Lanes that have not left the kernel.
    pub(crate) fn live(&self) -> u32 {
        self.lanes_that(|lane| lane != Lane::Gone)
    }
    /// Lanes at a barrier.
    pub(crate) fn waiting(&self) -> u32 {
        self.lanes_that(|lane| matches!(lane, Lane::Waiting(_)))
    }
    /// Whether a lane can run.
    pub(crate) fn is_runnable(&self) -> bool {
        match self.scheduler {
            Scheduler::Ipdom(_) => self.first().is_some(),
            _ => self.lanes.iter().any(|lane| matches!(lane, Lane::Ready(_))),
        }
    }
    fn lanes_that(&self, which: impl Fn(Lane) -> bool) -> u32 {
        (0..LANES).filter(|&lane| which(self.lanes[lane])).fold(0, |set, lane| set | 1 << lane)
    }

    /// The deepest call first, in it the lowest instruction. At equal depth the lower caller position goes first,
    /// recursively; calls from one position in the order in which they were made, which for several targets of an
    /// indirect call is that of their first lane (C-03).
    pub(crate) fn order(&self, a: Position, b: Position) -> Ordering {
        if a.activation == b.activation {
            return a.pc.cmp(&b.pc);
        }
        let depth = |id| self.activations.get(&id).map_or(0, |activation| activation.depth);
        let caller = |id| self.activations.get(&id).and_then(|activation| activation.caller);
        let (mut a, mut b) = (a.activation, b.activation);
        if depth(a) != depth(b) {
            return depth(b).cmp(&depth(a));
        }
        // From here on outwards, up to the call stacks' common part: there the order is decided.
        while let (Some((caller_a, pc_a)), Some((caller_b, pc_b))) = (caller(a), caller(b)) {
            if caller_a == caller_b {
                return pc_a.cmp(&pc_b).then(a.cmp(&b));
            }
            (a, b) = (caller_a, caller_b);
        }
        a.cmp(&b)
    }
}

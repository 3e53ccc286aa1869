//! Cross-lane and convergent operations: those of chapter 7 of the specification and those of source languages.

use pisa_isa::{Opcode, Qualifier};

/// What a lane reads from a lane that does not take part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InactiveSource {
    /// Its own value, as the specification says of `shfl` (7.4). So in everything that comes from PISA text.
    Own,
    /// Anything: SPIR-V, WGSL and HLSL leave the value undefined, so the operation may run where more lanes are active.
    Undefined,
}

/// How the bits of one lane's datum are understood, and how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Element {
    I8,
    I16,
    I32,
    I64,
    Hf,
    Bf,
    F,
    Df,
    /// Two `.hf` in a vector of two 16-bit elements, each reduced for itself.
    Hfx2,
    /// Two `.bf`, likewise.
    Bfx2,
    /// A predicate.
    Predicate,
}

impl Element {
    /// Width in bits of one element of the register: 16 for the packed types, 1 for a predicate.
    pub const fn bits(self) -> u8 {
        match self {
            Element::Predicate => 1,
            Element::I8 => 8,
            Element::I16 | Element::Hf | Element::Bf | Element::Hfx2 | Element::Bfx2 => 16,
            Element::I32 | Element::F => 32,
            Element::I64 | Element::Df => 64,
        }
    }
    /// Elements of the register: 2 for packed types.
    pub const fn elements(self) -> u8 {
        if matches!(self, Element::Hfx2 | Element::Bfx2) { 2 } else { 1 }
    }
    /// The register that holds a datum.
    pub const fn register(self) -> pisa_module::RegisterType {
        pisa_module::RegisterType { elements: self.elements(), bits: self.bits() }
    }
    /// Whether it is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, Element::Hf | Element::Bf | Element::F | Element::Df | Element::Hfx2 | Element::Bfx2)
    }
    /// The type qualifier of table instructions on it: `.32b`, `.f`; `None` for predicates and 8-bit integers, which the
    /// arithmetic of the specification does not have.
    pub const fn qualifier(self) -> Option<Qualifier> {
        Some(match self {
            Element::I16 => Qualifier::B16,
            Element::I32 => Qualifier::B32,
            Element::I64 => Qualifier::B64,
            Element::Hf => Qualifier::Hf,
            Element::Bf => Qualifier::Bf,
            Element::F => Qualifier::F,
            Element::Df => Qualifier::Df,
            Element::Hfx2 => Qualifier::Hfx2,
            Element::Bfx2 => Qualifier::Bfx2,
            Element::I8 | Element::Predicate => return None,
        })
    }
}

/// What a reduction or scan combines values with. All are associative and commutative on integers; on floating-point
/// numbers `Sum` and `Product` have one order (see [`CrossLaneKind::Reduce`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Reduction {
    /// Sum: integers modulo 2^N, floats rounded to nearest even at each step.
    Sum,
    /// Product, likewise.
    Product,
    And,
    Or,
    Xor,
    Smin,
    Smax,
    Umin,
    Umax,
    /// Greatest absolute value of signed integers; the least integer counts as the greatest (S-28).
    Absmax,
    /// Least float; NaN loses against any number.
    Fmin,
    Fmax,
    /// Greatest absolute value.
    Fabsmax,
    /// Least float; any NaN wins (`.nanp`).
    FminNan,
    FmaxNan,
    FabsmaxNan,
}

impl Reduction {
    /// All of them.
    pub const ALL: &[Reduction] = &[
        Reduction::Sum,
        Reduction::Product,
        Reduction::And,
        Reduction::Or,
        Reduction::Xor,
        Reduction::Smin,
        Reduction::Smax,
        Reduction::Umin,
        Reduction::Umax,
        Reduction::Absmax,
        Reduction::Fmin,
        Reduction::Fmax,
        Reduction::Fabsmax,
        Reduction::FminNan,
        Reduction::FmaxNan,
        Reduction::FabsmaxNan,
    ];
    /// The qualifier of `ired` or `fred`, and whether it needs `.nanp`; `None` for products, which neither has.
    pub const fn qualifier(self) -> Option<(Qualifier, bool)> {
        Some(match self {
            Reduction::Sum => (Qualifier::Sum, false),
            Reduction::Product => return None,
            Reduction::And => (Qualifier::And, false),
            Reduction::Or => (Qualifier::Or, false),
            Reduction::Xor => (Qualifier::Xor, false),
            Reduction::Smin => (Qualifier::Smin, false),
            Reduction::Smax => (Qualifier::Smax, false),
            Reduction::Umin => (Qualifier::Umin, false),
            Reduction::Umax => (Qualifier::Umax, false),
            Reduction::Absmax => (Qualifier::Absmax, false),
            Reduction::Fmin => (Qualifier::Min, false),
            Reduction::Fmax => (Qualifier::Max, false),
            Reduction::Fabsmax => (Qualifier::Absmax, false),
            Reduction::FminNan => (Qualifier::Min, true),
            Reduction::FmaxNan => (Qualifier::Max, true),
            Reduction::FabsmaxNan => (Qualifier::Absmax, true),
        })
    }
    /// The reduction of `ired` (not `is_float`) or `fred` with this qualifier, with `.nanp` or without.
    pub fn of_qualifier(qualifier: Qualifier, nanp: bool, is_float: bool) -> Option<Reduction> {
        let same = |r: &&Reduction| r.qualifier() == Some((qualifier, nanp)) && r.is_float_only() == is_float;
        Reduction::ALL.iter().find(same).copied()
    }
    /// The lane-wise instruction on integers that combines two values, and gives the same as the reduction of both; `None` for what
    /// takes absolute values first, or works on floats.
    pub const fn lane_wise(self) -> Option<Opcode> {
        Some(match self {
            Reduction::Sum => Opcode::Iadd,
            Reduction::Product => Opcode::Umul,
            Reduction::And => Opcode::And,
            Reduction::Or => Opcode::Or,
            Reduction::Xor => Opcode::Xor,
            Reduction::Smin => Opcode::Smin,
            Reduction::Smax => Opcode::Smax,
            Reduction::Umin => Opcode::Umin,
            Reduction::Umax => Opcode::Umax,
            _ => return None,
        })
    }
    /// Whether combining a value with itself changes nothing: `op(x, x) = x`.
    pub const fn is_idempotent(self) -> bool {
        use Reduction::*;
        matches!(self, And | Or | Smin | Smax | Umin | Umax | Fmin | Fmax | FminNan | FmaxNan)
    }
    /// Whether the order in which values are combined can be seen in the result on this element type.
    pub const fn has_order(self, element: Element) -> bool {
        matches!(self, Reduction::Sum | Reduction::Product) && element.is_float()
    }
    /// Whether it is an operation on floating-point numbers alone.
    pub const fn is_float_only(self) -> bool {
        use Reduction::*;
        matches!(self, Fmin | Fmax | Fabsmax | FminNan | FmaxNan | FabsmaxNan)
    }
    /// Whether it works on this type.
    pub const fn applies_to(self, element: Element) -> bool {
        use Reduction::*;
        match self {
            Sum | Product => !matches!(element, Element::Predicate),
            And | Or | Xor => !element.is_float(),
            Smin | Smax | Umin | Umax | Absmax => {
                !element.is_float() && !matches!(element, Element::Predicate)
            }
            Fmin | Fmax | Fabsmax | FminNan | FmaxNan | FabsmaxNan => element.is_float(),
        }
    }
}

/// What a scan gives a lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// The combination of the values of all lanes that take part.
    Reduce,
    /// Of those up to itself.
    Inclusive,
    /// Of those before itself; the identity where there is none.
    Exclusive,
}

/// Which lanes are combined: all of the sub-group or each aligned run of so many lanes. A power of two from 1 to 32.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClusterSize(u8);

impl ClusterSize {
    /// The whole sub-group.
    pub const FULL: ClusterSize = ClusterSize(32);
    /// `None` unless it is a power of two up to 32.
    pub const fn new(lanes: u8) -> Option<ClusterSize> {
        if lanes.is_power_of_two() && lanes <= 32 { Some(ClusterSize(lanes)) } else { None }
    }
    /// Lanes of a cluster.
    pub const fn lanes(self) -> u8 {
        self.0
    }
}

/// Where a shuffle reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum ShuffleKind {
    Index,
    Xor,
    Up,
    Down,
}

impl ShuffleKind {
    /// The qualifier of `shfl`.
    pub const fn qualifier(self) -> Qualifier {
        match self {
            ShuffleKind::Index => Qualifier::Idx,
            ShuffleKind::Xor => Qualifier::Xor,
            ShuffleKind::Up => Qualifier::Up,
            ShuffleKind::Down => Qualifier::Dn,
        }
    }
}

/// The direction of a derivative or swap within a quad: lanes 4q to 4q+3 are left and right of the upper, then of the
/// lower row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Axis {
    Horizontal,
    Vertical,
    Diagonal,
}

/// Which operation.
///
/// *Participants* are the lanes of `mask & active set`. Unless said otherwise a lane outside keeps the pass-through, and a
/// lane inside gets what is said here. "The value of lane n" is its `data`; where lane n does not take part,
/// [`InactiveSource`] says what is read instead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CrossLaneKind {
    /// `%activemask`: the active set as 32 bits, in every active lane. No data, no mask.
    ActiveMask,
    /// The participants whose predicate `data` is true, as 32 or 64 bits (bit n for lane n; the upper half is 0).
    Ballot {
        /// 32 or 64.
        bits: u8,
    },
    /// The value of lane `index` (its low 5 bits), which is the same in all participants.
    ReadInvocation,
    /// The value of the lowest participant.
    ReadFirstInvocation,
    /// Whether the predicate `data` of any participant is true.
    VoteAny,
    /// Whether that of every participant is.
    VoteAll,
    /// Whether the values of all participants are equal, integers by their bits, floats as `fcmp.eq` (so that any NaN
    /// gives false, and zeros of both signs are equal).
    VoteAllEqual,
    /// Whether the lane is the lowest participant.
    Elect,
    /// `redfirstidx`: the lowest participant's number, in **every** active lane (S-06), all ones where there is none
    /// (S-05). No data.
    FirstParticipant,
    /// `shfl` (7.4): `index` is `src1` with its offset, clamp and segment mask; without `segmented` only the low 5 bits
    /// count. Out of bounds gives the own value, whatever [`InactiveSource`] is.
    Shuffle {
        /// Where it reads.
        kind: ShuffleKind,
        /// `.sg`.
        segmented: bool,
    },
    /// The value of lane `(own + index) mod cluster`, within the cluster of the own lane.
    Rotate(ClusterSize),
    /// The value of lane `index` (0 to 3) of the own quad.
    QuadBroadcast,
    /// The value of the neighbour in the own quad.
    QuadSwap(Axis),
    /// Whether the predicate of any participant of the own quad is true.
    QuadAny,
    /// Of every participant.
    QuadAll,
    /// Combination over participants: all, in clusters, or in the partition that `index` names as a mask: of each lane,
    /// the participants among the lanes of its own mask, which contains itself; lanes of one part have equal masks.
    ///
    /// Float sums and products round, so they have an order. A reduction whose cluster is full is the tree of partners at
    /// distance c/2, …, 2, 1; else it goes from the lowest lane up. A scan doubles: in step k = 1, 2, 4, … a lane combines what
    /// the k-th participant before it has with its own. Results of `partitioned` reductions go from the lowest lane up. In the tree
    /// each lane has its own value first, so that of several NaNs (P-04) lanes get different ones.
    Reduce {
        /// With what.
        reduction: Reduction,
        /// Everything, up to oneself, before oneself.
        scope: Scope,
        /// In what runs of lanes.
        cluster: ClusterSize,
        /// Whether `index` is a partition mask; then `cluster` is full.
        partitioned: bool,
    },
    /// The participants whose `data` has the same bits as the own, as 32 bits.
    MatchAny,
    /// All participants as 32 bits if all have the same bits, else 0.
    MatchAll,
    /// Difference of `data` to the neighbour in the own quad, right minus left or lower minus upper: of the own row or
    /// column (`fine`), or of the first one for the whole quad. Arithmetic, but convergent; no mask.
    Derivative {
        /// Not diagonal.
        axis: Axis,
        /// `ddx_fine` rather than `ddx_coarse`.
        fine: bool,
    },
}

/// A cross-lane operation. Its operands come in one order: data, index, mask, pass-through, as far as its kind has them
/// ([`CrossLane::has_data`] and so on); a missing pass-through says that no lane outside the mask looks at the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CrossLane {
    /// Which.
    pub kind: CrossLaneKind,
    /// The type of `data`; for kinds without data that of the result, `I32`.
    pub element: Element,
    /// What is read from lanes that do not take part.
    pub inactive: InactiveSource,
}

impl CrossLane {
    /// Whether there is a `data` operand.
    pub const fn has_data(&self) -> bool {
        !matches!(
            self.kind,
            CrossLaneKind::ActiveMask | CrossLaneKind::Elect | CrossLaneKind::FirstParticipant
        )
    }
    /// Whether it asks for a predicate in each lane, which may be a negated one.
    pub const fn is_vote_or_ballot(&self) -> bool {
        use CrossLaneKind::*;
        matches!(self.kind, Ballot { .. } | VoteAny | VoteAll | QuadAny | QuadAll)
    }
    /// Whether there is an `index` operand (32 bits).
    pub const fn has_index(&self) -> bool {
        match self.kind {
            CrossLaneKind::ReadInvocation
            | CrossLaneKind::Shuffle { .. }
            | CrossLaneKind::Rotate(_)
            | CrossLaneKind::QuadBroadcast => true,
            CrossLaneKind::Reduce { partitioned, .. } => partitioned,
            _ => false,
        }
    }
    /// Whether there is a `mask` operand (32 bits).
    pub const fn has_mask(&self) -> bool {
        !matches!(self.kind, CrossLaneKind::ActiveMask | CrossLaneKind::Derivative { .. })
    }
    /// Whether there is a `pass-through` operand: lanes outside the mask keep something.
    pub const fn has_pass_through(&self) -> bool {
        self.has_mask() && !matches!(self.kind, CrossLaneKind::FirstParticipant)
    }
    /// Whether each result depends on one lane's datum alone, so that the active set matters only where that lane does not take
    /// part.
    pub const fn reads_single_lanes(&self) -> bool {
        matches!(
            self.kind,
            CrossLaneKind::ReadInvocation
                | CrossLaneKind::Shuffle { .. }
                | CrossLaneKind::Rotate(_)
                | CrossLaneKind::QuadBroadcast
                | CrossLaneKind::QuadSwap(_)
                | CrossLaneKind::Derivative { .. }
        )
    }
    /// Whether it makes sense only if some lane takes part (S-05).
    pub const fn needs_participant(&self) -> bool {
        matches!(self.kind, CrossLaneKind::FirstParticipant | CrossLaneKind::ReadFirstInvocation)
    }
    /// The type of the result.
    pub const fn result(&self) -> pisa_module::RegisterType {
        use pisa_module::RegisterType as R;
        match self.kind {
            CrossLaneKind::Ballot { bits } => R::scalar(bits),
            CrossLaneKind::ActiveMask
            | CrossLaneKind::FirstParticipant
            | CrossLaneKind::MatchAny
            | CrossLaneKind::MatchAll => R::scalar(32),
            CrossLaneKind::VoteAny
            | CrossLaneKind::VoteAll
            | CrossLaneKind::VoteAllEqual
            | CrossLaneKind::Elect
            | CrossLaneKind::QuadAny
            | CrossLaneKind::QuadAll => R::PREDICATE,
            _ => self.element.register(),
        }
    }
    /// Whether PISA has it as one instruction, so that nothing need be lowered (`%activemask` counts as one).
    pub const fn is_native(&self) -> bool {
        use Reduction::*;
        match self.kind {
            CrossLaneKind::ActiveMask | CrossLaneKind::FirstParticipant => true,
            CrossLaneKind::Shuffle { .. } => {
                self.element.bits() == 32 && matches!(self.inactive, InactiveSource::Own)
            }
            CrossLaneKind::Reduce { reduction, scope: Scope::Reduce, cluster, partitioned: false } => {
                cluster.lanes() == 32
                    && match self.element {
                        Element::I16 | Element::I32 => {
                            matches!(reduction, Sum | And | Or | Xor | Smin | Smax | Umin | Umax | Absmax)
                        }
                        Element::Hf | Element::Bf | Element::F | Element::Hfx2 | Element::Bfx2 => {
                            reduction.is_float_only()
                        }
                        _ => false,
                    }
            }
            _ => false,
        }
    }
}

//! The state a handler works on: a batch of sub-groups that run one instruction a step.
//!
//! Contract between the scheduler (decode, control flow, memory) and the lane kernels (everything that computes).

/// Lanes of a sub-group.
pub const LANES: usize = 32;
/// Most sub-groups in a batch.
pub const MAX_BATCH: usize = 8;

/// Where the lanes of a value lie.
///
/// A scalar of `w` bits has, for each sub-group of the batch, 32 lanes of `w / 8` bytes in a row, and the sub-groups
/// follow each other: lane `l` of sub-group `s` is element `s * 32 + l` of one array of `count * 32` elements.
/// A predicate is one `u32` a sub-group, bit `l` for lane `l`. Element `e` of a vector register (and of a packed value)
/// is a scalar of its own, `e * w * 4` further on (`w / 8 * 32` bytes a sub-group each).
///
/// The number is the byte offset for a batch of one sub-group; it is multiplied by `count`. The top bit chooses the
/// area: 0 the registers of the running activation, 1 the batch's fixed area (constants, special registers).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plane(pub u32);

impl Plane {
    /// The bit that says "fixed area".
    pub const FIXED: u32 = 1 << 31;
    /// Element `e` of a vector with elements of `bits` bits that begins here.
    pub const fn element(self, e: u32, bits: u32) -> Plane {
        Plane(self.0 + e * bits * 4)
    }
}

/// What a handler sees of the running batch.
pub struct Batch {
    /// Start of the two areas: registers of the running activation, fixed area; both 64-byte aligned.
    pub areas: [*mut u8; 2],
    /// Sub-groups in the batch, 1 to [`MAX_BATCH`]; planes are laid out for this count.
    pub count: usize,
    /// Active lanes of each sub-group at this step; those from `count` on are 0.
    pub masks: [u32; MAX_BATCH],
    /// Whether every mask below `count` is full: then a handler may write all `count * 32` lanes in one loop.
    pub full: bool,
}

impl Batch {
    /// First element of a plane: `count * 32` of them for a scalar, `count` words for a predicate.
    ///
    /// # Safety
    /// The plane must belong to the code that runs on this batch, and `T` have its element width.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub unsafe fn at<T>(&self, plane: Plane) -> *mut T {
        // SAFETY: the decoder made the plane for this area and count, so it lies within the allocation.
        unsafe {
            let area = *self.areas.get_unchecked((plane.0 >> 31) as usize);
            area.add((plane.0 & !Plane::FIXED) as usize * self.count).cast()
        }
    }
}

/// A decoded instruction that computes.
#[derive(Clone, Copy)]
pub struct Op {
    /// What runs.
    pub run: Handler,
    /// Operands in the order of the form: destinations first (and predicates, e.g. the carry-out), then sources.
    pub operands: [Plane; 6],
    /// Bit `i`: operand `i` is a negated predicate.
    pub negated: u8,
    /// Numbers a kernel needs beyond operands (truth table, index, element counts, …): its own encoding.
    pub extra: u32,
}

/// Runs an instruction for all active lanes of the batch.
///
/// Must leave lanes outside `masks` untouched, read all sources before it writes (T-08, S-19), and stay within the
/// planes of its operands. Unsafe to call: the operands must have been decoded for this batch, and the host must have
/// the instruction set the handler was compiled for.
pub type Handler = unsafe fn(&Batch, &Op);

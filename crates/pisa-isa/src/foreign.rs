//! Words that other languages near this one (PTX, LLVM, OpenCL, SPIR-V) have for what PISA calls otherwise. They are
//! never accepted, only used to suggest the right word.

use crate::{Opcode, Qualifier};

/// The PISA opcode that does what the foreign opcode does. `rest` is the remainder of the mnemonic: its types decide
/// between integer and floating-point instructions.
pub(crate) fn opcode(word: &str, rest: &str) -> Option<Opcode> {
    use Opcode::*;
    let is_float = rest.split('.').any(|part| {
        matches!(
            part,
            "f" | "hf" | "bf" | "df" | "f16" | "bf16" | "f32" | "f64" | "f16x2" | "bf16x2" | "hfx2" | "bfx2"
        )
    });
    let is_signed = !rest.split('.').any(|part| matches!(part, "u8" | "u16" | "u32" | "u64" | "u16x2"));
    let by_type = |float, signed, unsigned| match (is_float, is_signed) {
        (true, _) => float,
        (false, true) => signed,
        (false, false) => unsigned,
    };
    Some(match word {
        "add" => by_type(Fadd, Iadd, Iadd),
        "sub" => by_type(Fsub, Isub, Isub),
        "mul" => by_type(Fmul, Smul, Umul),
        "mad" | "fma" => by_type(Fmad, Smad, Umad),
        "imul" => Smul,
        "imad" => Smad,
        "ffma" => Fmad,
        "div" => by_type(Fdiv, Sdiv, Udiv),
        "rem" => by_type(Fdiv, Sdiv, Udiv),
        "idiv" | "srem" => Sdiv,
        "urem" => Udiv,
        "min" => by_type(Fmin, Smin, Umin),
        "max" => by_type(Fmax, Smax, Umax),
        "imin" => Smin,
        "imax" => Smax,
        "abs" => by_type(Fabs, Iabs, Iabs),
        "neg" => by_type(Fneg, Ineg, Ineg),
        "addc" | "uadd" | "uaddo" => Uaddc,
        "rcp" => Frcp,
        "sqrt" => Fsqrt,
        "rsqrt" | "rsq" => Frsqrt,
        "sin" => Fsin,
        "cos" => Fcos,
        "tanh" => Ftanh,
        "ex2" | "exp2" | "fexp" => Fexp2,
        "lg2" | "log2" | "flog" => Flog2,
        "floor" | "ceil" | "round" => Frnd,
        "fract" => Frc,
        "popc" | "popcnt" | "ctpop" => Cbit,
        "clz" | "ctlz" | "lzcnt" => Fbh,
        "ctz" | "cttz" | "tzcnt" | "ffs" => Fbl,
        "brev" | "bitreverse" => Bfrev,
        "bfe" => by_type(Ubfe, Sbfe, Ubfe),
        "lop3" => Bfn,
        "lshl" => Shl,
        "lshr" => Shr,
        "ashr" | "sar" => Asr,
        "sra" => Asr,
        "setp" | "cmp" | "icmp" => by_type(Fcmp, Scmp, Ucmp),
        "selp" | "select" => Sel,
        "bra" | "br" | "jmp" | "jump" => Goto,
        "ret" | "exit" => Return,
        "bar" => BarrierWorkgroup,
        "membar" => Fence,
        "atom" | "red" => by_type(Fatom, Iatom, Iatom),
        "redux" => by_type(Fred, Ired, Ired),
        "load" => Ld,
        "store" => St,
        "move" => Mov,
        "cvta" => Addrcast,
        "isspacep" => Isaddr,
        "fptrunc" => Ftrunc,
        "fpext" => Fext,
        _ => return None,
    })
}

/// The PISA qualifiers that a foreign one, given with its dot, may stand for; which one is right depends on the slot.
pub(crate) fn qualifiers(word: &str) -> &'static [Qualifier] {
    use Qualifier::*;
    match word {
        ".8" | ".b8" | ".i8" | ".s8" | ".u8" => &[B8, S8, U8],
        ".16" | ".b16" | ".i16" | ".s16" | ".u16" => &[B16, S16, U16],
        ".32" | ".b32" | ".i32" | ".s32" | ".u32" => &[B32, S32, U32],
        ".64" | ".b64" | ".i64" | ".s64" | ".u64" => &[B64, S64, U64],
        ".128" | ".b128" | ".i128" => &[B128],
        ".f16" | ".half" => &[Hf],
        ".bf16" => &[Bf],
        ".f32" | ".float" => &[F],
        ".f64" | ".double" => &[Df],
        ".f16x2" => &[Hfx2],
        ".bf16x2" => &[Bfx2],
        ".u16x2" | ".s16x2" | ".b16x2" => &[B16x2],
        ".rn" | ".rte" | ".rni" => &[Re],
        ".rm" | ".rtn" | ".rmi" => &[Rd],
        ".rp" | ".rtp" | ".rpi" => &[Ru],
        ".rtz" | ".rzi" => &[Rz],
        ".rta" => &[Rna],
        ".sat" | ".satfinite" => &[Dsat],
        ".nan" | ".NaN" => &[Nanp],
        ".approx" => &[Fast],
        ".wide" => &[Full],
        ".cc" => &[Co],
        ".neu" => &[Ne],
        ".bfly" => &[Xor],
        ".down" => &[Dn],
        ".exch" => &[Xchg],
        ".local" => &[Private],
        ".constant" => &[Const],
        ".cta" | ".wg" => &[Workgroup],
        ".sys" => &[System],
        ".sc" => &[SeqCst],
        ".warp" | ".wave" => &[Subgroup],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_decide() {
        assert_eq!(opcode("add", ".s32"), Some(Opcode::Iadd));
        assert_eq!(opcode("add", ".rn.f32"), Some(Opcode::Fadd));
        assert_eq!(opcode("mul", ".wide.u32"), Some(Opcode::Umul));
        assert_eq!(opcode("bfe", ".s32"), Some(Opcode::Sbfe));
        assert_eq!(opcode("frobnicate", ""), None);
    }
}

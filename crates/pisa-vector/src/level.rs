//! Which vector instructions of the host the engine uses.

/// A set of vector instructions. Later ones include the earlier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// What the build target has in any case.
    Plain,
    /// AVX2, FMA, F16C, BMI1, BMI2, LZCNT, POPCNT.
    Avx2,
    /// Also AVX-512 F, BW, CD, DQ, VL.
    Avx512,
}

impl Level {
    /// The name that the environment variable `PISA_SIMD` takes.
    pub const fn text(self) -> &'static str {
        match self {
            Level::Plain => "plain",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// The most that this host has.
    pub fn host() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("f16c")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            match (avx2, avx512) {
                (true, true) => Level::Avx512,
                (true, false) => Level::Avx2,
                (false, _) => Level::Plain,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Level::Plain
    }

    /// What this process uses: the host's, or less where `PISA_SIMD` names less.
    pub fn detect() -> Level {
        let host = Level::host();
        let wanted = std::env::var("PISA_SIMD").ok();
        let wanted = [Level::Plain, Level::Avx2, Level::Avx512]
            .into_iter()
            .find(|level| wanted.as_deref() == Some(level.text()));
        wanted.map_or(host, |level| level.min(host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_more_than_the_host_has() {
        assert!(Level::detect() <= Level::host());
        assert!(Level::Plain < Level::Avx2 && Level::Avx2 < Level::Avx512);
    }
}

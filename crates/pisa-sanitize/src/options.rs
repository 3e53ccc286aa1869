//! What to look for: the value of `--san`.

use std::fmt;

/// Which checks run, and how strictly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Accesses to memory (`mem`).
    pub memory: bool,
    /// Over-reads that LLVM's back end prints are counted, not reported (`mem=llvm`; E9, E10).
    pub tolerate_over_reads: bool,
    /// Values that were never given (`init`).
    pub initialisation: bool,
    /// Data races (`race`).
    pub races: bool,
    /// An acquire-release fence before a barrier counts for both sides (`race=opencl`; Y-03).
    pub fence_before_barrier: bool,
    /// Who takes part in cross-lane instructions (`conv`).
    pub convergence: bool,
    /// Also the idiom of a mask of all ones, and a lane outside its own mask (`conv=strict`).
    pub strict_convergence: bool,
    /// Who arrives at barriers (`barrier`).
    pub barriers: bool,
    /// Also arrivals of a part of a sub-group (`barrier=strict`).
    pub strict_barriers: bool,
    /// Undefined behaviour of single instructions (`ub`).
    pub undefined: bool,
}

/// A word that `--san` does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionsError(String);

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`--san` does not know `{}`; it takes `all` or some of mem, init, race, conv, barrier, ub, with commas \
             between them, and the variants mem=llvm, race=opencl, conv=strict, barrier=strict",
            self.0
        )
    }
}

impl std::error::Error for OptionsError {}

impl Options {
    /// Every check, none of the variants.
    pub const ALL: Options = Options {
        memory: true,
        tolerate_over_reads: false,
        initialisation: true,
        races: true,
        fence_before_barrier: false,
        convergence: true,
        strict_convergence: false,
        barriers: true,
        strict_barriers: false,
        undefined: true,
    };

    /// What is looked for, as the words of `--san`: `mem, init, conv=strict`.
    pub fn words(&self) -> String {
        let variant = |plain: &'static str, strict: &'static str, is: bool| if is { strict } else { plain };
        let words = [
            (self.memory, variant("mem", "mem=llvm", self.tolerate_over_reads)),
            (self.initialisation, "init"),
            (self.races, variant("race", "race=opencl", self.fence_before_barrier)),
            (self.convergence, variant("conv", "conv=strict", self.strict_convergence)),
            (self.barriers, variant("barrier", "barrier=strict", self.strict_barriers)),
            (self.undefined, "ub"),
        ];
        let asked = words.into_iter().filter_map(|(is, word)| is.then_some(word));
        asked.collect::<Vec<_>>().join(", ")
    }

    /// Reads words with commas between them: `all,conv=strict`, `mem,ub`.
    ///
    /// # Errors
    /// For a word that is none of them.
    pub fn parse(text: &str) -> Result<Options, OptionsError> {
        let mut options = Options::default();
        for word in text.split(',').map(str::trim) {
            match word {
                "all" => {
                    options = Options {
                        tolerate_over_reads: options.tolerate_over_reads,
                        fence_before_barrier: options.fence_before_barrier,
                        strict_convergence: options.strict_convergence,
                        strict_barriers: options.strict_barriers,
                        ..Options::ALL
                    };
                }
                "mem" => options.memory = true,
                "mem=llvm" => (options.memory, options.tolerate_over_reads) = (true, true),
                "init" => options.initialisation = true,
                "race" => options.races = true,
                "race=opencl" => (options.races, options.fence_before_barrier) = (true, true),
                "conv" => options.convergence = true,
                "conv=strict" => (options.convergence, options.strict_convergence) = (true, true),
                "barrier" => options.barriers = true,
                "barrier=strict" => (options.barriers, options.strict_barriers) = (true, true),
                "ub" => options.undefined = true,
                other => return Err(OptionsError(other.to_owned())),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_add_up() {
        assert_eq!(Options::parse("all"), Ok(Options::ALL));
        assert_eq!(
            Options::parse("mem, ub"),
            Ok(Options { memory: true, undefined: true, ..Options::default() })
        );
        let strict = Options { strict_convergence: true, ..Options::ALL };
        assert_eq!(Options::parse("conv=strict,all"), Ok(strict));
        assert_eq!(Options::parse("all,conv=strict"), Ok(strict));
    }

    #[test]
    fn options_say_what_they_look_for() {
        let words = |text: &str| Options::parse(text).map(|options| options.words());
        assert_eq!(words("all").as_deref(), Ok("mem, init, race, conv, barrier, ub"));
        assert_eq!(words("ub,mem=llvm,barrier=strict").as_deref(), Ok("mem=llvm, barrier=strict, ub"));
    }

    #[test]
    fn unknown_words_are_named() {
        assert!(Options::parse("mem,races").unwrap_err().to_string().contains("`races`"));
        assert!(Options::parse("").is_err());
    }
}

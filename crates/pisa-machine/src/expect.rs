//! Expectations: what a buffer should hold, how exactly, and how it differs.

use crate::value::{elements, infinity, is_nan, parse_count, to_double, to_integer};
use crate::{
    Buffer, BufferInfo, ElementType, FileLoader, Image, LaunchError, Memory, Prepared, Value, ValueError,
    format_number,
};
use std::fmt;

/// How far an element may be from what is expected.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// The same bits; any NaN equals any NaN.
    Exact,
    /// `ulp:N`: at most N representable numbers away. Floats only.
    Ulp(u64),
    /// `abs:X`: the difference is at most X.
    Absolute(f64),
    /// `rel:X`: the difference is at most X times what is expected.
    Relative(f64),
}

impl Tolerance {
    /// Reads `ulp:N`, `abs:X` or `rel:X`.
    pub fn parse(text: &str) -> Result<Tolerance, ValueError> {
        let text = text.trim();
        let error = || {
            ValueError::new(format!("`{text}` is not a tolerance"))
                .help("tolerances are `ulp:N`, `abs:X` and `rel:X`")
        };
        let (kind, amount) = text.split_once(':').ok_or_else(error)?;
        let number =
            || amount.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x >= 0.0).ok_or_else(error);
        match kind.trim() {
            "ulp" => Ok(Tolerance::Ulp(parse_count(amount, "a count of ULP")?)),
            "abs" => Ok(Tolerance::Absolute(number()?)),
            "rel" => Ok(Tolerance::Relative(number()?)),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tolerance::Exact => f.write_str("the same bits"),
            Tolerance::Ulp(n) => write!(f, "ulp:{n}"),
            Tolerance::Absolute(x) => write!(f, "abs:{x:?}"),
            Tolerance::Relative(x) => write!(f, "rel:{x:?}"),
        }
    }
}

/// `NAME=VALUE[~TOL]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Expectation {
    /// A buffer, or a global variable with its `@`.
    pub name: String,
    /// What it should hold.
    pub value: Value,
    /// How exactly.
    pub tolerance: Tolerance,
    /// As the user wrote it.
    pub wrote: String,
}

impl Expectation {
    /// Reads `NAME=VALUE[~TOL]`.
    pub fn parse(text: &str) -> Result<Expectation, LaunchError> {
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
            return Err(LaunchError::new(format!("`{text}` is not an expectation"))
                .wrote(text)
                .help("expectations are written `NAME=VALUE` or `NAME=VALUE~TOL`"));
        };
        let value = value.trim();
        // The names of files may have a `~` of their own.
        let split = value.rsplit_once('~').filter(|(_, tolerance)| {
            !value.starts_with('@') || ["ulp:", "abs:", "rel:"].iter().any(|kind| tolerance.starts_with(kind))
        });
        let explain = |e: ValueError| LaunchError::from(e).wrote(text);
        let (value, tolerance) = match split {
            Some((value, tolerance)) => (value, Tolerance::parse(tolerance).map_err(explain)?),
            None => (value, Tolerance::Exact),
        };
        Ok(Expectation {
            name: name.trim().to_owned(),
            value: Value::parse(value).map_err(explain)?,
            tolerance,
            wrote: text.to_owned(),
        })
    }

    /// Looks up the buffer, reads what is expected, and checks that the two can be compared: best before the launch runs.
    pub fn prepare(
        &self,
        prepared: &Prepared,
        image: &Image,
        files: &dyn FileLoader,
        limit: u64,
    ) -> Result<PreparedExpectation, LaunchError> {
        let explain = |e: LaunchError| e.wrote(&self.wrote);
        let buffer = prepared.locate(image, &self.name).map_err(explain)?;
        let mut expected = match &self.value {
            Value::Scalar { ty, bits } => Buffer::flat(*ty, bits.to_le_bytes()[..ty.bytes()].to_vec()),
            Value::Bytes(bytes) => Buffer::flat(ElementType::U8, bytes.clone()),
            value => value.materialise(files, limit).map_err(|e| explain(e.into()))?,
        };
        let error = |message: String| explain(LaunchError::new(message));
        match buffer.ty {
            // A variable without a type takes that of the expectation, and raw bytes are compared as what they should be.
            Some(ty) if !matches!(self.value, Value::Bytes(_)) => {
                // Files have no bf: its bits are saved as uint16.
                let same = expected.ty == ty || (ty == ElementType::Bf && expected.ty == ElementType::U16);
                if !same {
                    return Err(error(format!(
                        "`{}` holds {ty}, the expectation is {}",
                        self.name, expected.ty
                    )));
                }
                expected.ty = ty;
            }
            _ => {}
        }
        if expected.bytes.len() as u64 != buffer.size {
            let size = expected.ty.bytes() as u64;
            return Err(error(format!(
                "`{}` has {} elements, the expectation has {}",
                self.name,
                buffer.size / size,
                expected.count()
            )));
        }
        if matches!(self.tolerance, Tolerance::Ulp(_)) && !expected.ty.is_float() {
            return Err(error(format!("`ulp` is for floats, `{}` holds {}", self.name, expected.ty))
                .help("a tolerance for integers is `abs:N`"));
        }
        Ok(PreparedExpectation { buffer, expected, tolerance: self.tolerance })
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)?;
        if self.tolerance != Tolerance::Exact {
            write!(f, "~{}", self.tolerance)?;
        }
        Ok(())
    }
}

/// An expectation that is ready to be checked.
#[derive(Clone, Debug)]
pub struct PreparedExpectation {
    buffer: BufferInfo,
    expected: Buffer,
    tolerance: Tolerance,
}

impl PreparedExpectation {
    /// The buffer or variable (with `@`) that is compared.
    pub fn name(&self) -> &str {
        &self.buffer.name
    }

    /// How many elements are compared.
    pub fn count(&self) -> usize {
        self.expected.count()
    }

    /// Compares what the buffer holds now; `None` when it is as expected.
    pub fn check(&self, prepared: &Prepared, memory: &Memory) -> Result<Option<Mismatch>, LaunchError> {
        let mut got = prepared.read(memory, &self.buffer)?;
        got.ty = self.expected.ty;
        if got.shape.iter().product::<u64>() != got.count() as u64 {
            got.shape = vec![got.count() as u64];
        }
        Ok(compare(&self.buffer.name, &got, &self.expected, self.tolerance))
    }
}

/// How a buffer differs from what is expected.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// The buffer's name.
    pub name: String,
    /// Type of the elements.
    pub ty: ElementType,
    /// The buffer's shape.
    pub shape: Vec<u64>,
    /// Elements that differ too much.
    pub count: u64,
    /// Elements in all.
    pub total: u64,
    /// The first of them.
    pub first: Difference,
    /// The one that is farthest off.
    pub worst: Difference,
    /// What was allowed.
    pub tolerance: Tolerance,
}

/// One element that differs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// Its index, all dimensions together.
    pub index: u64,
    /// Its bits.
    pub got: u64,
    /// The bits that were expected.
    pub expected: u64,
    /// How far it is off, in the unit of the tolerance: ULP for floats that should be exact. Infinite where no number says it.
    pub distance: f64,
}

/// Compares two buffers of one type and length; `None` when all elements are near enough.
pub fn compare(name: &str, got: &Buffer, expected: &Buffer, tolerance: Tolerance) -> Option<Mismatch> {
    if got.bytes == expected.bytes {
        return None;
    }
    let ty = expected.ty;
    // Whole blocks that are the same are passed over at the speed of memory.
    const BLOCK: usize = 4096;
    let blocks = got.bytes.chunks(BLOCK).zip(expected.bytes.chunks(BLOCK)).enumerate();
    let different = blocks.filter(|(_, (a, b))| a != b).flat_map(|(block, (a, b))| {
        let first = block * (BLOCK / ty.bytes());
        let pairs = elements(ty, a).zip(elements(ty, b)).enumerate();
        pairs.filter(|(_, (a, b))| a != b).map(move |(i, pair)| (first + i, pair))
    });
    let mut mismatch: Option<Mismatch> = None;
    for (index, (a, b)) in different {
        let Some(distance) = distance(ty, a, b, tolerance) else { continue };
        let difference = Difference { index: index as u64, got: a, expected: b, distance };
        match &mut mismatch {
            Some(m) => {
                m.count += 1;
                if distance > m.worst.distance {
                    m.worst = difference;
                }
            }
            None => {
                mismatch = Some(Mismatch {
                    name: name.to_owned(),
                    ty,
                    shape: got.shape.clone(),
                    count: 1,
                    total: got.count() as u64,
                    first: difference,
                    worst: difference,
                    tolerance,
                });
            }
        }
    }
    mismatch
}

/// How far two elements with different bits are apart; `None` where that is allowed.
fn distance(ty: ElementType, got: u64, expected: u64, tolerance: Tolerance) -> Option<f64> {
    if !ty.is_float() {
        let (got, expected) = (to_integer(ty, got), to_integer(ty, expected));
        let apart = got.abs_diff(expected) as f64;
        let (apart, allowed) = match tolerance {
            Tolerance::Exact | Tolerance::Ulp(_) => (apart, 0.0),
            Tolerance::Absolute(x) => (apart, x),
            Tolerance::Relative(x) => (apart / expected.unsigned_abs() as f64, x),
        };
        return (apart > allowed).then_some(apart);
    }
    match (is_nan(ty, got), is_nan(ty, expected)) {
        (true, true) => return None,
        (false, false) => {}
        _ => return Some(f64::INFINITY),
    }
    let is_infinite = |bits: u64| bits & (ty.mask() >> 1) == infinity(ty);
    if is_infinite(got) || is_infinite(expected) {
        return Some(f64::INFINITY);
    }
    let ulp = ordered(ty, got).abs_diff(ordered(ty, expected));
    let apart = (to_double(ty, got) - to_double(ty, expected)).abs();
    let (apart, is_allowed) = match tolerance {
        // +0 and -0 are no ULP apart and yet not the same bits.
        Tolerance::Exact => (ulp as f64, false),
        Tolerance::Ulp(n) => (ulp as f64, ulp <= u128::from(n)),
        Tolerance::Absolute(x) => (apart, apart <= x),
        Tolerance::Relative(x) => {
            let expected = to_double(ty, expected).abs();
            (if apart == 0.0 { 0.0 } else { apart / expected }, apart <= x * expected)
        }
    };
    (!is_allowed).then_some(apart)
}

/// A number that grows by one from each float to the next; both zeros are 0.
fn ordered(ty: ElementType, bits: u64) -> i128 {
    let magnitude = i128::from(bits & (ty.mask() >> 1));
    if bits & !(ty.mask() >> 1) == 0 { magnitude } else { -magnitude }
}

impl Mismatch {
    /// `[5]`, or `[1, 2]` with more dimensions.
    fn index(&self, index: u64) -> String {
        let mut parts = Vec::new();
        let mut rest = index;
        for &size in self.shape.iter().rev() {
            parts.push((rest % size.max(1)).to_string());
            rest /= size.max(1);
        }
        if parts.is_empty() {
            parts.push(index.to_string());
        }
        parts.reverse();
        format!("[{}]", parts.join(", "))
    }

    fn element(&self, bits: u64) -> String {
        format!("{} ({bits:#0width$x})", format_number(self.ty, bits), width = self.ty.bytes() * 2 + 2)
    }

    fn distance(&self, distance: f64) -> String {
        if distance.is_infinite() {
            return "beyond measure".to_owned();
        }
        match self.tolerance {
            Tolerance::Exact if !self.ty.is_float() => format!("{distance} off"),
            Tolerance::Exact | Tolerance::Ulp(_) => format!("{distance} ULP off"),
            Tolerance::Absolute(_) => format!("{distance:e} off"),
            Tolerance::Relative(_) => format!("{distance:e} of the expected value off"),
        }
    }
}

impl fmt::Display for Mismatch {
    /// Two or three lines: how many, the first, the worst where that is another.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.count == 1 { "differs" } else { "differ" };
        write!(f, "`{}`: {} of {} elements {verb}", self.name, self.count, self.total)?;
        if self.tolerance != Tolerance::Exact {
            write!(f, " by more than {}", self.tolerance)?;
        }
        let mut line = |word: &str, d: &Difference| {
            let (got, expected) = (self.element(d.got), self.element(d.expected));
            let (index, distance) = (self.index(d.index), self.distance(d.distance));
            write!(f, "\n  {word} at {index}: got {got}, expected {expected}, {distance}")
        };
        line("first", &self.first)?;
        if self.worst.index != self.first.index {
            line("worst", &self.worst)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(text: &str) -> Buffer {
        Value::parse(text).unwrap().materialise(&crate::NoFiles, 1 << 20).unwrap()
    }
    fn check(got: &str, expected: &str, tolerance: &str) -> Option<Mismatch> {
        let tolerance =
            if tolerance.is_empty() { Tolerance::Exact } else { Tolerance::parse(tolerance).unwrap() };
        compare("out", &buffer(got), &buffer(expected), tolerance)
    }

    #[test]
    fn expectations_are_read() {
        let e = Expectation::parse("out=buf:f:1,2~ulp:4").unwrap();
        assert_eq!(
            (e.name.as_str(), e.tolerance, e.to_string().as_str()),
            ("out", Tolerance::Ulp(4), "out=buf:f:1.0,2.0~ulp:4")
        );
        assert_eq!(Expectation::parse("@g=@~/a.npy").unwrap().value.to_string(), "@~/a.npy");
        let e = Expectation::parse("o=@~/a.npy~rel:1e-3").unwrap();
        assert_eq!((e.tolerance, e.value.to_string().as_str()), (Tolerance::Relative(1e-3), "@~/a.npy"));
        for text in [
            "",
            "out",
            "=u32:1",
            "out=",
            "out=zeros:f:1~",
            "out=zeros:f:1~ulp",
            "out=zeros:f:1~ulp:-1",
            "out=zeros:f:1~abs:x",
            "out=zeros:f:1~abs:-1",
            "out=zeros:f:1~abs:inf",
            "out=zeros:f:1~nan:1",
        ] {
            assert!(Expectation::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn exact_means_the_same_bits_but_for_nans() {
        assert_eq!(check("buf:f:1,nan", "buf:f:1,nan(0x7fc01234)", ""), None);
        assert_eq!(check("buf:f:nan", "buf:f:-nan", "ulp:0"), None);
        let m = check("buf:f:0,1", "buf:f:-0,1", "").unwrap();
        assert_eq!((m.count, m.first.distance), (1, 0.0));
        assert_eq!(check("buf:f:0", "buf:f:-0", "ulp:0"), None);
        assert!(check("buf:f:nan", "buf:f:0", "abs:1e30").is_some());
        assert!(check("buf:f:inf", "buf:f:0x7f7fffff", "ulp:5").is_some());
        assert!(check("buf:f:inf", "buf:f:-inf", "rel:5").is_some());
        assert_eq!(check("buf:f:inf", "buf:f:inf", "ulp:0"), None);
    }

    #[test]
    fn tolerances_are_inclusive() {
        assert_eq!(check("buf:f:0x3f800002", "buf:f:1", "ulp:2"), None);
        assert!(check("buf:f:0x3f800003", "buf:f:1", "ulp:2").is_some());
        // From the smallest negative to the smallest positive number are two steps.
        assert_eq!(check("buf:hf:0x0001", "buf:hf:0x8001", "ulp:2"), None);
        assert!(check("buf:hf:0x0001", "buf:hf:0x8001", "ulp:1").is_some());
        assert_eq!(check("buf:df:1.5", "buf:df:1", "abs:0.5"), None);
        assert!(check("buf:df:1.5", "buf:df:1", "abs:0.49").is_some());
        assert_eq!(check("buf:f:-101", "buf:f:-100", "rel:0.01"), None);
        assert!(check("buf:f:1", "buf:f:0", "rel:1000").is_some());
        assert_eq!(check("buf:s8:-128", "buf:s8:127", "abs:255"), None);
        assert!(check("buf:u8:128", "buf:u8:127", "abs:0.5").is_some());
        assert_eq!(check("buf:u32:11", "buf:u32:10", "rel:0.1"), None);
        assert!(check("buf:u32:1", "buf:u32:0", "rel:0.1").is_some());
        assert!(check("buf:u64:18446744073709551615", "buf:u64:0", "abs:1e18").is_some());
    }

    #[test]
    fn the_report_names_the_first_and_the_worst() {
        let m = check("buf:s32:1,-2,3,900", "buf:s32:1,2,3,4", "").unwrap();
        assert_eq!(
            m.to_string(),
            "`out`: 2 of 4 elements differ\n  \
             first at [1]: got -2 (0xfffffffe), expected 2 (0x00000002), 4 off\n  \
             worst at [3]: got 900 (0x00000384), expected 4 (0x00000004), 896 off"
        );
        let mut got = buffer("buf:f:1,2,3,4");
        got.shape = vec![2, 2];
        let m = compare("out", &got, &buffer("buf:f:1,2,3.5,4"), Tolerance::Ulp(1)).unwrap();
        assert_eq!(
            m.to_string(),
            "`out`: 1 of 4 elements differs by more than ulp:1\n  \
             first at [1, 0]: got 3.0 (0x40400000), expected 3.5 (0x40600000), 2097152 ULP off"
        );
    }
}

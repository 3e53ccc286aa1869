//! What is asked for after a launch: buffers saved, printed, compared.

use pisa_machine::{Buffer, ElementType, LaunchError, PrintRequest, SaveTarget, ValueError, format_number};

/// Reads `NAME=@FILE` of `--save`: the buffer, and the file, whose extension says the format.
///
/// # Errors
/// Where the name or the file is missing, or the format is unknown.
pub fn parse_save(text: &str) -> Result<(String, SaveTarget), LaunchError> {
    let failure = |error: ValueError| {
        let help = error.help.unwrap_or_else(|| {
            "`--save NAME=@FILE`, with a file ending in .npy, .bin, .pgm, .ppm or .png".to_owned()
        });
        LaunchError::new(error.message).wrote(format!("--save {text}")).help(help)
    };
    let (name, file) =
        text.split_once('=').ok_or_else(|| failure(ValueError::new("`--save` without a file")))?;
    if name.is_empty() {
        return Err(failure(ValueError::new("`--save` without a name")));
    }
    Ok((name.to_owned(), SaveTarget::parse(file).map_err(failure)?))
}

/// A buffer to print.
#[derive(Clone, Debug)]
pub struct Printed<'r> {
    /// What was asked for.
    pub request: &'r PrintRequest,
    /// What the buffer holds.
    pub buffer: Buffer,
}

impl Printed<'_> {
    /// The type the elements are read as.
    pub fn ty(&self) -> ElementType {
        self.request.ty.unwrap_or(self.buffer.ty)
    }

    /// The text for people: a heading, then elements in columns.
    ///
    /// # Errors
    /// Where the range goes past the end; [`Session::prepare`](crate::Session::prepare) has seen to it.
    pub fn text(&self) -> Result<String, LaunchError> {
        self.request.text(&self.buffer)
    }

    /// The index of the first element that was asked for, and all of them as numbers, one text each.
    ///
    /// # Errors
    /// As [`Printed::text`].
    pub fn numbers(&self) -> Result<(u64, impl Iterator<Item = String> + '_), LaunchError> {
        let ty = self.ty();
        let bytes = self.buffer.bytes.len() as u64;
        let range = match self.request.range {
            // All of them, not only as many as a person reads.
            None => 0..bytes / ty.bytes() as u64,
            Some(_) => self.request.elements(bytes, self.buffer.ty)?,
        };
        let elements = self.buffer.bytes.chunks_exact(ty.bytes()).map(move |bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            format_number(ty, u64::from_le_bytes(word))
        });
        Ok((range.start, elements.skip(range.start as usize).take((range.end - range.start) as usize)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saves_are_read() {
        let (name, target) = parse_save("out=@a=b.npy").expect("a file");
        assert_eq!((name.as_str(), target.path.as_str()), ("out", "a=b.npy"));
        assert_eq!(parse_save("@G=@g.bin").expect("a file").0, "@G");
        for text in ["out", "out=file.npy", "=@a.npy", "out=@", "out=@a.xyz"] {
            assert!(parse_save(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_of_a_range() {
        let bytes = (0..20u32).flat_map(|i| (i * 10).to_le_bytes()).collect();
        let buffer = Buffer::flat(ElementType::U32, bytes);
        let request = PrintRequest::parse("out:18..").expect("a range");
        let printed = Printed { request: &request, buffer };
        let (from, numbers) = printed.numbers().expect("in range");
        assert_eq!((from, numbers.collect::<Vec<_>>()), (18, vec!["180".to_owned(), "190".to_owned()]));
    }
}

//! Lines out of bytes.

use memchr::memchr2;

/// Cuts a stream at its line ends: LF, CRLF or CR.
///
/// A CR ends its line at once. Whether a LF belongs to it shows only with the next byte, which may
/// be long in coming.
#[derive(Debug, Default)]
pub(super) struct LineCutter {
    position: u64,
    after_carriage_return: bool,
    /// Bytes looked at, to hold against the bytes of the stream.
    #[cfg(test)]
    pub(super) scanned: usize,
}

/// A line, or as much of it as the input has.
pub(super) struct Piece<'input> {
    pub(super) text: &'input [u8],
    /// Where `text` begins in the stream.
    pub(super) offset: u64,
    /// Whether the line end follows.
    pub(super) ended: bool,
}

impl LineCutter {
    /// Takes the next piece, and its line end, off the front of `bytes`.
    pub(super) fn take<'input>(&mut self, bytes: &mut &'input [u8]) -> Piece<'input> {
        if self.after_carriage_return
            && let Some(rest) = bytes.strip_prefix(b"\n")
        {
            *bytes = rest;
            self.position += 1;
            #[cfg(test)]
            {
                self.scanned += 1;
            }
        }
        self.after_carriage_return = false;
        let offset = self.position;
        let end = memchr2(b'\n', b'\r', bytes);
        let (text, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        if let [line_end, rest @ ..] = rest {
            self.after_carriage_return = *line_end == b'\r';
            *bytes = rest;
        } else {
            *bytes = rest;
        }
        let taken = text.len() + usize::from(end.is_some());
        self.position += taken as u64;
        #[cfg(test)]
        {
            self.scanned += taken;
        }
        Piece { text, offset, ended: end.is_some() }
    }
}

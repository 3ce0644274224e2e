//! The reader of event streams.

mod assembly;
mod buffer;
mod field;
mod lines;
#[cfg(test)]
mod tests;

use self::assembly::{Assembly, Step};
use super::frame::{SseEnd, SseError, SseFrame};

/// Bytes that a frame may have unless [`SseReader::with_frame_limit`] says otherwise: 10 MiB.
pub const DEFAULT_FRAME_LIMIT: usize = 10 * 1024 * 1024;

/// Reads the frames of an event stream from bytes that may be cut anywhere.
///
/// The grammar is that of `text/event-stream` in the HTML standard: lines end in LF, CRLF or CR; a
/// byte order mark at the start is dropped; comments, `retry` and unknown fields are skipped; a
/// frame without a `data` line is not delivered. Three points differ:
///
/// - Data that is not UTF-8 is an [`SseError`] and not repaired; an `event` or `id` line that is
///   not UTF-8 is skipped.
/// - What a stream ends on without a blank line is delivered, see [`SseReader::finish`].
/// - A frame has a largest size. Its `data`, `event` and `id` lines count, field name included and
///   line end not, and so does the line being read, whatever it is. The buffer for them never
///   grows beyond that size.
///
/// A frame that lies in the bytes of one call and has one `data` line is not copied. Otherwise a
/// byte is looked at and copied a fixed number of times, however the stream is cut.
#[derive(Debug)]
pub struct SseReader {
    assembly: Assembly,
    before: Before,
}

/// What a call does first, because what the last one handed out was borrowed until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    DropFrame,
    Restart,
}

impl Default for SseReader {
    fn default() -> Self {
        Self::new()
    }
}

impl SseReader {
    /// A reader at the start of a stream, with [`DEFAULT_FRAME_LIMIT`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_frame_limit(DEFAULT_FRAME_LIMIT)
    }

    /// A reader at the start of a stream that refuses frames of more than `limit` bytes.
    #[must_use]
    pub fn with_frame_limit(limit: usize) -> Self {
        Self { assembly: Assembly::new(limit), before: Before::Nothing }
    }

    /// The largest allowed frame, in bytes.
    #[must_use]
    pub fn frame_limit(&self) -> usize {
        self.assembly.limit()
    }

    /// Takes bytes off the front of `bytes` up to the end of the next frame and returns that.
    ///
    /// `None` says that all of `bytes` is taken and the next frame needs more. Until then call
    /// again with the same slice: what is left in it has not been read.
    ///
    /// ```
    /// # use ag_ui::encode::{SseError, SseReader};
    /// let mut reader = SseReader::new();
    /// let mut seen = Vec::new();
    /// for chunk in ["data: 1\n\nda", "ta: 2\r\n\r", "\ndata: 3\n\n"] {
    ///     let mut bytes = chunk.as_bytes();
    ///     while let Some(frame) = reader.next_frame(&mut bytes)? {
    ///         seen.push(frame.data().to_owned());
    ///     }
    /// }
    /// assert_eq!(seen, ["1", "2", "3"]);
    /// # Ok::<(), SseError>(())
    /// ```
    ///
    /// # Errors
    /// The next frame is too large or not UTF-8. It alone is lost: call again for the others. A
    /// frame that is too large is reported as soon as that is known, and the rest of it skipped.
    pub fn next_frame<'a, 'input: 'a>(
        &'a mut self,
        bytes: &mut &'input [u8],
    ) -> Result<Option<SseFrame<'a>>, SseError> {
        self.settle();
        match self.assembly.read(bytes)? {
            Step::NeedsMore => Ok(None),
            Step::Frame { borrowed } => {
                self.before = Before::DropFrame;
                self.assembly.frame(borrowed).map(Some)
            }
        }
    }

    /// Says how the stream ended and delivers what it ended on.
    ///
    /// Call it when there are no more bytes and [`next_frame`](Self::next_frame) has returned
    /// `None`. Afterwards the reader is at the start of another stream.
    ///
    /// ```
    /// # use ag_ui::encode::{SseEnd, SseError, SseReader};
    /// let mut reader = SseReader::new();
    /// assert_eq!(reader.next_frame(&mut "data: {\"type\":\"RUN_FIN".as_bytes())?, None);
    /// match reader.finish()? {
    ///     SseEnd::InsideLine(Some(frame)) => assert_eq!(frame.data(), "{\"type\":\"RUN_FIN"),
    ///     end => panic!("{end:?}"),
    /// }
    /// # Ok::<(), SseError>(())
    /// ```
    ///
    /// # Errors
    /// The last frame is not UTF-8, as when the stream is cut inside a character.
    pub fn finish(&mut self) -> Result<SseEnd<'_>, SseError> {
        self.settle();
        self.before = Before::Restart;
        let inside_line = self.assembly.end_last_line();
        let frame = if self.assembly.has_data() { Some(self.assembly.frame(None)?) } else { None };
        Ok(match frame {
            frame if inside_line => SseEnd::InsideLine(frame),
            Some(frame) => SseEnd::MissingBlankLine(frame),
            None => SseEnd::Complete,
        })
    }

    fn settle(&mut self) {
        match self.before {
            Before::Nothing => {}
            Before::DropFrame => self.assembly.drop_frame(),
            Before::Restart => self.assembly = Assembly::new(self.assembly.limit()),
        }
        self.before = Before::Nothing;
    }
}

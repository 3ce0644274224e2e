//! What a reader hands out: frames, the end of the stream, and errors.

/// One frame of an event stream, borrowed from the reader or from the bytes it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SseFrame<'a> {
    pub(super) data: &'a str,
    pub(super) event: &'a str,
    pub(super) id: &'a str,
    pub(super) offset: u64,
}

impl<'a> SseFrame<'a> {
    /// The values of its `data` lines, joined by LF; for AG-UI, the JSON text of one event.
    #[must_use]
    pub fn data(&self) -> &'a str {
        self.data
    }

    /// The value of its last `event` line, empty without one; AG-UI gives it no meaning.
    #[must_use]
    pub fn event(&self) -> &'a str {
        self.event
    }

    /// The last `id` of the stream so far, empty without one; AG-UI gives it no meaning.
    #[must_use]
    pub fn id(&self) -> &'a str {
        self.id
    }

    /// Position in the stream, in bytes from 0, of its first `data`, `event` or `id` line.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

/// How a stream ended, see [`SseReader::finish`](super::SseReader::finish).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a stream ends after a frame, a line or neither")]
pub enum SseEnd<'a> {
    /// After a finished line, with no data left to deliver.
    Complete,
    /// After a finished line, but without the blank line that ends this last frame.
    ///
    /// All its lines are whole. Some producers leave out the last blank line.
    MissingBlankLine(SseFrame<'a>),
    /// Inside a line: most likely the stream was cut off.
    ///
    /// The frame, if there is data, holds what had arrived, the unfinished line included.
    InsideLine(Option<SseFrame<'a>>),
}

/// A frame that could not be delivered.
///
/// Each error costs one frame. The reader skips the rest of it and goes on after its blank line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SseError {
    /// A frame, or a line that does not end, is larger than the reader allows.
    #[error(
        "the SSE frame at byte {offset} exceeds the limit of {limit} bytes, {seen} bytes of it \
         were seen; `SseReader::with_frame_limit` sets another limit"
    )]
    #[non_exhaustive]
    FrameTooLarge {
        /// Position of the frame in the stream, in bytes from 0.
        offset: u64,
        /// Largest allowed size in bytes.
        limit: usize,
        /// Bytes of the frame seen when it was given up, which may not be all of it.
        seen: usize,
    },
    /// The data of a frame is not UTF-8.
    #[error(
        "the SSE frame at byte {offset} is not UTF-8: its data is malformed at data byte \
         {data_offset}"
    )]
    #[non_exhaustive]
    InvalidUtf8 {
        /// Position of the frame in the stream, in bytes from 0.
        offset: u64,
        /// Position of the first bad byte in the data of the frame, in bytes from 0.
        data_offset: usize,
    },
}

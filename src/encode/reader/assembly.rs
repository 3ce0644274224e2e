//! Frames out of lines: what is kept, what counts, and what is skipped.

use std::str;

use super::buffer::FrameBuffer;
use super::field::{BYTE_ORDER_MARK, Field};
use super::lines::{LineCutter, Piece};
use crate::encode::frame::{SseError, SseFrame};

/// The frame being read.
#[derive(Debug)]
pub(super) struct Assembly {
    limit: usize,
    pub(super) lines: LineCutter,
    pub(super) buffer: FrameBuffer,
    event: String,
    id: String,
    /// The line being read, line end left out.
    line: Extent,
    /// The finished lines of the frame that mean something.
    kept: Extent,
    /// Whether the frame was given up.
    skipping: bool,
}

#[derive(Debug, Default)]
struct Extent {
    offset: u64,
    length: usize,
}

impl Extent {
    fn grow(&mut self, offset: u64, length: usize) {
        if self.length == 0 {
            self.offset = offset;
        }
        self.length = self.length.saturating_add(length);
    }
}

/// How far a call of [`Assembly::read`] got.
pub(super) enum Step<'input> {
    /// All input is taken.
    NeedsMore,
    /// A frame is complete; its data is in the buffer unless it is borrowed from the input.
    Frame { borrowed: Option<&'input [u8]> },
}

impl Assembly {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            lines: LineCutter::default(),
            buffer: FrameBuffer::new(limit),
            event: String::new(),
            id: String::new(),
            line: Extent::default(),
            kept: Extent::default(),
            skipping: false,
        }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    pub(super) fn has_data(&self) -> bool {
        self.buffer.has_data()
    }

    /// Reads to the end of a frame that has data, or of `bytes`.
    pub(super) fn read<'input>(
        &mut self,
        bytes: &mut &'input [u8],
    ) -> Result<Step<'input>, SseError> {
        // Data stays in the input as long as the frame is one line of it.
        let mut borrowed = None;
        while !bytes.is_empty() {
            let piece = self.lines.take(bytes);
            self.line.grow(piece.offset, piece.text.len());
            if self.skipping {
                self.skip(&piece);
            } else if self.size() > self.limit {
                return Err(self.give_up(&piece));
            } else if !piece.ended {
                self.buffer.push_data(borrowed.take());
                self.buffer.extend_line(piece.text);
            } else if self.end_line(piece.text, &mut borrowed) {
                if borrowed.is_some() || self.has_data() {
                    return Ok(Step::Frame { borrowed });
                }
                self.drop_frame();
            }
        }
        self.buffer.push_data(borrowed);
        Ok(Step::NeedsMore)
    }

    /// Ends the line that the stream ended in; `false` if it ended after a line end.
    pub(super) fn end_last_line(&mut self) -> bool {
        let only_mark = self.line.offset == 0 && self.buffer.line() == BYTE_ORDER_MARK;
        if self.line.length == 0 || only_mark {
            return false;
        }
        if !self.skipping {
            self.end_line(&[], &mut None);
        }
        true
    }

    /// The frame of a [`Step::Frame`].
    pub(super) fn frame<'a>(
        &'a self,
        borrowed: Option<&'a [u8]>,
    ) -> Result<SseFrame<'a>, SseError> {
        let offset = self.kept.offset;
        let data = borrowed.unwrap_or_else(|| self.buffer.data());
        let data = str::from_utf8(data)
            .map_err(|error| SseError::InvalidUtf8 { offset, data_offset: error.valid_up_to() })?;
        Ok(SseFrame { data, event: &self.event, id: &self.id, offset })
    }

    /// Forgets the frame, but not the line being read.
    pub(super) fn drop_frame(&mut self) {
        self.buffer.clear();
        self.event.clear();
        self.kept = Extent::default();
    }

    fn size(&self) -> usize {
        self.kept.length.saturating_add(self.line.length)
    }

    fn give_up(&mut self, piece: &Piece<'_>) -> SseError {
        let start = if self.kept.length == 0 { &self.line } else { &self.kept };
        let error =
            SseError::FrameTooLarge { offset: start.offset, limit: self.limit, seen: self.size() };
        self.drop_frame();
        self.skipping = true;
        if piece.ended {
            self.line = Extent::default();
        }
        error
    }

    fn skip(&mut self, piece: &Piece<'_>) {
        if piece.ended {
            self.skipping = self.line.length > 0;
            self.line = Extent::default();
        }
    }

    /// Takes in a line whose last part is `rest`, and says whether it is blank.
    fn end_line<'input>(
        &mut self,
        rest: &'input [u8],
        borrowed: &mut Option<&'input [u8]>,
    ) -> bool {
        let buffered = self.buffer.has_line();
        if buffered {
            self.buffer.extend_line(rest);
        }
        let line = if buffered { self.buffer.line() } else { rest };
        let field = Field::of(line, self.line.offset == 0);
        match field {
            Field::Data(value) if buffered => self.buffer.line_into_data(value),
            Field::Data(value) => self.take_data(&rest[value..], borrowed),
            Field::Event(value) => set(&mut self.event, &line[value..]),
            Field::Id(value) if !line[value..].contains(&0) => set(&mut self.id, &line[value..]),
            Field::Id(_) | Field::Ignored | Field::Blank => {}
        }
        self.buffer.drop_line();
        let line = std::mem::take(&mut self.line);
        if matches!(field, Field::Data(_) | Field::Event(_) | Field::Id(_)) {
            self.kept.grow(line.offset, line.length);
        }
        field == Field::Blank
    }

    fn take_data<'input>(&mut self, value: &'input [u8], borrowed: &mut Option<&'input [u8]>) {
        if borrowed.is_none() && !self.has_data() {
            *borrowed = Some(value);
        } else {
            self.buffer.push_data(borrowed.take());
            self.buffer.push_data(Some(value));
        }
    }
}

fn set(field: &mut String, value: &[u8]) {
    if let Ok(text) = str::from_utf8(value) {
        field.clear();
        field.push_str(text);
    }
}

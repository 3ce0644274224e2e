//! What is opened and has to be closed.

use super::error::Result;
use super::sink::Sink;
use crate::Event;

/// An open block of the stream. Dropping it closes it.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) sink: &'a Sink,
    end: Option<Box<Event>>,
}

impl<'a> Block<'a> {
    /// Opens it. When that fails there is nothing to close.
    pub(super) fn open(sink: &'a Sink, start: Event, end: Event) -> Result<Self> {
        sink.emit(start)?;
        Ok(Self { sink, end: Some(Box::new(end)) })
    }

    pub(super) fn is_open(&self) -> bool {
        self.end.is_some()
    }

    /// Closes it unless it is closed. Fails when the run was cancelled, or the stream has a gap;
    /// it is closed all the same.
    pub(super) fn close(&mut self) -> Result<()> {
        if let Some(end) = self.end.take() {
            self.sink.close(*end);
        }
        self.sink.check()
    }
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        // Whatever is wrong comes back with the next emit, and at the end of the run.
        let _ = self.close();
    }
}

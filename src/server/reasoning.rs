//! Reasoning.

use super::agent::AgentState;
use super::error::Result;
use super::sink::Sink;
use super::state::{SharedState, state_access};
use crate::{Event, MessageId, ReasoningEncryptedValueSubtype};

/// An open span of reasoning with one open message in it. Dropping it closes both.
#[must_use = "reasoning is closed as soon as its handle is dropped"]
pub struct ReasoningHandle<'a, S> {
    sink: &'a Sink,
    state: &'a mut SharedState<S>,
    id: MessageId,
    open: bool,
}

impl<'a, S: AgentState> ReasoningHandle<'a, S> {
    pub(super) fn open(
        sink: &'a Sink,
        state: &'a mut SharedState<S>,
        id: MessageId,
    ) -> Result<Self> {
        sink.emit(Event::reasoning_start(&id))?;
        if let Err(error) = sink.emit(Event::reasoning_message_start(&id)) {
            sink.close(Event::reasoning_end(&id));
            return Err(error);
        }
        Ok(Self { sink, state, id, open: true })
    }

    /// Id of the span and of its message.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }

    /// Adds text. Empty text emits nothing.
    ///
    /// # Errors
    /// When the run was cancelled or too much waits to be read.
    pub fn delta(&mut self, text: impl AsRef<str>) -> Result<()> {
        match text.as_ref() {
            "" => self.sink.check_cancelled(),
            text => self.sink.emit(Event::reasoning_message_content(&self.id, text)),
        }
    }

    /// Attaches a value that only its issuer can read.
    ///
    /// # Errors
    /// As [`Self::delta`].
    pub fn encrypted_value(&mut self, value: impl Into<String>) -> Result<()> {
        self.sink.emit(Event::reasoning_encrypted_value(
            ReasoningEncryptedValueSubtype::Message,
            self.id.as_str(),
            value,
        ))
    }

    /// Closes message and span and returns their id.
    ///
    /// # Errors
    /// When the run was cancelled. Both are closed all the same.
    pub fn end(mut self) -> Result<MessageId> {
        self.close();
        self.sink.check_cancelled()?;
        Ok(self.id.clone())
    }

    state_access!();
}

impl<S> ReasoningHandle<'_, S> {
    fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            self.sink.close(Event::reasoning_message_end(&self.id));
            self.sink.close(Event::reasoning_end(&self.id));
        }
    }
}

impl<S> Drop for ReasoningHandle<'_, S> {
    fn drop(&mut self) {
        self.close();
    }
}

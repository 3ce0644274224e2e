//! Text messages.

use super::agent::AgentState;
use super::error::Result;
use super::sink::Sink;
use super::state::{SharedState, state_access};
use crate::{Event, MessageId, TextMessageStartEvent};

/// An open text message. Dropping it closes it.
///
/// ```
/// # use ag_ui::{RunAgentInput, server::{Result, RunContext}};
/// fn greet(context: &mut RunContext<()>) -> Result<()> {
///     let mut message = context.assistant_message()?;
///     for word in ["Good ", "morning"] {
///         message.delta(word)?;
///     }
///     message.end()?;
///     Ok(())
/// }
/// # let (mut context, events) = RunContext::new(RunAgentInput::new("t", "r", vec![]))?;
/// # greet(&mut context)?;
/// # assert_eq!(events.drain().len(), 4);
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
#[must_use = "a message is closed as soon as its handle is dropped"]
pub struct MessageHandle<'a, S> {
    sink: &'a Sink,
    state: &'a mut SharedState<S>,
    id: MessageId,
    open: bool,
}

impl<'a, S: AgentState> MessageHandle<'a, S> {
    pub(super) fn open(
        sink: &'a Sink,
        state: &'a mut SharedState<S>,
        start: TextMessageStartEvent,
    ) -> Result<Self> {
        let id = start.message_id.clone();
        sink.emit(start)?;
        Ok(Self { sink, state, id, open: true })
    }

    /// Its id.
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
            text => self.sink.emit(Event::text_message_content(&self.id, text)),
        }
    }

    /// Closes it and returns its id.
    ///
    /// # Errors
    /// When the run was cancelled. It is closed all the same.
    pub fn end(mut self) -> Result<MessageId> {
        self.close();
        self.sink.check_cancelled()?;
        Ok(self.id.clone())
    }

    state_access!();
}

impl<S> MessageHandle<'_, S> {
    fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            self.sink.close(Event::text_message_end(&self.id));
        }
    }
}

impl<S> Drop for MessageHandle<'_, S> {
    fn drop(&mut self) {
        self.close();
    }
}

//! Reasoning.

use super::agent::AgentState;
use super::block::Block;
use super::error::Result;
use super::open_handle::open_handle;
use super::sink::Sink;
use super::state::SharedState;
use crate::{Event, MessageId, ReasoningEncryptedValueSubtype};

/// An open span of reasoning with one open message in it. Dropping it closes both.
///
/// ```
/// # use ag_ui::{RunAgentInput, server::{Result, RunContext}};
/// fn ponder(context: &mut RunContext<()>) -> Result<()> {
///     let mut reasoning = context.reasoning()?;
///     reasoning.delta("Tea needs hot water.")?;
///     reasoning.encrypted_value("opaque-1")?;
///     reasoning.end()?;
///     Ok(())
/// }
/// # let (mut context, events) = RunContext::new(RunAgentInput::new("t", "r", vec![]))?;
/// # ponder(&mut context)?;
/// # assert_eq!(events.drain().len(), 6);
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "reasoning is closed as soon as its handle is dropped"]
pub struct ReasoningHandle<'a, S> {
    // In the order in which they are closed.
    message: Block<'a>,
    span: Block<'a>,
    sink: &'a Sink,
    state: &'a mut SharedState<S>,
    id: MessageId,
}

impl<'a, S: AgentState> ReasoningHandle<'a, S> {
    pub(super) fn open(
        sink: &'a Sink,
        state: &'a mut SharedState<S>,
        id: MessageId,
    ) -> Result<Self> {
        let span = Block::open(sink, Event::reasoning_start(&id), Event::reasoning_end(&id))?;
        let (start, end) = (Event::reasoning_message_start(&id), Event::reasoning_message_end(&id));
        let message = Block::open(sink, start, end)?;
        Ok(Self { message, span, sink, state, id })
    }

    /// Id of the span and of its message.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }

    /// Adds text. Empty text emits nothing.
    ///
    /// # Errors
    /// As with all emitters, see [`RunContext`](super::RunContext#errors).
    pub fn delta(&mut self, text: impl AsRef<str>) -> Result<()> {
        match text.as_ref() {
            "" => self.sink.check(),
            text => self.sink.emit(Event::reasoning_message_content(&self.id, text)),
        }
    }

    /// Attaches a value that only its issuer can read.
    ///
    /// # Errors
    /// As with all emitters.
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
    /// As with all emitters. Both are closed all the same.
    pub fn end(mut self) -> Result<MessageId> {
        let closed = self.message.close();
        self.span.close().and(closed)?;
        Ok(self.id)
    }

    open_handle!();
}

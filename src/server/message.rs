//! Text messages.

use super::agent::AgentState;
use super::block::Block;
use super::error::Result;
use super::open_handle::open_handle;
use super::sink::Sink;
use super::state::SharedState;
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
#[derive(Debug)]
#[must_use = "a message is closed as soon as its handle is dropped"]
pub struct MessageHandle<'a, S> {
    block: Block<'a>,
    sink: &'a Sink,
    state: &'a mut SharedState<S>,
    id: MessageId,
}

impl<'a, S: AgentState> MessageHandle<'a, S> {
    pub(super) fn open(
        sink: &'a Sink,
        state: &'a mut SharedState<S>,
        start: TextMessageStartEvent,
    ) -> Result<Self> {
        let id = start.message_id.clone();
        let block = Block::open(sink, start.into(), Event::text_message_end(&id))?;
        Ok(Self { block, sink, state, id })
    }

    /// Its id.
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
            text => self.sink.emit(Event::text_message_content(&self.id, text)),
        }
    }

    /// Closes it and returns its id.
    ///
    /// # Errors
    /// As with all emitters. It is closed all the same.
    pub fn end(mut self) -> Result<MessageId> {
        self.block.close()?;
        Ok(self.id)
    }

    open_handle!();
}

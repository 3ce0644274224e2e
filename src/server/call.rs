//! One tool call, as a handle or under a key.

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::block::Block;
use super::error::{Error, Result};
use super::sink::Sink;
use crate::{Event, MessageContent, MessageId, ToolCallId, ToolCallStartEvent};

/// A tool call that was started. Dropping it ends its arguments.
#[derive(Debug)]
pub(super) struct Call<'a> {
    block: Block<'a>,
    pub(super) id: ToolCallId,
    pub(super) result_message_id: MessageId,
    arguments: String,
}

impl<'a> Call<'a> {
    pub(super) fn start(sink: &'a Sink, start: ToolCallStartEvent) -> Result<Self> {
        let id = start.tool_call_id.clone();
        let block = Block::open(sink, start.into(), Event::tool_call_end(&id))?;
        let result_message_id = sink.next_message_id();
        Ok(Self { block, id, result_message_id, arguments: String::new() })
    }

    pub(super) fn args(&mut self, fragment: &str) -> Result<()> {
        if !self.block.is_open() {
            return Err(Error::ArgumentsEnded { id: self.id.clone() });
        }
        if fragment.is_empty() {
            return self.block.sink.check();
        }
        self.block.sink.emit(Event::tool_call_args(&self.id, fragment))?;
        self.arguments.push_str(fragment);
        Ok(())
    }

    pub(super) fn args_json(&mut self, arguments: &(impl Serialize + ?Sized)) -> Result<()> {
        self.args(&serde_json::to_string(arguments)?)
    }

    pub(super) fn raw_args(&self) -> &str {
        &self.arguments
    }

    pub(super) fn parse_args<T: DeserializeOwned>(&self) -> Result<T> {
        Ok(serde_json::from_str(&self.arguments)?)
    }

    pub(super) fn end_args(&mut self) -> Result<()> {
        self.block.close()
    }

    pub(super) fn result(mut self, content: MessageContent) -> Result<MessageId> {
        self.block.close()?;
        let Self { id, result_message_id, .. } = &self;
        self.block.sink.emit(Event::tool_call_result(result_message_id, id, content))?;
        Ok(self.result_message_id)
    }
}

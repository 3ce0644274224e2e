//! The queue between what an agent emits and whoever reads the stream.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::error::Error;
use crate::wire::write::length;
use crate::{Event, JsonPatchOperation, MessageContent};

/// How much an agent may emit before anybody reads it.
///
/// The agent is polled only while the queue is empty, so a slow reader slows it down at its next
/// `await`. The limit stops an agent that emits on and on without awaiting anything: its next emit
/// fails with [`Error::Overflow`], and the run ends as `RUN_ERROR`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct QueueLimits {
    /// Events that may wait, 65,536 by default.
    pub events: usize,
    /// Their approximate size in bytes, 64 MiB by default.
    pub bytes: usize,
}

impl Default for QueueLimits {
    fn default() -> Self {
        Self { events: 65_536, bytes: 64 * 1024 * 1024 }
    }
}

impl QueueLimits {
    /// These limits with another number of events.
    #[must_use]
    pub fn with_events(mut self, events: usize) -> Self {
        self.events = events;
        self
    }

    /// These limits with another size in bytes.
    #[must_use]
    pub fn with_bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }
}

/// What waited when an event found no place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Full {
    events: usize,
    bytes: usize,
}

impl From<Full> for Error {
    fn from(Full { events, bytes }: Full) -> Self {
        Self::Overflow { events, bytes }
    }
}

#[derive(Debug)]
pub(super) struct Queue {
    events: VecDeque<(usize, Event)>,
    bytes: usize,
    limits: QueueLimits,
}

impl Queue {
    pub(super) fn new(limits: QueueLimits) -> Self {
        Self { events: VecDeque::new(), bytes: 0, limits }
    }

    pub(super) fn check_room(&self, weight: usize) -> Result<(), Full> {
        if self.events.len() >= self.limits.events || self.bytes + weight > self.limits.bytes {
            return Err(Full { events: self.events.len(), bytes: self.bytes });
        }
        Ok(())
    }

    pub(super) fn push(&mut self, weight: usize, event: Event) {
        self.bytes += weight;
        self.events.push_back((weight, event));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub(super) fn pop(&mut self) -> Option<Event> {
        let (weight, event) = self.events.pop_front()?;
        self.bytes -= weight;
        Some(event)
    }
}

/// About how much memory an event holds.
pub(super) fn weight(event: &Event) -> usize {
    let held = match event {
        Event::TextMessageContent(event) => event.delta.len(),
        Event::ToolCallArgs(event) => event.delta.len(),
        Event::ReasoningMessageContent(event) => event.delta.len(),
        Event::TextMessageChunk(event) => event.delta.as_ref().map_or(0, String::len),
        Event::ToolCallChunk(event) => event.delta.as_ref().map_or(0, String::len),
        Event::ReasoningMessageChunk(event) => event.delta.as_ref().map_or(0, String::len),
        Event::ToolCallResult(event) => content_weight(&event.content),
        Event::StateSnapshot(event) => value_weight(&event.snapshot),
        Event::StateDelta(event) => patch_weight(&event.delta),
        Event::MessagesSnapshot(event) => length(&event.messages),
        Event::ActivitySnapshot(event) => map_weight(&event.content),
        Event::ActivityDelta(event) => patch_weight(&event.patch),
        Event::Raw(event) => value_weight(&event.event),
        Event::Custom(event) => value_weight(&event.value),
        // Ids and names, which nothing keeps from being long.
        other => return size_of::<Event>() + length(other),
    };
    let metadata = event.metadata().map_or(0, map_weight);
    let raw_event = event.raw_event().map_or(0, value_weight);
    size_of::<Event>() + held + metadata + raw_event
}

fn patch_weight(patch: &[JsonPatchOperation]) -> usize {
    let held = |operation: &JsonPatchOperation| match operation {
        JsonPatchOperation::Add(operation) => value_weight(&operation.value),
        JsonPatchOperation::Replace(operation) => value_weight(&operation.value),
        other => length(other),
    };
    patch.iter().map(|operation| size_of::<JsonPatchOperation>() + held(operation)).sum()
}

fn content_weight(content: &MessageContent) -> usize {
    match content {
        MessageContent::Text(text) => text.len(),
        parts @ MessageContent::Parts(_) => length(parts),
    }
}

fn value_weight(value: &Value) -> usize {
    let held = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(value_weight).sum(),
        Value::Object(map) => map_weight(map),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    size_of::<Value>() + held
}

fn map_weight(map: &Map<String, Value>) -> usize {
    map.iter().map(|(key, value)| key.len() + value_weight(value)).sum()
}

//! Where emitted events go, and what the driver has to know about them.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::cancellation::CancellationToken;
use super::error::{Error, Result};
use super::queue::{Full, Queue, QueueLimits};
use super::usage;
use crate::{Event, MessageId, RunId, TokenUsage, ToolCallId};

/// What the agent's side and the reader's side of a run share. Clones are one sink.
#[derive(Debug, Clone)]
pub(super) struct Sink {
    shared: Arc<Mutex<Shared>>,
    pub(super) token: CancellationToken,
}

#[derive(Debug)]
struct Shared {
    queue: Queue,
    /// Why an event was refused: the stream has a gap there.
    refusal: Option<Refusal>,
    run_id: RunId,
    messages: u64,
    calls: u64,
    reasonings: u64,
    /// Calls that were started and not answered, in the order they were started.
    pending: Vec<ToolCallId>,
    usage: Vec<TokenUsage>,
    result: Option<Value>,
}

/// What the terminal event says beside the outcome.
pub(super) struct Closing {
    pub(super) pending: Vec<ToolCallId>,
    pub(super) usage: Option<Vec<TokenUsage>>,
    pub(super) result: Option<Value>,
}

impl Sink {
    pub(super) fn new(run_id: RunId, limits: QueueLimits, token: CancellationToken) -> Self {
        let shared = Shared {
            queue: Queue::new(limits),
            refusal: None,
            run_id,
            messages: 0,
            calls: 0,
            reasonings: 0,
            pending: Vec::new(),
            usage: Vec::new(),
            result: None,
        };
        Self { shared: Arc::new(Mutex::new(shared)), token }
    }

    fn with<T>(&self, action: impl FnOnce(&mut Shared) -> T) -> T {
        // The lock guards plain data that no panic leaves half changed.
        action(&mut self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Emits an event, unless one before it was refused: nothing comes after a gap.
    pub(super) fn emit(&self, event: impl Into<Event>) -> Result<()> {
        let event = event.into();
        if let Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_) = event {
            return Err(Error::RunEvent { event_type: event.event_type() });
        }
        let cancelled = self.token.is_cancelled();
        self.with(|shared| {
            if cancelled {
                shared.refusal.get_or_insert(Refusal::Cancelled);
            }
            shared.check_whole()?;
            shared.push(event)
        })
    }

    /// Fails when the stream has a gap, which the agent may have overlooked.
    pub(super) fn check_whole(&self) -> Result<()> {
        self.with(|shared| shared.check_whole())
    }

    /// Emits what closes a block or the run: also after cancellation, also into a full queue.
    pub(super) fn close(&self, event: impl Into<Event>) {
        self.with(|shared| shared.queue.push_closing(event.into()));
    }

    pub(super) fn check_cancelled(&self) -> Result<()> {
        if self.token.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    pub(super) fn pop(&self) -> Option<Event> {
        self.with(|shared| shared.queue.pop())
    }

    pub(super) fn next_message_id(&self) -> MessageId {
        self.with(|shared| {
            shared.messages += 1;
            format!("{}-msg-{}", shared.run_id, shared.messages).into()
        })
    }

    pub(super) fn next_call_id(&self) -> ToolCallId {
        self.with(|shared| {
            shared.calls += 1;
            format!("{}-call-{}", shared.run_id, shared.calls).into()
        })
    }

    pub(super) fn next_reasoning_id(&self) -> MessageId {
        self.with(|shared| {
            shared.reasonings += 1;
            format!("{}-reasoning-{}", shared.run_id, shared.reasonings).into()
        })
    }

    pub(super) fn add_usage(&self, usage: TokenUsage) {
        self.with(|shared| usage::add(&mut shared.usage, usage));
    }

    pub(super) fn set_result(&self, result: Value) {
        self.with(|shared| shared.result = Some(result));
    }

    pub(super) fn take_closing(&self) -> Closing {
        self.with(|shared| Closing {
            pending: std::mem::take(&mut shared.pending),
            usage: Some(std::mem::take(&mut shared.usage)).filter(|usage| !usage.is_empty()),
            result: shared.result.take(),
        })
    }
}

impl Shared {
    fn check_whole(&self) -> Result<()> {
        self.refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
    }

    fn push(&mut self, event: Event) -> Result<()> {
        let tally = Tally::of(&event);
        self.queue.push(event).map_err(|full| *self.refusal.insert(Refusal::Full(full)))?;
        tally.apply(&mut self.pending);
        Ok(())
    }
}

#[derive(Debug, Clone, Copy)]
enum Refusal {
    Cancelled,
    Full(Full),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Cancelled => Self::Cancelled,
            Refusal::Full(full) => full.into(),
        }
    }
}

/// What an event means for the calls that wait for an answer.
enum Tally {
    Nothing,
    Started(ToolCallId),
    Answered(ToolCallId),
}

impl Tally {
    fn of(event: &Event) -> Self {
        match event {
            Event::ToolCallStart(event) => Self::Started(event.tool_call_id.clone()),
            Event::ToolCallChunk(event) => {
                event.tool_call_id.clone().map_or(Self::Nothing, Self::Started)
            }
            Event::ToolCallResult(event) => Self::Answered(event.tool_call_id.clone()),
            _ => Self::Nothing,
        }
    }

    fn apply(self, pending: &mut Vec<ToolCallId>) {
        match self {
            Self::Nothing => {}
            Self::Started(id) if pending.contains(&id) => {}
            Self::Started(id) => pending.push(id),
            Self::Answered(id) => pending.retain(|pending| *pending != id),
        }
    }
}

//! Where emitted events go: through the transformers and the verifier into the queue.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;

use serde_json::Value;

use super::chain::{Chain, PutOut};
use super::error::{Error, Result};
use super::order::Order;
use super::queue::{Full, Queue, QueueLimits, weight};
use super::terminal::Closing;
use crate::cancellation::CancellationToken;
use crate::{Event, EventType, MessageId, RunId, SubagentRunId, TokenUsage, ToolCallId};

/// What the agent's side and the reader's side of a run share. Clones are one sink.
#[derive(Debug, Clone)]
pub(super) struct Sink {
    shared: Arc<Mutex<Shared>>,
    pub(super) token: CancellationToken,
    /// The subagent that speaks through this clone.
    pub(super) owner: Option<SubagentRunId>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) chain: Chain,
    pub(super) order: Order,
    queue: Queue,
    /// Why an event was refused: the stream has a gap there, and nothing comes after a gap.
    pub(super) refusal: Option<Refusal>,
    /// Wakes the reader that waits for an event from outside of the agent's future.
    reader: Option<Waker>,
    /// Wake who waits for the reader.
    writers: Vec<Waker>,
    run_id: RunId,
    counters: Counters,
    /// Calls that were started and not answered, with their place in that order.
    pending: BTreeMap<ToolCallId, u64>,
    started_calls: u64,
    usage: Vec<TokenUsage>,
    result: Option<Value>,
}

#[derive(Debug, Default)]
struct Counters {
    messages: u64,
    calls: u64,
    reasonings: u64,
    subagents: u64,
    activities: u64,
}

/// How an event gets into the queue.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    /// While there is room.
    Bounded,
    /// Always: it closes a block or the run, is small, and without it the stream is malformed.
    Closing,
}

impl Sink {
    pub(super) fn new(
        run_id: RunId,
        limits: QueueLimits,
        token: CancellationToken,
        chain: Chain,
    ) -> Self {
        let shared = Shared {
            chain,
            order: Order::new(),
            queue: Queue::new(limits),
            refusal: None,
            reader: None,
            writers: Vec::new(),
            run_id,
            counters: Counters::default(),
            pending: BTreeMap::new(),
            started_calls: 0,
            usage: Vec::new(),
            result: None,
        };
        Self { shared: Arc::new(Mutex::new(shared)), token, owner: None }
    }

    pub(super) fn with<T>(&self, action: impl FnOnce(&mut Shared) -> T) -> T {
        // The lock guards data that no panic leaves half changed: transformers are contained.
        action(&mut self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Emits an event, unless one before it was refused.
    pub(super) fn emit(&self, event: impl Into<Event>) -> Result<()> {
        let mut event = event.into();
        if is_run_event(&event) {
            return Err(Error::RunEvent { event_type: event.event_type() });
        }
        self.attribute(&mut event);
        let cancelled = self.token.is_cancelled();
        let reader = self.with(|shared| {
            if cancelled {
                shared.refusal.get_or_insert(Refusal::Cancelled);
            }
            shared.check()?;
            shared.accept(event, Entry::Bounded)?;
            Ok::<_, Error>(shared.reader.take())
        })?;
        wake(reader);
        Ok(())
    }

    /// Emits what closes a block: also after cancellation, also into a full queue.
    pub(super) fn close(&self, event: impl Into<Event>) {
        let mut event = event.into();
        self.attribute(&mut event);
        let reader = self.with(|shared| {
            // A closer that is refused is reported by whatever comes next, the driver at the last.
            let _ = shared.accept(event, Entry::Closing);
            shared.reader.take()
        });
        wake(reader);
    }

    /// An event is its subagent's unless it says whose it is.
    fn attribute(&self, event: &mut Event) {
        if let Some(owner) = &self.owner
            && event.subagent_run_id().is_none()
        {
            event.set_subagent_run_id(owner.clone());
        }
    }

    /// Fails when the run was cancelled, or when the stream has a gap.
    pub(super) fn check(&self) -> Result<()> {
        self.check_cancelled()?;
        self.check_whole()
    }

    /// Fails when the stream has a gap, which the agent may have overlooked.
    pub(super) fn check_whole(&self) -> Result<()> {
        self.with(|shared| shared.check())
    }

    pub(super) fn check_cancelled(&self) -> Result<()> {
        if self.token.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    pub(super) fn pop(&self) -> Option<Event> {
        self.take(None)
    }

    /// The next event; if there is none, the waker is woken when one is emitted.
    pub(super) fn pop_or_wake(&self, waker: &Waker) -> Option<Event> {
        self.take(Some(waker))
    }

    fn take(&self, waker: Option<&Waker>) -> Option<Event> {
        let (event, writers) = self.with(|shared| {
            let event = shared.queue.pop();
            shared.reader = waker.filter(|_| event.is_none()).cloned();
            let drained = event.is_some() && shared.queue.is_empty();
            (event, drained.then(|| std::mem::take(&mut shared.writers)))
        });
        writers.into_iter().flatten().for_each(Waker::wake);
        event
    }

    /// Whether the reader has taken everything; if not, the waker is woken when it has.
    pub(super) fn is_drained_or_wakes(&self, waker: &Waker) -> bool {
        self.with(|shared| {
            let drained = shared.queue.is_empty();
            if !drained && !shared.writers.iter().any(|known| known.will_wake(waker)) {
                shared.writers.push(waker.clone());
            }
            drained
        })
    }

    pub(super) fn next_message_id(&self) -> MessageId {
        self.next_id("msg", |counters| &mut counters.messages).into()
    }

    pub(super) fn next_call_id(&self) -> ToolCallId {
        self.next_id("call", |counters| &mut counters.calls).into()
    }

    pub(super) fn next_reasoning_id(&self) -> MessageId {
        self.next_id("reasoning", |counters| &mut counters.reasonings).into()
    }

    pub(super) fn next_subagent_id(&self) -> SubagentRunId {
        self.next_id("sub", |counters| &mut counters.subagents).into()
    }

    pub(super) fn next_activity_id(&self) -> MessageId {
        self.next_id("activity", |counters| &mut counters.activities).into()
    }

    fn next_id(&self, kind: &str, counter: fn(&mut Counters) -> &mut u64) -> String {
        self.with(|shared| {
            let counter = counter(&mut shared.counters);
            *counter += 1;
            format!("{}-{kind}-{counter}", shared.run_id)
        })
    }

    pub(super) fn add_usage(&self, usage: TokenUsage) {
        self.with(|shared| crate::usage::add(&mut shared.usage, usage));
    }

    pub(super) fn set_result(&self, result: Value) {
        self.with(|shared| shared.result = Some(result));
    }
}

fn wake(reader: Option<Waker>) {
    // Outside the lock: a waker may run what it wakes.
    if let Some(reader) = reader {
        reader.wake();
    }
}

pub(super) fn is_run_event(event: &Event) -> bool {
    matches!(event, Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_))
}

impl Shared {
    fn check(&self) -> Result<()> {
        self.refusal.as_ref().map_or(Ok(()), |refusal| Err(refusal.clone().into()))
    }

    /// Takes an event of the agent's through the transformers.
    pub(super) fn accept(&mut self, event: Event, entry: Entry) -> Result<()> {
        if let Some(refusal @ Refusal::Ended) = &self.refusal {
            return Err(refusal.clone().into());
        }
        if self.chain.is_empty() {
            return self.refuse_on_error(|shared| shared.enqueue(event, entry));
        }
        let put_out = self.chain.transform(event);
        self.accept_put_out(put_out, entry)
    }

    /// Takes what transformers made of an event that neither opens nor ends the run.
    pub(super) fn accept_put_out(&mut self, put_out: PutOut, entry: Entry) -> Result<()> {
        self.refuse_on_error(|shared| {
            for event in put_out.events {
                if is_run_event(&event) {
                    return Err(Refusal::RunEvent(event.event_type()));
                }
                shared.enqueue(event, entry)?;
            }
            put_out.failure
        })
    }

    /// Remembers the first reason for a gap.
    pub(super) fn refuse_on_error(
        &mut self,
        action: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<()> {
        action(self).map_err(|refusal| {
            self.refusal.get_or_insert_with(|| refusal.clone());
            refusal.into()
        })
    }

    pub(super) fn enqueue(&mut self, event: Event, entry: Entry) -> Result<(), Refusal> {
        let weight = weight(&event);
        if matches!(entry, Entry::Bounded) {
            self.queue.check_room(weight)?;
        }
        self.order.check(&event)?;
        self.tally(&event);
        self.queue.push(weight, event);
        Ok(())
    }

    /// For the one event that has to come whatever was wrong before it.
    pub(super) fn enqueue_unverified(&mut self, event: Event) {
        self.queue.push(weight(&event), event);
    }

    /// Keeps the calls that wait for an answer.
    fn tally(&mut self, event: &Event) {
        let started = match event {
            Event::ToolCallStart(event) => Some(&event.tool_call_id),
            Event::ToolCallChunk(event) => event.tool_call_id.as_ref(),
            Event::ToolCallResult(event) => {
                self.pending.remove(&event.tool_call_id);
                None
            }
            _ => None,
        };
        if let Some(id) = started
            && !self.pending.contains_key(id)
        {
            self.pending.insert(id.clone(), self.started_calls);
            self.started_calls += 1;
        }
    }

    pub(super) fn take_closing(&mut self) -> Closing {
        let mut pending: Vec<_> = std::mem::take(&mut self.pending).into_iter().collect();
        pending.sort_unstable_by_key(|(_, place)| *place);
        Closing {
            pending: pending.into_iter().map(|(id, _)| id).collect(),
            usage: Some(std::mem::take(&mut self.usage)).filter(|usage| !usage.is_empty()),
            result: self.result.take(),
        }
    }
}

/// Why an event was refused. Every emit after it gives the same answer.
#[derive(Debug, Clone)]
pub(super) enum Refusal {
    Cancelled,
    Ended,
    Full(Full),
    RunEvent(EventType),
    #[cfg(feature = "verify")]
    Order(crate::verify::Violation),
    Transformer(Arc<dyn std::error::Error + Send + Sync>),
    TransformerPanic(EventType),
    TransformedRunEvent {
        event_type: EventType,
        passed: usize,
        place: &'static str,
    },
}

impl Refusal {
    /// Whether transformers are to blame: what they should have seen passed them by.
    pub(super) fn is_of_chain(&self) -> bool {
        matches!(
            self,
            Self::Transformer(_) | Self::TransformerPanic(_) | Self::TransformedRunEvent { .. }
        )
    }
}

impl From<Full> for Refusal {
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Cancelled => Self::Cancelled,
            Refusal::Ended => Self::Ended,
            Refusal::Full(full) => full.into(),
            Refusal::RunEvent(event_type) => Self::RunEvent { event_type },
            #[cfg(feature = "verify")]
            Refusal::Order(violation) => Self::Order(violation),
            Refusal::Transformer(error) => Self::Transformer(error),
            Refusal::TransformerPanic(event_type) => Self::TransformerPanic { event_type },
            Refusal::TransformedRunEvent { event_type, passed, place } => {
                Self::TransformedRunEvent { event_type, passed, place }
            }
        }
    }
}

//! The transformers of a run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::sink::Refusal;
use crate::transform::{BoxError, StreamTransformer, finish, transform};
use crate::{Event, EventType};

/// The transformers of a run, in order.
#[derive(Default)]
pub(super) struct Chain(Vec<Box<dyn StreamTransformer>>);

/// What came out of a chain, and why nothing more did.
pub(super) struct PutOut {
    pub(super) events: Vec<Event>,
    pub(super) failure: Result<(), Refusal>,
}

impl Chain {
    pub(super) fn push(&mut self, transformer: Box<dyn StreamTransformer>) {
        self.0.push(transformer);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A panic is contained: handles emit while the agent unwinds, where a second one would abort.
    pub(super) fn transform(&mut self, event: Event) -> PutOut {
        let event_type = event.event_type();
        contained(event_type, |events| transform(&mut self.0, event, events))
    }

    pub(super) fn finish(&mut self, terminal: EventType) -> PutOut {
        contained(terminal, |events| finish(&mut self.0, events))
    }
}

impl std::fmt::Debug for Chain {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Chain({})", self.0.len())
    }
}

fn contained(
    event_type: EventType,
    work: impl FnOnce(&mut Vec<Event>) -> Result<(), BoxError>,
) -> PutOut {
    let mut events = Vec::new();
    let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut events)));
    let failure = match outcome {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(Refusal::Transformer(Arc::from(error))),
        Err(_) => Err(Refusal::TransformerPanic(event_type)),
    };
    PutOut { events, failure }
}

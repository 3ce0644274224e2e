//! The verifier of the produced stream, or nothing in builds without it.

use super::sink::Refusal;
use crate::Event;

/// Holds every event to the rules of the order, before it is queued.
#[derive(Debug)]
pub(super) struct Order;

impl Order {
    pub(super) fn new() -> Self {
        Self
    }

    pub(super) fn check(&mut self, _event: &Event) -> Result<(), Refusal> {
        Ok(())
    }
}

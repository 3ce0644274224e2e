//! The verifier of the produced stream, or nothing in builds without it.

use super::sink::Refusal;
use crate::Event;

/// Holds every event to the rules of the order, before it is queued.
#[derive(Debug)]
pub(super) struct Order {
    #[cfg(feature = "verify")]
    verifier: crate::verify::EventVerifier,
}

impl Order {
    pub(super) fn new() -> Self {
        Self {
            #[cfg(feature = "verify")]
            verifier: crate::verify::EventVerifier::producer(),
        }
    }

    #[cfg(feature = "verify")]
    #[inline]
    pub(super) fn check(&mut self, event: &Event) -> Result<(), Refusal> {
        self.verifier.verify(event).map_err(Refusal::Order)
    }

    #[cfg(not(feature = "verify"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as with the verifier")]
    #[inline]
    pub(super) fn check(&mut self, _event: &Event) -> Result<(), Refusal> {
        Ok(())
    }
}

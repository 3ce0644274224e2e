//! Behaviour of the emitter.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod errors;
#[cfg(feature = "format")]
mod exhaustive;
#[cfg(feature = "format")]
mod snapshot;
mod support;

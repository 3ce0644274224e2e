//! What generated code stands on: one-pass decoding with paths, and direct JSON writing.
//!
//! Nothing here knows a protocol type. Generated code describes objects and unions through the
//! traits of [`read`] and [`write`]; the functions beside them do the work once for all types.

mod buffer;
pub(crate) mod compact;
pub(crate) mod content;
pub(crate) mod excerpt;
pub(crate) mod names;
pub(crate) mod object;
pub(crate) mod read;
mod reading;
pub(crate) mod scalar;
#[cfg(feature = "schemars")]
pub(crate) mod schema;
pub(crate) mod text;
pub(crate) mod write;

pub(crate) use reading::{Mode, Reading, Unrecognised};

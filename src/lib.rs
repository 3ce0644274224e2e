//! The AG-UI protocol: what an agent and the interface of its user say to each other.
//!
//! A run is a stream of events. The types of these events, of messages, inputs and outcomes are
//! generated from the protocol's published schemas, so they say what the current protocol says.
//! Around them stand encoders and decoders, and runtimes behind features.
//!
//! ```
//! use ag_ui::{Event, TextMessageRole, decode, encode};
//!
//! let event = Event::text_message_start("m-1", TextMessageRole::Assistant);
//! let json = encode::to_json(&event);
//! assert_eq!(json, r#"{"type":"TEXT_MESSAGE_START","messageId":"m-1","role":"assistant"}"#);
//! assert_eq!(decode::decode::<Event>(&json)?, event);
//! # Ok::<(), ag_ui::DecodeError>(())
//! ```
//!
//! - [`Event`] has one variant for each event and is exhaustive on purpose: when the protocol
//!   grows, every `match` on it stops compiling until someone decides what the new event means.
//! - [`decode`] reads JSON in one pass, tolerant as a receiver must be, with a report of what was
//!   left out, or strict. `serde::Deserialize` is the tolerant form.
//! - [`encode`] writes JSON and server-sent events into a buffer of the caller, and reads them
//!   from bytes cut anywhere, without a runtime.
//! - `verify` holds a stream to the order of events, and `chunks` turns chunks into what they stand
//!   for; `compact` makes stored streams shorter. They come with the feature `verify`, and with
//!   `server` and `client`.
//! - `server` hosts agents, `client` consumes them, `transform` changes streams on either side.
//! - [`patch`] has JSON Pointers and the JSON Patch operations that state deltas consist of.
//!
//! # Features
//!
//! | feature | brings | default |
//! | --- | --- | --- |
//! | `sse` | reading and writing of server-sent events | yes |
//! | `verify` | the verifier of the order of events; with `server`, every event is verified before it is sent | yes |
//! | `server` | the runtime that hosts agents, for any executor | no |
//! | `axum` | agents as routes of an axum application; implies `server` and `sse`, brings tokio | no |
//! | `client` | the runtime that consumes agents, for any executor | no |
//! | `http` | agents behind HTTP, with rustls; implies `client` and `sse`, brings tokio and reqwest | no |
//! | `http-native-tls` | the same with the TLS of the system | no |
//! | `http-plain` | the same without TLS | no |
//! | `jsonschema` | answers to interrupts are held to the schema of the interrupt; implies `client` | no |
//! | `schemars` | JSON Schemas of the types, and tools whose parameters are described by a type | no |
//!
//! Without features the crate is types and JSON alone. No feature changes what another item means.

#[cfg(any(feature = "server", feature = "client"))]
mod cancellation;
#[cfg(any(feature = "verify", feature = "server", feature = "client"))]
pub mod chunks;
#[cfg(feature = "client")]
pub mod client;
#[cfg(any(feature = "verify", feature = "server", feature = "client"))]
pub mod compact;
pub mod decode;
pub mod encode;
mod error;
mod ids;
#[allow(deprecated, reason = "it reads the retired forms")]
mod legacy;
mod message;
pub mod patch;
mod protocol;
mod run;
#[cfg(any(feature = "server", feature = "client"))]
pub mod transform;
#[cfg(any(feature = "server", feature = "client"))]
mod usage;
#[cfg(any(feature = "verify", feature = "server", feature = "client"))]
pub mod verify;
mod wire;

#[cfg(feature = "axum")]
pub mod axum;
#[cfg(feature = "server")]
pub mod server;

pub use error::{
    Adjustment, AdjustmentKind, DecodeError, DecodeErrorKind, DecodeReport, Error,
    JsonPointerError, OutcomeError, UnknownName,
};
pub use ids::{InterruptId, MessageId, RunId, SubagentRunId, ThreadId, ToolCallId};
pub use patch::JsonPointer;
pub use protocol::*;

/// The code of the README, compiled with the tests.
#[cfg(all(doctest, feature = "axum", feature = "http-plain"))]
#[doc = include_str!("../README.md")]
struct Readme;

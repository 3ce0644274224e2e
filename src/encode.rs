//! The wire: server-sent events in and out, and which media type a client accepts.
//!
//! Nothing here does I/O or needs a runtime. [`SseReader`] turns bytes, cut anywhere, into frames;
//! [`write_frame`] and [`write_comment`] append frames to a buffer that the caller owns and
//! reuses; [`negotiate`] reads an `Accept` header.
//!
//! The server-sent events need the feature `sse`, which is on by default.
//!
//! ```
//! # #[cfg(feature = "sse")] {
//! use ag_ui::encode::{SseReader, write_comment, write_frame};
//!
//! let mut wire = Vec::new();
//! write_comment(&mut wire, "keep-alive")?;
//! write_frame(&mut wire, r#"{"type":"STEP_STARTED","stepName":"plan"}"#)?;
//!
//! let mut reader = SseReader::new();
//! let mut bytes = wire.as_slice();
//! while let Some(frame) = reader.next_frame(&mut bytes)? {
//!     assert_eq!(frame.data(), r#"{"type":"STEP_STARTED","stepName":"plan"}"#);
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accept;
#[cfg(feature = "sse")]
mod frame;
mod json;
#[cfg(feature = "sse")]
mod reader;
#[cfg(feature = "sse")]
mod writer;

pub use accept::{MediaType, NotAcceptable, negotiate};
#[cfg(feature = "sse")]
pub use frame::{SseEnd, SseError, SseFrame};
pub use json::{json_into, to_json};
#[cfg(feature = "sse")]
pub use reader::{DEFAULT_FRAME_LIMIT, SseReader};
#[cfg(feature = "sse")]
pub use writer::{LineBreakError, encode_into, encode_to_string, write_comment, write_frame};

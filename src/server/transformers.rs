//! Transformers for what many hosts need.
//!
//! Add them with [`Runner::transformer`](super::Runner::transformer), in the order in which they
//! are to work: to log what the reader gets, put [`EventLog`] last; to log what the agent said, put
//! it first. Each belongs to one run.

mod filter;
mod log;
mod map;
mod redact;
mod rename;
mod result_to_state;
mod unchunked;

pub use filter::FilterToolCalls;
pub use log::EventLog;
pub use map::{map_call, map_content, map_interrupt, map_result};
pub use redact::{DEFAULT_REPLACEMENT, Redact};
pub use rename::RenameTools;
pub use result_to_state::ToolResultToState;
pub use unchunked::ExpandChunks;

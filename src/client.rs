//! Consuming agents: sessions, what they say while a run goes on, and ways to reach an agent.
//!
//! A [`Session`] holds a conversation. Each of its runs is a stream of [`Update`]s that ends in
//! exactly one [`RunEnd`], whatever happens.
//!
//! ```
//! use ag_ui::RunOutcome;
//! use ag_ui::client::{InProcess, RunEnd, Session, TextChange, Update};
//! use ag_ui::server::{RunContext, agent_fn};
//!
//! let agent = agent_fn(async |context: &mut RunContext<()>| {
//!     let name = context.last_user_text().unwrap_or_default().into_owned();
//!     let mut message = context.assistant_message()?;
//!     message.delta("Hello ")?;
//!     message.delta(&name)?;
//!     Ok(RunOutcome::success())
//! });
//! # futures_executor::block_on(async {
//! let mut session = Session::new(InProcess::new(agent), "t-1");
//! let mut run = session.send("Ada");
//! let mut shown = String::new();
//! while let Some(update) = run.next().await {
//!     match update {
//!         Update::Text(text) => {
//!             if let TextChange::Delta(delta) = text.change {
//!                 shown.push_str(&delta);
//!             }
//!         }
//!         Update::Done(end) => assert!(end.is_success()),
//!         _ => {}
//!     }
//! }
//! assert_eq!(shown, "Hello Ada");
//! # });
//! ```
//!
//! # Stages
//!
//! | stage | alone |
//! | --- | --- |
//! | bytes become events as JSON text | [`SseReader`](crate::encode::SseReader), [`Transport`] |
//! | texts become events that can be relied on | [`Pipeline`] |
//! | events become messages, state and updates | [`Conversation`] |
//! | runs become a conversation | [`Session`] |
//!
//! Each event passes each stage once. What it costs does not depend on the length of the message it
//! adds to, of the conversation, or on the size of the state.
//!
//! # Ways to reach an agent
//!
//! `HttpTransport` (feature `http`), `InProcess` (feature `server`), [`ReplayTransport`], and
//! whatever implements [`Transport`]. [`RecordingTransport`] writes down what another one delivers.

mod answers;
mod conversation;
mod error;
#[cfg(feature = "http-plain")]
mod http;
#[cfg(feature = "server")]
mod in_process;
mod messages;
mod peer;
mod pipeline;
mod replay;
mod retired;
mod run_end;
mod session;
mod tools;
mod transport;
mod update;
mod warning;

pub use crate::cancellation::{CancellationToken, Cancelled};
pub use answers::{AnswerError, Answers};
pub use conversation::Conversation;
pub use error::{BoxError, Error, Result};
#[cfg(feature = "http-plain")]
pub use http::{
    DEFAULT_BODY_LIMIT, DEFAULT_CONNECT_TIMEOUT, DEFAULT_IDLE_TIMEOUT, HttpTransport,
    HttpTransportBuilder,
};
#[cfg(feature = "server")]
pub use in_process::InProcess;
pub use messages::{Iter, Messages};
pub use peer::{PeerVersion, prepare_input};
pub use pipeline::{Passed, Pipeline, PipelineSettings, Undescribed, UnknownEvents, Verification};
pub use replay::{RecordFormat, RecordingTransport, ReplayTransport};
pub use retired::RetiredEvents;
pub use run_end::{CANCELLED, RunEnd};
pub use session::{DEFAULT_TOOL_ROUNDS, Pending, RunStream, Session, SessionBuilder};
pub use tools::{MaybeSendFuture, ToolAnswer, ToolInvocation};
pub use transport::{Connecting, Frame, Frames, MaybeSend, Transport};
pub use update::{
    ActivityChange, ActivityUpdate, ReasoningChange, ReasoningUpdate, StateUpdate, StepChange,
    StepUpdate, SubagentUpdate, TextChange, TextUpdate, ToolCallChange, ToolCallUpdate, Update,
};
pub use warning::Warning;

//! Hosting agents: the agent trait, what an agent speaks through, and the driver of a run.
//!
//! An agent is a type with one method. The driver calls it, and whatever the agent does, the
//! stream begins with `RUN_STARTED` and ends with exactly one terminal event.
//!
//! ```
//! use ag_ui::server::{self, Agent, Result, RunContext};
//! use ag_ui::{EventType, Message, RunAgentInput, RunOutcome};
//! use futures_util::StreamExt;
//!
//! struct Greeter;
//!
//! impl Agent for Greeter {
//!     type State = ();
//!
//!     async fn run(&self, context: &mut RunContext<()>) -> Result<RunOutcome> {
//!         let name = context.last_user_text().unwrap_or_default().into_owned();
//!         let mut message = context.assistant_message()?;
//!         message.delta("Hello ")?;
//!         message.delta(&name)?;
//!         Ok(RunOutcome::success())
//!     }
//! }
//!
//! # futures_executor::block_on(async {
//! let input = RunAgentInput::new("t-1", "r-1", vec![Message::user("m-1", "Ada")]);
//! let run = server::run(Greeter, input);
//! let events: Vec<_> = run.map(|event| event.map(|event| event.event_type())).collect().await;
//! let events: Vec<_> = events.into_iter().collect::<Result<_>>()?;
//! assert_eq!(events, [
//!     EventType::RunStarted,
//!     EventType::TextMessageStart,
//!     EventType::TextMessageContent,
//!     EventType::TextMessageContent,
//!     // The handle was dropped: what it opened is closed.
//!     EventType::TextMessageEnd,
//!     EventType::RunFinished,
//! ]);
//! # Ok::<(), server::Error>(())
//! # }).unwrap();
//! ```
//!
//! # What an agent says
//!
//! | to say | use | events |
//! | --- | --- | --- |
//! | text | [`say`](RunContext::say), [`assistant_message`](RunContext::assistant_message), [`message`](RunContext::message) | `TEXT_MESSAGE_*` |
//! | reasoning | [`think`](RunContext::think), [`reasoning`](RunContext::reasoning) | `REASONING_*` |
//! | a tool call | [`tool_call`](RunContext::tool_call), [`tool_result`](RunContext::tool_result) | `TOOL_CALL_*` |
//! | tool calls side by side | [`tool_calls`](RunContext::tool_calls) | `TOOL_CALL_*` |
//! | what it is at | [`step`](RunContext::step) | `STEP_*` |
//! | who is at it | [`subagent`](RunContext::subagent), [`subagents`](RunContext::subagents) | `SUBAGENT_*` |
//! | shared state | [`update_state`](RunContext::update_state), [`publish_state`](RunContext::publish_state) | `STATE_*` |
//! | progress | [`activity`](RunContext::activity) | `ACTIVITY_*` |
//! | a new conversation | [`messages_snapshot`](RunContext::messages_snapshot) | `MESSAGES_SNAPSHOT` |
//! | anything agreed on | [`custom`](RunContext::custom), [`raw`](RunContext::raw) | `CUSTOM`, `RAW` |
//! | anything else, chunks among it | [`emit`](RunContext::emit) | |
//!
//! A run ends as its outcome says: in success, with the calls that were left to the client listed as
//! pending; in interrupts, which ask the user something; or cancelled. An error, a panic, or an event
//! that was refused ends it in `RUN_ERROR`.
//!
//! # Order, and transformers
//!
//! Every event passes the run's [transformers](crate::transform) and is then held to the order of events, see
//! [`verify`](crate::verify), before it is queued: an event that breaks a rule fails the emit that
//! caused it.
//!
//! # Cancellation
//!
//! A run is cancelled by its [`CancellationToken`], and by dropping its stream. Emitting fails from
//! then on. An agent that waits is polled once more, and if it goes on waiting it is dropped where
//! it stands; what it left open is closed, and the run ends as cancelled.
//!
//! # Emitting
//!
//! Emitting never waits: an event goes into a queue, and whoever reads the stream takes it from
//! there. So a handle can close what it opened when it is dropped. The agent is only polled while
//! the queue is empty, and the queue has a bound, see [`QueueLimits`].
//!
//! A handle borrows what it emits into. A second open block does not compile:
//!
//! ```compile_fail,E0499
//! # use ag_ui::server::{Result, RunContext};
//! fn overlap(context: &mut RunContext<()>) -> Result<()> {
//!     let mut first = context.assistant_message()?;
//!     let mut second = context.assistant_message()?;
//!     first.delta("a")?;
//!     second.delta("b")
//! }
//! ```

mod activity;
mod agent;
mod block;
mod call;
mod chain;
mod context;
mod diff;
mod driver;
mod emitters;
mod error;
mod flushed;
mod function;
mod invocation;
mod message;
#[cfg(doctest)]
mod misuse;
mod open_handle;
mod order;
mod queue;
mod reasoning;
mod sink;
mod state;
mod state_manager;
mod step;
mod subagent;
mod subagents;
mod terminal;
mod tool_call;
mod tool_calls;
mod tracked;

pub use crate::cancellation::{CancellationToken, Cancelled};
pub use activity::Activity;
pub use agent::{Agent, AgentState, BoxAgent, DynAgent};
pub use context::{EventReceiver, RunContext};
pub use driver::{Run, Runner, run};
pub use error::{Error, Result};
pub use flushed::Flushed;
pub use function::{AgentFn, FnAgent, agent_fn};
pub use message::MessageHandle;
pub use queue::QueueLimits;
pub use reasoning::ReasoningHandle;
pub use state_manager::StateManager;
pub use step::StepGuard;
pub use subagent::SubagentScope;
pub use subagents::{ConcurrentSubagent, Subagents};
pub use tool_call::ToolCallHandle;
pub use tool_calls::ToolCalls;
pub use tracked::TrackedVec;

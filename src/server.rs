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
mod cancellation;
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
mod transform;
pub mod transformers;
mod usage;

pub use activity::Activity;
pub use agent::{Agent, AgentState, BoxAgent, DynAgent};
pub use cancellation::{CancellationToken, Cancelled};
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
pub use transform::{Output, StreamTransformer};

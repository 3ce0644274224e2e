//! Agents as routes of an axum application.
//!
//! ```
//! use ag_ui::axum::RouterExt;
//! use ag_ui::server::{Agent, Result, RunContext};
//! use ag_ui::RunOutcome;
//!
//! struct Greeter;
//!
//! impl Agent for Greeter {
//!     type State = ();
//!
//!     async fn run(&self, context: &mut RunContext<()>) -> Result<RunOutcome> {
//!         context.say("Hello!")?;
//!         Ok(RunOutcome::success())
//!     }
//! }
//!
//! let app: axum::Router = axum::Router::new().route_agui("/agent", Greeter);
//! ```
//!
//! A run is answered with status 200 and a stream of server-sent events, however it ends: an agent
//! that fails says so in `RUN_ERROR`. A request that cannot become a run is answered with JSON,
//! `{"code": …, "message": …}`, see [`Rejection`]. When the client goes away, the run is dropped
//! where it stands.
//!
//! Pages of another origin need a CORS layer, such as the one of tower-http; none is added here, and
//! neither is a time limit on the arrival of a body: both are settings of the whole application.
//!
//! A handler of your own, with extractors for authentication or state, takes [`RunInput`] and
//! returns [`SseResponse`].

//!
//! # Shutting down
//!
//! axum's graceful shutdown waits for open streams, and a stream is open as long as its agent runs.
//! Give the endpoints a token with [`AgentEndpoint::cancellation`] and cancel it with the shutdown:
//! every run then ends as cancelled, with its terminal event.
//!
//! # Compression
//!
//! The streams forbid it (`no-transform`), which the layer of tower-http observes: a compressor
//! would hold events back until it has enough of them.

mod endpoint;
mod input;
mod registry;
mod rejection;
mod response;

pub use endpoint::{AgentEndpoint, RouterExt};
pub use input::{DEFAULT_BODY_LIMIT, DEFAULT_VALUE_LIMIT, RunInput};
pub use registry::AgentRegistry;
pub use rejection::Rejection;
pub use response::{DEFAULT_KEEP_ALIVE, SseResponse};

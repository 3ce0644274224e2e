//! Agents as routes.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post};

use super::input::{DEFAULT_BODY_LIMIT, read_input};
use super::rejection::Rejection;
use super::response::{DEFAULT_KEEP_ALIVE, SseResponse, check_accept};
use crate::server::{Agent, QueueLimits, Runner};

/// Adds agents to a router.
pub trait RouterExt {
    /// Answers `POST` at that path with runs of an agent. Other methods get 405.
    ///
    /// The same as `route(path, AgentEndpoint::new(agent).into_route())`.
    #[must_use]
    fn route_agui<A: Agent + 'static>(self, path: &str, agent: A) -> Self;
}

impl<S: Clone + Send + Sync + 'static> RouterExt for Router<S> {
    fn route_agui<A: Agent + 'static>(self, path: &str, agent: A) -> Self {
        self.route(path, AgentEndpoint::new(agent).into_route())
    }
}

/// Settings of a route that runs an agent.
///
/// ```
/// use std::time::Duration;
/// use ag_ui::axum::AgentEndpoint;
/// # fn agent() -> ag_ui::server::BoxAgent<()> { unimplemented!() }
///
/// # fn example() {
/// let endpoint = AgentEndpoint::new(agent())
///     .keep_alive(Some(Duration::from_secs(5)))
///     .body_limit(1024 * 1024);
/// let app: axum::Router = axum::Router::new().route("/agent", endpoint.into_route());
/// # }
/// ```
#[derive(Debug)]
#[must_use = "an endpoint does nothing unless it is routed to"]
pub struct AgentEndpoint<A> {
    agent: Arc<A>,
    settings: Settings,
}

#[derive(Debug, Clone, Copy)]
struct Settings {
    keep_alive: Option<Duration>,
    body_limit: usize,
    queue_limits: QueueLimits,
}

impl<A: Agent + 'static> AgentEndpoint<A> {
    /// Default settings for that agent.
    pub fn new(agent: A) -> Self {
        let settings = Settings {
            keep_alive: Some(DEFAULT_KEEP_ALIVE),
            body_limit: DEFAULT_BODY_LIMIT,
            queue_limits: QueueLimits::default(),
        };
        Self { agent: Arc::new(agent), settings }
    }

    /// Sets how long a stream may be silent before a comment is sent; `None` and zero send
    /// none. By default [`DEFAULT_KEEP_ALIVE`].
    pub fn keep_alive(mut self, interval: Option<Duration>) -> Self {
        self.settings.keep_alive = interval;
        self
    }

    /// Sets how many bytes a request body may have. By default [`DEFAULT_BODY_LIMIT`].
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.settings.body_limit = bytes;
        self
    }

    /// Sets how much the agent may emit before anybody reads it.
    pub fn queue_limits(mut self, limits: QueueLimits) -> Self {
        self.settings.queue_limits = limits;
        self
    }

    /// The route, for a router of any state.
    pub fn into_route<S: Clone + Send + Sync + 'static>(self) -> MethodRouter<S> {
        let Self { agent, settings } = self;
        post(move |request: Request| async move {
            answer(agent, settings, request).await.unwrap_or_else(Rejection::into_response)
        })
    }
}

async fn answer<A: Agent + 'static>(
    agent: Arc<A>,
    settings: Settings,
    request: Request,
) -> Result<Response, Rejection> {
    let (parts, body) = request.into_parts();
    // Before the body is read: the client would not take the answer.
    check_accept(&parts.headers)?;
    let input = read_input(&parts.headers, body, settings.body_limit).await?;
    let run = Runner::new(agent).queue_limits(settings.queue_limits).run(input);
    Ok(SseResponse::new(run).keep_alive(settings.keep_alive).into_response())
}

//! Agents as routes.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};

use super::input::{BodyLimits, read_input};
use super::rejection::Rejection;
use super::response::{DEFAULT_KEEP_ALIVE, SseResponse, check_accept, json};
use crate::server::{Agent, CancellationToken, QueueLimits, Runner};
use crate::transform::StreamTransformer;
use crate::{AgentCapabilities, RunAgentInput};

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
#[must_use = "an endpoint does nothing unless it is routed to"]
pub struct AgentEndpoint<A> {
    agent: Arc<A>,
    settings: Arc<Settings>,
    capabilities: Option<AgentCapabilities>,
}

type Factory = Box<dyn Fn(&RunAgentInput) -> Box<dyn StreamTransformer> + Send + Sync>;

struct Settings {
    keep_alive: Option<Duration>,
    body: BodyLimits,
    queue_limits: QueueLimits,
    echo_input: bool,
    cancellation: Option<CancellationToken>,
    transformers: Vec<Factory>,
}

impl<A: Agent + 'static> AgentEndpoint<A> {
    /// Default settings for that agent.
    pub fn new(agent: A) -> Self {
        let settings = Settings {
            keep_alive: Some(DEFAULT_KEEP_ALIVE),
            body: BodyLimits::default(),
            queue_limits: QueueLimits::default(),
            echo_input: false,
            cancellation: None,
            transformers: Vec::new(),
        };
        Self { agent: Arc::new(agent), settings: Arc::new(settings), capabilities: None }
    }

    fn set(mut self, set: impl FnOnce(&mut Settings)) -> Self {
        // Settings are shared only when the endpoint has become a route.
        if let Some(settings) = Arc::get_mut(&mut self.settings) {
            set(settings);
        }
        self
    }

    /// Sets how long a stream may be silent before a comment is sent; `None` and zero send
    /// none. By default [`DEFAULT_KEEP_ALIVE`].
    pub fn keep_alive(self, interval: Option<Duration>) -> Self {
        self.set(|settings| settings.keep_alive = interval)
    }

    /// Sets how many bytes a request body may have. By default
    /// [`DEFAULT_BODY_LIMIT`](super::DEFAULT_BODY_LIMIT).
    pub fn body_limit(self, bytes: usize) -> Self {
        self.set(|settings| settings.body.bytes = bytes)
    }

    /// Sets of how many JSON values a request body may consist, however few bytes they take. By
    /// default [`DEFAULT_VALUE_LIMIT`](super::DEFAULT_VALUE_LIMIT).
    pub fn value_limit(self, values: usize) -> Self {
        self.set(|settings| settings.body.values = values)
    }

    /// Sets how much the agent may emit before anybody reads it.
    pub fn queue_limits(self, limits: QueueLimits) -> Self {
        self.set(|settings| settings.queue_limits = limits)
    }

    /// Sets whether `RUN_STARTED` repeats the input, for whoever records streams. Off by default.
    pub fn echo_input(self, echo_input: bool) -> Self {
        self.set(|settings| settings.echo_input = echo_input)
    }

    /// Cancels all runs of the endpoint with that token, as a server does that shuts down: every
    /// open stream then gets its terminal event and ends.
    ///
    /// ```no_run
    /// use ag_ui::axum::AgentEndpoint;
    /// use ag_ui::server::CancellationToken;
    /// # fn agent() -> ag_ui::server::BoxAgent<()> { unimplemented!() }
    ///
    /// # async fn example(listener: tokio::net::TcpListener) -> std::io::Result<()> {
    /// let shutdown = CancellationToken::new();
    /// let endpoint = AgentEndpoint::new(agent()).cancellation(&shutdown);
    /// let app: axum::Router = axum::Router::new().route("/agent", endpoint.into_route());
    /// axum::serve(listener, app)
    ///     .with_graceful_shutdown(async move {
    ///         let _ = tokio::signal::ctrl_c().await;
    ///         shutdown.cancel();
    ///     })
    ///     .await
    /// # }
    /// ```
    pub fn cancellation(self, token: &CancellationToken) -> Self {
        self.set(|settings| settings.cancellation = Some(token.clone()))
    }

    /// Adds a transformer to every run: a new one each time, made for the input, after those added
    /// before.
    ///
    /// ```
    /// use ag_ui::axum::AgentEndpoint;
    /// use ag_ui::transform::FilterToolCalls;
    /// # fn agent() -> ag_ui::server::BoxAgent<()> { unimplemented!() }
    ///
    /// # fn example() {
    /// let endpoint =
    ///     AgentEndpoint::new(agent()).transformer(|_input| FilterToolCalls::block(["sql"]));
    /// # }
    /// ```
    pub fn transformer<T: StreamTransformer + 'static>(
        self,
        make: impl Fn(&RunAgentInput) -> T + Send + Sync + 'static,
    ) -> Self {
        self.set(|settings| {
            settings.transformers.push(Box::new(move |input| Box::new(make(input))));
        })
    }

    /// Declares what the agent can do. A router that is made with [`Self::into_router`] tells it to
    /// whoever asks.
    pub fn capabilities(mut self, capabilities: AgentCapabilities) -> Self {
        self.capabilities = Some(capabilities);
        self
    }

    /// The route that runs the agent, for a router of any state.
    pub fn into_route<S: Clone + Send + Sync + 'static>(self) -> MethodRouter<S> {
        let Self { agent, settings, .. } = self;
        post(move |request: Request| async move { respond(agent, settings, request).await })
    }

    /// A router that runs the agent at that path, and answers `GET` at `{path}/capabilities` with
    /// the declared capabilities as JSON. The protocol leaves open where they are found.
    ///
    /// # Panics
    /// When the path is not one that axum routes.
    pub fn into_router<S: Clone + Send + Sync + 'static>(mut self, path: &str) -> Router<S> {
        let capabilities = self.capabilities.take();
        let router = Router::new().route(path, self.into_route());
        match capabilities {
            Some(capabilities) => {
                let path = format!("{}/capabilities", path.trim_end_matches('/'));
                router.route(&path, get(move || async move { json(&capabilities) }))
            }
            None => router,
        }
    }

    /// What a registry needs: an endpoint whose type does not matter any more.
    pub(super) fn erase(self) -> (Respond, Option<AgentCapabilities>) {
        let Self { agent, settings, capabilities } = self;
        let answer: Respond = Arc::new(move |request| {
            let (agent, settings) = (Arc::clone(&agent), Arc::clone(&settings));
            Box::pin(respond(agent, settings, request))
        });
        (answer, capabilities)
    }
}

/// Answers a request.
pub(super) type Respond =
    Arc<dyn Fn(Request) -> std::pin::Pin<Box<dyn Future<Output = Response> + Send>> + Send + Sync>;

impl<A: std::fmt::Debug> std::fmt::Debug for AgentEndpoint<A> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("AgentEndpoint").field("agent", &self.agent).finish_non_exhaustive()
    }
}

async fn respond<A: Agent + 'static>(
    agent: Arc<A>,
    settings: Arc<Settings>,
    request: Request,
) -> Response {
    answer(agent, &settings, request).await.unwrap_or_else(Rejection::into_response)
}

async fn answer<A: Agent + 'static>(
    agent: Arc<A>,
    settings: &Settings,
    request: Request,
) -> Result<Response, Rejection> {
    let (parts, body) = request.into_parts();
    // Before the body is read: the client would not take the answer.
    check_accept(&parts.headers)?;
    let input = read_input(&parts.headers, body, settings.body).await?;
    let mut runner =
        Runner::new(agent).queue_limits(settings.queue_limits).echo_input(settings.echo_input);
    if let Some(token) = &settings.cancellation {
        runner = runner.with_cancellation(token);
    }
    for make in &settings.transformers {
        runner = runner.boxed_transformer(make(&input));
    }
    Ok(SseResponse::new(runner.run(input)).keep_alive(settings.keep_alive).into_response())
}

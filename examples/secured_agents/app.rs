//! The application: who may ask, and whom.

use std::collections::BTreeMap;
use std::sync::Arc;

use ag_ui::RunOutcome;
use ag_ui::axum::{AgentEndpoint, AgentRegistry, Rejection, RunInput, SseResponse};
use ag_ui::server::{Agent, CancellationToken, Result, RunContext, Runner, agent_fn};
use ag_ui::transform::Redact;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, Router};
use http::{HeaderMap, StatusCode, header};
use tower_http::cors::{Any, CorsLayer};

/// Who may ask, by token.
pub(crate) type Users = Arc<BTreeMap<&'static str, User>>;

/// Somebody who may ask.
#[derive(Debug, Clone)]
pub(crate) struct User {
    /// What to call them.
    pub(crate) name: &'static str,
}

/// The application: every route wants a token, except for the questions of browsers about CORS.
pub(crate) fn app(users: Users, shutdown: &CancellationToken) -> Router {
    let greeter = agent_fn(async |context: &mut RunContext<()>| {
        context.say("Hello, whoever you are.")?;
        Ok(RunOutcome::success())
    });
    let greeter = AgentEndpoint::new(greeter)
        .cancellation(shutdown)
        .transformer(|_input| Redact::new(["tea-time"]));
    Router::new()
        .merge(AgentRegistry::new().endpoint("greeter", greeter).into_router("/agents"))
        .route("/personal", post(personal))
        .with_state(shutdown.clone())
        .layer(from_fn_with_state(users, authenticate))
        .layer(
            CorsLayer::new()
                .allow_origin(Any)
                .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE]),
        )
}

/// Lets a request pass that has a token, and says whose it is.
async fn authenticate(State(users): State<Users>, mut request: Request, next: Next) -> Response {
    let token = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    match token.and_then(|value| value.strip_prefix("Bearer ")).and_then(|token| users.get(token)) {
        Some(user) => {
            request.extensions_mut().insert(user.clone());
            next.run(request).await
        }
        None => {
            let answer = [(header::WWW_AUTHENTICATE, "Bearer")];
            (StatusCode::UNAUTHORIZED, answer, "Send a bearer token.").into_response()
        }
    }
}

/// An agent that is made for the request.
struct Personal {
    user: User,
}

impl Agent for Personal {
    type State = ();

    async fn run(&self, context: &mut RunContext<()>) -> Result<RunOutcome> {
        context.say(format!("Hello, {}.", self.user.name))?;
        Ok(RunOutcome::success())
    }
}

async fn personal(
    State(shutdown): State<CancellationToken>,
    Extension(user): Extension<User>,
    headers: HeaderMap,
    RunInput(input): RunInput,
) -> Result<SseResponse, Rejection> {
    let runner = Runner::new(Personal { user }).with_cancellation(&shutdown);
    SseResponse::negotiate(&headers, runner.run(input))
}

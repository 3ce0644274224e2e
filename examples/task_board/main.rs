//! A board of tasks that an agent keeps: the whole of the SDK in one small application.
//!
//! ```sh
//! cargo run --example task_board --features axum,schemars
//! ```
//!
//! Then open <http://127.0.0.1:3000>. The variable `PORT` chooses another port.
//!
//! The agent follows a script and needs no model. With `TASK_BOARD_MODEL_URL` (such as
//! `https://api.openai.com/v1`) and `TASK_BOARD_MODEL` a model behind an endpoint for chat
//! completions drives it instead; `TASK_BOARD_MODEL_KEY` is the endpoint's key, if it wants one.

mod approval;
mod board;
mod capabilities;
mod chat;
mod command;
mod history;
mod model;
mod opening;
mod planner;
mod reply;
mod script;
mod tools;
mod voice;

use std::process::ExitCode;
use std::time::Duration;

use ag_ui::axum::AgentEndpoint;
use ag_ui::server::{Agent, CancellationToken};
use axum::Router;
use axum::response::Html;
use axum::routing::get;
use tokio::net::TcpListener;

use crate::approval::Asking;
use crate::capabilities::capabilities;
use crate::chat::{ChatModel, SettingsError};
use crate::model::ModelBoard;
use crate::script::ScriptedBoard;
use crate::voice::Voice;

const PAGE: &str = include_str!("page.html");

#[tokio::main]
#[expect(clippy::print_stderr, reason = "says why it does not start")]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "says where it listens")]
async fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let port: u16 = match std::env::var("PORT") {
        Ok(port) => port.parse().map_err(|_| format!("PORT is `{port}`, which is no port"))?,
        Err(_) => 3000,
    };
    let shutdown = CancellationToken::new();
    let app = Router::new().route("/", get(Html(PAGE))).merge(agent_routes(&shutdown)?);
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("The board is at http://{}", listener.local_addr()?);
    axum::serve(listener, app).with_graceful_shutdown(stopped(shutdown)).await?;
    Ok(())
}

fn agent_routes(shutdown: &CancellationToken) -> Result<Router, SettingsError> {
    let voice = Voice { pause: Duration::from_millis(60) };
    let asking = Asking::default();
    let variable = |name: &str| std::env::var(name).ok();
    Ok(match ChatModel::from_variables(variable, &tools::all())? {
        Some(model) => routes(ModelBoard { model, voice, asking }, shutdown),
        None => routes(ScriptedBoard { voice, asking }, shutdown),
    })
}

fn routes(agent: impl Agent + 'static, shutdown: &CancellationToken) -> Router {
    AgentEndpoint::new(agent)
        .capabilities(capabilities())
        .cancellation(shutdown)
        .into_router("/agent")
}

/// Waits for Ctrl-C, and cancels the runs that are open then: each still gets its last event.
async fn stopped(shutdown: CancellationToken) {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without a signal handler, Ctrl-C ends the process by itself.
        std::future::pending::<()>().await;
    }
    shutdown.cancel();
}

//! The task board behind a port, watched.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, SystemTime};

use ag_ui::RunOutcome;
use ag_ui::axum::AgentEndpoint;
use ag_ui::server::{Agent, Result, RunContext};
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::response::Html;
use axum::routing::get;
use serde_json::{Value, json};

use super::board::Board;
use super::capabilities::capabilities;
use super::recording::{Recording, record};
use super::script::ScriptedBoard;
use super::voice::Voice;
use crate::support::{Server, json};

/// A server with the example, its page, and what was seen of its runs.
pub(crate) struct Served {
    pub(crate) server: Server,
    pub(crate) recording: Recording,
    /// How each run of the agent ended, as it ends.
    pub(crate) ends: Receiver<End>,
}

/// The end of an agent's run.
#[derive(Debug)]
pub(crate) struct End {
    pub(crate) at: SystemTime,
    /// Whether it came to its end by itself, and was not dropped.
    pub(crate) returned: bool,
}

impl Served {
    pub(crate) fn start(pause: Duration) -> Self {
        let (sender, ends) = channel();
        let agent = ScriptedBoard { voice: Voice { pause }, ..ScriptedBoard::default() };
        let endpoint =
            AgentEndpoint::new(Watched { agent, ends: sender }).capabilities(capabilities());
        let recording = Recording::default();
        let app = Router::new()
            .merge(endpoint.into_router("/agent"))
            .layer(from_fn_with_state(recording.clone(), record))
            .route("/", get(Html(include_str!("../../../../examples/task_board/page.html"))));
        Self { server: Server::serve(app), recording, ends }
    }

    /// What the official client makes of these steps, see `js/run_agent.mjs`.
    pub(crate) fn client(&self, steps: &[Value]) -> Value {
        let steps = steps.iter().map(Value::to_string);
        let arguments: Vec<String> =
            ["js/run_agent.mjs".to_owned(), self.server.url(), "--steps".to_owned()]
                .into_iter()
                .chain(steps)
                .collect();
        json("node", &arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

pub(crate) fn say(text: &str) -> Value {
    json!({ "say": text })
}

struct Watched {
    agent: ScriptedBoard,
    ends: Sender<End>,
}

impl Agent for Watched {
    type State = Board;

    async fn run(&self, context: &mut RunContext<Board>) -> Result<RunOutcome> {
        let mut watch = Watch { ends: &self.ends, returned: false };
        let outcome = self.agent.run(context).await;
        watch.returned = true;
        outcome
    }
}

/// Lives as long as the future of a run.
struct Watch<'a> {
    ends: &'a Sender<End>,
    returned: bool,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        let _ = self.ends.send(End { at: SystemTime::now(), returned: self.returned });
    }
}

//! Our client against servers that others wrote the protocol of: the Python package
//! `ag-ui-protocol`, and `@ag-ui/encoder` for Node. Both play the same scenarios.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ag_ui::client::{
    HttpTransport, RunEnd, Session, SessionBuilder, StepChange, SubagentUpdate, ToolInvocation,
    Update,
};
use ag_ui::{Message, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{directory, installed};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Python,
    Node,
}

/// A server process, until this is dropped.
struct Foreign {
    kind: Kind,
    process: Child,
    port: u16,
}

impl Foreign {
    fn start(kind: Kind, port: u16) -> Self {
        let (program, script) = match kind {
            Kind::Python => (".venv/bin/python", "python/agent_server.py"),
            Kind::Node => ("node", "js/agent_server.mjs"),
        };
        let program = if kind == Kind::Python { directory().join(program) } else { program.into() };
        let mut process = Command::new(program)
            .args([script, &port.to_string()])
            .current_dir(directory())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().parse().unwrap_or_else(|_| panic!("{kind:?} says {line:?}"));
        Self { kind, process, port }
    }

    fn all() -> Vec<Self> {
        if !installed("node_modules") || !installed(".venv") {
            return Vec::new();
        }
        vec![Self::start(Kind::Python, 0), Self::start(Kind::Node, 0)]
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/agent", self.port)
    }

    fn builder(&self) -> SessionBuilder {
        let transport = HttpTransport::builder(self.url()).idle_timeout(Duration::from_secs(20));
        Session::builder(transport.build().unwrap(), "t-1")
    }

    /// How many clients went away early.
    async fn gone(&self) -> u64 {
        let url = format!("http://127.0.0.1:{}/gone", self.port);
        let text = reqwest::get(url).await.unwrap().text().await.unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["gone"].as_u64().unwrap()
    }

    fn stop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        self.stop();
    }
}

/// One run: what was said of it, and how it ended. Nothing is warned about unless said.
async fn run(session: &mut Session, scenario: &str) -> (Vec<Update>, RunEnd) {
    let mut run = session.send(scenario);
    let mut updates = Vec::new();
    while let Some(update) = run.next().await {
        updates.push(update);
    }
    match updates.pop() {
        Some(Update::Done(end)) => (updates, end),
        last => panic!("{scenario}: {last:?}"),
    }
}

async fn succeeds(session: &mut Session, scenario: &str) -> Vec<Update> {
    let (updates, end) = run(session, scenario).await;
    assert!(end.is_success(), "{scenario}: {end:?}");
    let warnings = updates.iter().filter(|update| matches!(update, Update::Warning(_)));
    assert_eq!(warnings.count(), usize::from(scenario == "state"), "{scenario}: {updates:?}");
    updates
}

/// The messages behind the first, which is the user's.
fn answers(session: &Session) -> Value {
    session
        .messages()
        .iter()
        .skip(1)
        .map(|message| serde_json::to_value(message).unwrap())
        .collect()
}

#[tokio::test]
async fn messages_of_every_kind_arrive() {
    for server in Foreign::all() {
        let name = if server.kind == Kind::Python { "Python \u{1f40d}" } else { "Node \u{1f422}" };
        let call = |arguments: &str| json!([{"id": "c-1", "type": "function", "function": {"name": "search", "arguments": arguments}}]);
        let table = [
            (
                "text",
                json!([{"id": "m-1", "role": "assistant", "content": format!("Grüße aus {name}")}]),
            ),
            (
                "tools",
                json!([
                    {"id": "c-1", "role": "assistant", "toolCalls": call(r#"{"query":"tea"}"#)},
                    {"id": "r-1", "role": "tool", "toolCallId": "c-1", "content": "3 found"},
                ]),
            ),
            (
                "reasoning",
                json!([{"id": "q-1", "role": "reasoning", "content": "Hm.", "encryptedValue": "sealed"}]),
            ),
            (
                "chunks",
                json!([
                    {"id": "m-1", "role": "assistant", "content": "one two"},
                    {"id": "c-1", "role": "assistant", "toolCalls": call("{}")},
                    {"id": "r-1", "role": "tool", "toolCallId": "c-1", "content": "done"},
                ]),
            ),
            (
                "subagents",
                json!([{"id": "m-1", "role": "assistant", "content": "Found.", "subagentRunId": "s-1"}]),
            ),
        ];
        for (scenario, expected) in table {
            let mut session = server.builder().build();
            let updates = succeeds(&mut session, scenario).await;
            assert_eq!(answers(&session), expected, "{:?} {scenario}", server.kind);
            let subagents = updates.iter().filter(|update| {
                matches!(
                    update,
                    Update::Subagent(SubagentUpdate::Started(_) | SubagentUpdate::Finished(_))
                )
            });
            assert_eq!(subagents.count(), if scenario == "subagents" { 2 } else { 0 });
        }
    }
}

#[tokio::test]
async fn a_restated_conversation_replaces_ours() {
    for server in Foreign::all() {
        let mut session = server.builder().build();
        let updates = succeeds(&mut session, "messages").await;
        assert!(updates.contains(&Update::Messages));
        let ids: Vec<_> =
            session.messages().iter().map(|message| message.id().to_string()).collect();
        assert_eq!(ids, ["u-1", "a-1"], "{:?}", server.kind);
        assert!(session.messages().tool_call("c-1").is_some());
    }
}

#[derive(Debug, PartialEq, Deserialize)]
struct Board {
    tasks: Vec<Task>,
    seen: Value,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Task {
    title: String,
    due: Option<String>,
}

#[tokio::test]
async fn state_is_shared_both_ways() {
    for server in Foreign::all() {
        let mut session = server.builder().state(json!({"theme": "dark", "none": null})).build();
        succeeds(&mut session, "state").await;
        let board: Board = session.state().unwrap().unwrap();
        let task = |title: &str| Task { title: title.to_owned(), due: None };
        assert_eq!(board.tasks, [task("tea"), task("milk")], "{:?}", server.kind);
        assert_eq!(board.seen, json!({"theme": "dark", "none": null}), "{:?}", server.kind);
    }
}

#[tokio::test]
async fn tools_of_this_side_run() {
    for server in Foreign::all() {
        let clock = Tool::new("clock", "Tells the time.", json!({"type": "object"}));
        let tells = async |call: ToolInvocation| {
            let arguments: Value = call.parse()?;
            Ok::<_, serde_json::Error>(format!("noon in {}", arguments["zone"]))
        };
        let mut session = server.builder().tool(clock, tells).build();
        succeeds(&mut session, "frontend").await;
        assert_eq!(
            session.messages().last().and_then(Message::text).unwrap(),
            "It is noon in \"UTC\"."
        );
    }
}

#[tokio::test]
async fn interrupts_are_answered() {
    for server in Foreign::all() {
        let mut session = server.builder().build();
        let (_, end) = run(&mut session, "asks").await;
        assert!(
            matches!(end, RunEnd::Interrupted { ref interrupts } if interrupts[0].message.as_deref() == Some("Sure?")),
            "{end:?}"
        );
        let answers =
            session.answers().resolve("i-1", json!({"ok": true})).unwrap().build().unwrap();
        assert!(session.resume(answers).finish().await.is_success());
        let text = session.messages().last().and_then(Message::text).unwrap().replace(' ', "");
        assert_eq!(text, r#"i-1resolved{"ok":true}"#, "{:?}", server.kind);
    }
}

#[tokio::test]
async fn everything_else_arrives() {
    for server in Foreign::all() {
        let mut session = server.builder().build();
        let updates = succeeds(&mut session, "others").await;
        let steps = updates.iter().filter_map(|update| match update {
            Update::Step(step) => Some((step.name.as_str(), step.change)),
            _ => None,
        });
        assert!(steps.eq([("plan", StepChange::Started), ("plan", StepChange::Finished)]));
        assert!(updates.iter().any(
            |update| matches!(update, Update::Custom(event) if event.value == json!({"a": null}))
        ));
        assert!(updates.iter().any(
            |update| matches!(update, Update::Raw(event) if event.event == json!([1, "two"]))
        ));
        assert_eq!(answers(&session)[0]["content"], json!({"done": 2}), "{:?}", server.kind);
    }
}

#[tokio::test]
async fn failures_keep_what_came_and_the_session_goes_on() {
    for server in Foreign::all() {
        let mut session = server.builder().build();
        let (_, end) = run(&mut session, "fails").await;
        assert_eq!(
            end,
            RunEnd::Failed { message: "no more tea".into(), code: Some("NO_TEA".into()) }
        );
        assert_eq!(session.usage()[0].input_tokens, Some(7));

        let (_, end) = run(&mut session, "breaks").await;
        assert!(
            matches!(&end, RunEnd::Failed { code: Some(code), .. } if code == "TRANSPORT" || code == "TRUNCATED"),
            "{end:?}"
        );
        assert_eq!(session.messages().get("m-1").and_then(Message::text).unwrap(), "beforehalf");

        succeeds(&mut session, "tools").await;
    }
}

#[tokio::test]
async fn an_input_that_is_none_is_refused_with_the_reason() {
    for server in Foreign::all() {
        let request = reqwest::Client::new().post(server.url()).body(r#"{"threadId":7}"#);
        assert_eq!(request.send().await.unwrap().status(), 422, "{:?}", server.kind);
    }
}

#[tokio::test]
async fn an_aborted_run_is_noticed_within_a_second() {
    for server in Foreign::all() {
        let mut session = server.builder().build();
        let mut run = session.send("waits");
        while !matches!(run.next().await, Some(Update::Text(text)) if text.change == ag_ui::client::TextChange::Delta("half".into()))
        {
        }
        run.cancellation_token().cancel();
        assert!(run.finish().await.is_cancelled());
        let start = Instant::now();
        while server.gone().await == 0 {
            assert!(start.elapsed() < Duration::from_secs(1), "{:?} has not noticed", server.kind);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(session.messages().get("m-1").and_then(Message::text).unwrap(), "half");
    }
}

#[tokio::test]
async fn a_server_that_is_killed_and_comes_back_is_talked_to_again() {
    for mut server in Foreign::all() {
        let mut session = server.builder().build();
        let mut run = session.send("waits");
        while !matches!(run.next().await, Some(Update::Text(text)) if text.change == ag_ui::client::TextChange::Delta("half".into()))
        {
        }
        server.stop();
        let end = run.finish().await;
        assert!(
            matches!(&end, RunEnd::Failed { code: Some(code), .. } if code == "TRANSPORT" || code == "TRUNCATED"),
            "{end:?}"
        );
        assert_eq!(session.messages().get("m-1").and_then(Message::text).unwrap(), "half");
        let server = Foreign::start(server.kind, server.port);
        succeeds(&mut session, "tools").await;
        drop(server);
    }
}

//! Runs of a client in short.

use ag_ui::client::{Conversation, Frame, ReplayTransport, RunEnd, Session, Update};
use ag_ui::{Event, decode};
use futures_executor::block_on;
use serde_json::{Value, json};

/// A stream in short: events with `;` between, `TYPE field=value …`, `@sub` for the subagent.
pub(crate) fn texts(stream: &str) -> Vec<String> {
    stream.split(';').map(str::trim).filter(|line| !line.is_empty()).map(text).collect()
}

fn text(line: &str) -> String {
    let mut words = line.split_whitespace();
    let mut fields = vec![format!(r#""type":"{}""#, words.next().unwrap())];
    for word in words {
        let (field, value) = word.strip_prefix('@').map_or_else(
            || word.split_once('=').unwrap_or_else(|| panic!("{word}")),
            |owner| ("subagentRunId", owner),
        );
        let is_json =
            value.starts_with(['{', '[', '"']) || matches!(value, "true" | "false" | "null");
        let value = if is_json { value.to_owned() } else { Value::from(value).to_string() };
        fields.push(format!(r#""{field}":{value}"#));
    }
    format!("{{{}}}", fields.join(","))
}

pub(crate) fn frames(stream: &str) -> Vec<Frame> {
    texts(stream).into_iter().map(Frame::Json).collect()
}

/// A run that is whole, of thread `t` and run `r`.
pub(crate) fn run_of(stream: &str) -> Vec<Frame> {
    frames(&format!("RUN_STARTED threadId=t runId=r;{stream};RUN_FINISHED threadId=t runId=r"))
}

pub(crate) fn events(stream: &str) -> Vec<Event> {
    texts(stream).iter().map(|text| decode::decode(text).unwrap()).collect()
}

/// A conversation that took those events, and what it said.
pub(crate) fn applied(stream: &str) -> (Conversation, Vec<Update>) {
    let mut conversation = Conversation::new();
    let updates = apply(&mut conversation, stream);
    (conversation, updates)
}

pub(crate) fn apply(conversation: &mut Conversation, stream: &str) -> Vec<Update> {
    let mut updates = Vec::new();
    for event in events(stream) {
        conversation.apply(event, &mut |update| updates.push(update));
    }
    updates
}

pub(crate) fn messages(conversation: &Conversation) -> Value {
    conversation.messages().iter().map(|message| serde_json::to_value(message).unwrap()).collect()
}

pub(crate) fn warnings(updates: &[Update]) -> Vec<String> {
    updates
        .iter()
        .filter_map(|update| match update {
            Update::Warning(warning) => Some(warning.to_string()),
            _ => None,
        })
        .collect()
}

/// Sends a text and lets the run end.
pub(crate) fn send(session: &mut Session, text: &str) -> (Vec<Update>, RunEnd) {
    drain(session.send(text))
}

pub(crate) fn drain(mut run: ag_ui::client::RunStream<'_>) -> (Vec<Update>, RunEnd) {
    let mut updates = Vec::new();
    block_on(async {
        while let Some(update) = run.next().await {
            updates.push(update);
        }
    });
    let ends: Vec<_> = updates.iter().filter(|update| matches!(update, Update::Done(_))).collect();
    assert_eq!(ends.len(), 1, "{updates:?}");
    match updates.pop() {
        Some(Update::Done(end)) => (updates, end),
        last => panic!("the last update is {last:?}"),
    }
}

pub(crate) fn session(runs: impl IntoIterator<Item = Vec<Frame>>) -> (Session, ReplayTransport) {
    let transport = ReplayTransport::with_runs(runs);
    (Session::new(transport.clone(), "t"), transport)
}

pub(crate) fn failed(end: &RunEnd) -> (&str, &str) {
    match end {
        RunEnd::Failed { message, code } => (code.as_deref().unwrap_or_default(), message),
        end => panic!("{end:?}"),
    }
}

pub(crate) fn success() -> RunEnd {
    RunEnd::Success { result: None, pending_tool_calls: Vec::new() }
}

/// A text message in short.
pub(crate) fn said(id: &str, text: &str) -> String {
    let delta = json!(text);
    format!(
        "TEXT_MESSAGE_START messageId={id};TEXT_MESSAGE_CONTENT messageId={id} delta={delta};\
         TEXT_MESSAGE_END messageId={id}"
    )
}

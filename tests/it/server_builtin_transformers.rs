//! The transformers that come with the crate.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use ag_ui::EventType::*;
use ag_ui::server::{Agent, Runner};
use ag_ui::transform::StreamTransformer;
use ag_ui::transform::{
    EventLog, FilterToolCalls, RenameTools, ToolResultToState, map_call, map_content,
    map_interrupt, map_result,
};
use ag_ui::{
    Event, Interrupt, Message, MessageContent, ReasoningEncryptedValueSubtype, RunOutcome,
    ToolCall, decode,
};
use serde_json::json;

use crate::server_support::{Script, collect, input, lines, script, types};

fn through(
    agent: impl Agent + 'static,
    transformer: impl StreamTransformer + 'static,
) -> Vec<Event> {
    collect(Runner::new(agent).transformer(transformer).run(input("x")))
}

/// Calls `search` and `sql`, and leaves `sql` to the client a second time.
fn caller() -> Script<()> {
    script(|context| {
        let mut call = context.tool_call("search")?;
        call.args("{}")?;
        call.result("found")?;
        let mut call = context.tool_call("sql")?;
        call.args("{}")?;
        let id = call.id().clone();
        call.result("rows")?;
        let kind = ReasoningEncryptedValueSubtype::ToolCall;
        context.emit(Event::reasoning_encrypted_value(kind, id.as_str(), "opaque"))?;
        context.tool_call("sql")?.end()?;
        Ok(RunOutcome::success())
    })
}

#[test]
fn a_blocked_tool_leaves_no_trace() {
    for filter in [FilterToolCalls::block(["sql"]), FilterToolCalls::allow(["search"])] {
        let events = through(caller(), filter);
        assert_eq!(
            types(&events),
            [RunStarted, ToolCallStart, ToolCallArgs, ToolCallEnd, ToolCallResult, RunFinished]
        );
        assert!(!lines(&events).concat().contains("r-1-call-2"), "{:?}", lines(&events));
        assert!(!lines(&events).concat().contains("r-1-call-3"), "not even as pending");
    }
    assert_eq!(
        types(&through(caller(), FilterToolCalls::allow([""; 0]))),
        [RunStarted, RunFinished]
    );
}

#[test]
fn a_blocked_call_that_the_agent_lists_as_pending_is_taken_off_the_list() {
    let agent = script::<()>(|context| {
        let secret = context.tool_call("sql")?.end()?;
        let open = context.tool_call("search")?.end()?;
        let outcome = ag_ui::RunFinishedSuccessOutcome::new();
        Ok(outcome.with_pending_tool_call_ids(vec![secret, open]).into())
    });
    let events = through(agent, FilterToolCalls::block(["sql"]));
    let last = lines(&events).pop().unwrap();
    assert!(last.contains(r#""pendingToolCallIds":["r-1-call-2"]"#), "{last}");
}

#[test]
fn tools_are_shown_under_other_names() {
    let agent = script::<()>(|context| {
        context.tool_call("sql")?.result("rows")?;
        let call = ToolCall::new("c-9", ag_ui::FunctionCall::new("sql", "{}"));
        context.messages_snapshot(vec![Message::tool_calls("m-1", vec![call])])?;
        Ok(RunOutcome::success())
    });
    let events = through(agent, RenameTools::new([("sql", "look_up")]));
    let text = lines(&events).concat();
    assert_eq!((text.matches("look_up").count(), text.matches("sql").count()), (2, 0), "{text}");
}

#[test]
fn hooks_change_what_they_are_for() {
    let agent = || {
        script::<()>(|context| {
            context.say("hello")?;
            context.tool_call("search")?.result("found")?;
            Ok(RunOutcome::interrupt(vec![Interrupt::new("i-1", "approval")]))
        })
    };
    let runner = Runner::new(agent())
        .transformer(map_content(|content| content.delta.make_ascii_uppercase()))
        .transformer(map_call(|call| call.tool_call_name.insert_str(0, "my_")))
        .transformer(map_result(|result| result.content = MessageContent::from("changed")))
        .transformer(map_interrupt(|interrupt| interrupt.message = Some("May I?".to_owned())));
    let (before, after) = (
        events_as_text(&collect(agent().into_run())),
        events_as_text(&collect(runner.run(input("x")))),
    );
    assert_eq!(
        after,
        before
            .replace("hello", "HELLO")
            .replace("search", "my_search")
            .replace("found", "changed")
            .replace(r#""reason":"approval""#, r#""reason":"approval","message":"May I?""#)
    );
}

fn events_as_text(events: &[Event]) -> String {
    lines(events).concat()
}

trait IntoRun {
    fn into_run(self) -> ag_ui::server::Run;
}

impl<A: Agent + 'static> IntoRun for A {
    fn into_run(self) -> ag_ui::server::Run {
        ag_ui::server::run(self, input("x"))
    }
}

/// A file in memory that can be full, and is seen only after a flush.
#[derive(Clone, Default)]
struct File {
    flushed: Arc<Mutex<Vec<u8>>>,
    written: Arc<Mutex<Vec<u8>>>,
    capacity: Option<usize>,
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.written.lock().unwrap();
        if self.capacity.is_some_and(|capacity| written.len() + bytes.len() > capacity) {
            return Err(io::Error::other("the disk is full"));
        }
        written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed.lock().unwrap().clone_from(&self.written.lock().unwrap());
        Ok(())
    }
}

#[test]
fn a_log_holds_the_whole_run_as_lines() {
    let file = File::default();
    let events = through(caller(), EventLog::new(file.clone()));
    let logged = String::from_utf8(file.flushed.lock().unwrap().clone()).unwrap();
    let logged: Vec<Event> = logged.lines().map(|line| decode::decode(line).unwrap()).collect();
    assert_eq!(logged, events);
}

#[test]
fn a_log_that_cannot_be_written_ends_the_run() {
    let file = File { capacity: Some(300), ..File::default() };
    let events = through(caller(), EventLog::new(file));
    let last = lines(&events).pop().unwrap();
    assert_eq!(
        last,
        r#"{"type":"RUN_ERROR","message":"a transformer failed: the disk is full","code":"TRANSFORMER_ERROR"}"#
    );
}

#[test]
fn the_result_of_a_tool_becomes_the_state() {
    let agent = script::<()>(|context| {
        let mut board = context.subagent("keeper")?;
        board.tool_call("get_board")?.result_json(&json!({ "tasks": [] }))?;
        board.finish()?;
        let patch = json!([{ "op": "add", "path": "/tasks/-", "value": "tea" }]);
        context.tool_call("change_board")?.result_json(&patch)?;
        context.tool_call("search")?.result("no JSON")?;
        Ok(RunOutcome::success())
    });
    let runner = Runner::new(agent)
        .transformer(ToolResultToState::snapshot("get_board"))
        .transformer(ToolResultToState::delta("change_board"));
    let events = collect(runner.run(input("x")));
    let states: Vec<_> =
        lines(&events).into_iter().filter(|line| line.contains("STATE_")).collect();
    assert_eq!(
        states,
        [
            r#"{"type":"STATE_SNAPSHOT","subagentRunId":"r-1-sub-1","snapshot":{"tasks":[]}}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/tasks/-","value":"tea"}]}"#,
        ]
    );
    let place = types(&events).iter().position(|name| *name == StateSnapshot).unwrap();
    assert_eq!(events[place - 1].event_type(), ToolCallResult);
}

#[test]
fn a_result_that_is_no_state_ends_the_run_at_the_tool() {
    let agent = script::<()>(|context| {
        context.tool_call("get_board")?.result("{\"tasks\":")?;
        Ok(RunOutcome::success())
    });
    let events = through(agent, ToolResultToState::snapshot("get_board"));
    let Some(Event::RunError(error)) = events.last() else { panic!("{events:?}") };
    let start = "a transformer failed: the result of the tool `get_board`, call `r-1-call-1`, is no state: EOF";
    assert!(error.message.starts_with(start), "{}", error.message);
}

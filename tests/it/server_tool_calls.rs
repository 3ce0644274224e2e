//! Tool calls that are open at the same time, and calls that are answered later.

use ag_ui::EventType::*;
use ag_ui::server::{Error, Result, RunContext};
use ag_ui::{ContentPart, Event, RunOutcome, ToolCallStartEvent};
use serde_json::{Value, json};

use crate::server_support::{emitted, events_of, lines, script, types};

#[test]
fn calls_under_keys_are_told_apart() {
    let events = emitted::<Vec<u32>>(|context| {
        let mut calls = context.tool_calls::<usize>();
        assert_eq!(calls.start(0, "weather")?, "r-call-1");
        assert_eq!(calls.start_with_id(7, "call_x", "tides")?, "call_x");
        calls.args(&7, r#"{"port":"#)?;
        calls.args(&0, r#"{"city":"Seoul"}"#)?;
        assert!(calls.parse_args::<Value>(&7).is_err(), "incomplete");
        calls.update_state(|state| state.push(1))?;
        calls.args(&7, r#""Busan"}"#)?;
        assert_eq!(calls.raw_args(&0), Some(r#"{"city":"Seoul"}"#));
        assert_eq!(calls.parse_args::<Value>(&7)?, json!({ "port": "Busan" }));
        assert_eq!(calls.keys().collect::<Vec<_>>(), [&0, &7]);
        calls.end_args(&7)?;
        calls.result_json(&0, &json!({ "sky": "clear" }))?;
        assert!(!calls.contains(&0));
        assert_eq!(calls.id(&7).unwrap(), "call_x");
        calls.result_parts(&7, vec![ContentPart::text("high at noon")])?;
        Ok(())
    });
    assert_eq!(
        types(&events),
        [
            ToolCallStart,
            ToolCallStart,
            ToolCallArgs,
            ToolCallArgs,
            StateSnapshot,
            ToolCallArgs,
            ToolCallEnd,
            ToolCallEnd,
            ToolCallResult,
            ToolCallResult,
        ]
    );
    assert_eq!(
        lines(&events)[8],
        r#"{"type":"TOOL_CALL_RESULT","messageId":"r-msg-1","toolCallId":"r-call-1","content":"{\"sky\":\"clear\"}"}"#
    );
}

#[test]
fn whatever_is_open_is_closed_on_drop_and_pending_at_the_end() {
    let events = events_of(script::<()>(|context| {
        let mut calls = context.tool_calls();
        for key in ["c", "a", "b"] {
            calls.start(key.to_owned(), key)?;
        }
        calls.result(&"a".to_owned(), "done")?;
        drop(calls);
        Ok(RunOutcome::success())
    }));
    assert_eq!(
        types(&events)[4..],
        [ToolCallEnd, ToolCallResult, ToolCallEnd, ToolCallEnd, RunFinished]
    );
    assert!(
        lines(&events)[8].contains(r#""pendingToolCallIds":["r-1-call-1","r-1-call-3"]"#),
        "in the order they were started: {}",
        lines(&events)[8]
    );
}

#[test]
fn calls_that_end_together_are_left_to_the_client() {
    emitted::<()>(|context| {
        let mut calls = context.tool_calls();
        calls.start(1, "one")?;
        calls.start(2, "two")?;
        assert_eq!(calls.end()?, ["r-call-1", "r-call-2"]);
        Ok(())
    });
}

#[test]
fn a_key_means_one_call() {
    emitted::<()>(|context| {
        let mut calls = context.tool_calls();
        calls.start("a", "one")?;
        let error = calls.start("a", "two").unwrap_err();
        assert!(matches!(&error, Error::KeyInUse { key, .. } if key == "\"a\""), "{error}");
        let error = calls.args(&"b", "{}").unwrap_err();
        assert_eq!(error.to_string(), "no tool call is open under the key \"b\"; start it first");
        assert_eq!(error.code(), "ORDERING");
        assert!(matches!(calls.parse_args::<Value>(&"b"), Err(Error::UnknownKey { .. })));
        assert!(matches!(calls.result(&"b", "x"), Err(Error::UnknownKey { .. })));
        calls.result(&"a", "x")?;
        assert!(matches!(calls.end_args(&"a"), Err(Error::UnknownKey { .. })), "answered");
        calls.start("a", "again")?;
        Ok(())
    });
}

#[test]
fn arguments_end_before_a_result_that_takes_its_time() {
    let events = emitted::<()>(|context| {
        let mut call = context.tool_call("search")?;
        call.args("{}")?;
        call.end_args()?;
        call.end_args()?;
        call.custom("acme.progress", &50)?;
        let error = call.args("more").unwrap_err();
        assert!(matches!(&error, Error::ArgumentsEnded { id, .. } if *id == "r-call-1"), "{error}");
        call.result("found")?;
        Ok(())
    });
    assert_eq!(types(&events), [ToolCallStart, ToolCallArgs, ToolCallEnd, Custom, ToolCallResult]);
}

#[test]
fn a_call_of_an_earlier_run_is_answered_with_its_id() {
    let events = events_of(script::<()>(|context| {
        context.tool_result("r-0-call-1", "approved")?;
        Ok(RunOutcome::success())
    }));
    assert_eq!(
        lines(&events)[1],
        r#"{"type":"TOOL_CALL_RESULT","messageId":"r-1-msg-1","toolCallId":"r-0-call-1","content":"approved"}"#
    );
}

#[test]
fn a_start_carries_what_the_author_puts_in() {
    let events = emitted::<()>(|context| {
        let message = context.say("Let me look.")?;
        let start = ToolCallStartEvent::new("c-1", "look").with_parent_message_id(&message);
        context.tool_call_from(start.with_raw_event(json!({ "index": 0 })))?.end()?;
        Ok(())
    });
    assert_eq!(
        lines(&events)[3],
        r#"{"type":"TOOL_CALL_START","rawEvent":{"index":0},"toolCallId":"c-1","toolCallName":"look","parentMessageId":"r-msg-1"}"#
    );
}

#[test]
fn an_error_in_between_closes_all() {
    fn work(context: &mut RunContext<()>) -> Result<RunOutcome> {
        let mut calls = context.tool_calls();
        calls.start(0, "a")?;
        calls.start(1, "b")?;
        calls.args(&0, r#"{"half":"#)?;
        Err(Error::agent("the model went away"))
    }
    let events = events_of(script(work));
    assert_eq!(types(&events)[4..], [ToolCallEnd, ToolCallEnd, RunError]);
    let Some(Event::RunError(error)) = events.last() else { panic!() };
    assert_eq!(error.message, "the model went away");
}

//! Emitters: what is opened is closed, in order, on every path.

use ag_ui::EventType::*;
use ag_ui::{ContentPart, Event, JsonPointer, TextMessageRole, patch::AddOperation};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::server_support::{emitted, lines, types};

#[test]
fn a_message_is_three_brackets_and_its_text() {
    let events = emitted::<()>(|context| {
        let mut message = context.message(TextMessageRole::Developer)?;
        message.delta("a\n")?;
        message.delta("")?;
        message.delta(String::from("\"b\""))?;
        assert_eq!(message.id(), "r-msg-1");
        assert_eq!(message.end()?, "r-msg-1");
        Ok(())
    });
    assert_eq!(
        lines(&events),
        [
            r#"{"type":"TEXT_MESSAGE_START","messageId":"r-msg-1","role":"developer"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"r-msg-1","delta":"a\n"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"r-msg-1","delta":"\"b\""}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"r-msg-1"}"#,
        ]
    );
}

#[test]
fn a_handle_that_is_dropped_closes_once() {
    let events = emitted::<()>(|context| {
        drop(context.assistant_message()?);
        drop(context.tool_call("a")?);
        drop(context.reasoning()?);
        drop(context.step("b")?);
        Ok(())
    });
    assert_eq!(
        types(&events),
        [
            TextMessageStart,
            TextMessageEnd,
            ToolCallStart,
            ToolCallEnd,
            ReasoningStart,
            ReasoningMessageStart,
            ReasoningMessageEnd,
            ReasoningEnd,
            StepStarted,
            StepFinished,
        ]
    );
}

#[test]
fn a_tool_call_streams_its_arguments_and_its_result() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct City {
        city: String,
    }
    let events = emitted::<()>(|context| {
        let parent = context.say("Let me look.")?;
        let mut call = context.tool_call_of(&parent, "weather")?;
        call.args(r#"{"city":"#)?;
        assert!(call.parse_args::<City>().is_err(), "half of the arguments");
        call.args("\"Seoul\"}")?;
        assert_eq!(call.raw_args(), r#"{"city":"Seoul"}"#);
        assert_eq!(call.parse_args::<City>()?, City { city: "Seoul".to_owned() });
        let result_id = call.result_message_id().clone();
        assert_eq!(call.result_json(&json!({ "sky": "blue" }))?, result_id);
        Ok(())
    });
    assert_eq!(
        lines(&events)[3..],
        [
            r#"{"type":"TOOL_CALL_START","toolCallId":"r-call-1","toolCallName":"weather","parentMessageId":"r-msg-1"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"r-call-1","delta":"{\"city\":"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"r-call-1","delta":"\"Seoul\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"r-call-1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"r-msg-2","toolCallId":"r-call-1","content":"{\"sky\":\"blue\"}"}"#,
        ]
    );
}

#[test]
fn a_result_can_have_parts() {
    let events = emitted::<()>(|context| {
        context.tool_call("read")?.result_parts(vec![ContentPart::text("page one")])?;
        Ok(())
    });
    assert_eq!(
        lines(&events)[2],
        r#"{"type":"TOOL_CALL_RESULT","messageId":"r-msg-1","toolCallId":"r-call-1","content":[{"type":"text","text":"page one"}]}"#
    );
}

#[test]
fn reasoning_has_a_span_and_a_message() {
    let events = emitted::<()>(|context| {
        let mut reasoning = context.reasoning()?;
        reasoning.delta("hm")?;
        reasoning.encrypted_value("sealed")?;
        reasoning.end()?;
        context.think("so it is")?;
        Ok(())
    });
    assert_eq!(
        lines(&events)[..6],
        [
            r#"{"type":"REASONING_START","messageId":"r-reasoning-1"}"#,
            r#"{"type":"REASONING_MESSAGE_START","messageId":"r-reasoning-1","role":"reasoning"}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"r-reasoning-1","delta":"hm"}"#,
            r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"r-reasoning-1","encryptedValue":"sealed"}"#,
            r#"{"type":"REASONING_MESSAGE_END","messageId":"r-reasoning-1"}"#,
            r#"{"type":"REASONING_END","messageId":"r-reasoning-1"}"#,
        ]
    );
    assert_eq!(events.len(), 11);
}

#[test]
fn steps_nest_and_finish_inside_out() {
    let events = emitted::<()>(|context| {
        let mut outer = context.step("outer")?;
        {
            let mut inner = outer.step("inner")?;
            inner.say("x")?;
            assert_eq!(inner.name(), "inner");
        }
        outer.finish();
        Ok(())
    });
    assert_eq!(
        types(&events),
        [
            StepStarted,
            StepStarted,
            TextMessageStart,
            TextMessageContent,
            TextMessageEnd,
            StepFinished,
            StepFinished,
        ]
    );
}

#[test]
fn anything_else_is_emitted_as_it_is() {
    let events = emitted::<()>(|context| {
        context.custom("acme.progress", &json!({ "percent": 7 }))?;
        context.raw(&json!(null))?;
        let add = AddOperation::new(JsonPointer::root(), json!(1));
        context.emit(Event::state_delta(vec![add.into()]))?;
        Ok(())
    });
    assert_eq!(
        lines(&events),
        [
            r#"{"type":"CUSTOM","name":"acme.progress","value":{"percent":7}}"#,
            r#"{"type":"RAW","event":null}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"","value":1}]}"#,
        ]
    );
}

#[test]
fn a_value_without_a_json_form_is_an_error_and_emits_nothing() {
    struct Broken;
    impl Serialize for Broken {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("it is broken"))
        }
    }
    let events = emitted::<()>(|context| {
        let error = context.custom("acme.broken", &Broken).unwrap_err();
        assert_eq!(
            (error.code(), &*error.to_string()),
            ("SERIALIZATION", "serialization failed: it is broken",)
        );
        Ok(())
    });
    assert!(events.is_empty());
}

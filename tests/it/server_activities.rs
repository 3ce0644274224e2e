//! Activities and replaced conversations.

use ag_ui::EventType::*;
use ag_ui::patch::ReplaceOperation;
use ag_ui::server::{Activity, Error};
use ag_ui::{JsonPointer, Message, RunOutcome};
use serde_json::{Value, json};

use crate::server_support::{emitted, events_of, lines, script, types};

fn plan(done: usize) -> Value {
    json!({ "steps": ["boil the water", "warm the pot", "pour"], "done": done })
}

#[test]
fn an_activity_is_shown_and_then_patched() {
    let events = emitted::<()>(|context| {
        let mut activity = context.activity("PLAN", &plan(0))?;
        assert_eq!((activity.id().as_str(), activity.activity_type()), ("r-activity-1", "PLAN"));
        let mut message = context.assistant_message()?;
        message.delta("It boils.")?;
        activity.update(&plan(1))?;
        activity.update(&plan(1))?;
        message.end()?;
        Ok(())
    });
    assert_eq!(
        types(&events),
        [ActivitySnapshot, TextMessageStart, TextMessageContent, ActivityDelta, TextMessageEnd]
    );
    assert_eq!(
        lines(&events)[3],
        r#"{"type":"ACTIVITY_DELTA","messageId":"r-activity-1","activityType":"PLAN","patch":[{"op":"replace","path":"/done","value":1}]}"#
    );
}

#[test]
fn a_patch_of_the_callers_is_followed_by_the_whole_content() {
    let events = emitted::<()>(|context| {
        let mut activity = context.activity_with_id("a-1", "PLAN", &plan(0))?;
        let done = JsonPointer::from_tokens(["done"]);
        activity.delta(vec![ReplaceOperation::new(done, 2).into()])?;
        activity.update(&plan(2))
    });
    assert_eq!(types(&events), [ActivitySnapshot, ActivityDelta, ActivitySnapshot]);
}

#[test]
fn the_content_is_an_object() {
    let events = emitted::<()>(|context| {
        let error = context.activity("PLAN", &json!([1])).unwrap_err();
        assert!(matches!(&error, Error::ActivityContent { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            "the content of the activity `PLAN` is not a JSON object, which it must be"
        );
        let mut activity = context.activity("PLAN", &plan(0))?;
        assert!(activity.update(&"text").is_err());
        // The failed update did not count.
        activity.update(&plan(1))
    });
    assert_eq!(types(&events), [ActivitySnapshot, ActivitySnapshot]);
}

#[test]
fn an_activity_that_outlives_its_run_says_nothing() {
    use std::sync::Mutex;
    static KEPT: Mutex<Option<Activity>> = Mutex::new(None);

    let events = events_of(script::<()>(|context| {
        *KEPT.lock().unwrap() = Some(context.activity("PLAN", &plan(0))?);
        Ok(RunOutcome::success())
    }));
    assert_eq!(types(&events), [RunStarted, ActivitySnapshot, RunFinished]);
    let error = KEPT.lock().unwrap().as_mut().unwrap().update(&plan(1)).unwrap_err();
    assert!(matches!(error, Error::Ended), "{error}");
}

#[test]
fn a_conversation_is_replaced() {
    let events = emitted::<()>(|context| {
        context
            .messages_snapshot(vec![Message::user("m-1", "Hello"), Message::assistant("m-2", "Hi")])
    });
    assert_eq!(
        lines(&events),
        [
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":"m-1","content":"Hello"},{"role":"assistant","id":"m-2","content":"Hi"}]}"#
        ]
    );
}

//! Subagents: attribution, nesting, how they end, and several at once.

use std::future::Future;
use std::task::Context;

use ag_ui::server::{Error, Result, RunContext};
use ag_ui::{Event, InterruptId, RunAgentInput, RunOutcome, SubagentStartedEvent};
use futures_executor::block_on;
use serde_json::json;

use crate::server_support::{emitted, events_of, lines, outline, pause, script};

#[test]
fn what_a_subagent_emits_is_its_own() {
    let events = emitted::<Vec<u32>>(|context| {
        context.say("before")?;
        let mut subagent = context.subagent("planner")?;
        assert_eq!(subagent.id(), "r-sub-1");
        subagent.think("hm")?;
        subagent.tool_call("search")?.result("found")?;
        subagent.update_state(|state| state.push(1))?;
        subagent.custom("acme.note", &1)?;
        subagent.raw(&json!({}))?;
        subagent.activity("PLAN", &json!({}))?;
        drop(subagent.step("write")?);
        subagent.finish_with(&json!({ "tasks": 2 }))?;
        context.say("after")?;
        Ok(())
    });
    let outline = outline(&events);
    let (inside, outside): (Vec<_>, Vec<_>) =
        outline.iter().partition(|line| line.ends_with(" @r-sub-1"));
    assert_eq!(
        outside,
        ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"].repeat(2)
    );
    assert_eq!(inside.len(), 1 + 5 + 3 + 1 + 1 + 1 + 1 + 2 + 1, "{outline:#?}");
    assert_eq!(inside, outline[3..outline.len() - 3].iter().collect::<Vec<_>>());
    assert_eq!(
        lines(&events)[outline.len() - 4],
        r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"r-sub-1","result":{"tasks":2}}"#
    );
}

#[test]
fn a_subagent_inside_another_names_its_parent() {
    let events = emitted::<()>(|context| {
        let mut outer = context.subagent("outer")?;
        let mut inner = outer.subagent("inner")?;
        inner.say("deep")?;
        inner.finish()?;
        outer.say("shallow")?;
        outer.finish()?;
        context.say("top")?;
        Ok(())
    });
    assert_eq!(
        lines(&events)[1],
        r#"{"type":"SUBAGENT_STARTED","subagentRunId":"r-sub-2","name":"inner","parentSubagentRunId":"r-sub-1"}"#
    );
    let owners: Vec<_> =
        events.iter().map(|event| event.subagent_run_id().map(|id| id.as_str())).collect();
    let (outer, inner) = (Some("r-sub-1"), Some("r-sub-2"));
    assert_eq!(owners[..6], [outer, inner, inner, inner, inner, inner]);
    assert_eq!(owners[6..], [outer, outer, outer, outer, None, None, None]);
}

#[test]
fn a_start_says_what_the_author_wants() {
    let events = emitted::<()>(|context| {
        let call = context.tool_call("ask_expert")?.end()?;
        let start = SubagentStartedEvent::new("expert-7", "expert")
            .with_description("Knows tea.")
            .with_parent_tool_call_id(&call);
        let mut expert = context.subagent_from(start)?;
        expert.say("Green.")?;
        expert.finish()?;
        context.tool_result(&call, "Green.")?;
        Ok(())
    });
    assert_eq!(
        lines(&events)[2],
        r#"{"type":"SUBAGENT_STARTED","subagentRunId":"expert-7","name":"expert","description":"Knows tea.","parentToolCallId":"r-call-1"}"#
    );
}

#[test]
fn every_end_has_its_event() {
    let ends = |end: fn(&mut RunContext<()>) -> Result<()>| lines(&emitted(end)).pop().unwrap();
    assert_eq!(
        ends(|context| context.subagent("a")?.finish()),
        r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"r-sub-1"}"#
    );
    assert_eq!(
        ends(|context| context.subagent("a")?.suspend([InterruptId::new("i-1")])),
        r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"r-sub-1","outcome":{"type":"suspended","interruptIds":["i-1"]}}"#
    );
    assert_eq!(
        ends(|context| context.subagent("a")?.suspend([])),
        r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"r-sub-1","outcome":{"type":"suspended"}}"#
    );
    assert_eq!(
        ends(|context| context.subagent("a")?.fail("no tea")),
        r#"{"type":"SUBAGENT_ERROR","subagentRunId":"r-sub-1","message":"no tea","code":"AGENT_ERROR"}"#
    );
}

#[test]
fn a_scope_left_by_an_error_is_no_success_and_closes_inside_out() {
    fn work(context: &mut RunContext<()>) -> Result<()> {
        let mut outer = context.subagent("outer")?;
        let mut inner = outer.subagent("inner")?;
        let mut step = inner.step("try")?;
        let mut message = step.assistant_message()?;
        message.delta("I tr")?;
        Err(Error::agent("no power"))
    }
    let events = events_of(script::<()>(|context| {
        assert_eq!(work(context).unwrap_err().to_string(), "no power");
        context.say("One of us failed.")?;
        Ok(RunOutcome::success())
    }));
    let outline = outline(&events);
    assert_eq!(
        outline[6..],
        [
            "TEXT_MESSAGE_END @r-1-sub-2",
            "STEP_FINISHED @r-1-sub-2",
            "SUBAGENT_ERROR @r-1-sub-2",
            "SUBAGENT_ERROR @r-1-sub-1",
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
            "RUN_FINISHED",
        ]
    );
    assert_eq!(
        lines(&events)[8],
        r#"{"type":"SUBAGENT_ERROR","subagentRunId":"r-1-sub-2","message":"the subagent was dropped before it said how it ended","code":"AGENT_ERROR"}"#
    );
}

#[test]
fn a_subagent_of_a_cancelled_run_says_so() {
    let events = events_of(script::<()>(|context| {
        let mut subagent = context.subagent("slow")?;
        subagent.cancellation_token().cancel();
        subagent.say("unheard")?;
        subagent.finish()?;
        Ok(RunOutcome::success())
    }));
    let lines = lines(&events);
    assert_eq!(
        lines[2],
        r#"{"type":"SUBAGENT_ERROR","subagentRunId":"r-1-sub-1","message":"the run was cancelled","code":"CANCELLED"}"#
    );
    assert!(lines[3].contains(r#""outcome":{"type":"cancelled"}"#), "{}", lines[3]);
}

async fn count(subagents: &ag_ui::server::Subagents<'_, Vec<String>>, name: &str) -> Result<usize> {
    let mut subagent = subagents.start(name)?;
    let mut message = subagent.assistant_message()?;
    for _ in 0..2 {
        message.delta("tick")?;
        pause().await;
    }
    drop(message);
    let place = subagent.update_shared(|names| {
        names.push(name.to_owned());
        names.len()
    })?;
    subagent.finish()?;
    Ok(place)
}

#[test]
fn subagents_work_side_by_side_on_one_state() {
    let input = RunAgentInput::new("t", "r", vec![]);
    let (mut context, events) = RunContext::<Vec<String>>::new(input).unwrap();
    let subagents = context.subagents();
    let both = futures_util::future::try_join(count(&subagents, "a"), count(&subagents, "b"));
    assert_eq!(block_on(both).unwrap(), (1, 2));
    drop(subagents);
    assert_eq!(context.state(), &["a", "b"]);
    let outline = outline(&events.drain());
    assert_eq!(
        outline[..6],
        [
            "SUBAGENT_STARTED @r-sub-1",
            "TEXT_MESSAGE_START @r-sub-1",
            "TEXT_MESSAGE_CONTENT @r-sub-1",
            "SUBAGENT_STARTED @r-sub-2",
            "TEXT_MESSAGE_START @r-sub-2",
            "TEXT_MESSAGE_CONTENT @r-sub-2",
        ]
    );
    let end_of_a: Vec<_> = outline.iter().filter(|line| line.ends_with("sub-1")).skip(4).collect();
    assert_eq!(
        end_of_a,
        ["TEXT_MESSAGE_END @r-sub-1", "STATE_SNAPSHOT @r-sub-1", "SUBAGENT_FINISHED @r-sub-1"]
    );
}

#[test]
fn a_subagent_that_is_dropped_at_work_is_closed() {
    let input = RunAgentInput::new("t", "r", vec![]);
    let (mut context, events) = RunContext::<Vec<String>>::new(input).unwrap();
    let subagents = context.subagents();
    {
        let mut work = Box::pin(count(&subagents, "a"));
        let mut polled = Context::from_waker(std::task::Waker::noop());
        assert!(work.as_mut().poll(&mut polled).is_pending());
    }
    subagents.update_shared(|names| names.push("the agent".to_owned())).unwrap();
    let outline = outline(&events.drain());
    assert_eq!(
        outline[3..],
        ["TEXT_MESSAGE_END @r-sub-1", "SUBAGENT_ERROR @r-sub-1", "STATE_SNAPSHOT"]
    );
}

#[test]
fn the_context_of_a_subagent_has_no_state_to_publish() {
    let events = emitted::<Vec<u32>>(|context| {
        let subagents = context.subagents();
        let mut subagent = subagents.start("a")?;
        subagent.publish_state()?;
        subagent.finish()
    });
    assert!(!events.iter().any(|event| matches!(event, Event::StateSnapshot(_))), "{events:?}");
}

//! Random streams: verifying chunks as they are says what verifying what they stand for says.

use ag_ui::chunks::ChunkExpander;
use ag_ui::verify::{EventVerifier, Rule};
use ag_ui::{
    Event, MessageId, ReasoningMessageChunkEvent, SubagentRunId, SubagentStartedEvent,
    TextMessageChunkEvent, TextMessageRole, ToolCallChunkEvent, ToolCallStartEvent,
};
use proptest::prelude::*;
use serde_json::json;

const CASES: u32 = 2_000;

fn id() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b"])
}

fn tag() -> impl Strategy<Value = Option<&'static str>> {
    prop_oneof![3 => Just(None), 1 => id().prop_map(Some)]
}

fn event() -> impl Strategy<Value = Event> {
    let plain = (id(), 0..17_u8).prop_map(|(id, kind)| match kind {
        0 => Event::text_message_start(id, TextMessageRole::Assistant),
        1 => Event::text_message_content(id, "x"),
        2 => Event::text_message_end(id),
        3 => ToolCallStartEvent::new(id, "search").into(),
        4 => ToolCallStartEvent::new(id, "search").with_parent_message_id("a").into(),
        5 => Event::tool_call_args(id, "x"),
        6 => Event::tool_call_end(id),
        7 => Event::tool_call_result("a", id, "x"),
        8 => Event::step_started(id),
        9 => Event::step_finished(id),
        10 => Event::reasoning_start(id),
        11 => Event::reasoning_message_start(id),
        12 => Event::reasoning_message_end(id),
        13 => Event::reasoning_end(id),
        14 => Event::custom("acme.note", 1),
        15 => Event::raw(json!({})),
        _ => Event::state_snapshot(json!({})),
    });
    let of_runs = (id(), 0..6_u8).prop_map(|(id, kind)| match kind {
        0 => SubagentStartedEvent::new(id, "helper").into(),
        1 => SubagentStartedEvent::new(id, "helper").with_parent_subagent_run_id("a").into(),
        2 => Event::subagent_finished(id),
        3 => Event::subagent_error(id, "no"),
        4 => Event::run_finished("t", "r"),
        _ => Event::messages_snapshot(vec![]),
    });
    prop_oneof![
        4 => chunk(),
        6 => (plain, tag()).prop_map(|(event, tag)| tagged(event, tag)),
        2 => of_runs,
    ]
}

fn chunk() -> impl Strategy<Value = Event> {
    let parts = (prop::option::weighted(0.6, id()), any::<bool>(), any::<bool>(), 0..3_u8, tag());
    parts.prop_map(|(id, has_name, has_delta, kind, tag)| {
        let delta = has_delta.then(|| "x".to_owned());
        let event: Event = match kind {
            0 => {
                let mut chunk = TextMessageChunkEvent::new();
                chunk.message_id = id.map(MessageId::new);
                chunk.role = has_name.then_some(TextMessageRole::User);
                chunk.delta = delta;
                chunk.into()
            }
            1 => {
                let mut chunk = ToolCallChunkEvent::new();
                chunk.tool_call_id = id.map(Into::into);
                chunk.tool_call_name = has_name.then(|| "search".to_owned());
                chunk.delta = delta;
                chunk.into()
            }
            _ => {
                let mut chunk = ReasoningMessageChunkEvent::new();
                chunk.message_id = id.map(MessageId::new);
                chunk.delta = delta;
                chunk.into()
            }
        };
        tagged(event, tag)
    })
}

fn tagged(mut event: Event, tag: Option<&str>) -> Event {
    if let Some(tag) = tag {
        event.set_subagent_run_id(SubagentRunId::new(tag));
    }
    event
}

/// The rule that an event breaks once it is expanded, by copies that are thrown away.
fn expanded(
    expander: &mut ChunkExpander,
    verifier: &mut EventVerifier,
    event: &Event,
) -> Result<(), Rule> {
    let (mut next_expander, mut next_verifier) = (expander.clone(), verifier.clone());
    let mut events = Vec::new();
    next_expander
        .expand(event.clone(), |event| events.push(event))
        .map_err(|violation| violation.rule())?;
    for event in &events {
        next_verifier.verify(event).map_err(|violation| violation.rule())?;
    }
    (*expander, *verifier) = (next_expander, next_verifier);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Rejected events are left out and the stream goes on, so this also shows that a rejection
    /// changes nothing: one of the two verifiers is a copy from before it.
    #[test]
    fn chunks_are_verified_as_what_they_stand_for(
        events in prop::collection::vec(event(), 1..40),
        producer in any::<bool>(),
    ) {
        let new = || if producer { EventVerifier::producer() } else { EventVerifier::new() };
        let (mut direct, mut indirect, mut expander) = (new(), new(), ChunkExpander::new());
        let started = Event::run_started("t", "r");
        direct.verify(&started).unwrap();
        indirect.verify(&started).unwrap();
        for event in &events {
            let verdict = direct.verify(event).map_err(|violation| violation.rule());
            let mut of_expanded = expanded(&mut expander, &mut indirect, event);
            if verdict == Err(Rule::RunEnded) && of_expanded.is_err() {
                // What comes after the end is wrong in any case, and may be in another way too.
                of_expanded = verdict;
            }
            prop_assert_eq!(verdict, of_expanded, "{:?} in {:?}", event, events);
        }
        prop_assert_eq!(direct.finish().is_ok(), indirect.finish().is_ok());
    }
}

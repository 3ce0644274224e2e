//! What events come to: messages, state, and what is pending.

use ag_ui::client::{
    Conversation, ReasoningChange, StateUpdate, TextChange, ToolCallChange, Update,
};
use ag_ui::{Message, TextMessageRole};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::client_support::{applied, apply, events, messages, said, warnings};
use crate::compaction::any_event;

/// What each stream leaves, message by message, and how many warnings it gives.
#[test]
fn events_build_messages() {
    let table: &[(&str, Value, usize)] = &[
        (
            "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=a; TEXT_MESSAGE_CONTENT messageId=m delta=b; TEXT_MESSAGE_END messageId=m",
            json!([{"id": "m", "role": "assistant", "content": "ab"}]),
            0,
        ),
        (
            "TEXT_MESSAGE_START messageId=m role=user name=Ada @s metadata={\"a\":1}",
            json!([{"id": "m", "role": "user", "name": "Ada", "content": "", "subagentRunId": "s", "metadata": {"a": 1}}]),
            0,
        ),
        // A reopened message keeps its role, its owner and its text.
        (
            "TEXT_MESSAGE_START messageId=m role=user @s; TEXT_MESSAGE_CONTENT messageId=m delta=a; TEXT_MESSAGE_END messageId=m; TEXT_MESSAGE_START messageId=m role=system; TEXT_MESSAGE_CONTENT messageId=m delta=b",
            json!([{"id": "m", "role": "user", "content": "ab", "subagentRunId": "s"}]),
            0,
        ),
        // Later metadata win key by key, whole.
        (
            "TEXT_MESSAGE_START messageId=m metadata={\"a\":{\"x\":1},\"b\":1}; TEXT_MESSAGE_CONTENT messageId=m delta=a metadata={\"a\":{\"y\":null}}; TEXT_MESSAGE_END messageId=m metadata={\"c\":2}",
            json!([{"id": "m", "role": "assistant", "content": "a", "metadata": {"a": {"y": null}, "b": 1, "c": 2}}]),
            0,
        ),
        ("TEXT_MESSAGE_CONTENT messageId=m delta=a; TEXT_MESSAGE_END messageId=m", json!([]), 2),
        (
            "ACTIVITY_SNAPSHOT messageId=m activityType=x content={}; TEXT_MESSAGE_START messageId=m metadata={\"a\":1}; TEXT_MESSAGE_CONTENT messageId=m delta=a; REASONING_MESSAGE_START messageId=m role=reasoning",
            json!([{"id": "m", "role": "activity", "activityType": "x", "content": {}}]),
            3,
        ),
        // Calls without a parent have a message each, which has no content.
        (
            "TOOL_CALL_START toolCallId=c toolCallName=x @s; TOOL_CALL_ARGS toolCallId=c delta=\"[\"; TOOL_CALL_ARGS toolCallId=c delta=\"]\" metadata={\"a\":1}; TOOL_CALL_END toolCallId=c; TOOL_CALL_START toolCallId=d toolCallName=y",
            json!([
                {"id": "c", "role": "assistant", "subagentRunId": "s", "toolCalls": [{"id": "c", "type": "function", "function": {"name": "x", "arguments": "[]"}, "metadata": {"a": 1}}]},
                {"id": "d", "role": "assistant", "toolCalls": [{"id": "d", "type": "function", "function": {"name": "y", "arguments": ""}}]},
            ]),
            0,
        ),
        // A parent that is there takes the call, one that is not is made.
        (
            "TEXT_MESSAGE_START messageId=m; TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m @s; TOOL_CALL_START toolCallId=d toolCallName=x parentMessageId=n; TOOL_CALL_START toolCallId=e toolCallName=x parentMessageId=n",
            json!([
                {"id": "m", "role": "assistant", "content": "", "toolCalls": [{"id": "c", "type": "function", "function": {"name": "x", "arguments": ""}}]},
                {"id": "n", "role": "assistant", "toolCalls": [
                    {"id": "d", "type": "function", "function": {"name": "x", "arguments": ""}},
                    {"id": "e", "type": "function", "function": {"name": "x", "arguments": ""}},
                ]},
            ]),
            0,
        ),
        // A parent of another role is none.
        (
            "TEXT_MESSAGE_START messageId=m role=user; TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m",
            json!([
                {"id": "m", "role": "user", "content": ""},
                {"id": "c", "role": "assistant", "toolCalls": [{"id": "c", "type": "function", "function": {"name": "x", "arguments": ""}}]},
            ]),
            1,
        ),
        // Started again, a call keeps its arguments and takes the new name.
        (
            "TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_ARGS toolCallId=c delta=1; TOOL_CALL_END toolCallId=c; TOOL_CALL_START toolCallId=c toolCallName=y; TOOL_CALL_ARGS toolCallId=c delta=2",
            json!([{"id": "c", "role": "assistant", "toolCalls": [{"id": "c", "type": "function", "function": {"name": "y", "arguments": "12"}}]}]),
            1,
        ),
        ("TOOL_CALL_ARGS toolCallId=c delta=1; TOOL_CALL_END toolCallId=c", json!([]), 2),
        // Results follow the message of their call, in the order in which they came.
        (
            "TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m; TOOL_CALL_START toolCallId=d toolCallName=x parentMessageId=m; TEXT_MESSAGE_START messageId=n; TOOL_CALL_RESULT messageId=2 toolCallId=d content=two @s; TOOL_CALL_RESULT messageId=1 toolCallId=c content=one; TOOL_CALL_RESULT messageId=0 toolCallId=other content=none",
            json!([
                {"id": "m", "role": "assistant", "toolCalls": [
                    {"id": "c", "type": "function", "function": {"name": "x", "arguments": ""}},
                    {"id": "d", "type": "function", "function": {"name": "x", "arguments": ""}},
                ]},
                {"id": "2", "role": "tool", "toolCallId": "d", "content": "two", "subagentRunId": "s"},
                {"id": "1", "role": "tool", "toolCallId": "c", "content": "one"},
                {"id": "n", "role": "assistant", "content": ""},
                {"id": "0", "role": "tool", "toolCallId": "other", "content": "none"},
            ]),
            0,
        ),
        // Nobody looks for results that are the same.
        (
            "TOOL_CALL_RESULT messageId=1 toolCallId=c content=one; TOOL_CALL_RESULT messageId=1 toolCallId=c content=one",
            json!([
                {"id": "1", "role": "tool", "toolCallId": "c", "content": "one"},
                {"id": "1", "role": "tool", "toolCallId": "c", "content": "one"},
            ]),
            0,
        ),
        (
            "REASONING_START messageId=r; REASONING_MESSAGE_START messageId=r role=reasoning @s; REASONING_MESSAGE_CONTENT messageId=r delta=hm; REASONING_MESSAGE_END messageId=r; REASONING_END messageId=r",
            json!([{"id": "r", "role": "reasoning", "content": "hm", "subagentRunId": "s"}]),
            0,
        ),
        // A value without a type takes the type of the one before away.
        (
            "TEXT_MESSAGE_START messageId=m; REASONING_ENCRYPTED_VALUE subtype=message entityId=m encryptedValue=a encryptedValueType=t; REASONING_ENCRYPTED_VALUE subtype=message entityId=m encryptedValue=b; TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m; REASONING_ENCRYPTED_VALUE subtype=tool-call entityId=c encryptedValue=d encryptedValueType=t",
            json!([{"id": "m", "role": "assistant", "content": "", "encryptedValue": "b", "toolCalls": [
                {"id": "c", "type": "function", "function": {"name": "x", "arguments": ""}, "encryptedValue": "d", "encryptedValueType": "t"},
            ]}]),
            0,
        ),
        (
            "REASONING_ENCRYPTED_VALUE subtype=message entityId=m encryptedValue=a; REASONING_ENCRYPTED_VALUE subtype=tool-call entityId=c encryptedValue=a; ACTIVITY_SNAPSHOT messageId=m activityType=x content={}; REASONING_ENCRYPTED_VALUE subtype=message entityId=m encryptedValue=a",
            json!([{"id": "m", "role": "activity", "activityType": "x", "content": {}}]),
            3,
        ),
    ];
    for (stream, expected, count) in table {
        let (conversation, updates) = applied(stream);
        assert_eq!(messages(&conversation), *expected, "{stream}");
        assert_eq!(warnings(&updates).len(), *count, "{stream}: {:?}", warnings(&updates));
    }
}

#[test]
fn parts_give_way_to_streamed_text() {
    let mut conversation = Conversation::new();
    conversation.push(
        serde_json::from_value(
            json!({"id": "m", "role": "user", "content": [{"type": "text", "text": "a"}]}),
        )
        .unwrap(),
    );
    apply(
        &mut conversation,
        "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=b",
    );
    assert_eq!(messages(&conversation), json!([{"id": "m", "role": "user", "content": "b"}]));
}

#[test]
fn activities_are_replaced_patched_and_kept() {
    const FIRST: &str =
        "ACTIVITY_SNAPSHOT messageId=a activityType=x content={\"n\":1} metadata={\"k\":1} @s;";
    let table: &[(&str, Value, usize)] = &[
        (
            "ACTIVITY_SNAPSHOT messageId=a activityType=y content={\"n\":2} metadata={\"l\":2}",
            json!({"id": "a", "role": "activity", "activityType": "y", "content": {"n": 2}, "metadata": {"k": 1, "l": 2}}),
            0,
        ),
        (
            "ACTIVITY_SNAPSHOT messageId=a activityType=y content={} replace=false metadata={\"l\":2}",
            json!({"id": "a", "role": "activity", "activityType": "x", "content": {"n": 1}, "metadata": {"k": 1, "l": 2}, "subagentRunId": "s"}),
            0,
        ),
        (
            "ACTIVITY_DELTA messageId=a activityType=y patch=[{\"op\":\"add\",\"path\":\"/m\",\"value\":[]}]",
            json!({"id": "a", "role": "activity", "activityType": "y", "content": {"n": 1, "m": []}, "metadata": {"k": 1}, "subagentRunId": "s"}),
            0,
        ),
        // What fails leaves content and type alone; metadata are taken.
        (
            "ACTIVITY_DELTA messageId=a activityType=y metadata={\"l\":2} patch=[{\"op\":\"remove\",\"path\":\"/n\"},{\"op\":\"remove\",\"path\":\"/m\"}]",
            json!({"id": "a", "role": "activity", "activityType": "x", "content": {"n": 1}, "metadata": {"k": 1, "l": 2}, "subagentRunId": "s"}),
            1,
        ),
        (
            "ACTIVITY_DELTA messageId=a activityType=y patch=[{\"op\":\"replace\",\"path\":\"\",\"value\":[]}]",
            json!({"id": "a", "role": "activity", "activityType": "x", "content": {"n": 1}, "metadata": {"k": 1}, "subagentRunId": "s"}),
            1,
        ),
        (
            "ACTIVITY_DELTA messageId=other activityType=y patch=[]",
            json!({"id": "a", "role": "activity", "activityType": "x", "content": {"n": 1}, "metadata": {"k": 1}, "subagentRunId": "s"}),
            1,
        ),
    ];
    for (stream, expected, count) in table {
        let (conversation, updates) = applied(&format!("{FIRST}{stream}"));
        assert_eq!(messages(&conversation), json!([expected]), "{stream}");
        assert_eq!(warnings(&updates).len(), *count, "{stream}: {:?}", warnings(&updates));
    }
}

#[test]
fn an_activity_takes_the_place_of_another_message_only_when_it_replaces() {
    let text = said("m", "hello");
    let (conversation, _) = applied(&format!(
        "{text};ACTIVITY_SNAPSHOT messageId=m activityType=x content={{}} replace=false"
    ));
    assert_eq!(messages(&conversation)[0]["role"], "assistant");
    let (conversation, updates) = applied(&format!(
        "TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m;{text};ACTIVITY_SNAPSHOT messageId=m activityType=x content={{}};TOOL_CALL_ARGS toolCallId=c delta=1"
    ));
    assert_eq!(
        messages(&conversation),
        json!([{"id": "m", "role": "activity", "activityType": "x", "content": {}}])
    );
    assert_eq!(warnings(&updates).len(), 1, "the call went with its message");
}

#[test]
fn a_snapshot_of_messages_is_neither_an_overwrite_nor_a_merge() {
    let before = format!(
        "{};{};REASONING_MESSAGE_START messageId=r role=reasoning;ACTIVITY_SNAPSHOT messageId=a activityType=x content={{}};ACTIVITY_SNAPSHOT messageId=b activityType=y content={{}};",
        said("m", "one"),
        said("n", "two"),
    );
    let user = |id: &str| json!({"id": id, "role": "user", "content": id});
    let activity = json!({"id": "z", "role": "activity", "activityType": "x", "content": {}});
    let reasoning = json!({"id": "q", "role": "reasoning", "content": ""});
    let declared = |types: Value| json!({"@ag-ui/client": {"authoritativeActivityTypes": types}});
    let table = [
        // Held ones stay where they are, new ones follow, others go; but reasoning and activities stay.
        (json!([user("new"), user("n")]), json!(null), vec!["n", "r", "a", "b", "new"]),
        (json!([activity]), json!(null), vec!["r", "z"]),
        (json!([reasoning]), json!(null), vec!["a", "b", "q"]),
        (json!([user("m")]), declared(json!(null)), vec!["m", "r"]),
        (json!([user("m")]), declared(json!(["y"])), vec!["m", "r", "a"]),
        (json!([activity]), declared(json!([])), vec!["r", "a", "b", "z"]),
        (json!([activity]), declared(json!("y")), vec!["r", "a", "b", "z"]),
        (json!([activity]), json!({"@ag-ui/client": 1}), vec!["r", "a", "b", "z"]),
        (json!([user("u"), user("u")]), json!(null), vec!["r", "a", "b", "u", "u"]),
    ];
    for (snapshot, metadata, expected) in table {
        let metadata = if metadata.is_null() {
            String::new()
        } else {
            format!(" metadata={}", metadata.to_string().replace(' ', ""))
        };
        let stream = format!("{before}MESSAGES_SNAPSHOT messages={snapshot}{metadata}");
        let (conversation, updates) = applied(&stream);
        let ids: Vec<_> =
            conversation.messages().iter().map(|message| message.id().to_string()).collect();
        assert_eq!(ids, expected, "{snapshot} {metadata}");
        assert_eq!(updates.last(), Some(&Update::Messages));
    }
}

#[test]
fn a_restated_message_is_taken_whole() {
    let stream = "TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m metadata={\"a\":1}; MESSAGES_SNAPSHOT messages=[{\"id\":\"m\",\"role\":\"assistant\",\"toolCalls\":[{\"id\":\"d\",\"type\":\"function\",\"function\":{\"name\":\"y\",\"arguments\":\"\"}}]}]; TOOL_CALL_ARGS toolCallId=d delta=1; TOOL_CALL_ARGS toolCallId=c delta=2";
    let (conversation, updates) = applied(stream);
    assert_eq!(
        messages(&conversation),
        json!([{"id": "m", "role": "assistant", "toolCalls": [{"id": "d", "type": "function", "function": {"name": "y", "arguments": "1"}}]}])
    );
    assert_eq!(warnings(&updates).len(), 1);
    assert_eq!(conversation.messages().tool_call("d").unwrap().1.function.arguments, "1");
}

#[test]
fn an_echoed_input_adds_what_is_not_held() {
    let mut conversation = Conversation::new();
    conversation.push(Message::user("m", "mine"));
    let input = json!({"threadId": "t", "runId": "r", "messages": [
        {"id": "m", "role": "user", "content": "theirs"},
        {"id": "n", "role": "user", "content": "new"},
    ]});
    let updates =
        apply(&mut conversation, &format!("RUN_STARTED threadId=t runId=r input={input}"));
    assert_eq!(conversation.messages()[0].text().unwrap(), "mine");
    assert_eq!(conversation.messages()[1].text().unwrap(), "new");
    assert!(updates.contains(&Update::Messages));
}

#[test]
fn states_are_replaced_and_patched_and_survive_failures() {
    let mut conversation = Conversation::new();
    assert_eq!(conversation.raw_state(), None);
    assert_eq!(conversation.state::<Value>().unwrap(), None);
    apply(&mut conversation, "STATE_SNAPSHOT snapshot={\"n\":1}; RUN_ERROR message=x");
    assert_eq!(conversation.raw_state(), Some(&json!({"n": 1})));

    let failing = "STATE_DELTA delta=[{\"op\":\"replace\",\"path\":\"/n\",\"value\":2},{\"op\":\"remove\",\"path\":\"/m\"}]";
    let updates = apply(&mut conversation, failing);
    assert_eq!(
        warnings(&updates),
        [
            "the state patch does not apply, the state stays as it was: operation 1, remove /m: there is no value to remove"
        ]
    );
    assert_eq!(conversation.raw_state(), Some(&json!({"n": 1})));

    let updates = apply(
        &mut conversation,
        "STATE_DELTA delta=[{\"op\":\"replace\",\"path\":\"/n\",\"value\":2}]",
    );
    assert!(matches!(&updates[0], Update::State(StateUpdate::Patched(patch)) if patch.len() == 1));
    assert_eq!(conversation.raw_state(), Some(&json!({"n": 2})));

    for falsy in ["null", "0", "\"\"", "false"] {
        apply(&mut conversation, &format!("STATE_SNAPSHOT snapshot={falsy}"));
        assert_eq!(
            conversation.raw_state().unwrap().to_string(),
            if falsy == "0" { "\"0\"" } else { falsy }
        );
    }
    apply(
        &mut conversation,
        "STATE_DELTA delta=[{\"op\":\"replace\",\"path\":\"\",\"value\":[1]}]",
    );
    let error = conversation.state::<Vec<String>>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the state does not fit, at /0: invalid type: integer `1`, expected a string"
    );
    assert_eq!(conversation.state::<Vec<u8>>().unwrap(), Some(vec![1]));
}

#[test]
fn calls_without_an_answer_are_pending_when_a_run_ends() {
    const CALLS: &str = "RUN_STARTED threadId=t runId=r; TOOL_CALL_START toolCallId=a toolCallName=x; TOOL_CALL_START toolCallId=b toolCallName=x; TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_RESULT messageId=1 toolCallId=b content=x;";
    let table = [
        ("RUN_FINISHED threadId=t runId=r", vec!["a", "c"]),
        ("RUN_FINISHED threadId=t runId=r outcome={\"type\":\"success\"}", vec!["a", "c"]),
        (
            "RUN_FINISHED threadId=t runId=r outcome={\"type\":\"success\",\"pendingToolCallIds\":[]}",
            vec!["a", "c"],
        ),
        (
            "RUN_FINISHED threadId=t runId=r outcome={\"type\":\"success\",\"pendingToolCallIds\":[\"c\"]}",
            vec!["c"],
        ),
        ("RUN_FINISHED threadId=t runId=r outcome={\"type\":\"cancelled\"}", vec![]),
        ("RUN_ERROR message=x", vec!["a", "c"]),
    ];
    for (end, expected) in table {
        let (mut conversation, _) = applied(&format!("{CALLS}{end}"));
        let pending: Vec<_> =
            conversation.pending_tool_calls().map(|call| call.id.to_string()).collect();
        assert_eq!(pending, expected, "{end}");
        conversation.push(Message::tool("2", "a", "done"));
        let pending: Vec<_> =
            conversation.pending_tool_calls().map(|call| call.id.to_string()).collect();
        assert!(!pending.contains(&"a".to_owned()), "{end}");
        // The answer stands behind its call.
        assert_eq!(conversation.messages()[1].id(), &"2");
    }
}

#[test]
fn interrupts_wait_until_a_run_finishes_without() {
    let interrupted = "RUN_STARTED threadId=t runId=r; RUN_FINISHED threadId=t runId=r outcome={\"type\":\"interrupt\",\"interrupts\":[{\"id\":\"i\",\"reason\":\"x\"}]}";
    let (mut conversation, _) = applied(interrupted);
    assert_eq!(conversation.interrupts()[0].id, "i");
    apply(&mut conversation, "RUN_STARTED threadId=t runId=q; RUN_ERROR message=x");
    assert_eq!(conversation.interrupts().len(), 1);
    apply(&mut conversation, "RUN_STARTED threadId=t runId=s; RUN_FINISHED threadId=t runId=s");
    assert!(conversation.interrupts().is_empty());
}

#[test]
fn what_is_left_open_ends_with_the_run() {
    let (_, updates) = applied(
        "RUN_STARTED threadId=t runId=r; TEXT_MESSAGE_START messageId=m; TOOL_CALL_START toolCallId=c toolCallName=x; REASONING_START messageId=q; REASONING_MESSAGE_START messageId=q role=reasoning; STEP_STARTED stepName=s; STEP_STARTED stepName=s @sub; STEP_FINISHED stepName=s; RUN_ERROR message=x",
    );
    let tail: Vec<_> = updates.iter().rev().take(6).rev().collect();
    assert!(matches!(tail[0], Update::Step(step) if step.subagent_run_id.is_some()), "{tail:?}");
    assert!(
        matches!(tail[1], Update::Reasoning(update) if update.change == ReasoningChange::Ended)
    );
    assert!(
        matches!(tail[2], Update::Reasoning(update) if update.change == ReasoningChange::SpanEnded)
    );
    assert!(matches!(tail[3], Update::ToolCall(update) if update.change == ToolCallChange::Ended));
    assert!(matches!(tail[4], Update::Text(update) if update.change == TextChange::Ended));
    assert!(matches!(tail[5], Update::RunEnded { .. }));
}

#[test]
fn usage_is_added_up_by_model() {
    let usage = |tokens: u32| {
        format!("usage=[{{\"provider\":\"p\",\"model\":\"m\",\"inputTokens\":{tokens}}}]")
    };
    let (conversation, updates) = applied(&format!(
        "RUN_STARTED threadId=t runId=r; RUN_ERROR message=x {}; RUN_STARTED threadId=t runId=s; RUN_FINISHED threadId=t runId=s {}",
        usage(1),
        usage(2)
    ));
    assert_eq!(conversation.usage().len(), 1);
    assert_eq!(conversation.usage()[0].input_tokens, Some(3));
    assert_eq!(updates.iter().filter(|update| matches!(update, Update::Usage(_))).count(), 2);
}

#[test]
fn everything_else_reaches_the_caller_as_it_is() {
    let (_, updates) = applied(
        "CUSTOM name=a.b value={\"x\":null}; RAW event=[1] source=other; SUBAGENT_STARTED subagentRunId=s name=helper; SUBAGENT_FINISHED subagentRunId=s result=\"ok\"; SUBAGENT_ERROR subagentRunId=s message=x; TEXT_MESSAGE_START messageId=m role=developer name=Eve",
    );
    assert!(matches!(&updates[0], Update::Custom(event) if event.value == json!({"x": null})));
    assert!(matches!(&updates[1], Update::Raw(event) if event.source.as_deref() == Some("other")));
    assert_eq!(
        updates[2..5].iter().filter(|update| matches!(update, Update::Subagent(_))).count(),
        3
    );
    let Update::Text(text) = &updates[5] else { panic!("{updates:?}") };
    assert!(
        matches!(&text.change, TextChange::Started { role: TextMessageRole::Developer, name: Some(name), .. } if name == "Eve")
    );
}

#[test]
fn copies_in_patches_are_bounded_over_a_whole_session() {
    let mut conversation = Conversation::new();
    apply(
        &mut conversation,
        "STATE_SNAPSHOT snapshot={\"0\":[0,0,0,0,0,0,0,0,0,0]}; ACTIVITY_SNAPSHOT messageId=a activityType=x content={\"0\":[0,0,0,0,0,0,0,0,0,0]}",
    );
    let mut refused = (0, 0);
    for index in 1..40 {
        let patch = json!([{"op": "copy", "from": "", "path": format!("/{index}")}]).to_string();
        let state = apply(&mut conversation, &format!("STATE_DELTA delta={patch}"));
        let activity = apply(
            &mut conversation,
            &format!("ACTIVITY_DELTA messageId=a activityType=x patch={patch}"),
        );
        refused.0 += warnings(&state).len();
        refused.1 += warnings(&activity).len();
    }
    assert!(refused.0 > 20 && refused.1 > 20, "{refused:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nobody has to verify what a conversation is given: it copes, and what it says of itself fits.
    #[test]
    fn any_events_in_any_order_are_coped_with(
        lines in prop::collection::vec(any_event(), 1..60),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut conversation = Conversation::new();
        for (index, line) in lines.iter().enumerate() {
            apply(&mut conversation, line);
            if index == cut.index(lines.len()) {
                conversation.abandon(&mut |_| {});
            }
            let messages = conversation.messages();
            prop_assert_eq!(messages.iter().count(), messages.len());
            for (index, message) in messages.iter().enumerate() {
                prop_assert_eq!(messages.at(index), Some(message));
                prop_assert_eq!(messages.get(message.id().as_str()).map(Message::id), Some(message.id()));
                let Message::Assistant(assistant) = message else { continue };
                for call in assistant.tool_calls.iter().flatten() {
                    prop_assert!(messages.tool_call(call.id.as_str()).is_some(), "{}", call.id);
                }
            }
        }
    }
}

/// Twice the events take about twice the time, whatever a hostile agent makes of them: counted in
/// allocations, which do not depend on the machine.
#[test]
fn hostile_streams_cost_in_proportion_to_their_length() {
    type Shape = fn(usize) -> Vec<String>;
    let shapes: [(&str, Shape); 5] = [
        ("open blocks, closed first to last", |count| {
            let start = (0..count).map(|index| format!("TEXT_MESSAGE_START messageId=m{index}"));
            start
                .chain((0..count).map(|index| format!("TEXT_MESSAGE_END messageId=m{index}")))
                .collect()
        }),
        ("calls answered last to first", |count| {
            let start = (0..count)
                .map(|index| format!("TOOL_CALL_START toolCallId=c{index} toolCallName=x"));
            start
                .chain((0..count).rev().map(|index| {
                    format!("TOOL_CALL_RESULT messageId=r{index} toolCallId=c{index} content=x")
                }))
                .collect()
        }),
        ("one call of many answers", |count| {
            let start = std::iter::once("TOOL_CALL_START toolCallId=c toolCallName=x".to_owned());
            start
                .chain((0..count).map(|index| {
                    format!("TOOL_CALL_RESULT messageId=r{index} toolCallId=c content=x")
                }))
                .collect()
        }),
        ("activities that replace messages", |count| {
            let start = (0..count).map(|index| format!("TEXT_MESSAGE_START messageId=m{index}"));
            start
                .chain((0..count).map(|index| {
                    format!("ACTIVITY_SNAPSHOT messageId=m{index} activityType=x content={{}}")
                }))
                .collect()
        }),
        ("a state that is pushed to at its front", |count| {
            let start = std::iter::once("STATE_SNAPSHOT snapshot=[]".to_owned());
            start
                .chain((0..count).map(|_| {
                    "STATE_DELTA delta=[{\"op\":\"add\",\"path\":\"/0\",\"value\":1}]".to_owned()
                }))
                .collect()
        }),
    ];
    for (name, shape) in shapes {
        let allocations = |count: usize| {
            let events: Vec<_> = shape(count).iter().flat_map(|line| events(line)).collect();
            let mut conversation = Conversation::new();
            let info = allocation_counter::measure(|| {
                for event in events {
                    conversation.apply(event, &mut |_| {});
                }
            });
            info.count_total
        };
        let (once, twice) = (allocations(2_000), allocations(4_000));
        assert!(twice <= once * 5 / 2, "{name}: {once}, then {twice}");
    }
}

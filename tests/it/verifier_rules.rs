//! Every rule of the order of events, broken on its own, beside the nearest stream that keeps it.

use std::collections::BTreeSet;

use ag_ui::verify::{EventVerifier, Rule, Violation};
use ag_ui::{Event, decode};

/// A stream in short: one event a line, `TYPE field=value …`, `@sub` for the subagent.
fn events(stream: &str) -> Vec<Event> {
    stream.split(';').map(str::trim).filter(|line| !line.is_empty()).map(event).collect()
}

fn event(line: &str) -> Event {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap();
    let mut fields = format!(r#""type":"{name}""#);
    for word in words {
        let (field, value) = word.strip_prefix('@').map_or_else(
            || word.split_once('=').unwrap_or_else(|| panic!("{word}")),
            |owner| ("subagentRunId", owner),
        );
        let json = value.starts_with(['{', '[']) || matches!(value, "true" | "false");
        let value = if json { value.to_owned() } else { format!("{value:?}") };
        fields.push_str(&format!(r#","{field}":{value}"#));
    }
    decode::decode(&format!("{{{fields}}}")).unwrap_or_else(|error| panic!("{line}: {error}"))
}

const START: &str = "RUN_STARTED threadId=t runId=r;";
const FINISH: &str = ";RUN_FINISHED threadId=t runId=r";

fn verify(verifier: &mut EventVerifier, events: &[Event]) -> Result<(), Violation> {
    events.iter().try_for_each(|event| verifier.verify(event))
}

/// The rule, a stream whose last event breaks it, and one that is right though it looks like it.
/// What both begin with is left out.
const RULES: &[(Rule, &str, &str)] = &[
    // 4.2, within a run that has begun.
    (
        Rule::RunEnded,
        "RUN_ERROR message=a; RUN_ERROR message=b",
        "RUN_ERROR message=a; RUN_STARTED threadId=t runId=r2",
    ),
    (
        Rule::RunEnded,
        "RUN_ERROR message=a; CUSTOM name=a value={}",
        "CUSTOM name=a value={}; RUN_ERROR message=a",
    ),
    (
        Rule::RunEnded,
        "RUN_FINISHED threadId=t runId=r; RAW event={}",
        "RUN_FINISHED threadId=t runId=r; RUN_ERROR message=late",
    ),
    (
        Rule::RunEnded,
        "RUN_FINISHED threadId=t runId=r; RUN_FINISHED threadId=t runId=r",
        "RUN_FINISHED threadId=t runId=r; RUN_STARTED threadId=t runId=r",
    ),
    (
        Rule::DuplicateRunStarted,
        "RUN_STARTED threadId=t runId=r2",
        "RUN_FINISHED threadId=t runId=r; RUN_STARTED threadId=t runId=r2",
    ),
    // 4.4 text
    (
        Rule::DuplicateStart,
        "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_START messageId=m",
        "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_START messageId=n",
    ),
    (
        Rule::OwnerMismatch,
        "TEXT_MESSAGE_START messageId=m @a; TEXT_MESSAGE_END messageId=m; TEXT_MESSAGE_START messageId=m @b",
        "TEXT_MESSAGE_START messageId=m @a; TEXT_MESSAGE_END messageId=m; TEXT_MESSAGE_START messageId=m",
    ),
    (
        Rule::OwnerMismatch,
        "TEXT_MESSAGE_START messageId=m @a; TEXT_MESSAGE_END messageId=m; TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=x @b",
        "TEXT_MESSAGE_START messageId=m @a; TEXT_MESSAGE_END messageId=m; TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=x @a",
    ),
    (
        Rule::UnknownId,
        "TEXT_MESSAGE_CONTENT messageId=m delta=x",
        "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=x",
    ),
    (
        Rule::UnknownId,
        "TEXT_MESSAGE_END messageId=m",
        "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_END messageId=m",
    ),
    (
        Rule::NotOpen,
        "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_END messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=x",
        "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_END messageId=m; TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=x",
    ),
    (
        Rule::NotOpen,
        "TOOL_CALL_RESULT messageId=m toolCallId=c content=x; TEXT_MESSAGE_END messageId=m",
        "TOOL_CALL_RESULT messageId=m toolCallId=c content=x; TEXT_MESSAGE_START messageId=m",
    ),
    (
        Rule::OwnerMismatch,
        "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=x @a",
        "TEXT_MESSAGE_START messageId=m @a; TEXT_MESSAGE_CONTENT messageId=m delta=x",
    ),
    (
        Rule::OwnerMismatch,
        "TEXT_MESSAGE_START messageId=m @a; TEXT_MESSAGE_END messageId=m @b",
        "TEXT_MESSAGE_START messageId=m @a; TEXT_MESSAGE_END messageId=m @a",
    ),
    // 4.5 tool calls
    (
        Rule::DuplicateStart,
        "TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_START toolCallId=c toolCallName=x",
        "TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_END toolCallId=c; TOOL_CALL_START toolCallId=c toolCallName=y",
    ),
    (
        Rule::OwnerMismatch,
        "TEXT_MESSAGE_START messageId=m @a; TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m @b",
        "TEXT_MESSAGE_START messageId=m @a; TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m @a",
    ),
    (
        Rule::OwnerMismatch,
        "TEXT_MESSAGE_START messageId=m @a; TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m; TOOL_CALL_ARGS toolCallId=c delta=x @b",
        "TEXT_MESSAGE_START messageId=m @a; TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m; TOOL_CALL_ARGS toolCallId=c delta=x @a",
    ),
    (
        Rule::OwnerMismatch,
        "TOOL_CALL_START toolCallId=c toolCallName=x @a; TOOL_CALL_END toolCallId=c; TOOL_CALL_START toolCallId=c toolCallName=x @b",
        "TOOL_CALL_START toolCallId=c toolCallName=x @a; TOOL_CALL_END toolCallId=c; TOOL_CALL_START toolCallId=c toolCallName=x @a",
    ),
    (
        Rule::OwnerMismatch,
        "TEXT_MESSAGE_START messageId=m @a; TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_END toolCallId=c; TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m",
        "TEXT_MESSAGE_START messageId=m; TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_END toolCallId=c; TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m",
    ),
    (
        Rule::OwnerMismatch,
        "TEXT_MESSAGE_START messageId=m; TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=m @a",
        "TOOL_CALL_START toolCallId=c toolCallName=x parentMessageId=nobody @a",
    ),
    (
        Rule::UnknownId,
        "TOOL_CALL_ARGS toolCallId=c delta=x",
        "TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_ARGS toolCallId=c delta=x",
    ),
    (
        Rule::NotOpen,
        "TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_END toolCallId=c; TOOL_CALL_END toolCallId=c",
        "TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_START toolCallId=d toolCallName=x; TOOL_CALL_END toolCallId=c; TOOL_CALL_END toolCallId=d",
    ),
    // 4.6 steps
    (
        Rule::DuplicateStart,
        "STEP_STARTED stepName=s @a; STEP_STARTED stepName=s @a",
        "STEP_STARTED stepName=s @a; STEP_STARTED stepName=s; STEP_STARTED stepName=s @b",
    ),
    (
        Rule::OwnerMismatch,
        "STEP_STARTED stepName=s @a; STEP_FINISHED stepName=s",
        "STEP_STARTED stepName=s @a; STEP_FINISHED stepName=s @a",
    ),
    (
        Rule::NotOpen,
        "STEP_FINISHED stepName=s",
        "STEP_STARTED stepName=s; STEP_FINISHED stepName=s",
    ),
    (
        Rule::NotOpen,
        "STEP_STARTED stepName=s; STEP_FINISHED stepName=s; STEP_FINISHED stepName=s",
        "STEP_STARTED stepName=s; STEP_FINISHED stepName=s; STEP_STARTED stepName=s; STEP_FINISHED stepName=s",
    ),
    // 4.7 reasoning
    (
        Rule::DuplicateStart,
        "REASONING_START messageId=m; REASONING_START messageId=m",
        "REASONING_START messageId=m; REASONING_MESSAGE_START messageId=m role=reasoning",
    ),
    (
        Rule::DuplicateStart,
        "REASONING_MESSAGE_START messageId=m role=reasoning; REASONING_MESSAGE_START messageId=m role=reasoning",
        "REASONING_MESSAGE_START messageId=m role=reasoning; REASONING_MESSAGE_START messageId=n role=reasoning",
    ),
    (
        Rule::OwnerMismatch,
        "REASONING_START messageId=m @a; REASONING_MESSAGE_START messageId=m role=reasoning @b",
        "REASONING_START messageId=m @a; REASONING_MESSAGE_START messageId=m role=reasoning",
    ),
    (
        Rule::UnknownId,
        "REASONING_MESSAGE_CONTENT messageId=m delta=x",
        "REASONING_MESSAGE_START messageId=m role=reasoning; REASONING_MESSAGE_CONTENT messageId=m delta=x",
    ),
    (
        Rule::NotOpen,
        "REASONING_START messageId=m; REASONING_MESSAGE_END messageId=m",
        "REASONING_START messageId=m; REASONING_MESSAGE_START messageId=m role=reasoning; REASONING_END messageId=m; REASONING_MESSAGE_END messageId=m",
    ),
    (
        Rule::UnknownId,
        "REASONING_END messageId=m",
        "REASONING_START messageId=m; REASONING_END messageId=m",
    ),
    (
        Rule::OwnerMismatch,
        "TOOL_CALL_START toolCallId=c toolCallName=x @a; REASONING_ENCRYPTED_VALUE subtype=tool-call entityId=c encryptedValue=x @b",
        "REASONING_ENCRYPTED_VALUE subtype=tool-call entityId=c encryptedValue=x @b",
    ),
    (
        Rule::OwnerMismatch,
        "REASONING_START messageId=m @a; REASONING_END messageId=m; REASONING_ENCRYPTED_VALUE subtype=message entityId=m encryptedValue=x @b",
        "REASONING_START messageId=m @a; REASONING_END messageId=m; REASONING_ENCRYPTED_VALUE subtype=message entityId=m encryptedValue=x @a",
    ),
    // 4.8 activities
    (
        Rule::OwnerMismatch,
        "ACTIVITY_SNAPSHOT messageId=m activityType=P content={} @a; ACTIVITY_DELTA messageId=m activityType=P patch=[] @b",
        "ACTIVITY_SNAPSHOT messageId=m activityType=P content={} @a; ACTIVITY_SNAPSHOT messageId=m activityType=P content={} @b; ACTIVITY_DELTA messageId=m activityType=P patch=[] @b",
    ),
    (
        Rule::OwnerMismatch,
        "ACTIVITY_SNAPSHOT messageId=m activityType=P content={} @a; ACTIVITY_SNAPSHOT messageId=m activityType=P content={} replace=false @b; ACTIVITY_DELTA messageId=m activityType=P patch=[] @b",
        "ACTIVITY_DELTA messageId=m activityType=P patch=[] @b",
    ),
    // 4.9 subagents
    (
        Rule::DuplicateStart,
        "SUBAGENT_STARTED @a name=x; SUBAGENT_STARTED @a name=x",
        "SUBAGENT_STARTED @a name=x; SUBAGENT_STARTED @b name=x",
    ),
    (
        Rule::SubagentReused,
        "SUBAGENT_STARTED @a name=x; SUBAGENT_FINISHED @a; SUBAGENT_STARTED @a name=x",
        "SUBAGENT_STARTED @a name=x; SUBAGENT_FINISHED @a; RUN_FINISHED threadId=t runId=r; RUN_STARTED threadId=t runId=r2; SUBAGENT_STARTED @a name=x",
    ),
    (
        Rule::UnknownParent,
        "SUBAGENT_STARTED @a name=x parentSubagentRunId=b",
        "SUBAGENT_STARTED @b name=x; SUBAGENT_ERROR @b message=x; SUBAGENT_STARTED @a name=x parentSubagentRunId=b",
    ),
    (
        Rule::UnknownParent,
        "SUBAGENT_STARTED @a name=x parentSubagentRunId=a",
        "SUBAGENT_STARTED @a name=x",
    ),
    (Rule::UnknownId, "SUBAGENT_FINISHED @a", "TEXT_MESSAGE_START messageId=m @a"),
    (
        Rule::NotOpen,
        "SUBAGENT_STARTED @a name=x; SUBAGENT_ERROR @a message=x; SUBAGENT_FINISHED @a",
        "SUBAGENT_STARTED @a name=x; SUBAGENT_ERROR @a message=x; TEXT_MESSAGE_START messageId=m @a",
    ),
    // 4.10 the end of a run
    (
        Rule::OpenAtFinish,
        "STEP_STARTED stepName=s; RUN_FINISHED threadId=t runId=r",
        "STEP_STARTED stepName=s; RUN_ERROR message=x",
    ),
    (
        Rule::OpenAtFinish,
        "TEXT_MESSAGE_START messageId=m; RUN_FINISHED threadId=t runId=r",
        "TEXT_MESSAGE_START messageId=m; RUN_ERROR message=x",
    ),
    (
        Rule::OpenAtFinish,
        "REASONING_MESSAGE_START messageId=m role=reasoning; RUN_FINISHED threadId=t runId=r",
        "REASONING_MESSAGE_START messageId=m role=reasoning; RUN_ERROR message=x",
    ),
    (
        Rule::OpenAtFinish,
        "REASONING_START messageId=m; RUN_FINISHED threadId=t runId=r",
        "REASONING_START messageId=m; RUN_ERROR message=x",
    ),
    (
        Rule::OpenAtFinish,
        "TOOL_CALL_START toolCallId=c toolCallName=x; RUN_FINISHED threadId=t runId=r",
        "TOOL_CALL_START toolCallId=c toolCallName=x; RUN_ERROR message=x",
    ),
    (
        Rule::OpenAtFinish,
        "SUBAGENT_STARTED @a name=x; RUN_FINISHED threadId=t runId=r",
        "SUBAGENT_STARTED @a name=x; SUBAGENT_FINISHED @a; RUN_FINISHED threadId=t runId=r",
    ),
    // 4.11 owners from history
    (
        Rule::OwnerMismatch,
        r#"MESSAGES_SNAPSHOT messages=[{"id":"m","role":"assistant","subagentRunId":"a"}]; TEXT_MESSAGE_START messageId=m @b"#,
        r#"MESSAGES_SNAPSHOT messages=[{"id":"m","role":"assistant","subagentRunId":"a"}]; TEXT_MESSAGE_START messageId=m @a"#,
    ),
    (
        Rule::OwnerMismatch,
        r#"MESSAGES_SNAPSHOT messages=[{"id":"m","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"x","arguments":""}}]}]; TOOL_CALL_START toolCallId=c toolCallName=x @b"#,
        r#"MESSAGES_SNAPSHOT messages=[{"id":"m","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"x","arguments":""}}]}]; TOOL_CALL_START toolCallId=c toolCallName=x"#,
    ),
    // 5 chunks
    (
        Rule::IncompleteChunk,
        "TEXT_MESSAGE_CHUNK delta=x",
        "TEXT_MESSAGE_CHUNK messageId=m; TEXT_MESSAGE_CHUNK delta=x",
    ),
    (
        Rule::IncompleteChunk,
        "TOOL_CALL_CHUNK toolCallId=c delta=x",
        "TOOL_CALL_CHUNK toolCallId=c toolCallName=x; TOOL_CALL_CHUNK toolCallId=c delta=x",
    ),
    (
        Rule::IncompleteChunk,
        "REASONING_MESSAGE_CHUNK delta=x",
        "REASONING_MESSAGE_CHUNK messageId=m delta=x; REASONING_MESSAGE_CHUNK delta=x",
    ),
    (
        Rule::IncompleteChunk,
        "TEXT_MESSAGE_CHUNK messageId=m; CUSTOM name=a value={}; TEXT_MESSAGE_CHUNK delta=x",
        "TEXT_MESSAGE_CHUNK messageId=m; RAW event={}; TEXT_MESSAGE_CHUNK delta=x",
    ),
    (
        Rule::AmbiguousChunk,
        "TEXT_MESSAGE_CHUNK messageId=m @a; TEXT_MESSAGE_CHUNK messageId=n @b; TEXT_MESSAGE_CHUNK delta=x",
        "TEXT_MESSAGE_CHUNK messageId=m @a; TEXT_MESSAGE_CHUNK messageId=n; TEXT_MESSAGE_CHUNK delta=x",
    ),
    (
        Rule::OwnerMismatch,
        "TEXT_MESSAGE_CHUNK messageId=m @a; TEXT_MESSAGE_CHUNK messageId=m @b",
        "TEXT_MESSAGE_CHUNK messageId=m @a; TEXT_MESSAGE_CHUNK messageId=m",
    ),
    (
        Rule::ChunkConflict,
        "TEXT_MESSAGE_CHUNK messageId=m; TEXT_MESSAGE_CHUNK role=user",
        "TEXT_MESSAGE_CHUNK messageId=m; TEXT_MESSAGE_CHUNK role=assistant",
    ),
    (
        Rule::ChunkConflict,
        "TEXT_MESSAGE_CHUNK messageId=m; TEXT_MESSAGE_CHUNK name=x",
        "TEXT_MESSAGE_CHUNK messageId=m name=x; TEXT_MESSAGE_CHUNK name=x",
    ),
    (
        Rule::ChunkConflict,
        "TOOL_CALL_CHUNK toolCallId=c toolCallName=x; TOOL_CALL_CHUNK toolCallName=y",
        "TOOL_CALL_CHUNK toolCallId=c toolCallName=x; TOOL_CALL_CHUNK toolCallId=d toolCallName=y",
    ),
    (
        Rule::ChunkConflict,
        "TOOL_CALL_CHUNK toolCallId=c toolCallName=x; TOOL_CALL_CHUNK parentMessageId=m",
        "TOOL_CALL_CHUNK toolCallId=c toolCallName=x parentMessageId=m; TOOL_CALL_CHUNK parentMessageId=m",
    ),
    (
        Rule::NotOpen,
        "TEXT_MESSAGE_CHUNK messageId=m delta=x; TEXT_MESSAGE_CONTENT messageId=m delta=x",
        "TEXT_MESSAGE_CHUNK messageId=m delta=x; TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=x",
    ),
    (
        Rule::NotOpen,
        "TEXT_MESSAGE_CHUNK messageId=m @a; TEXT_MESSAGE_END messageId=m; TEXT_MESSAGE_CHUNK messageId=m delta=x",
        "TEXT_MESSAGE_CHUNK messageId=m; TOOL_CALL_CHUNK toolCallId=c toolCallName=x; TEXT_MESSAGE_CHUNK messageId=m delta=x",
    ),
    (
        Rule::DuplicateStart,
        "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CHUNK messageId=m delta=x",
        "TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_END messageId=m; TEXT_MESSAGE_CHUNK messageId=m delta=x",
    ),
    (Rule::RunIdMismatch, "RUN_FINISHED threadId=t runId=other", "RUN_FINISHED threadId=t runId=r"),
    (
        Rule::ThreadIdMismatch,
        "RUN_FINISHED threadId=other runId=r",
        "RUN_FINISHED threadId=t runId=r",
    ),
    (
        Rule::ThreadIdMismatch,
        "RUN_FINISHED threadId=t runId=r; RUN_STARTED threadId=other runId=r2",
        "RUN_FINISHED threadId=t runId=r; RUN_STARTED threadId=t runId=r2",
    ),
    (
        Rule::EmptyInterrupts,
        r#"RUN_FINISHED threadId=t runId=r outcome={"type":"interrupt","interrupts":[]}"#,
        r#"RUN_FINISHED threadId=t runId=r outcome={"type":"interrupt","interrupts":[{"id":"i","reason":"x"}]}"#,
    ),
    (
        Rule::DuplicateInterrupt,
        r#"RUN_FINISHED threadId=t runId=r outcome={"type":"interrupt","interrupts":[{"id":"i","reason":"x"},{"id":"i","reason":"y"}]}"#,
        r#"RUN_FINISHED threadId=t runId=r outcome={"type":"interrupt","interrupts":[{"id":"i","reason":"x"},{"id":"j","reason":"y"}]}"#,
    ),
];

/// The same for what only producers are held to.
const PRODUCER_RULES: &[(Rule, &str, &str)] = &[
    (
        Rule::RunEnded,
        "RUN_FINISHED threadId=t runId=r; RUN_ERROR message=late",
        "RUN_ERROR message=early",
    ),
    (
        Rule::OutOfOrder,
        "TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_RESULT messageId=m toolCallId=c content=x",
        "TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_END toolCallId=c; TOOL_CALL_RESULT messageId=m toolCallId=c content=x",
    ),
];

/// Breaks one rule with the last event, names the place, and is as before: the same event is
/// rejected again, and what the right stream goes on with is still accepted.
fn check(new: fn() -> EventVerifier, rule: Rule, wrong: &str, right: &str) {
    let wrong = events(&format!("{START}{wrong}"));
    let (last, before) = wrong.split_last().unwrap();
    let mut verifier = new();
    verify(&mut verifier, before).unwrap_or_else(|violation| panic!("{wrong:?}: {violation}"));
    let intact = format!("{verifier:?}");
    let violation = verifier.verify(last).expect_err(&format!("{rule}: {wrong:?}"));
    assert_eq!(violation.rule(), rule, "{violation}");
    assert_eq!(violation.event_index(), before.len() as u64, "{violation}");
    assert_eq!(violation.event_type(), Some(last.event_type()), "{violation}");
    assert_eq!(verifier.verify(last).unwrap_err(), violation);
    assert_eq!(without_caches(&format!("{verifier:?}")), without_caches(&intact), "{violation}");

    let right = events(&format!("{START}{right}"));
    verify(&mut new(), &right).unwrap_or_else(|violation| panic!("{right:?}: {violation}"));
}

/// Where things were last found is no part of what is known; hashed maps have no order.
fn without_caches(debug: &str) -> BTreeSet<String> {
    let cached = |piece: &&str| !piece.trim_start().starts_with("last:");
    debug.split([',', '{', '}']).filter(cached).map(|piece| piece.trim().to_owned()).collect()
}

#[test]
fn each_rule_is_broken_alone_and_kept_nearby() {
    for (rule, wrong, right) in RULES {
        check(EventVerifier::new, *rule, wrong, right);
        check(
            EventVerifier::producer,
            *rule,
            wrong,
            right.split("; RUN_ERROR message=late").next().unwrap(),
        );
    }
    for (rule, wrong, right) in PRODUCER_RULES {
        check(EventVerifier::producer, *rule, wrong, right);
        // A reader takes what only the producer owes.
        let wrong = events(&format!("{START}{wrong}"));
        verify(&mut EventVerifier::new(), &wrong).unwrap();
    }
}

#[test]
fn a_stream_begins_with_a_run() {
    for new in [EventVerifier::new, EventVerifier::producer] {
        let violation = new().verify(&event("CUSTOM name=a value={}")).unwrap_err();
        assert_eq!((violation.rule(), violation.event_index()), (Rule::RunNotStarted, 0));
        assert!(new().verify(&event("RUN_ERROR message=x")).is_ok());
        assert!(new().verify(&event("RUN_STARTED threadId=t runId=r")).is_ok());
    }
}

#[test]
fn a_stream_that_stops_in_a_run_is_truncated() {
    let mut verifier = EventVerifier::new();
    verifier.finish().unwrap();
    verify(&mut verifier, &events(START)).unwrap();
    let violation = verifier.finish().unwrap_err();
    assert_eq!((violation.rule(), violation.event_type()), (Rule::Truncated, None));
    assert!(violation.to_string().starts_with("the end after 1 events breaks truncated: "));
    verify(&mut verifier, &events(FINISH)).unwrap();
    verifier.finish().unwrap();
}

#[test]
fn every_rule_is_in_one_of_the_tests_above() {
    let mut tested: BTreeSet<Rule> =
        RULES.iter().chain(PRODUCER_RULES).map(|(rule, ..)| *rule).collect();
    tested.extend([Rule::RunNotStarted, Rule::Truncated]);
    assert_eq!(tested, Rule::ALL.iter().copied().collect());
}

#[test]
fn names_of_rules_are_stable_and_each_has_a_sentence() {
    let names: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    assert_eq!(
        names,
        [
            "run-not-started",
            "run-ended",
            "duplicate-run-started",
            "duplicate-start",
            "not-open",
            "unknown-id",
            "out-of-order",
            "open-at-finish",
            "owner-mismatch",
            "subagent-reused",
            "unknown-parent",
            "ambiguous-chunk",
            "incomplete-chunk",
            "chunk-conflict",
            "run-id-mismatch",
            "thread-id-mismatch",
            "empty-interrupts",
            "duplicate-interrupt",
            "truncated",
        ]
    );
    let sentences: BTreeSet<_> = Rule::ALL.iter().map(|rule| rule.describe()).collect();
    assert_eq!(sentences.len(), Rule::ALL.len());
    for rule in Rule::ALL {
        assert_eq!(rule.name().parse(), Ok(*rule));
        assert!(rule.describe().ends_with('.'), "{rule}");
    }
    assert!("no-rule".parse::<Rule>().is_err());
}

/// Deliberately unchecked: streams that look odd and are right.
#[test]
fn what_the_protocol_does_not_forbid_is_accepted() {
    for stream in [
        "TOOL_CALL_RESULT messageId=m toolCallId=nobody content=x; TOOL_CALL_RESULT messageId=m toolCallId=nobody content=x",
        "TEXT_MESSAGE_START messageId=m; TOOL_CALL_START toolCallId=c toolCallName=x; STATE_DELTA delta=[]; TEXT_MESSAGE_CONTENT messageId=m delta=x; TOOL_CALL_END toolCallId=c; TEXT_MESSAGE_END messageId=m",
        "TEXT_MESSAGE_START messageId=m role=user; TEXT_MESSAGE_END messageId=m; TEXT_MESSAGE_START messageId=m role=assistant; TEXT_MESSAGE_END messageId=m",
        "REASONING_START messageId=m; REASONING_MESSAGE_START messageId=n role=reasoning; REASONING_END messageId=m; REASONING_MESSAGE_END messageId=n",
        "STATE_DELTA delta=[] @ghost; RAW event={} @ghost; CUSTOM name=a value={} @ghost",
        "THINKING_END; THINKING_TEXT_MESSAGE_CONTENT delta=x",
        "SUBAGENT_STARTED @a name=x; TEXT_MESSAGE_START messageId=m @a; SUBAGENT_FINISHED @a; TEXT_MESSAGE_END messageId=m @a",
        "TEXT_MESSAGE_CHUNK messageId=m delta=x; TOOL_CALL_CHUNK toolCallId=c toolCallName=x @a; TEXT_MESSAGE_CHUNK delta=y; TOOL_CALL_CHUNK delta=z",
    ] {
        let events = events(&format!("{START}{stream}{FINISH}"));
        for new in [EventVerifier::new, EventVerifier::producer] {
            let mut verifier = new();
            verify(&mut verifier, &events)
                .unwrap_or_else(|violation| panic!("{stream}: {violation}"));
            verifier.finish().unwrap();
        }
    }
}

#[test]
fn a_violation_lists_what_is_open_where_faults_are_looked_for() {
    let mut verifier = EventVerifier::new();
    let before = "STEP_STARTED stepName=s; TEXT_MESSAGE_START messageId=m @a";
    verify(&mut verifier, &events(&format!("{START}{before}"))).unwrap();
    let text = verifier.verify(&event("TOOL_CALL_END toolCallId=c")).unwrap_err().to_string();
    let expected = "event 3, TOOL_CALL_END, breaks unknown-id: no tool call `c` was started; emit \
                    TOOL_CALL_START first";
    assert!(text.starts_with(expected), "{text}");
    let dump = " (open: step `s` of the agent itself, message `m`)";
    assert_eq!(text.ends_with(dump), cfg!(debug_assertions), "{text}");
}

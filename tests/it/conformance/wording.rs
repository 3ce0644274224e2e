//! How our errors and warnings say what the streams want said.
//!
//! The streams quote the words of the reference client. Ours differ, so for each of those streams
//! there is the stable code of the error, and what its message has to name: everything that the
//! original names, or more.

/// What is to be said about a stream.
pub(super) struct Wording {
    pub(super) stream: &'static str,
    /// Code of the error; absent where warnings are asked for.
    pub(super) code: Option<&'static str>,
    /// What the message, or one of the warnings, has to contain.
    pub(super) names: &'static [&'static str],
}

pub(super) fn of(stream: &str) -> &'static Wording {
    WORDINGS
        .iter()
        .find(|wording| wording.stream == stream)
        .unwrap_or_else(|| panic!("{stream}: no wording is in the table"))
}

const fn error(
    stream: &'static str,
    code: &'static str,
    names: &'static [&'static str],
) -> Wording {
    Wording { stream, code: Some(code), names }
}

const fn warning(stream: &'static str, names: &'static [&'static str]) -> Wording {
    Wording { stream, code: None, names }
}

pub(super) const WORDINGS: &[Wording] = &[
    error(
        "chunk-conflicting-role-fatal",
        "ORDERING",
        &["chunk-conflict", "TEXT_MESSAGE_CHUNK", "chunk-role-m1", "its role"],
    ),
    error(
        "chunk-conflicting-tool-name-fatal",
        "ORDERING",
        &["chunk-conflict", "TOOL_CALL_CHUNK", "chunk-tool-name-tc1", "toolCallName"],
    ),
    error(
        "content-without-start-fatal",
        "ORDERING",
        &["unknown-id", "TEXT_MESSAGE_CONTENT", "`orphan-content-m1`"],
    ),
    error(
        "custom-closes-chunk-stream-fatal",
        "ORDERING",
        &["incomplete-chunk", "TEXT_MESSAGE_CHUNK", "messageId"],
    ),
    error("event-after-run-finished-fatal", "ORDERING", &["run-ended", "RUN_FINISHED"]),
    error(
        "first-chunk-missing-id-fatal",
        "ORDERING",
        &["incomplete-chunk", "TEXT_MESSAGE_CHUNK", "messageId"],
    ),
    error(
        "first-event-not-run-started-fatal",
        "ORDERING",
        &["run-not-started", "RUN_STARTED", "event 0"],
    ),
    error(
        "first-tool-chunk-missing-name-fatal",
        "ORDERING",
        &["incomplete-chunk", "TOOL_CALL_CHUNK", "toolCallName"],
    ),
    error("malformed-known-field-fatal", "DECODE", &["TEXT_MESSAGE_CONTENT at /delta"]),
    error(
        "nested-run-started-fatal",
        "ORDERING",
        &["duplicate-run-started", "RUN_STARTED", "still open"],
    ),
    error(
        "open-message-at-run-finished-fatal",
        "ORDERING",
        &["open-at-finish", "RUN_FINISHED", "message"],
    ),
    error(
        "reasoning-discipline-verified",
        "ORDERING",
        &["unknown-id", "REASONING_MESSAGE_CONTENT", "`m-reasoning-discipline-1`"],
    ),
    error(
        "reasoning-message-wrong-role-fatal",
        "DECODE",
        &["REASONING_MESSAGE_START at /role", "reasoning"],
    ),
    error(
        "run-finished-with-active-subagent-fatal",
        "ORDERING",
        &["open-at-finish", "s-run-finished-active-subagent-1"],
    ),
    error("step-finished-without-start-fatal", "ORDERING", &["not-open", "STEP_FINISHED"]),
    error("subagent-attribution-mismatch-fatal", "ORDERING", &["owner-mismatch"]),
    error(
        "subagent-finished-unstarted-fatal",
        "ORDERING",
        &["unknown-id", "SUBAGENT_FINISHED", "s-subagent-finished-unstarted-1"],
    ),
    error("subagent-started-missing-name-fatal", "DECODE", &["SUBAGENT_STARTED", "`name`"]),
    error("unknown-enum-value-role-fatal", "DECODE", &["TEXT_MESSAGE_START at /role", "narrator"]),
    error("unknown-outcome-array-fatal", "DECODE", &["RUN_FINISHED at /outcome", "object"]),
    error(
        "duplicate-interrupt-id-fatal",
        "ORDERING",
        &["duplicate-interrupt", "`i-duplicate-interrupt`", "twice"],
    ),
    error(
        "run-finished-wrong-run-id-fatal",
        "ORDERING",
        &["run-id-mismatch", "`r-run-id-mismatch-opened`"],
    ),
    error(
        "run-finished-wrong-thread-id-fatal",
        "ORDERING",
        &["thread-id-mismatch", "`t-thread-id-mismatch`"],
    ),
    error(
        "second-run-on-another-thread-fatal",
        "ORDERING",
        &["thread-id-mismatch", "`t-second-run-thread`", "RUN_STARTED"],
    ),
    error("truncated-stream-fails-the-run", "TRUNCATED", &["ended", "without a terminal event"]),
    warning("era-0-0-39-flattens-content", &["`era39-u1`", "no text", "left out"]),
    warning("era-0-0-45-thinking-translated", &["THINKING_START"]),
    warning("era-0-0-57-subagent-dropped-with-warning", &["SUBAGENT_STARTED, dropped"]),
    warning("producer-declares-newer-version-warns", &["1.1"]),
    warning("producer-declares-uninterpretable-version-warns", &["cannot be interpreted"]),
    warning(
        "state-delta-unappliable-warns-and-keeps",
        &["state patch does not apply", "stays as it was"],
    ),
    warning("state-delta-unknown-op-dropped", &["/delta/0"]),
    warning("unknown-event-dropped", &["FUTURE_EVENT", "dropped"]),
    warning("unknown-outcome-stripped", &["/outcome"]),
    warning("unknown-part-in-message-list", &["/messages/0/content/1"]),
    warning("unknown-property-stripped", &["/futureProp"]),
];

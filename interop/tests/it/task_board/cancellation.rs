//! A client that closes its connection stops the agent.

use std::time::{Duration, UNIX_EPOCH};

use super::served::Served;
use crate::support::{installed, json, validate};

/// The agent says a word an hour, so that nothing but the client ends its run.
#[test]
fn the_agent_is_gone_within_a_second() {
    if !installed("node_modules") {
        return;
    }
    let served = Served::start(Duration::from_secs(3_600));
    let url = served.server.url();
    // The last of these events is the first word; behind it the agent waits.
    let turn = json("node", &["js/run_agent.mjs", &url, "--abort-after", "6", "add buy milk"]);
    assert_eq!(turn["error"]["kind"], "aborted", "{turn:#}");
    assert_eq!(turn["eventTypes"][5], "REASONING_MESSAGE_CONTENT");

    let end = served.ends.recv_timeout(Duration::from_secs(10)).expect("the agent goes on");
    assert!(!end.returned, "it was dropped where it stood");
    let aborted = UNIX_EPOCH + Duration::from_millis(turn["error"]["at"].as_u64().unwrap());
    let delay = end.at.duration_since(aborted).unwrap_or_default();
    assert!(delay < Duration::from_secs(1), "{delay:?}");
}

/// What had been sent until then is a stream without its end, and nothing else is wrong with it.
#[test]
fn the_stream_lacks_nothing_but_its_end() {
    if !installed("node_modules") || !installed(".venv") {
        return;
    }
    let served = Served::start(Duration::from_secs(3_600));
    let url = served.server.url();
    json("node", &["js/run_agent.mjs", &url, "--abort-after", "6", "add buy milk"]);
    served.ends.recv_timeout(Duration::from_secs(10)).expect("the agent goes on");
    let report = validate("aborted", &served.recording.streams()[0]);
    let findings = report["diagnostics"].as_array().unwrap();
    assert!(findings.iter().any(|found| found["rule"] == "AGUI003"), "{report:#}");
    // Minus one stands for the end of the stream.
    assert!(findings.iter().all(|found| found["eventIndex"] == -1), "{report:#}");
}

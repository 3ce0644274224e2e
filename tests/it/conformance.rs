//! The official conformance streams, through a session over HTTP, cut into pieces at random.
//!
//! The streams are fetched, see `scripts/test`. Without them the tests are skipped, unless
//! `AG_UI_REQUIRE_SUITES` is set.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the table is what one runs this for"
)]

mod expectation;
mod wording;

use std::path::Path;

use ag_ui::Message;
use ag_ui::client::{
    HttpTransport, Passed, PeerVersion, Pipeline, PipelineSettings, RunEnd, Session, UnknownEvents,
    Update,
};
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::Value;

use self::expectation::Observed;
use crate::http_support::{Answer, Server};

/// How many streams there are, by directory.
const SUITES: [(&str, usize); 2] = [("1.1", 68), ("draft", 8)];

/// Streams that a session with default settings takes otherwise than the protocol's rules for
/// receivers have it: an unknown event ends the run.
const STRICTER_BY_DEFAULT: &[&str] = &["unknown-event-dropped"];

struct Fixture {
    name: String,
    document: Value,
}

fn fixtures(version: &str, expected: usize) -> Option<Vec<Fixture>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("vendor/git/ag-ui")
        .join(version)
        .join("streams");
    let Ok(entries) = std::fs::read_dir(&directory) else {
        assert!(
            std::env::var_os("AG_UI_REQUIRE_SUITES").is_none(),
            "no streams at {}; `cargo run -p ag-ui-codegen -- vendor` fetches them",
            directory.display()
        );
        eprintln!("skipped: no streams at {}", directory.display());
        return None;
    };
    let mut fixtures: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| Fixture {
            name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            document: serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap(),
        })
        .collect();
    fixtures.sort_by(|left, right| left.name.cmp(&right.name));
    assert_eq!(fixtures.len(), expected, "{version}");
    Some(fixtures)
}

/// Runs a stream and says what came of it.
async fn observe(
    client: &reqwest::Client,
    fixture: &Fixture,
    unknown_events: UnknownEvents,
    seed: u8,
) -> Observed {
    let document = &fixture.document;
    let events = document["stream"].as_array().unwrap();
    let frames: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let server = Server::start(Answer::sse(frames).cut(&mut random)).await;

    let transport = HttpTransport::builder(server.url()).client(client.clone()).build().unwrap();
    let peer = match &document["client"]["maxProtocolVersion"] {
        Value::String(version) => version.parse().unwrap(),
        _ => PeerVersion::CURRENT,
    };
    let thread_id = events[0]["threadId"].as_str().unwrap_or("thread");
    let mut builder =
        Session::builder(transport, thread_id).unknown_events(unknown_events).peer(peer);
    if let Value::Array(messages) = &document["input"]["messages"] {
        let decode = |message: &Value| serde_json::from_value::<Message>(message.clone()).unwrap();
        builder = builder.messages(messages.iter().map(decode));
    }
    let mut session = builder.build();
    let mut observed = Observed::default();
    let mut run = session.run();
    while let Some(update) = run.next().await {
        match update {
            Update::Warning(warning) => observed.warnings.push(warning.to_string()),
            Update::RunEnded { end: RunEnd::Failed { message, .. }, .. } => {
                observed.run_errors.push(message);
            }
            Update::Done(end) => observed.ends.push(end),
            _ => {}
        }
    }
    observed.error = run.error().map(|error| (error.code(), error.to_string()));
    drop(run);
    observed.messages =
        session.messages().iter().map(|message| serde_json::to_value(message).unwrap()).collect();
    observed.state = session.raw_state().cloned();
    observed.request = serde_json::from_str(&server.requests().await[0].body).unwrap();
    observed.events = passed(events, unknown_events, peer);
    observed
}

/// The events that reach an application.
fn passed(events: &[Value], unknown_events: UnknownEvents, peer: PeerVersion) -> Vec<Value> {
    let settings = PipelineSettings::new().unknown_events(unknown_events).peer(peer);
    let mut pipeline = Pipeline::new(settings, "run");
    let mut passed = Vec::new();
    for event in events {
        let pushed = pipeline.push_json(&event.to_string(), &mut |item| {
            if let Passed::Event(event) = item {
                passed.push(serde_json::to_value(event).unwrap());
            }
        });
        if pushed.is_err() {
            break;
        }
    }
    passed
}

#[tokio::test]
async fn the_official_streams_do_what_they_say() {
    let client = reqwest::Client::new();
    let mut lines = Vec::new();
    let mut failures = Vec::new();
    for (version, count) in SUITES {
        let Some(fixtures) = fixtures(version, count) else { return };
        let mut passed = 0;
        for fixture in &fixtures {
            let mut found = Vec::new();
            for seed in 0..3 {
                let observed =
                    observe(&client, fixture, UnknownEvents::DropWithWarning, seed).await;
                found.extend(observed.differences(&fixture.name, &fixture.document["expect"]));
            }
            passed += usize::from(found.is_empty());
            let verdict = if found.is_empty() { "ok" } else { "FAILED" };
            lines.push(format!("{version:<6} {:<55} {verdict}", fixture.name));
            failures.extend(found.into_iter().map(|found| format!("{}: {found}", fixture.name)));
        }
        lines.push(format!("{version:<6} {passed} of {count} streams"));
    }
    println!("{}", lines.join("\n"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[tokio::test]
async fn default_settings_differ_where_they_should() {
    let client = reqwest::Client::new();
    let mut stricter = Vec::new();
    for (version, count) in SUITES {
        let Some(fixtures) = fixtures(version, count) else { return };
        for fixture in fixtures {
            let observed = observe(&client, &fixture, UnknownEvents::default(), 7).await;
            if !observed.differences(&fixture.name, &fixture.document["expect"]).is_empty() {
                assert_eq!(observed.error.as_ref().map(|error| error.0), Some("UNKNOWN_EVENT"));
                stricter.push(fixture.name);
            }
        }
    }
    println!("stricter by default: {}", stricter.join(", "));
    assert_eq!(stricter, STRICTER_BY_DEFAULT);
}

/// Each wording that a stream asks for has an entry, and no entry is without such a stream.
#[test]
fn the_table_of_wordings_is_whole() {
    let mut named = Vec::new();
    for (version, count) in SUITES {
        let Some(fixtures) = fixtures(version, count) else { return };
        for fixture in fixtures {
            let expect = &fixture.document["expect"];
            let asks = expect.get("errorContains").is_some()
                || expect["warnings"].as_array().is_some_and(|warnings| !warnings.is_empty());
            if asks {
                named.push(fixture.name);
            }
        }
    }
    let mut entries: Vec<&str> = wording::WORDINGS.iter().map(|wording| wording.stream).collect();
    entries.sort_unstable();
    named.sort_unstable();
    assert_eq!(named, entries);
}

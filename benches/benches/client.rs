//! A session that receives a long message, and one that receives many changes of its state: what
//! one more delta costs, beside the strongest Rust peer.
//!
//! Ours is given JSON text and decodes it; the peer is given events that are decoded already.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use ag_ui::Message;
use ag_ui::client::{Frame, ReplayTransport, RunEnd, Session, Update};
use futures_executor::block_on;
use futures_util::StreamExt;
use peer::client::thread::{Thread, Update as PeerUpdate};
use peer::client::transport::replay::ReplayTransport as PeerReplay;

/// A run with that many deltas.
fn run(deltas: impl Iterator<Item = String>, before: &str, after: &str) -> Vec<String> {
    let mut lines = vec![
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"t-run-1"}"#.to_owned(),
        before.to_owned(),
    ];
    lines.extend(deltas);
    lines.push(after.to_owned());
    lines.push(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"t-run-1"}"#.to_owned());
    lines.retain(|line| !line.is_empty());
    lines
}

fn text(count: usize) -> Vec<String> {
    let delta = |number| {
        format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"word {number} "}}"#)
    };
    run(
        (0..count).map(delta),
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
    )
}

fn state(count: usize) -> Vec<String> {
    let delta = |number| {
        format!(
            r#"{{"type":"STATE_DELTA","delta":[{{"op":"add","path":"/tasks/-","value":{{"title":"task number {number}","done":false}}}},{{"op":"replace","path":"/count","value":{number}}}]}}"#
        )
    };
    run((0..count).map(delta), r#"{"type":"STATE_SNAPSHOT","snapshot":{"tasks":[],"count":0}}"#, "")
}

/// Drains a run of a session that has said that much before.
fn ours(lines: &[String], earlier: usize) -> Duration {
    let frames: Vec<Frame> = lines.iter().cloned().map(Frame::Json).collect();
    let said = (0..earlier).map(|number| Message::user(format!("e-{number}"), "earlier"));
    let mut session =
        Session::builder(ReplayTransport::with_runs([frames]), "t").messages(said).build();
    block_on(async {
        let mut run = session.run();
        let first = run.next().await;
        assert!(matches!(first, Some(Update::RunStarted { .. })));
        let start = Instant::now();
        while let Some(update) = run.next().await {
            if let Update::Done(end) = &update {
                assert!(matches!(end, RunEnd::Success { .. }), "{end:?}");
            }
            black_box(&update);
        }
        start.elapsed()
    })
}

fn theirs(lines: &[String]) -> Duration {
    let events: Vec<peer::event::Event> =
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut thread: Thread<_, serde_json::Value> = Thread::new(PeerReplay::new(events), "t");
    thread.set_next_run_id("t-run-1");
    block_on(async {
        let mut run = thread.run().unwrap();
        let start = Instant::now();
        while let Some(update) = run.next().await {
            if let PeerUpdate::Done(end) = &update {
                assert!(matches!(end, peer::client::thread::RunEnd::Success { .. }), "{end:?}");
            }
            black_box(&update);
        }
        start.elapsed()
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn each(total: Duration, count: usize) -> f64 {
    total.as_secs_f64() * 1e6 / count as f64
}

fn compare(name: &str, make: fn(usize) -> Vec<String>, counts: [usize; 4]) {
    println!("microseconds a {name} delta      ours      peer");
    let mut first = None;
    for count in counts {
        let lines = make(count);
        let best = (0..5).map(|_| ours(&lines, 0)).min().unwrap_or_default();
        let ours = each(best, count);
        let theirs = each(theirs(&lines), count);
        println!("{count:>8} deltas {ours:>19.2} {theirs:>9.1}   peer / ours {:.0}", theirs / ours);
        let first = *first.get_or_insert(ours);
        if count == counts[3] {
            println!(
                "  a delta at {count} / at {} {:.2}   (1 is linear in total; peer / ours wanted: at least 20)",
                counts[0],
                ours / first
            );
        }
    }
}

fn main() {
    compare("text", text, [2_000, 4_000, 8_000, 16_000]);
    compare("state", state, [1_000, 2_000, 4_000, 8_000]);

    println!("microseconds a text delta, by earlier messages of the conversation");
    let lines = text(4_000);
    for earlier in [0, 1_000, 10_000, 100_000] {
        let best = (0..5).map(|_| ours(&lines, earlier)).min().unwrap_or_default();
        println!("{earlier:>8} messages {:>17.2}", each(best, 4_000));
    }
}

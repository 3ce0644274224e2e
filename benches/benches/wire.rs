//! Decoding and encoding of a chatty run of 20,000 events, beside the strongest Rust peer.
//!
//! The floor is the time that `serde_json` takes to skip the same text.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark")]

use std::hint::black_box;

use ag_ui::{Event, decode, encode};
use ag_ui_benches::{Contest, Row, chatty_run};
use peer::encode::sse::SseFormatter;
use serde::de::IgnoredAny;

const EVENTS: usize = 20_000;

fn main() {
    let lines = chatty_run(EVENTS);
    let bytes: usize = lines.iter().map(String::len).sum();
    println!("{EVENTS} events, {} bytes each on average\n", bytes / EVENTS);
    check(&lines);
    decoding(&lines);
    encoding(&lines);
}

/// Both read every line, and what we write is what we read.
fn check(lines: &[String]) {
    for line in lines {
        let event: Event = decode::decode(line).unwrap();
        assert_eq!(decode::decode::<Event>(&encode::to_json(&event)).unwrap(), event);
        assert!(serde_json::from_str::<peer::Event>(line).is_ok(), "{line}");
    }
}

fn decoding(lines: &[String]) {
    let spaced: Vec<String> = lines.iter().map(|line| line.replace("\",\"", "\", \"")).collect();
    let rows = Contest::default()
        .with("floor: serde_json IgnoredAny", || {
            for line in lines {
                black_box(serde_json::from_str::<IgnoredAny>(line).unwrap());
            }
        })
        .with("ag-ui decode", || {
            for line in lines {
                black_box(decode::decode::<Event>(line).unwrap());
            }
        })
        .with("ag-ui decode, other layout", || {
            for line in &spaced {
                black_box(decode::decode::<Event>(line).unwrap());
            }
        })
        .with("ag-ui decode_with_report", || {
            for line in lines {
                black_box(decode::decode_with_report::<Event>(line).unwrap());
            }
        })
        .with("ag-ui through serde_json", || {
            for line in lines {
                black_box(serde_json::from_str::<Event>(line).unwrap());
            }
        })
        .with("peer", || {
            for line in lines {
                black_box(serde_json::from_str::<peer::Event>(line).unwrap());
            }
        })
        .run(lines.len());
    print("decode one event from JSON text", &rows);
    println!("peer / ag-ui decode    {:.2}   (wanted: at least 2)", ratio(&rows, 5, 1));
    println!("ag-ui decode / floor   {:.2}   (wanted: at most 2)\n", ratio(&rows, 1, 0));
}

fn encoding(lines: &[String]) {
    let ours: Vec<Event> = lines.iter().map(|line| decode::decode(line).unwrap()).collect();
    let theirs: Vec<peer::Event> =
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let formatter = SseFormatter::new();
    let mut buffer = Vec::new();
    let rows = Contest::default()
        .with("ag-ui encode_into, reused buffer", || {
            for event in &ours {
                buffer.clear();
                encode::encode_into(event, &mut buffer);
                black_box(&buffer);
            }
        })
        .with("ag-ui encode_to_string", || {
            for event in &ours {
                black_box(encode::encode_to_string(event));
            }
        })
        .with("peer encode_to_string", || {
            for event in &theirs {
                black_box(formatter.encode_to_string(event).unwrap());
            }
        })
        .run(lines.len());
    print("encode one event to SSE", &rows);
    println!("peer / ag-ui           {:.2}   (wanted: at least 2)", ratio(&rows, 2, 0));
}

fn ratio(rows: &[Row], dividend: usize, divisor: usize) -> f64 {
    rows[dividend].nanoseconds / rows[divisor].nanoseconds
}

fn print(title: &str, rows: &[Row]) {
    println!("{title}");
    for Row { name, nanoseconds } in rows {
        println!("  {name:<34} {nanoseconds:>7.0} ns");
    }
}

//! `ag-ui-validate` finds nothing wrong with a recorded stream.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::support::{Server, installed, validate};

/// The body of one run, byte for byte.
fn record(server: &Server, text: &str) -> Vec<u8> {
    let body = json!({
        "threadId": "t-1", "runId": "r-1",
        "messages": [{ "id": "m-1", "role": "user", "content": text }],
    })
    .to_string();
    let mut connection = TcpStream::connect(server.address()).unwrap();
    // HTTP/1.0 has no chunks, so what follows the head is the body.
    let head = format!("POST /agent HTTP/1.0\r\ncontent-length: {}\r\n\r\n", body.len());
    connection.write_all(head.as_bytes()).unwrap();
    connection.write_all(body.as_bytes()).unwrap();
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).unwrap();
    let head = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    answer.split_off(head + 4)
}

#[test]
fn the_streams_of_the_example_are_without_error() {
    if !installed(".venv") {
        return;
    }
    let server = Server::start(Duration::ZERO);
    for (name, text) in [("add", "Buy tea"), ("done", "done 2"), ("unknown", "done 9")] {
        let stream = record(&server, text);
        let report = validate(name, &stream);
        let frames = stream.windows(6).filter(|window| window == b"data: ").count();
        assert_eq!(report["eventCount"], frames, "{report:#}");
        assert!(frames > 20, "a run of the example says more");
        assert_eq!(report["summary"]["errors"], 0, "{report:#}");
        assert_eq!(report["summary"]["warnings"], 0, "{report:#}");
        assert_eq!(report["internalErrors"], json!([]), "{report:#}");
    }
}

/// The judge is awake: it sees a stream that was cut.
#[test]
fn a_stream_without_its_end_is_an_error() {
    if !installed(".venv") {
        return;
    }
    let server = Server::start(Duration::ZERO);
    let stream = record(&server, "Buy tea");
    let end = stream.windows(2).rposition(|window| window == b"\n\n").unwrap();
    let cut = stream[..end].windows(2).rposition(|window| window == b"\n\n").unwrap();
    let report = validate("cut", &stream[..cut + 2]);
    assert!(report["summary"]["errors"].as_u64().unwrap() > 0, "{report:#}");
}

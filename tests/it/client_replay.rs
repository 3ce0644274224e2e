//! Runs that are recorded and replayed.

use std::sync::{Arc, Mutex};

use ag_ui::client::{Frame, RecordFormat, RecordingTransport, ReplayTransport, Session, Update};

use crate::client_support::{drain, failed, frames, run_of, said, send};

/// A writer that others can look at.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Runs of every kind: whole, cut off, malformed, and with line breaks between tokens.
fn runs() -> Vec<Vec<Frame>> {
    vec![
        run_of(&said("m", "Grüße")),
        frames("RUN_STARTED threadId=t runId=r; LATER_EVENT x=1"),
        vec![
            Frame::Json(
                "{\"type\": \"RUN_STARTED\",\r\n\t\"threadId\": \"t\",\n\"runId\": \"r\"}"
                    .to_owned(),
            ),
            Frame::Json("{\"type\":".to_owned()),
        ],
        vec![ag_ui::Event::run_error("x").into()],
    ]
}

fn all(transport: ReplayTransport) -> Vec<Vec<Update>> {
    let mut session = Session::new(transport, "t");
    (0..4)
        .map(|_| {
            let (mut updates, end) = drain(session.run());
            updates.push(Update::Done(end));
            updates
        })
        .collect()
}

#[test]
fn what_is_recorded_replays_the_same() {
    let expected = all(ReplayTransport::with_runs(runs()));
    for format in [RecordFormat::JsonLines, RecordFormat::Sse] {
        let written = Shared::default();
        let recording =
            RecordingTransport::new(ReplayTransport::with_runs(runs()), format, written.clone());
        let mut session = Session::new(recording, "t");
        for updates in &expected {
            let (mut found, end) = drain(session.run());
            found.push(Update::Done(end));
            assert_eq!(&found, updates);
        }
        let bytes = written.0.lock().unwrap().clone();
        let replay = match format {
            RecordFormat::Sse => ReplayTransport::from_sse(&bytes).unwrap(),
            _ => ReplayTransport::from_json_lines(std::str::from_utf8(&bytes).unwrap()),
        };
        assert_eq!(replay.remaining(), 4, "{}", String::from_utf8_lossy(&bytes));
        let replayed = all(replay);
        // The text of a malformed event may have its spaces elsewhere, and so its errors.
        assert_eq!(without_positions(&replayed), without_positions(&expected), "{format:?}");

        let file =
            std::env::temp_dir().join(format!("ag-ui-replay-{}-{format:?}", std::process::id()));
        std::fs::write(&file, &bytes).unwrap();
        let from_file = ReplayTransport::from_file(&file);
        std::fs::remove_file(&file).unwrap();
        assert_eq!(without_positions(&all(from_file.unwrap())), without_positions(&expected));
    }
}

fn without_positions(updates: &[Vec<Update>]) -> String {
    let text = format!("{updates:?}");
    text.split("(line").map(|piece| piece.split_once(')').map_or(piece, |(_, rest)| rest)).collect()
}

#[test]
fn a_run_that_is_dropped_is_recorded_as_far_as_it_came() {
    let written = Shared::default();
    let recording = RecordingTransport::new(
        ReplayTransport::with_runs([run_of(&said("m", "x")), run_of("")]),
        RecordFormat::JsonLines,
        written.clone(),
    );
    let mut session = Session::new(recording, "t");
    let mut run = session.send("Hi");
    futures_executor::block_on(run.next());
    drop(run);
    send(&mut session, "Again");
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let replay = ReplayTransport::from_json_lines(&text);
    assert_eq!(replay.remaining(), 2, "{text}");
}

#[test]
fn a_recording_that_cannot_be_written_fails_the_run() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let recording =
        RecordingTransport::new(ReplayTransport::with_runs([run_of("")]), RecordFormat::Sse, Full);
    let (_, end) = send(&mut Session::new(recording, "t"), "Hi");
    assert!(failed(&end).1.contains("cannot write the recording: the disk is full"), "{end:?}");
}

#[test]
fn empty_recordings_have_no_runs() {
    for text in ["", "\n\n", "  \n"] {
        assert_eq!(ReplayTransport::from_json_lines(text).remaining(), 0, "{text:?}");
        assert_eq!(ReplayTransport::from_sse(text.as_bytes()).unwrap().remaining(), 0, "{text:?}");
    }
    assert!(
        ReplayTransport::from_file("/no/such/file")
            .unwrap_err()
            .to_string()
            .contains("/no/such/file")
    );
    let (_, end) = send(&mut Session::new(ReplayTransport::default(), "t"), "Hi");
    assert_eq!(failed(&end).1, "the recording has no run left: 0 were recorded and replayed");
}

//! Writing down what passes.

use std::io::Write;

use super::{Output, Result, StreamTransformer};
use crate::Event;
use crate::encode::json_into;

/// Writes every event that passes as a line of JSON.
///
/// The writer is called inside the emit, so give it one that is fast, such as a buffered file; it
/// is flushed after the terminal event. A write that fails ends the run: a log with holes is none.
///
/// ```
/// use ag_ui::transform::EventLog;
/// use ag_ui::server::{BoxAgent, Runner};
/// # fn example(agent: BoxAgent<()>) -> std::io::Result<()> {
/// let file = std::fs::OpenOptions::new().append(true).create(true).open("runs.jsonl")?;
/// let runner = Runner::new(agent).transformer(EventLog::new(std::io::BufWriter::new(file)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct EventLog<W> {
    writer: W,
    line: Vec<u8>,
}

impl<W: Write + Send> EventLog<W> {
    /// A log that goes to that writer.
    #[must_use]
    pub fn new(writer: W) -> Self {
        Self { writer, line: Vec::new() }
    }
}

impl<W: Write + Send> StreamTransformer for EventLog<W> {
    fn transform(&mut self, event: Event, output: &mut Output<'_>) -> Result {
        self.line.clear();
        json_into(&event, &mut self.line);
        self.line.push(b'\n');
        self.writer.write_all(&self.line)?;
        if matches!(event, Event::RunFinished(_) | Event::RunError(_)) {
            self.writer.flush()?;
        }
        output.push(event);
        Ok(())
    }
}

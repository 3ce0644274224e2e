//! Runs that were recorded, and runs as they are recorded.

use std::collections::VecDeque;
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_core::Stream;

use super::transport::{Connecting, Frame, Frames, Transport};
use super::{Error, Result};
use crate::{Event, RunAgentInput};

/// How runs are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordFormat {
    /// One event a line; an empty line ends a run.
    JsonLines,
    /// Server-sent events, as they come over HTTP; the comment `: end of run` ends a run.
    #[cfg(feature = "sse")]
    Sse,
}

#[cfg(feature = "sse")]
const END_OF_RUN: &str = "end of run";

/// Answers each run with the next recorded one.
///
/// Clones share what is left. The inputs that came are kept for tests to look at.
///
/// ```
/// use ag_ui::Event;
/// use ag_ui::client::{ReplayTransport, Session};
///
/// let transport = ReplayTransport::new([
///     Event::run_started("t-1", "t-1-run-1"),
///     Event::run_finished("t-1", "t-1-run-1"),
/// ]);
/// # futures_executor::block_on(async {
/// let mut session = Session::new(transport.clone(), "t-1");
/// assert!(session.send("Hello").finish().await.is_success());
/// assert_eq!(transport.requests()[0].last_user_text().as_deref(), Some("Hello"));
/// assert_eq!(transport.remaining(), 0);
/// // There was one run. Another one fails.
/// assert!(!session.send("Hello?").finish().await.is_success());
/// # });
/// ```
#[derive(Debug, Clone, Default)]
pub struct ReplayTransport(Arc<Mutex<Recorded>>);

#[derive(Debug, Default)]
struct Recorded {
    total: usize,
    runs: VecDeque<Vec<Frame>>,
    requests: Vec<RunAgentInput>,
}

impl ReplayTransport {
    /// One run of those events.
    pub fn new(run: impl IntoIterator<Item = impl Into<Frame>>) -> Self {
        Self::with_runs([run.into_iter().map(Into::into).collect()])
    }

    /// Several runs.
    pub fn with_runs(runs: impl IntoIterator<Item = Vec<Frame>>) -> Self {
        let runs: VecDeque<_> = runs.into_iter().collect();
        Self(Arc::new(Mutex::new(Recorded { total: runs.len(), runs, requests: Vec::new() })))
    }

    /// Runs of one event a line, with empty lines between them.
    #[must_use]
    pub fn from_json_lines(text: &str) -> Self {
        let mut runs = vec![Vec::new()];
        for line in text.trim().lines().map(str::trim) {
            match runs.last_mut() {
                Some(run) if !line.is_empty() => run.push(Frame::Json(line.to_owned())),
                Some(run) if !run.is_empty() => runs.push(Vec::new()),
                _ => {}
            }
        }
        Self::with_runs(runs.into_iter().filter(|run| !run.is_empty()))
    }

    /// Runs of server-sent events, with comments `: end of run` between them.
    ///
    /// # Errors
    /// When an event is larger than [`DEFAULT_FRAME_LIMIT`](crate::encode::DEFAULT_FRAME_LIMIT) or
    /// not UTF-8.
    #[cfg(feature = "sse")]
    pub fn from_sse(bytes: &[u8]) -> Result<Self> {
        let mut runs = Vec::new();
        for run in split_runs(bytes) {
            let frames = sse_frames(run)?;
            if !frames.is_empty() {
                runs.push(frames);
            }
        }
        Ok(Self::with_runs(runs))
    }

    /// Runs of a file in either form, which its first character tells.
    ///
    /// # Errors
    /// When the file cannot be read or is not UTF-8, and as `from_sse`.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        let text = std::fs::read_to_string(path.as_ref()).map_err(|error| {
            Error::transport(format!("cannot read {}: {error}", path.as_ref().display()))
        })?;
        #[cfg(feature = "sse")]
        if !text.trim_start().starts_with('{') {
            return Self::from_sse(text.as_bytes());
        }
        Ok(Self::from_json_lines(&text))
    }

    /// The inputs of the runs so far.
    #[must_use]
    pub fn requests(&self) -> Vec<RunAgentInput> {
        self.with(|recorded| recorded.requests.clone())
    }

    /// How many runs are left.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.with(|recorded| recorded.runs.len())
    }

    fn with<T>(&self, action: impl FnOnce(&mut Recorded) -> T) -> T {
        action(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Transport for ReplayTransport {
    fn run(&self, input: RunAgentInput) -> Connecting {
        let run = self.with(|recorded| {
            recorded.requests.push(input);
            recorded.runs.pop_front().ok_or(Error::NoRunLeft { runs: recorded.total })
        });
        Box::pin(async { run.map(|frames| Box::pin(Replay(frames.into_iter())) as Frames) })
    }
}

struct Replay(std::vec::IntoIter<Frame>);

impl Stream for Replay {
    type Item = Result<Frame>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.next().map(Ok))
    }
}

#[cfg(feature = "sse")]
fn split_runs(bytes: &[u8]) -> Vec<&[u8]> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut position = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        position += line.len();
        let comment = line.strip_prefix(b":").map(<[u8]>::trim_ascii);
        if comment == Some(END_OF_RUN.as_bytes()) {
            runs.push(&bytes[start..position]);
            start = position;
        }
    }
    runs.push(&bytes[start..]);
    runs
}

#[cfg(feature = "sse")]
fn sse_frames(bytes: &[u8]) -> Result<Vec<Frame>> {
    use crate::encode::{SseEnd, SseReader};

    let mut reader = SseReader::new();
    let mut frames = Vec::new();
    let mut rest = bytes;
    while let Some(frame) = reader.next_frame(&mut rest)? {
        frames.push(Frame::Json(frame.data().to_owned()));
    }
    match reader.finish()? {
        SseEnd::Complete | SseEnd::InsideLine(None) => {}
        SseEnd::MissingBlankLine(frame) | SseEnd::InsideLine(Some(frame)) => {
            frames.push(Frame::Json(frame.data().to_owned()));
        }
    }
    Ok(frames)
}

/// Writes down the runs of another transport as they come.
///
/// Each event is written exactly as it arrived, before anything reads it, and flushed: what is
/// written is what there was when something went wrong. [`ReplayTransport::from_file`] reads it.
///
/// ```
/// use ag_ui::Event;
/// use ag_ui::client::{RecordFormat, RecordingTransport, ReplayTransport, Session};
///
/// let agent = ReplayTransport::new([
///     Event::run_started("t-1", "t-1-run-1"),
///     Event::run_finished("t-1", "t-1-run-1"),
/// ]);
/// let recording = RecordingTransport::new(agent, RecordFormat::JsonLines, Vec::new());
/// # futures_executor::block_on(async {
/// let mut session = Session::new(recording.clone(), "t-1");
/// session.send("Hello").finish().await;
/// drop(session);
/// let written = String::from_utf8(recording.into_writer().unwrap()).unwrap();
/// assert!(written.starts_with(r#"{"type":"RUN_STARTED","threadId":"t-1","#));
/// # });
/// ```
pub struct RecordingTransport<T, W> {
    transport: Arc<T>,
    format: RecordFormat,
    writer: Arc<Mutex<W>>,
}

impl<T, W> Clone for RecordingTransport<T, W> {
    fn clone(&self) -> Self {
        let Self { transport, format, writer } = self;
        Self { transport: transport.clone(), format: *format, writer: writer.clone() }
    }
}

impl<T, W> fmt::Debug for RecordingTransport<T, W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RecordingTransport")
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

impl<T: Transport, W: Write> RecordingTransport<T, W> {
    /// Writes the runs of `transport` to `writer`.
    pub fn new(transport: T, format: RecordFormat, writer: W) -> Self {
        Self { transport: Arc::new(transport), format, writer: Arc::new(Mutex::new(writer)) }
    }

    /// The writer, when no clone and no run holds it any more.
    #[must_use]
    pub fn into_writer(self) -> Option<W> {
        let writer = Arc::into_inner(self.writer)?;
        Some(writer.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T: Transport, W: Write + Send + 'static> Transport for RecordingTransport<T, W> {
    fn run(&self, input: RunAgentInput) -> Connecting {
        let connecting = self.transport.run(input);
        let (format, writer) = (self.format, self.writer.clone());
        Box::pin(async move {
            let frames = connecting.await?;
            Ok(Box::pin(Recording { frames, format, writer, ended: false }) as Frames)
        })
    }
}

struct Recording<W: Write> {
    frames: Frames,
    format: RecordFormat,
    writer: Arc<Mutex<W>>,
    ended: bool,
}

impl<W: Write> Recording<W> {
    fn write(&self, frame: Option<&Frame>) -> Result<()> {
        let mut buffer = Vec::new();
        match (frame, self.format) {
            (Some(frame), RecordFormat::JsonLines) => {
                // A text with line breaks between its tokens is one line without them.
                let json = frame.to_json();
                buffer.extend(
                    json.bytes()
                        .map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }),
                );
                buffer.push(b'\n');
            }
            (None, RecordFormat::JsonLines) => buffer.push(b'\n'),
            #[cfg(feature = "sse")]
            (Some(frame), RecordFormat::Sse) => {
                for line in frame.to_json().split(['\n', '\r']) {
                    buffer.extend_from_slice(b"data: ");
                    buffer.extend_from_slice(line.as_bytes());
                    buffer.push(b'\n');
                }
                buffer.push(b'\n');
            }
            #[cfg(feature = "sse")]
            (None, RecordFormat::Sse) => {
                buffer.extend_from_slice(format!(": {END_OF_RUN}\n\n").as_bytes());
            }
        }
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writer.write_all(&buffer).and_then(|()| writer.flush());
        written.map_err(|error| Error::transport(format!("cannot write the recording: {error}")))
    }
}

impl<W: Write> Stream for Recording<W> {
    type Item = Result<Frame>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.frames.as_mut().poll_next(context);
        if let Poll::Ready(item) = &polled {
            let written = match item {
                Some(Ok(frame)) => self.write(Some(frame)),
                Some(Err(_)) | None if !self.ended => {
                    self.ended = true;
                    self.write(None)
                }
                _ => Ok(()),
            };
            if let Err(error) = written {
                return Poll::Ready(Some(Err(error)));
            }
        }
        polled
    }
}

impl<W: Write> Drop for Recording<W> {
    /// A run that is given up has an end too. There is nobody left to tell that it failed.
    fn drop(&mut self) {
        if !self.ended {
            self.write(None).unwrap_or_default();
        }
    }
}

impl From<&Event> for Frame {
    fn from(event: &Event) -> Self {
        event.clone().into()
    }
}

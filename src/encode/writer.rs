//! Frames into a buffer of the caller.

use memchr::memchr2;

use super::json::into_string;
use crate::Event;
use crate::wire::write::WriteJson;

/// Text with a line break cannot stand in one line of an event stream.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an SSE line cannot hold the line break at byte {offset} of its text")]
pub struct LineBreakError {
    offset: usize,
}

impl LineBreakError {
    /// Position of the first line break in the text, in bytes from 0.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

/// Appends the frame of one event, given as JSON text, to `buffer`.
///
/// The frame is one `data` line and a blank line, with LF as line end: readers of AG-UI need know
/// no other form.
///
/// # Errors
/// `json` has a line break, as pretty-printed JSON does; `buffer` is then unchanged.
pub fn write_frame(buffer: &mut Vec<u8>, json: &str) -> Result<(), LineBreakError> {
    check_single_line(json)?;
    buffer.reserve(DATA.len() + json.len() + END.len());
    write_frame_with(buffer, |buffer| buffer.extend_from_slice(json.as_bytes()));
    Ok(())
}

/// Appends a comment to `buffer`, followed by a blank line.
///
/// Readers skip comments. Sent while there is nothing else to send, they keep proxies from closing
/// the connection.
///
/// # Errors
/// `text` has a line break; `buffer` is then unchanged.
pub fn write_comment(buffer: &mut Vec<u8>, text: &str) -> Result<(), LineBreakError> {
    check_single_line(text)?;
    buffer.extend_from_slice(COMMENT);
    buffer.extend_from_slice(text.as_bytes());
    buffer.extend_from_slice(END);
    Ok(())
}

/// Appends the frame of an event to `buffer`.
///
/// A stream that reuses its buffer writes without allocating.
///
/// ```
/// use ag_ui::{Event, encode};
///
/// let mut buffer = Vec::new();
/// encode::encode_into(&Event::step_started("plan"), &mut buffer);
/// assert_eq!(buffer, b"data: {\"type\":\"STEP_STARTED\",\"stepName\":\"plan\"}\n\n");
/// ```
#[inline]
pub fn encode_into(event: &Event, buffer: &mut Vec<u8>) {
    write_frame_with(buffer, |buffer| event.write_json(buffer));
}

/// The frame of an event as a string of its own.
#[must_use]
pub fn encode_to_string(event: &Event) -> String {
    let mut buffer = Vec::with_capacity(128);
    encode_into(event, &mut buffer);
    into_string(buffer)
}

/// Appends a frame whose JSON text `write` appends, without a line break.
#[inline]
fn write_frame_with(buffer: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    buffer.extend_from_slice(DATA);
    let start = buffer.len();
    write(buffer);
    debug_assert_eq!(memchr2(b'\n', b'\r', &buffer[start..]), None, "JSON text of one line");
    buffer.extend_from_slice(END);
}

const DATA: &[u8] = b"data: ";
const COMMENT: &[u8] = b": ";
const END: &[u8] = b"\n\n";

fn check_single_line(text: &str) -> Result<(), LineBreakError> {
    match memchr2(b'\n', b'\r', text.as_bytes()) {
        Some(offset) => Err(LineBreakError { offset }),
        None => Ok(()),
    }
}

//! The reader against two independent ones: a plain model of the standard, and the crate `sseer`.

use std::convert::Infallible;
use std::str;

use ag_ui::encode::DEFAULT_FRAME_LIMIT;
use futures_util::{FutureExt, StreamExt, stream};
use proptest::prelude::*;
use sseer::event_stream::EventStream;

use crate::sse_support::{Frame, Item, read};

/// Fragments that are dense in what the grammar cares about.
const FRAGMENTS: [&str; 24] = [
    "\n",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\r\r",
    "\r\n\r\n",
    "data",
    "data: ",
    "data:",
    ":",
    " ",
    "event: ",
    "event",
    "id: ",
    "id",
    "retry: 3",
    "x",
    "{\"a\":1}",
    "é",
    "\u{2028}",
    "\u{feff}",
    "\0",
    "😀",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(FRAGMENTS.as_slice()), 0..40)
        .prop_map(|fragments| fragments.concat())
}

/// A stream with bytes that are not UTF-8 at some places.
fn broken_text() -> impl Strategy<Value = Vec<u8>> {
    let bad: [&[u8]; 4] = [b"\xff", b"\xe2\x82", b"\xef\xbb", b"\xa9"];
    let places = prop::collection::vec((any::<prop::sample::Index>(), 0..bad.len()), 0..3);
    (text(), places).prop_map(move |(text, places)| {
        let mut bytes = text.into_bytes();
        for (place, which) in places {
            let at = place.index(bytes.len() + 1);
            bytes.splice(at..at, bad[which].iter().copied());
        }
        bytes
    })
}

/// The pieces of `stream` with the given lengths, repeated to its end.
fn pieces<'a>(stream: &'a [u8], lengths: &[usize]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    let mut rest = stream;
    for length in lengths.iter().cycle() {
        let (piece, tail) = rest.split_at((*length).min(rest.len()));
        pieces.push(piece);
        rest = tail;
        if rest.is_empty() {
            break;
        }
    }
    pieces
}

fn lengths() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..12_usize, 1..6)
        .prop_filter("no progress", |lengths| lengths.iter().any(|length| *length > 0))
}

/// Reads a whole stream line by line, with no thought of cost.
struct Model {
    items: Vec<Item>,
    frame: Frame,
    lines: Vec<Vec<u8>>,
    started: bool,
}

impl Model {
    fn read(stream: &[u8]) -> Vec<Item> {
        let frame =
            Frame { data: String::new(), event: String::new(), id: String::new(), offset: 0 };
        let mut model = Self { items: Vec::new(), frame, lines: Vec::new(), started: false };
        let mut line = Vec::new();
        let mut line_start = 0;
        for (position, byte) in stream.iter().enumerate() {
            match byte {
                b'\n' if position > 0 && stream[position - 1] == b'\r' => line_start = position + 1,
                b'\n' | b'\r' => {
                    model.line(&line, line_start);
                    line.clear();
                    line_start = position + 1;
                }
                _ => line.push(*byte),
            }
        }
        model.end(&line, line_start);
        model.items
    }

    fn line(&mut self, line: &[u8], start: usize) {
        let line = if start == 0 {
            line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line)
        } else {
            line
        };
        if line.is_empty() {
            if let Some(item) = self.dispatch() {
                self.items.push(item.map_or_else(|error| error, Item::Frame));
            }
            return;
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let value_text = str::from_utf8(value).map(str::to_owned);
        match (name, value_text) {
            (b"data", _) => self.lines.push(value.to_vec()),
            (b"event", Ok(text)) => self.frame.event = text,
            (b"id", Ok(text)) if !text.contains('\0') => self.frame.id = text,
            (b"event" | b"id", _) => {}
            _ => return,
        }
        if !self.started {
            self.started = true;
            self.frame.offset = start as u64;
        }
    }

    fn dispatch(&mut self) -> Option<Result<Frame, Item>> {
        self.started = false;
        let event = std::mem::take(&mut self.frame.event);
        if self.lines.is_empty() {
            return None;
        }
        let offset = self.frame.offset;
        let data = std::mem::take(&mut self.lines).join(&b'\n');
        Some(match String::from_utf8(data) {
            Ok(data) => Ok(Frame { data, event, id: self.frame.id.clone(), offset }),
            Err(error) => {
                let data_offset = error.utf8_error().valid_up_to();
                Err(Item::InvalidUtf8 { offset, data_offset })
            }
        })
    }

    fn end(&mut self, line: &[u8], start: usize) {
        let is_mark = start == 0 && line == "\u{feff}".as_bytes();
        let inside = !line.is_empty() && !is_mark;
        if inside {
            self.line(line, start);
        }
        let item = match self.dispatch() {
            Some(Err(error)) => error,
            Some(Ok(frame)) if inside => Item::InsideLine(Some(frame)),
            Some(Ok(frame)) => Item::MissingBlankLine(frame),
            None if inside => Item::InsideLine(None),
            None => Item::Complete,
        };
        self.items.push(item);
    }
}

/// What `sseer` makes of the stream, as data and id; frames that end in a blank line only.
///
/// Its event names are left out: it does not let an empty `event` line undo one before it.
fn read_with_sseer(pieces: &[&[u8]]) -> Vec<(String, String)> {
    let pieces: Vec<_> = pieces.iter().map(|piece| Ok::<_, Infallible>(piece.to_vec())).collect();
    let events = EventStream::new(stream::iter(pieces)).collect::<Vec<_>>().now_or_never().unwrap();
    events
        .into_iter()
        .map(|event| event.unwrap())
        .map(|event| (event.data.to_string(), event.id.to_string()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_stream_in_any_pieces_reads_as_the_model_says(
        stream in broken_text(),
        lengths in lengths(),
    ) {
        let expected = Model::read(&stream);
        prop_assert_eq!(&read(DEFAULT_FRAME_LIMIT, [stream.as_slice()]), &expected);
        prop_assert_eq!(&read(DEFAULT_FRAME_LIMIT, pieces(&stream, &lengths)), &expected);
    }

    #[test]
    fn a_small_limit_cuts_the_same_frames_in_any_pieces(
        stream in broken_text(),
        lengths in lengths(),
        limit in 0..24_usize,
    ) {
        let whole = read(limit, [stream.as_slice()]);
        prop_assert_eq!(read(limit, pieces(&stream, &lengths)), whole.clone());
        let unlimited = Model::read(&stream);
        for item in whole {
            let is_kept = match &item {
                Item::Frame(frame) => unlimited.iter().any(|other| match other {
                    Item::Frame(other) => other.data == frame.data && other.offset == frame.offset,
                    _ => false,
                }),
                _ => true,
            };
            prop_assert!(is_kept, "{:?} is not in {:?}", item, unlimited);
        }
    }

    #[test]
    fn text_in_any_pieces_reads_as_sseer_does(text in text(), lengths in lengths()) {
        let pieces = pieces(text.as_bytes(), &lengths);
        let ours: Vec<_> = read(DEFAULT_FRAME_LIMIT, pieces.iter().copied())
            .into_iter()
            .filter_map(|item| match item {
                Item::Frame(frame) => Some((frame.data, frame.id)),
                _ => None,
            })
            .collect();
        prop_assert_eq!(ours, read_with_sseer(&pieces));
    }
}

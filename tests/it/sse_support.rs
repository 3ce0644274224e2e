//! Reads a stream to its end in given pieces, as values that can be compared.

use ag_ui::encode::{SseEnd, SseError, SseFrame, SseReader};

/// What a reader says about a stream, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    Frame(Frame),
    /// Without the bytes seen, which depend on the pieces.
    TooLarge {
        offset: u64,
        limit: usize,
    },
    InvalidUtf8 {
        offset: u64,
        data_offset: usize,
    },
    Complete,
    MissingBlankLine(Frame),
    InsideLine(Option<Frame>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) data: String,
    pub(crate) event: String,
    pub(crate) id: String,
    pub(crate) offset: u64,
}

impl From<SseFrame<'_>> for Frame {
    fn from(frame: SseFrame<'_>) -> Self {
        Self {
            data: frame.data().to_owned(),
            event: frame.event().to_owned(),
            id: frame.id().to_owned(),
            offset: frame.offset(),
        }
    }
}

impl From<SseError> for Item {
    fn from(error: SseError) -> Self {
        match error {
            SseError::FrameTooLarge { offset, limit, seen, .. } => {
                assert!(seen > limit, "{seen} bytes seen are no reason to refuse");
                Self::TooLarge { offset, limit }
            }
            SseError::InvalidUtf8 { offset, data_offset, .. } => {
                Self::InvalidUtf8 { offset, data_offset }
            }
            other => panic!("a new kind of error: {other}"),
        }
    }
}

/// Feeds one piece and appends what comes of it.
pub(crate) fn feed(reader: &mut SseReader, mut piece: &[u8], items: &mut Vec<Item>) {
    loop {
        match reader.next_frame(&mut piece) {
            Ok(Some(frame)) => items.push(Item::Frame(frame.into())),
            Ok(None) => break,
            Err(error) => items.push(error.into()),
        }
    }
    assert!(piece.is_empty(), "the reader left {} bytes", piece.len());
}

pub(crate) fn finish(reader: &mut SseReader) -> Item {
    match reader.finish() {
        Ok(SseEnd::Complete) => Item::Complete,
        Ok(SseEnd::MissingBlankLine(frame)) => Item::MissingBlankLine(frame.into()),
        Ok(SseEnd::InsideLine(frame)) => Item::InsideLine(frame.map(Frame::from)),
        Err(error) => error.into(),
    }
}

/// Reads a whole stream that comes in `pieces`.
pub(crate) fn read<'a>(limit: usize, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Item> {
    let mut reader = SseReader::with_frame_limit(limit);
    let mut items = Vec::new();
    for piece in pieces {
        feed(&mut reader, piece, &mut items);
    }
    items.push(finish(&mut reader));
    items
}

/// Reads `stream` whole and checks that every cut into one, two or three pieces, and into single
/// bytes, gives the same.
pub(crate) fn read_at_every_split(limit: usize, stream: &[u8]) -> Vec<Item> {
    let whole = read(limit, [stream]);
    assert_eq!(read(limit, stream.chunks(1)), whole, "byte by byte: {}", stream.escape_ascii());
    for second in 0..=stream.len() {
        for third in second..=stream.len() {
            let pieces = [&stream[..second], &stream[second..third], &stream[third..]];
            assert_eq!(
                read(limit, pieces),
                whole,
                "cut at {second} and {third}: {}",
                stream.escape_ascii()
            );
        }
    }
    whole
}

/// The data of all frames, with anything else as an error.
pub(crate) fn data(items: &[Item]) -> Vec<&str> {
    items
        .iter()
        .map(|item| match item {
            Item::Frame(frame) | Item::MissingBlankLine(frame) | Item::InsideLine(Some(frame)) => {
                frame.data.as_str()
            }
            other => panic!("no frame: {other:?}"),
        })
        .collect()
}

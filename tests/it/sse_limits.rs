//! The reader against frames and lines without end.

use ag_ui::encode::{DEFAULT_FRAME_LIMIT, SseError, SseReader};

use crate::sse_support::{Item, data, feed, finish, read, read_at_every_split};

const TOO_LARGE: usize = usize::MAX;

/// What comes out under a limit of 16 bytes: data, or the offset of a refused frame.
fn outcome(stream: &str) -> Vec<Result<String, u64>> {
    let mut items = read_at_every_split(16, stream.as_bytes());
    assert_eq!(items.pop(), Some(Item::Complete), "{stream:?}");
    items
        .iter()
        .map(|item| match item {
            Item::TooLarge { offset, limit: 16 } => Err(*offset),
            item => Ok(data(std::slice::from_ref(item))[0].to_owned()),
        })
        .collect()
}

#[test]
fn the_lines_of_a_frame_count_and_nothing_else() {
    let ok = |data: &str| Ok(data.to_owned());
    let table: [(&str, Vec<Result<String, u64>>); 10] = [
        ("data: 0123456789\n\n", vec![ok("0123456789")]),
        ("data: 0123456789a\n\n", vec![Err(0)]),
        ("data: 01\r\ndata: 23\r\n\r\n", vec![ok("01\n23")]),
        ("data: 01\ndata: 234\n\n", vec![Err(0)]),
        ("event: 01\ndata:23\n\n", vec![ok("23")]),
        ("event: 01\ndata:234\n\n", vec![Err(0)]),
        (
            ": 012345678\nretry: 012345678\n: 012345678\ndata: 0123456789\n\n",
            vec![ok("0123456789")],
        ),
        ("data: 01\n: 01234\ndata: 23\n\n", vec![ok("01\n23")]),
        ("data: 01\n: 0123456789\n\n", vec![Err(0)]),
        (":\n: 0123456789abcdef\ndata: 1\n\n", vec![Err(2)]),
    ];
    for (stream, expected) in table {
        assert_eq!(outcome(stream), expected, "{stream:?}");
    }
}

#[test]
fn a_refused_frame_costs_neither_those_before_nor_those_after() {
    for line_end in ["\n", "\r\n", "\r"] {
        let stream = "data: 1||data: 0123456789abc|data: x|id: 1|:||data: 2||data: 3||"
            .replace('|', line_end);
        let refused = 7 + 2 * line_end.len() as u64;
        let expected = [Ok("1".into()), Err(refused), Ok("2".into()), Ok("3".into())];
        assert_eq!(outcome(&stream), expected, "{stream:?}");
    }
}

#[test]
fn a_line_without_end_is_refused_once_and_at_the_limit() {
    for start in ["data: ", ": ", "x", "data: 1\ndata: "] {
        let mut reader = SseReader::with_frame_limit(1000);
        let mut items = Vec::new();
        let first = format!("data: 0\n\n{start}");
        feed(&mut reader, first.as_bytes(), &mut items);
        let mut fed = 0;
        while items.len() < 2 {
            assert!(fed <= 1000, "{start:?}: no refusal after {fed} bytes");
            feed(&mut reader, &[b'x'; 100], &mut items);
            fed += 100;
        }
        for _ in 0..100 {
            feed(&mut reader, &[b'x'; 100], &mut items);
        }
        let refused = Item::TooLarge { offset: 9, limit: 1000 };
        assert_eq!(items[1..], [refused], "{start:?}");
        feed(&mut reader, b"\n\ndata: 1\n\n", &mut items);
        assert_eq!(data(&items[2..]), ["1"], "{start:?}");
    }
}

#[test]
fn a_stream_may_end_in_what_is_skipped() {
    let refused = Item::TooLarge { offset: 0, limit: 4 };
    for (stream, end) in [
        ("data: 1", Item::InsideLine(None)),
        ("data: 1\n", Item::Complete),
        ("data: 1\ndata: 2\n", Item::Complete),
        ("data: 1\nd", Item::InsideLine(None)),
        ("data: 1\n\n", Item::Complete),
    ] {
        assert_eq!(read_at_every_split(4, stream.as_bytes()), [refused.clone(), end], "{stream:?}");
    }
}

#[test]
fn the_error_names_limit_and_bytes_seen() {
    let mut reader = SseReader::with_frame_limit(16);
    let error = reader.next_frame(&mut b":\ndata: 0123456789abcd".as_slice()).unwrap_err();
    assert!(matches!(error, SseError::FrameTooLarge { offset: 2, limit: 16, seen: 20, .. }));
    assert_eq!(
        error.to_string(),
        "the SSE frame at byte 2 exceeds the limit of 16 bytes, 20 bytes of it were seen; \
         `SseReader::with_frame_limit` sets another limit"
    );
}

#[test]
fn the_default_limit_is_10_mebibytes() {
    assert_eq!(DEFAULT_FRAME_LIMIT, 10 * 1024 * 1024);
    assert_eq!(SseReader::new().frame_limit(), DEFAULT_FRAME_LIMIT);
    assert_eq!(SseReader::default().frame_limit(), DEFAULT_FRAME_LIMIT);
    let fits = format!("data: {}\n\n", "x".repeat(DEFAULT_FRAME_LIMIT - 6));
    let exceeds = format!("data: {}\n\n", "x".repeat(DEFAULT_FRAME_LIMIT - 5));
    let pieces = fits.as_bytes().chunks(4096).chain(exceeds.as_bytes().chunks(4096));
    let items = read(DEFAULT_FRAME_LIMIT, pieces);
    assert_eq!(data(&items[..1])[0].len(), DEFAULT_FRAME_LIMIT - 6);
    let refused = Item::TooLarge { offset: fits.len() as u64, limit: DEFAULT_FRAME_LIMIT };
    assert_eq!(items[1..], [refused, Item::Complete]);
}

#[test]
fn extreme_limits_are_usable() {
    assert_eq!(data(&read(TOO_LARGE, [b"data: 1\n\n".as_slice()])[..1]), ["1"]);
    let mut reader = SseReader::with_frame_limit(0);
    let mut items = Vec::new();
    feed(&mut reader, b"\n\r\n\r:\n\ndata: 1\n\n", &mut items);
    items.push(finish(&mut reader));
    let refused = |offset| Item::TooLarge { offset, limit: 0 };
    assert_eq!(items, [refused(4), refused(7), Item::Complete]);
}

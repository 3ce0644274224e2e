//! The reader against the grammar of event streams.

use ag_ui::encode::{DEFAULT_FRAME_LIMIT, SseReader};

use crate::sse_support::{Frame, Item, data, feed, finish, read, read_at_every_split};

const LIMIT: usize = DEFAULT_FRAME_LIMIT;

fn frame(data: &str, offset: u64) -> Frame {
    Frame { data: data.to_owned(), event: String::new(), id: String::new(), offset }
}

/// The data of a stream that ends after a blank line, the same at every split.
fn frames_of(stream: &[u8]) -> Vec<String> {
    let mut items = read_at_every_split(LIMIT, stream);
    assert_eq!(items.pop(), Some(Item::Complete), "{}", stream.escape_ascii());
    data(&items).into_iter().map(str::to_owned).collect()
}

#[test]
fn every_grammar_case_reads_the_same_at_every_split() {
    let table: [(&str, &str, &[&str]); 31] = [
        ("LF", "data: {\"a\":1}\n\ndata: {}\n\n", &["{\"a\":1}", "{}"]),
        ("CRLF", "data: {\"a\":1}\r\n\r\ndata: {}\r\n\r\n", &["{\"a\":1}", "{}"]),
        ("CR", "data: {\"a\":1}\r\rdata: {}\r\r", &["{\"a\":1}", "{}"]),
        ("LF then CRLF", "data: 1\n\r\ndata: 2\n\n", &["1", "2"]),
        ("CRLF then LF", "data: 1\r\n\ndata: 2\n\n", &["1", "2"]),
        ("CR then LF is one line end", "data: 1\r\ndata: 2\r\n\n", &["1\n2"]),
        ("LF then CR", "data: 1\n\rdata: 2\n\r", &["1", "2"]),
        ("CR then CRLF", "data: 1\r\r\ndata: 2\r\r\n", &["1", "2"]),
        ("more blank lines", "\n\r\n\rdata: 1\n\n\n\r\r\n\ndata: 2\n\n\n", &["1", "2"]),
        ("byte order mark", "\u{feff}data: 1\n\n", &["1"]),
        ("byte order mark alone in its line", "\u{feff}\ndata: 1\n\n", &["1"]),
        ("byte order mark before a comment", "\u{feff}: hi\ndata: 1\n\n", &["1"]),
        ("second byte order mark", "\u{feff}\u{feff}data: 1\n\ndata: 2\n\n", &["2"]),
        ("byte order mark later", "data: 1\n\n\u{feff}data: 2\n\n", &["1"]),
        ("comments", ":\n: keep-alive\n\ndata: 1\n:x\ndata: 2\n\n:\n\n", &["1\n2"]),
        ("comment inside data", "data: {\n: data: no\ndata: }\n\n", &["{\n}"]),
        ("no space", "data:{}\n\n", &["{}"]),
        ("one space goes", "data:  x \n\n", &[" x "]),
        ("a tab stays", "data:\tx\n\n", &["\tx"]),
        ("no colon", "data\n\n", &[""]),
        ("no colon twice", "data\ndata\n\n", &["\n"]),
        ("empty value", "data:\n\ndata: \n\n", &["", ""]),
        ("empty lines of data", "data:\ndata: x\ndata:\n\n", &["\nx\n"]),
        ("many lines of data", "data: a\ndata:b\ndata: c\r\ndata:  d\n\n", &["a\nb\nc\n d"]),
        ("colons in the value", "data: a:b: c\n\n", &["a:b: c"]),
        (
            "U+2028, U+2029, U+0085",
            "data: \u{2028}\u{2029}\u{85}\u{b}\u{c}\n\n",
            &["\u{2028}\u{2029}\u{85}\u{b}\u{c}"],
        ),
        ("wide characters", "data: é€😀\ndata: 😀\n\n", &["é€😀\n😀"]),
        ("U+0000", "data: a\0b\n\n", &["a\0b"]),
        ("unknown fields", "datum: 1\ndata : 2\nDATA: 3\n data: 4\nretry: 5\ndata: 6\n\n", &["6"]),
        ("no data", "event: ping\n\nid: 1\n\nretry: 1\n\nx\n\n", &[]),
        ("nothing", "", &[]),
    ];
    for (name, stream, expected) in table {
        assert_eq!(frames_of(stream.as_bytes()), expected, "{name}");
    }
}

#[test]
fn event_and_id_come_with_the_frame() {
    let stream = "event: a\nevent: b\nid: 1\ndata: x\n\n\
                  data: y\n\n\
                  event: lost\nid:2\n\n\
                  id: 3\0\ndata: z\nevent\n\n\
                  id\ndata: end\n\n";
    let expected =
        [("x", "b", "1", 0), ("y", "", "1", 33), ("z", "", "2", 60), ("end", "", "", 82)];
    let mut items = read_at_every_split(LIMIT, stream.as_bytes());
    assert_eq!(items.pop(), Some(Item::Complete));
    let expected: Vec<Item> = expected
        .into_iter()
        .map(|(data, event, id, offset)| {
            Item::Frame(Frame { event: event.into(), id: id.into(), ..frame(data, offset) })
        })
        .collect();
    assert_eq!(items, expected);
}

#[test]
fn the_offset_is_that_of_the_first_meaningful_line() {
    let stream = b"\xef\xbb\xbfdata: 1\r\n\r\n: hi\r\n\r\n: hi\ndata: 2\n\n";
    let expected = vec![Item::Frame(frame("1", 0)), Item::Frame(frame("2", 27)), Item::Complete];
    assert_eq!(read_at_every_split(LIMIT, stream), expected);
}

#[test]
fn a_frame_comes_with_the_byte_that_ends_it() {
    for (stream, rest) in [
        ("data: 1\n\n", ""),
        ("data: 1\r\r", ""),
        ("data: 1\r\n\r", "\n"),
        ("data: 1\n\r", "\n"),
        ("data: 1\n: hi\r\r", "\n"),
    ] {
        let mut reader = SseReader::new();
        let mut items = Vec::new();
        let (head, last) = stream.as_bytes().split_at(stream.len() - 1);
        feed(&mut reader, head, &mut items);
        assert_eq!(items, [], "{stream:?}");
        feed(&mut reader, last, &mut items);
        assert_eq!(items, [Item::Frame(frame("1", 0))], "{stream:?}");
        feed(&mut reader, rest.as_bytes(), &mut items);
        assert_eq!(finish(&mut reader), Item::Complete, "{stream:?}");
        assert_eq!(items.len(), 1, "{stream:?}");
    }
}

#[test]
fn the_end_of_the_stream_says_where_it_came() {
    let table: [(&[u8], Item); 17] = [
        (b"", Item::Complete),
        (b"\n", Item::Complete),
        (b"\xef\xbb\xbf", Item::Complete),
        (b": bye\n", Item::Complete),
        (b"event: x\nid: 1\n", Item::Complete),
        (b"data: x\n", Item::MissingBlankLine(frame("x", 0))),
        (b"data: x\r", Item::MissingBlankLine(frame("x", 0))),
        (b"data: x\r\n", Item::MissingBlankLine(frame("x", 0))),
        (b"data: x\ndata: y\n:\n", Item::MissingBlankLine(frame("x\ny", 0))),
        (b"data: {\"a\":", Item::InsideLine(Some(frame("{\"a\":", 0)))),
        (b"data: x\ndata: y", Item::InsideLine(Some(frame("x\ny", 0)))),
        (b"data: x\nda", Item::InsideLine(Some(frame("x", 0)))),
        (b"\xef\xbb\xbfdata", Item::InsideLine(Some(frame("", 0)))),
        (b"dat", Item::InsideLine(None)),
        (b": by", Item::InsideLine(None)),
        (b"\xef\xbb", Item::InsideLine(None)),
        (b"data: \xe2\x82", Item::InvalidUtf8 { offset: 0, data_offset: 0 }),
    ];
    for (stream, end) in table {
        assert_eq!(read_at_every_split(LIMIT, stream), [end], "{}", stream.escape_ascii());
    }
}

#[test]
fn a_finished_reader_starts_another_stream() {
    let mut reader = SseReader::with_frame_limit(20);
    for stream in ["\u{feff}id: 7\ndata: 1", "\u{feff}data: 2\r", "\ndata: 3\n\n"] {
        let mut items = Vec::new();
        feed(&mut reader, stream.as_bytes(), &mut items);
        items.push(finish(&mut reader));
        assert_eq!(items, read(20, [stream.as_bytes()]), "{stream:?}");
    }
    assert_eq!(reader.frame_limit(), 20);
}

#[test]
fn data_that_is_not_utf_8_costs_one_frame() {
    let stream = b"data: 1\n\ndata: ok\xff\n\ndata: ok\ndata: \xc3\ndata: \xa9\n\ndata: 2\n\n";
    let expected = vec![
        Item::Frame(frame("1", 0)),
        Item::InvalidUtf8 { offset: 9, data_offset: 2 },
        Item::InvalidUtf8 { offset: 20, data_offset: 3 },
        Item::Frame(frame("2", 46)),
        Item::Complete,
    ];
    assert_eq!(read_at_every_split(LIMIT, stream), expected);
}

#[test]
fn bytes_without_meaning_need_not_be_utf_8() {
    let stream = b": \xff\n\xff: \xff\nevent: \xff\nid: \xff\ndata: 1\n\n";
    assert_eq!(frames_of(stream), ["1"]);
}

#[test]
fn the_utf_8_error_says_where() {
    let mut reader = SseReader::new();
    let error = reader.next_frame(&mut b":\ndata: ok\xff\n\n".as_slice()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the SSE frame at byte 2 is not UTF-8: its data is malformed at data byte 2"
    );
}

#[test]
fn frames_of_one_slice_borrow_from_it() {
    let stream = b"data: one\n\ndata: two\n\n".to_vec();
    let mut bytes = stream.as_slice();
    let mut reader = SseReader::new();
    while let Some(frame) = reader.next_frame(&mut bytes).unwrap() {
        assert!(stream.as_ptr_range().contains(&frame.data().as_ptr()));
    }
}

//! What the writer puts out, and that the reader takes it in again.

use ag_ui::encode::{DEFAULT_FRAME_LIMIT, write_comment, write_frame};
use proptest::prelude::*;

use crate::sse_support::{Item, data, read};

#[test]
fn a_frame_is_one_data_line_and_a_blank_line() {
    let mut buffer = b"before".to_vec();
    write_frame(&mut buffer, "{\"a\":1}").unwrap();
    write_frame(&mut buffer, "").unwrap();
    assert_eq!(buffer, b"beforedata: {\"a\":1}\n\ndata: \n\n");
}

#[test]
fn a_comment_is_one_line_and_a_blank_line() {
    let mut buffer = b"before".to_vec();
    write_comment(&mut buffer, "keep-alive").unwrap();
    write_comment(&mut buffer, "").unwrap();
    assert_eq!(buffer, b"before: keep-alive\n\n: \n\n");
}

#[test]
fn line_breaks_are_refused_and_nothing_is_written() {
    for (text, offset) in [("\n", 0), ("é\r", 2), ("a\r\nb", 1), ("{\n  \"a\": 1\n}", 1)] {
        for write in [write_frame, write_comment] {
            let mut buffer = b"before".to_vec();
            let error = write(&mut buffer, text).unwrap_err();
            assert_eq!(error.offset(), offset, "{text:?}");
            assert_eq!(
                error.to_string(),
                format!("an SSE line cannot hold the line break at byte {offset} of its text")
            );
            assert_eq!(buffer, b"before", "{text:?}");
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        texts in prop::collection::vec("[^\r\n]*", 0..8),
        comment in "[^\r\n]*",
        size in 1..40_usize,
    ) {
        let mut stream = Vec::new();
        for text in &texts {
            write_frame(&mut stream, text).unwrap();
            write_comment(&mut stream, &comment).unwrap();
        }
        let mut items = read(DEFAULT_FRAME_LIMIT, stream.chunks(size));
        prop_assert_eq!(items.pop(), Some(Item::Complete));
        prop_assert_eq!(data(&items), texts);
    }
}

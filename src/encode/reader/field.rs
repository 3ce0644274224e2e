//! What a line of an event stream means.

pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The meaning of a line, with the position in it at which the value begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// The line ends a frame.
    Blank,
    Data(usize),
    Event(usize),
    Id(usize),
    /// A comment, or a field without a meaning here.
    Ignored,
}

impl Field {
    /// Reads a whole line; only the first of a stream may begin with a byte order mark.
    pub(super) fn of(line: &[u8], is_first: bool) -> Self {
        let mark =
            if is_first && line.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let text = &line[mark..];
        if text.is_empty() {
            Self::Blank
        } else if let Some(value) = value_start(text, b"data") {
            Self::Data(mark + value)
        } else if let Some(value) = value_start(text, b"event") {
            Self::Event(mark + value)
        } else if let Some(value) = value_start(text, b"id") {
            Self::Id(mark + value)
        } else {
            Self::Ignored
        }
    }
}

fn value_start(line: &[u8], name: &[u8]) -> Option<usize> {
    match line.strip_prefix(name)? {
        [] => Some(name.len()),
        [b':', b' ', ..] => Some(name.len() + 2),
        [b':', ..] => Some(name.len() + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Field;

    #[test]
    fn a_field_name_is_all_before_the_first_colon() {
        let table: [(&str, Field); 16] = [
            ("", Field::Blank),
            ("data", Field::Data(4)),
            ("data:", Field::Data(5)),
            ("data: ", Field::Data(6)),
            ("data:x", Field::Data(5)),
            ("data:  x", Field::Data(6)),
            ("data:\tx", Field::Data(5)),
            ("event:x", Field::Event(6)),
            ("id: x", Field::Id(4)),
            (": data: x", Field::Ignored),
            (" data: x", Field::Ignored),
            ("data : x", Field::Ignored),
            ("database: x", Field::Ignored),
            ("Data: x", Field::Ignored),
            ("retry: 10", Field::Ignored),
            (" ", Field::Ignored),
        ];
        for (line, field) in table {
            assert_eq!(Field::of(line.as_bytes(), false), field, "{line:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_counts_only_in_the_first_line() {
        assert_eq!(Field::of("\u{feff}".as_bytes(), true), Field::Blank);
        assert_eq!(Field::of("\u{feff}data:x".as_bytes(), true), Field::Data(8));
        assert_eq!(Field::of("\u{feff}data:x".as_bytes(), false), Field::Ignored);
        assert_eq!(Field::of(b"\xef\xbbdata:x", true), Field::Ignored);
    }
}

//! Parts of a document as messages show them.

use std::fmt;

/// Longer strings are cut, so that a message stays readable whatever a peer sent.
const SHOWN: usize = 40;

/// A string in backticks, control characters escaped, cut where it is long.
pub(crate) struct Excerpt<'a>(pub(crate) &'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, rest) = cut(self.0, SHOWN);
        write!(formatter, "`{}`", start.escape_debug())?;
        if rest > 0 {
            write!(formatter, " and {rest} bytes more")?;
        }
        Ok(())
    }
}

/// A JSON Pointer, control characters escaped, cut where a peer made it long.
pub(crate) struct ShortPath<'a>(pub(crate) &'a str);

impl fmt::Display for ShortPath<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, rest) = cut(self.0, 5 * SHOWN);
        start.chars().try_for_each(|character| match character.is_control() {
            true => write!(formatter, "{}", character.escape_debug()),
            false => write!(formatter, "{character}"),
        })?;
        if rest > 0 { formatter.write_str("…") } else { Ok(()) }
    }
}

/// The first characters of a text, and how many bytes follow them.
pub(crate) fn cut(text: &str, characters: usize) -> (&str, usize) {
    match text.char_indices().nth(characters) {
        Some((index, _)) => (&text[..index], text.len() - index),
        None => (text, 0),
    }
}

/// The members of a set, for a message that names what was expected.
pub(crate) struct OneOf<'a>(pub(crate) &'a [&'static str]);

impl fmt::Display for OneOf<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [only] => write!(formatter, "`{only}`"),
            names => write!(formatter, "one of: {}", names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Excerpt, OneOf, cut};

    #[test]
    fn long_strings_are_cut_between_characters() {
        assert_eq!(Excerpt("a\n\"b\"").to_string(), r#"`a\n\"b\"`"#);
        assert_eq!(Excerpt(&"ü".repeat(40)).to_string(), format!("`{}`", "ü".repeat(40)));
        let cut_off = format!("`{}` and 4 bytes more", "ü".repeat(40));
        assert_eq!(Excerpt(&"ü".repeat(42)).to_string(), cut_off);
        assert_eq!(cut("", 0), ("", 0));
        assert_eq!(cut("ab", 1), ("a", 1));
    }

    #[test]
    fn a_set_of_one_needs_no_list() {
        assert_eq!(OneOf(&["tool"]).to_string(), "`tool`");
        assert_eq!(OneOf(&["add", "remove"]).to_string(), "one of: add, remove");
    }
}

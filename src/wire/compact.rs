//! Reading of documents whose bytes are known but for the strings in them.

use super::write::find_escape;

/// The unread rest of a document.
pub(crate) struct Compact<'a>(&'a str);

impl<'a> Compact<'a> {
    #[inline]
    pub(crate) fn new(json: &'a str) -> Self {
        Self(json)
    }

    /// The string after `before`, which ends in the opening quote. `None` for anything else, a
    /// string with escapes among it.
    #[inline]
    pub(crate) fn string(&mut self, before: &str) -> Option<&'a str> {
        let rest = self.0.strip_prefix(before)?;
        let length = find_escape(rest.as_bytes())?;
        let (string, rest) = rest.split_at_checked(length)?;
        self.0 = rest.strip_prefix('"')?;
        Some(string)
    }

    #[inline]
    pub(crate) fn end(&self) -> Option<()> {
        (self.0 == "}").then_some(())
    }
}

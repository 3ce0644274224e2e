//! Where in a source file something stands.

use std::fmt;
use std::sync::Arc;

use oxc_span::Span;

/// A position in a source file, with the line it points into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    file: Arc<str>,
    line: usize,
    column: usize,
    excerpt: Arc<str>,
}

impl Place {
    /// The start of `span` in `text`, which is the content of `file`.
    pub(crate) fn new(file: &str, text: &str, span: Span) -> Self {
        let start = usize::try_from(span.start).unwrap_or(usize::MAX);
        let before = text.get(..start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let excerpt = text[line_start..].lines().next().unwrap_or_default();
        Self {
            file: file.into(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            excerpt: excerpt.trim().into(),
        }
    }

    /// The file, as named in the pins.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column in characters, counted from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// The line itself, without indentation.
    #[must_use]
    pub fn excerpt(&self) -> &str {
        &self.excerpt
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

//! Protocol errors, and what a tolerant decoding left out.

use std::fmt;

use crate::wire::excerpt::{Excerpt, OneOf, ShortPath};

/// Anything that can go wrong with protocol data, before any hosting or transport.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A document is not what the protocol describes.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A string is no member of a closed set, for example no event type.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
    /// A string is not a JSON Pointer.
    #[error(transparent)]
    JsonPointer(#[from] JsonPointerError),
    /// A run outcome breaks a rule that its type cannot express.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
}

/// A JSON document that is not the wanted protocol type.
///
/// Its text names the event type where one is known, the place as a JSON Pointer, and what was
/// expected there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    pub(crate) kind: DecodeErrorKind,
    pub(crate) path: String,
    pub(crate) event_type: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// What is wrong with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// It is not JSON.
    Syntax,
    /// It ends too early.
    UnexpectedEnd,
    /// It is nested too deep to be read.
    TooDeep,
    /// A required field is absent.
    MissingField,
    /// A field occurs twice in one object.
    DuplicateField,
    /// A field is not described; only a strict decoding refuses it.
    UnknownField,
    /// No known type answers to the discriminator.
    UnknownVariant,
    /// `null` stands where a field must be absent. Where older producers send it, only a strict
    /// decoding refuses it.
    Null,
    /// A list is shorter than the protocol allows; only a strict decoding refuses it.
    OutOfRange,
    /// A value has the wrong JSON kind, is outside its bounds or not a member of its set.
    WrongValue,
}

impl DecodeError {
    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> DecodeErrorKind {
        self.kind
    }

    /// Where it is, as a JSON Pointer; empty for the document itself.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The event type on the wire, once it was read.
    #[must_use]
    pub fn event_type(&self) -> Option<&str> {
        self.event_type
    }

    /// Line of the input at which decoding stopped, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Column of the input at which decoding stopped, in bytes, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, line, column, .. } = self;
        let path = ShortPath(&self.path);
        match (self.event_type, self.path.is_empty()) {
            (Some(name), true) => write!(formatter, "{name}: ")?,
            (Some(name), false) => write!(formatter, "{name} at {path}: ")?,
            (None, true) => {}
            (None, false) => write!(formatter, "at {path}: ")?,
        }
        write!(formatter, "{message} (line {line}, column {column})")
    }
}

impl std::error::Error for DecodeError {}

/// A string that is no member of a closed set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not in {set}; expected {}", Excerpt(.name), OneOf(.expected))]
pub struct UnknownName {
    set: &'static str,
    name: String,
    expected: &'static [&'static str],
}

impl UnknownName {
    pub(crate) fn new(set: &'static str, name: &str, expected: &'static [&'static str]) -> Self {
        Self { set, name: name.to_owned(), expected }
    }

    /// The string that is no member.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The members.
    #[must_use]
    pub fn expected(&self) -> &'static [&'static str] {
        self.expected
    }
}

/// A string that is not a JSON Pointer as RFC 6901 has it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} is not a JSON Pointer: at byte {offset}, {}",
    Excerpt(.text),
    if *.offset == 0 { "a pointer is empty or begins with `/`" } else { "`~` must be followed by 0 or 1" }
)]
pub struct JsonPointerError {
    pub(crate) text: String,
    pub(crate) offset: usize,
}

impl JsonPointerError {
    /// Byte position of the first offending character.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

/// A run outcome that no peer may send.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutcomeError {
    /// An interrupt outcome lists no interrupt.
    #[error("an interrupt outcome needs at least one interrupt")]
    NoInterrupts,
    /// Two interrupts of one outcome share an id.
    #[error("interrupt id `{0}` occurs more than once in one outcome")]
    DuplicateInterrupt(crate::InterruptId),
}

/// What a tolerant decoding left out or filled in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecodeReport {
    pub(crate) adjustments: Vec<Adjustment>,
    pub(crate) uncounted: usize,
}

impl DecodeReport {
    /// Whether the document was taken exactly as it came.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.adjustments.is_empty()
    }

    /// The adjustments in document order, at most 1,024 of them.
    #[must_use]
    pub fn adjustments(&self) -> &[Adjustment] {
        &self.adjustments
    }

    /// How many further adjustments were made and not listed.
    #[must_use]
    pub fn unlisted(&self) -> usize {
        self.uncounted
    }
}

/// One difference between a document and what was read from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjustment {
    pub(crate) path: String,
    pub(crate) kind: AdjustmentKind,
}

impl Adjustment {
    /// Where, as a JSON Pointer.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What was done.
    #[must_use]
    pub fn kind(&self) -> &AdjustmentKind {
        &self.kind
    }

    /// Whether the protocol itself says what an absent field means.
    #[cfg(feature = "client")]
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self.kind, AdjustmentKind::Defaulted)
    }
}

impl fmt::Display for Adjustment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = ShortPath(&self.path);
        match &self.kind {
            AdjustmentKind::UnknownField => {
                write!(formatter, "{path}: the protocol has no such field, left out")
            }
            AdjustmentKind::UnknownVariant { tag } => {
                write!(formatter, "{path}: unrecognised variant {}, left out", Excerpt(tag))
            }
            AdjustmentKind::NullOmitted => write!(formatter, "{path}: null read as absent"),
            AdjustmentKind::Defaulted => write!(formatter, "{path}: absent, default filled in"),
            AdjustmentKind::Upgraded { from } => {
                write!(formatter, "{path}: retired form `{from}` read as its successor")
            }
        }
    }
}

/// What a tolerant decoding did to a document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdjustmentKind {
    /// A property that the protocol does not describe was left out.
    UnknownField,
    /// A value whose discriminator is unknown or missing was left out.
    UnknownVariant {
        /// The discriminator, empty when it is missing or not a string.
        tag: String,
    },
    /// A null that older producers send for absence was read as absence.
    NullOmitted,
    /// An absent field took its default.
    Defaulted,
    /// A retired form was read as what replaced it.
    Upgraded {
        /// Name of the retired form.
        from: &'static str,
    },
}

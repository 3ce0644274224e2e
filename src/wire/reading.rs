//! The state of one decoding: how strict it is, where it is, what it left out.

use std::borrow::Cow;
use std::fmt;

use serde_core::de;

use super::excerpt::{Excerpt, OneOf};
use crate::error::{Adjustment, AdjustmentKind, DecodeErrorKind, DecodeReport};

/// Past this many adjustments a report only counts, so that hostile input cannot grow it.
const MAX_ADJUSTMENTS: usize = 1024;

/// How a decoder treats what the protocol does not describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Leaves it out, as the protocol asks of a receiver.
    Tolerant,
    /// Refuses it, as the JSON Schema does.
    Strict,
}

#[derive(Debug, Clone)]
pub(crate) enum Segment {
    Key(Cow<'static, str>),
    Index(usize),
}

/// Paths grow outwards: the innermost place is pushed first, each surrounding field adds itself
/// on the way back. A decoding that meets nothing unusual never touches them.
pub(crate) struct Reading {
    mode: Mode,
    notes: Option<Box<Notes>>,
    failure: Option<Box<Failure>>,
    event_type: Option<&'static str>,
    upgraded: bool,
}

#[derive(Default)]
struct Notes {
    list: Vec<(Vec<Segment>, AdjustmentKind)>,
    uncounted: usize,
}

#[derive(Default)]
struct Failure {
    trail: Vec<Segment>,
    kind: Option<DecodeErrorKind>,
    unrecognised: Unrecognised,
}

/// A tag that no variant of its union answers to.
#[derive(Default)]
pub(crate) struct Unrecognised {
    /// Empty when there was none.
    pub(crate) tag: String,
    /// Name of the tag field.
    pub(crate) field: &'static str,
    /// The tags that would have been recognised.
    pub(crate) known: Vec<&'static str>,
}

impl fmt::Display for Unrecognised {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tag, field, known } = self;
        let expected = OneOf(known);
        if tag.is_empty() {
            return write!(formatter, "`{field}` is missing or no name, expected {expected}");
        }
        write!(formatter, "unknown `{field}` {}, expected {expected}", Excerpt(tag))
    }
}

impl Reading {
    #[inline]
    pub(crate) fn new(mode: Mode) -> Self {
        Self { mode, notes: None, failure: None, event_type: None, upgraded: false }
    }

    pub(crate) fn with_report() -> Self {
        Self { notes: Some(Box::default()), ..Self::new(Mode::Tolerant) }
    }

    fn failure(&mut self) -> &mut Failure {
        self.failure.get_or_insert_default()
    }

    #[inline]
    pub(crate) fn is_strict(&self) -> bool {
        self.mode == Mode::Strict
    }

    /// Whether the name of an undescribed field will be asked for.
    #[inline]
    pub(crate) fn wants_names(&self) -> bool {
        self.is_strict() || self.notes.is_some()
    }

    #[inline]
    pub(crate) fn set_event_type(&mut self, name: &'static str) {
        self.event_type.get_or_insert(name);
    }

    /// Remembers, for the list around it, that a value was read from a retired form.
    #[cold]
    pub(crate) fn set_upgraded(&mut self) {
        self.upgraded = true;
    }

    pub(crate) fn take_upgraded(&mut self) -> bool {
        std::mem::take(&mut self.upgraded)
    }

    pub(crate) fn event_type(&self) -> Option<&'static str> {
        self.event_type
    }

    /// Notes that an error, passing outwards, came from this field.
    #[cold]
    pub(crate) fn at<E>(&mut self, name: &'static str, error: E) -> E {
        self.failure().trail.push(Segment::Key(Cow::Borrowed(name)));
        error
    }

    #[cold]
    pub(crate) fn at_index<E>(&mut self, index: usize, error: E) -> E {
        self.failure().trail.push(Segment::Index(index));
        error
    }

    #[cold]
    pub(crate) fn fail<E: de::Error>(&mut self, kind: DecodeErrorKind, message: &str) -> E {
        self.failure().kind.get_or_insert(kind);
        E::custom(message)
    }

    #[cold]
    pub(crate) fn missing<E: de::Error>(&mut self, name: &'static str) -> E {
        let error = self.fail(DecodeErrorKind::MissingField, &format!("missing field `{name}`"));
        self.at(name, error)
    }

    #[cold]
    pub(crate) fn duplicate<E: de::Error>(&mut self, name: &'static str) -> E {
        let error = self.fail(
            DecodeErrorKind::DuplicateField,
            &format!("field `{name}` occurs more than once"),
        );
        self.at(name, error)
    }

    #[cold]
    pub(crate) fn unknown_field<E: de::Error>(
        &mut self,
        name: &str,
        known: &'static [&'static str],
    ) -> E {
        let message = format!("unknown field {}, expected {}", Excerpt(name), OneOf(known));
        let error = self.fail(DecodeErrorKind::UnknownField, &message);
        self.failure().trail.push(Segment::Key(Cow::Owned(name.to_owned())));
        error
    }

    /// Position among the notes, to be handed to [`Self::prefix`] after a nested value was read.
    #[inline]
    pub(crate) fn mark(&self) -> usize {
        self.notes.as_ref().map_or(0, |notes| notes.list.len() + notes.uncounted)
    }

    pub(crate) fn prefix(&mut self, mark: usize, name: &'static str) {
        if let Some(notes) = &mut self.notes {
            for (trail, _) in notes.list.iter_mut().skip(mark) {
                trail.push(Segment::Key(Cow::Borrowed(name)));
            }
        }
    }

    pub(crate) fn prefix_index(&mut self, mark: usize, index: usize) {
        if let Some(notes) = &mut self.notes {
            for (trail, _) in notes.list.iter_mut().skip(mark) {
                trail.push(Segment::Index(index));
            }
        }
    }

    /// Forgets the notes of a value that is itself left out: the outermost removal is what counts.
    pub(crate) fn forget(&mut self, mark: usize) {
        if let Some(notes) = &mut self.notes {
            notes.list.truncate(mark);
            notes.uncounted = mark.saturating_sub(MAX_ADJUSTMENTS);
        }
    }

    pub(crate) fn note(&mut self, segment: Option<Segment>, kind: impl FnOnce() -> AdjustmentKind) {
        if let Some(notes) = &mut self.notes {
            if notes.list.len() < MAX_ADJUSTMENTS {
                notes.list.push((segment.into_iter().collect(), kind()));
            } else {
                notes.uncounted += 1;
            }
        }
    }

    pub(crate) fn note_field(&mut self, name: &'static str, kind: impl FnOnce() -> AdjustmentKind) {
        self.note(Some(Segment::Key(Cow::Borrowed(name))), kind);
    }

    /// Remembers the tag that no variant answers to, for whoever removes the value.
    pub(crate) fn set_unrecognised(&mut self, unrecognised: Unrecognised) {
        self.failure().unrecognised = unrecognised;
    }

    pub(crate) fn take_unrecognised(&mut self) -> Unrecognised {
        std::mem::take(&mut self.failure().unrecognised)
    }

    pub(crate) fn error_kind(&self) -> Option<DecodeErrorKind> {
        self.failure.as_ref().and_then(|failure| failure.kind)
    }

    /// The JSON pointer of the place an error came from.
    pub(crate) fn pointer(&self) -> String {
        self.failure.as_ref().map_or_else(String::new, |failure| pointer(&failure.trail))
    }

    pub(crate) fn into_report(self) -> DecodeReport {
        let Some(notes) = self.notes else { return DecodeReport::default() };
        let adjustments = notes
            .list
            .into_iter()
            .map(|(trail, kind)| Adjustment { path: pointer(&trail), kind })
            .collect();
        DecodeReport { adjustments, uncounted: notes.uncounted }
    }
}

fn pointer(trail: &[Segment]) -> String {
    let mut path = String::new();
    for segment in trail.iter().rev() {
        path.push('/');
        match segment {
            Segment::Key(key) => path.push_str(&key.replace('~', "~0").replace('/', "~1")),
            Segment::Index(index) => path.push_str(&index.to_string()),
        }
    }
    path
}

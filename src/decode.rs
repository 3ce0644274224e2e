//! Decoding of JSON documents: tolerant, tolerant with a report, or strict.
//!
//! All three read the text once. The tolerant forms follow the receiver rules of the protocol:
//! a property it does not describe is left out, an unrecognised member of a union is left out of
//! its list or optional field, `null` is read as absence where older producers send it so, and
//! anything else that is malformed is an error. The strict form refuses what the official JSON
//! Schema refuses. `serde::Deserialize` of every type is the tolerant form.
//!
//! Deeper nesting than 127 levels is an error in all of them.

use crate::error::{DecodeError, DecodeErrorKind, DecodeReport};
use crate::wire::read::{Decode, finish};
use crate::wire::text::{Problem, Text, TextError};
use crate::wire::write::WriteJson;
use crate::wire::{Mode, Reading};

/// A protocol type that has a JSON form. Implemented by the types of this crate alone.
#[expect(private_bounds, reason = "sealed: decoding is generated with the type")]
pub trait Wire: for<'de> Decode<'de> + WriteJson + Sized {
    /// Reads the most frequent documents at once; `None` says that this is none of them.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn decode_compact(_json: &str) -> Option<Self> {
        None
    }
}

/// Reads one document and leaves out what the protocol does not describe.
///
/// ```
/// use ag_ui::{Event, decode};
///
/// let event: Event = decode::decode(r#"{"type":"STEP_STARTED","stepName":"plan","later":1}"#)?;
/// assert_eq!(event, Event::step_started("plan"));
///
/// let error = decode::decode::<Event>(r#"{"type":"STEP_STARTED","stepName":7}"#).unwrap_err();
/// assert_eq!(error.path(), "/stepName");
/// # Ok::<(), ag_ui::DecodeError>(())
/// ```
///
/// # Errors
/// When the text is not JSON, has anything after the document, or is malformed in a field that
/// the protocol describes.
pub fn decode<T: Wire>(json: &str) -> Result<T, DecodeError> {
    read(json, &mut Reading::new(Mode::Tolerant))
}

/// Reads one document as [`decode`] does, and tells what was left out or filled in.
///
/// ```
/// use ag_ui::{Event, decode};
///
/// let (_, report) = decode::decode_with_report::<Event>(
///     r#"{"type":"STEP_STARTED","stepName":"plan","later":1}"#,
/// )?;
/// assert_eq!(report.adjustments()[0].path(), "/later");
/// # Ok::<(), ag_ui::DecodeError>(())
/// ```
///
/// # Errors
/// As [`decode`].
pub fn decode_with_report<T: Wire>(json: &str) -> Result<(T, DecodeReport), DecodeError> {
    let mut reading = Reading::with_report();
    let value = read(json, &mut reading)?;
    Ok((value, reading.into_report()))
}

/// Reads one document and refuses whatever the official JSON Schema of the current protocol
/// refuses: unknown properties and variants, retired forms, and every null that is not data.
///
/// ```
/// use ag_ui::{DecodeErrorKind, Event, decode};
///
/// let json = r#"{"type":"STEP_STARTED","stepName":"plan","later":1}"#;
/// let error = decode::decode_strict::<Event>(json).unwrap_err();
/// assert_eq!(error.kind(), DecodeErrorKind::UnknownField);
/// ```
///
/// # Errors
/// As [`decode`], and for everything named above.
pub fn decode_strict<T: Wire>(json: &str) -> Result<T, DecodeError> {
    read(json, &mut Reading::new(Mode::Strict))
}

#[inline]
fn read<T: Wire>(json: &str, reading: &mut Reading) -> Result<T, DecodeError> {
    match T::decode_compact(json) {
        Some(value) => Ok(value),
        None => read_any(json, reading),
    }
}

fn read_any<T: Wire>(json: &str, reading: &mut Reading) -> Result<T, DecodeError> {
    // The value is filled where it is returned from: it is too large to be moved for nothing.
    let mut result = Ok(T::blank());
    if let Ok(value) = &mut result {
        let mut text = Text::new(json);
        let outcome = T::decode(&mut text, reading, value);
        if let Err(error) = finish(outcome, reading).and_then(|()| text.end()) {
            result = Err(decode_error(error, &text, reading));
        }
    }
    result
}

#[cold]
fn decode_error(error: TextError, text: &Text<'_>, reading: &Reading) -> DecodeError {
    let problem = error.into_problem();
    let kind = reading.error_kind().unwrap_or(match problem {
        Problem::Syntax(_) => DecodeErrorKind::Syntax,
        Problem::End => DecodeErrorKind::UnexpectedEnd,
        Problem::Depth => DecodeErrorKind::TooDeep,
        Problem::Data(_) => DecodeErrorKind::WrongValue,
    });
    let (line, column) = text.position();
    DecodeError {
        kind,
        path: reading.pointer(),
        event_type: reading.event_type(),
        message: problem.to_string(),
        line,
        column,
    }
}

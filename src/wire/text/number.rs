//! JSON numbers.

use serde_core::de::Error as _;

use super::{Text, TextError};

/// A number in the narrowest form that holds it.
pub(super) enum Number {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

impl Text<'_> {
    pub(super) fn take_number(&mut self) -> Result<Number, TextError> {
        let start = self.index;
        self.skip(|byte| byte == b'-');
        if self.digits()? > 1 && self.text[start..].trim_start_matches('-').starts_with('0') {
            return Err(TextError::syntax("number with a leading zero"));
        }
        let integral = self.index;
        if self.skip(|byte| byte == b'.') {
            self.digits()?;
        }
        if self.skip(|byte| matches!(byte, b'e' | b'E')) {
            self.skip(|byte| matches!(byte, b'+' | b'-'));
            self.digits()?;
        }
        let text = &self.text[start..self.index];
        if self.index == integral
            && let Some(number) = integer(text)
        {
            return Ok(number);
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Number::Float(value)),
            _ => Err(TextError::custom("number out of range")),
        }
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) -> bool {
        let found = self.text.as_bytes().get(self.index).is_some_and(|byte| wanted(*byte));
        self.index += usize::from(found);
        found
    }

    /// How many digits were passed; none is an error.
    fn digits(&mut self) -> Result<usize, TextError> {
        let rest = &self.text.as_bytes()[self.index..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.index += count;
        match (count, self.index < self.text.len()) {
            (0, true) => Err(TextError::syntax("expected a digit")),
            (0, false) => Err(TextError::end()),
            _ => Ok(count),
        }
    }
}

/// `None` for what only a float holds, negative zero among it.
fn integer(text: &str) -> Option<Number> {
    if text == "-0" {
        return None;
    }
    if text.starts_with('-') {
        text.parse().ok().map(Number::Signed)
    } else {
        text.parse().ok().map(Number::Unsigned)
    }
}

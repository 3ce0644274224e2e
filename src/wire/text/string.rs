//! JSON strings.

use serde_core::de::Visitor;

use super::{Text, TextError};
use crate::wire::write::find_escape;

/// Room for what follows the first escape of a string; deltas rarely need more.
const ROOM: usize = 32;

impl<'de> Text<'de> {
    /// Reads a string whose opening quote is the next byte. Without escapes it is borrowed.
    #[inline]
    pub(super) fn string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, TextError> {
        let start = self.index + 1;
        let Some(length) = find_escape(&self.text.as_bytes()[start..]) else {
            self.index = self.text.len();
            return Err(TextError::end());
        };
        let end = start + length;
        if self.text.as_bytes()[end] != b'"' {
            return visitor.visit_string(self.escaped(start, end)?);
        }
        self.index = end + 1;
        visitor.visit_borrowed_str(&self.text[start..end])
    }

    #[cold]
    fn escaped(&mut self, start: usize, escape: usize) -> Result<String, TextError> {
        let mut string = String::with_capacity(escape - start + ROOM);
        string.push_str(&self.text[start..escape]);
        self.index = escape;
        loop {
            match self.text.as_bytes().get(self.index) {
                Some(b'"') => {
                    self.index += 1;
                    return Ok(string);
                }
                Some(b'\\') => {
                    self.index += 1;
                    string.push(self.escape()?);
                }
                Some(_) => return Err(TextError::syntax("control character within a string")),
                None => return Err(TextError::end()),
            }
            let rest = &self.text[self.index..];
            let length = find_escape(rest.as_bytes()).unwrap_or(rest.len());
            string.push_str(&rest[..length]);
            self.index += length;
        }
    }

    fn escape(&mut self) -> Result<char, TextError> {
        let byte = *self.text.as_bytes().get(self.index).ok_or_else(TextError::end)?;
        self.index += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(),
            _ => return Err(TextError::syntax("unknown escape within a string")),
        })
    }

    fn unicode_escape(&mut self) -> Result<char, TextError> {
        let lone = || TextError::syntax("lone surrogate within a string");
        let first = self.four_digits()?;
        let code = match first {
            0xD800..=0xDBFF => {
                match &self.text.as_bytes()[self.index..] {
                    [b'\\', b'u', ..] => self.index += 2,
                    [] | [b'\\'] => {
                        self.index = self.text.len();
                        return Err(TextError::end());
                    }
                    _ => return Err(lone()),
                }
                let second = self.four_digits()?;
                if !(0xDC00..=0xDFFF).contains(&second) {
                    return Err(lone());
                }
                0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)
            }
            other => other,
        };
        char::from_u32(code).ok_or_else(lone)
    }

    fn four_digits(&mut self) -> Result<u32, TextError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = *self.text.as_bytes().get(self.index).ok_or_else(TextError::end)?;
            let Some(value) = char::from(digit).to_digit(16) else {
                return Err(TextError::syntax("`\\u` must be followed by four hex digits"));
            };
            code = code << 4 | value;
            self.index += 1;
        }
        Ok(code)
    }
}

//! A JSON reader for text that is already in memory.
//!
//! It does what the generated decoders need and no more: no reader abstraction, no scratch buffer,
//! strings without escapes are borrowed, and every step can be inlined into the decoder of a type.

mod number;
mod string;

use std::fmt;

use serde_core::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use number::Number;

use super::excerpt::Excerpt;

/// Deeper nesting is refused, so that hostile input cannot exhaust the stack. `serde_json` draws
/// the line here too: what one of the two reads, the other does.
const MAX_DEPTH: u8 = 127;

/// What went wrong; where is known to the [`Text`] that was read.
#[derive(Debug)]
pub(crate) struct TextError(Box<Problem>);

#[derive(Debug)]
pub(crate) enum Problem {
    /// The text is not JSON.
    Syntax(&'static str),
    /// The text ends within a value.
    End,
    /// The text is nested deeper than [`MAX_DEPTH`].
    Depth,
    /// The JSON is not what the type wants.
    Data(String),
}

impl TextError {
    #[cold]
    fn syntax(expected: &'static str) -> Self {
        Self(Box::new(Problem::Syntax(expected)))
    }

    #[cold]
    fn end() -> Self {
        Self(Box::new(Problem::End))
    }

    #[cold]
    fn depth() -> Self {
        Self(Box::new(Problem::Depth))
    }

    pub(crate) fn into_problem(self) -> Problem {
        *self.0
    }
}

impl de::Error for TextError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Box::new(Problem::Data(message.to_string())))
    }

    #[cold]
    fn invalid_type(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = Found(unexpected);
        Self::custom(format_args!("invalid type: {found}, expected {expected}"))
    }

    #[cold]
    fn invalid_value(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = Found(unexpected);
        Self::custom(format_args!("invalid value: {found}, expected {expected}"))
    }
}

impl std::error::Error for TextError {}

impl fmt::Display for TextError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(expected) => write!(formatter, "not JSON: {expected}"),
            Self::End => formatter.write_str("not JSON: the text ends within a value"),
            Self::Depth => write!(formatter, "nested more than {MAX_DEPTH} levels deep"),
            Self::Data(message) => formatter.write_str(message),
        }
    }
}

/// A value that was found, in the words of JSON.
struct Found<'a>(de::Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            de::Unexpected::Unit => formatter.write_str("null"),
            de::Unexpected::Bool(value) => write!(formatter, "`{value}`"),
            de::Unexpected::Unsigned(value) => write!(formatter, "number `{value}`"),
            de::Unexpected::Signed(value) => write!(formatter, "number `{value}`"),
            de::Unexpected::Float(value) => write!(formatter, "number `{value:?}`"),
            de::Unexpected::Seq => formatter.write_str("array"),
            de::Unexpected::Map => formatter.write_str("object"),
            de::Unexpected::Str(text) => write!(formatter, "string {}", Excerpt(text)),
            other => other.fmt(formatter),
        }
    }
}

/// The unread rest of a JSON text.
pub(crate) struct Text<'de> {
    text: &'de str,
    index: usize,
    depth: u8,
}

impl<'de> Text<'de> {
    pub(crate) fn new(text: &'de str) -> Self {
        Self { text, index: 0, depth: MAX_DEPTH }
    }

    /// Line and column of the place that was reached, both from 1, the column in bytes.
    pub(crate) fn position(&self) -> (usize, usize) {
        let read = &self.text.as_bytes()[..self.index.min(self.text.len())];
        let line = 1 + memchr_count(read);
        let column = 1 + read.iter().rev().take_while(|byte| **byte != b'\n').count();
        (line, column)
    }

    /// Fails when anything but white space follows.
    pub(crate) fn end(&mut self) -> Result<(), TextError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(TextError::syntax("text after the end of the document")),
        }
    }

    /// The next byte that is not white space, unread.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.index) {
                Some(byte) if *byte > b' ' => return Some(*byte),
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.index += 1,
                other => return other.copied(),
            }
        }
    }

    #[inline]
    fn expect(&mut self) -> Result<u8, TextError> {
        self.peek().ok_or_else(TextError::end)
    }

    #[inline]
    fn punctuation(&mut self, wanted: u8, problem: &'static str) -> Result<(), TextError> {
        if self.expect()? == wanted {
            self.index += 1;
            return Ok(());
        }
        Err(TextError::syntax(problem))
    }

    fn word(&mut self, word: &'static str) -> Result<(), TextError> {
        let rest = &self.text.as_bytes()[self.index..];
        if rest.starts_with(word.as_bytes()) {
            self.index += word.len();
            return Ok(());
        }
        if word.as_bytes().starts_with(rest) {
            self.index = self.text.len();
            return Err(TextError::end());
        }
        Err(TextError::syntax("expected a value"))
    }

    #[inline]
    fn enter(&mut self) -> Result<(), TextError> {
        self.index += 1;
        match self.depth.checked_sub(1) {
            Some(depth) => self.depth = depth,
            None => return Err(TextError::depth()),
        }
        Ok(())
    }

    #[inline]
    fn leave(&mut self) {
        self.depth += 1;
    }

    #[inline]
    fn object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, TextError> {
        self.enter()?;
        let mut entries = Entries { text: self, first: true, done: false };
        let value = visitor.visit_map(&mut entries)?;
        if !entries.done
            && entries.next_key_seed(std::marker::PhantomData::<de::IgnoredAny>)?.is_some()
        {
            return Err(de::Error::custom("object with more fields than were asked for"));
        }
        self.leave();
        Ok(value)
    }

    fn array<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, TextError> {
        self.enter()?;
        let mut items = Items { text: self, first: true, done: false };
        let value = visitor.visit_seq(&mut items)?;
        if !items.done && items.next_element::<de::IgnoredAny>()?.is_some() {
            return Err(de::Error::custom("array with more items than were asked for"));
        }
        self.leave();
        Ok(value)
    }

    fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, TextError> {
        match self.take_number()? {
            Number::Unsigned(value) => visitor.visit_u64(value),
            Number::Signed(value) => visitor.visit_i64(value),
            Number::Float(value) => visitor.visit_f64(value),
        }
    }
}

fn memchr_count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

impl<'de> Deserializer<'de> for &mut Text<'de> {
    type Error = TextError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TextError> {
        match self.expect()? {
            b'"' => self.string(visitor),
            b'{' => self.object(visitor),
            b'[' => self.array(visitor),
            b'-' | b'0'..=b'9' => self.number(visitor),
            b't' => {
                self.word("true")?;
                visitor.visit_bool(true)
            }
            b'f' => {
                self.word("false")?;
                visitor.visit_bool(false)
            }
            b'n' => {
                self.word("null")?;
                visitor.visit_unit()
            }
            _ => Err(TextError::syntax("expected a value")),
        }
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TextError> {
        match self.expect()? {
            b'{' => self.object(visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TextError> {
        match self.expect()? {
            b'"' => self.string(visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TextError> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TextError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TextError> {
        match self.expect()? {
            b'n' => {
                self.word("null")?;
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, TextError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct
        seq tuple tuple_struct struct enum ignored_any
    }
}

struct Entries<'a, 'de> {
    text: &'a mut Text<'de>,
    first: bool,
    done: bool,
}

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = TextError;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, TextError> {
        if self.done {
            return Ok(None);
        }
        match self.text.expect()? {
            b'}' => {
                self.text.index += 1;
                self.done = true;
                return Ok(None);
            }
            b',' if !self.first => {
                self.text.index += 1;
                if self.text.expect()? != b'"' {
                    return Err(TextError::syntax("expected a field name"));
                }
            }
            b'"' if self.first => self.first = false,
            _ if self.first => return Err(TextError::syntax("expected a field name or `}`")),
            _ => return Err(TextError::syntax("expected `,` or `}`")),
        }
        seed.deserialize(&mut *self.text).map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, TextError> {
        self.text.punctuation(b':', "expected `:`")?;
        seed.deserialize(&mut *self.text)
    }
}

struct Items<'a, 'de> {
    text: &'a mut Text<'de>,
    first: bool,
    done: bool,
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = TextError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, TextError> {
        if self.done {
            return Ok(None);
        }
        match self.text.expect()? {
            b']' if self.first => {
                self.text.index += 1;
                self.done = true;
                return Ok(None);
            }
            b']' => {
                self.text.index += 1;
                self.done = true;
                return Ok(None);
            }
            b',' if !self.first => self.text.index += 1,
            _ if self.first => {}
            _ => return Err(TextError::syntax("expected `,` or `]`")),
        }
        self.first = false;
        if self.text.expect()? == b']' {
            return Err(TextError::syntax("expected a value"));
        }
        seed.deserialize(&mut *self.text).map(Some)
    }
}

#[cfg(test)]
mod tests;

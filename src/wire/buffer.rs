//! Values kept aside while the tag of their object is still to come.
//!
//! Unlike `serde_json::Value` they keep repeated keys, so that a duplicate is found wherever the
//! tag stands.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde_core::forward_to_deserialize_any;

pub(crate) enum Buffered<'de> {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    String(Cow<'de, str>),
    List(Vec<Self>),
    Entries(Vec<(Self, Self)>),
}

impl Buffered<'_> {
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Self::Null => Unexpected::Unit,
            Self::Bool(value) => Unexpected::Bool(*value),
            Self::Unsigned(value) => Unexpected::Unsigned(*value),
            Self::Signed(value) => Unexpected::Signed(*value),
            Self::Float(value) => Unexpected::Float(*value),
            Self::String(text) => Unexpected::Str(text),
            Self::List(_) => Unexpected::Seq,
            Self::Entries(_) => Unexpected::Map,
        }
    }
}

impl<'de> Deserialize<'de> for Buffered<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BufferVisitor)
    }
}

struct BufferVisitor;

impl<'de> Visitor<'de> for BufferVisitor {
    type Value = Buffered<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(Buffered::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Buffered::Bool(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Buffered::Unsigned(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Buffered::Signed(value))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Buffered::Float(value))
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Buffered::String(Cow::Borrowed(text)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Buffered::String(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Buffered::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Buffered::Entries(entries))
    }
}

/// Reads a kept value as if it stood in the input.
pub(crate) struct BufferedDeserializer<'de, E>(Buffered<'de>, PhantomData<E>);

impl<'de, E: de::Error> Deserializer<'de> for BufferedDeserializer<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Buffered::Null => visitor.visit_unit(),
            Buffered::Bool(value) => visitor.visit_bool(value),
            Buffered::Unsigned(value) => visitor.visit_u64(value),
            Buffered::Signed(value) => visitor.visit_i64(value),
            Buffered::Float(value) => visitor.visit_f64(value),
            Buffered::String(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Buffered::String(Cow::Owned(text)) => visitor.visit_string(text),
            Buffered::List(items) => visitor.visit_seq(BufferedItems::new(items)),
            Buffered::Entries(entries) => visitor.visit_map(BufferedEntries::new(entries)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Buffered::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier
    }
}

impl<'de, E: de::Error> IntoDeserializer<'de, E> for Buffered<'de> {
    type Deserializer = BufferedDeserializer<'de, E>;

    fn into_deserializer(self) -> Self::Deserializer {
        BufferedDeserializer(self, PhantomData)
    }
}

pub(crate) struct BufferedEntries<'de, E> {
    entries: std::vec::IntoIter<(Buffered<'de>, Buffered<'de>)>,
    value: Option<Buffered<'de>>,
    error: PhantomData<E>,
}

impl<'de, E> BufferedEntries<'de, E> {
    pub(crate) fn new(entries: Vec<(Buffered<'de>, Buffered<'de>)>) -> Self {
        Self { entries: entries.into_iter(), value: None, error: PhantomData }
    }
}

impl<'de, E: de::Error> MapAccess<'de> for BufferedEntries<'de, E> {
    type Error = E;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, E> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(key.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, E> {
        match self.value.take() {
            Some(value) => seed.deserialize(value.into_deserializer()),
            None => Err(E::custom("value asked for before its key")),
        }
    }
}

struct BufferedItems<'de, E>(std::vec::IntoIter<Buffered<'de>>, PhantomData<E>);

impl<'de, E> BufferedItems<'de, E> {
    fn new(items: Vec<Buffered<'de>>) -> Self {
        Self(items.into_iter(), PhantomData)
    }
}

impl<'de, E: de::Error> SeqAccess<'de> for BufferedItems<'de, E> {
    type Error = E;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, E> {
        match self.0.next() {
            Some(item) => seed.deserialize(item.into_deserializer()).map(Some),
            None => Ok(None),
        }
    }
}

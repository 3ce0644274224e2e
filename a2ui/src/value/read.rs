//! Reading values of properties from JSON, and writing them.

use std::fmt;

use serde_json::Value;

use crate::validate::short;

/// A value that does not fit its property: where, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyError {
    path: String,
    problem: String,
}

impl PropertyError {
    /// The value is something else.
    #[must_use]
    pub fn expected(what: &str, found: &Value) -> Self {
        Self::new(format!("expected {what}, found {}", short(found)))
    }

    /// Something is wrong with the value.
    #[must_use]
    pub fn new(problem: impl Into<String>) -> Self {
        Self { path: String::new(), problem: problem.into() }
    }

    /// The same, seen from further out.
    #[must_use]
    pub fn within(mut self, place: impl fmt::Display) -> Self {
        let rest = std::mem::take(&mut self.path);
        let joint = if rest.is_empty() || rest.starts_with('[') { "" } else { "." };
        self.path = format!("{place}{joint}{rest}");
        self
    }

    /// The property, and the place in it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for PropertyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            formatter.write_str(&self.problem)
        } else {
            write!(formatter, "{}: {}", self.path, self.problem)
        }
    }
}

impl std::error::Error for PropertyError {}

/// A type that a property can hold. Generated types are made of these.
pub trait PropertyValue: Sized {
    /// Reads the value; nothing that it says is lost.
    ///
    /// # Errors
    /// When it is no value of the type.
    fn read(value: &Value) -> Result<Self, PropertyError>;

    /// The value as JSON.
    fn write(&self) -> Value;
}

impl PropertyValue for Value {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        Ok(value.clone())
    }

    fn write(&self) -> Value {
        self.clone()
    }
}

impl PropertyValue for String {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        let text = value.as_str().map(str::to_owned);
        text.ok_or_else(|| PropertyError::expected("a string", value))
    }

    fn write(&self) -> Value {
        Value::from(self.as_str())
    }
}

impl PropertyValue for bool {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        value.as_bool().ok_or_else(|| PropertyError::expected("true or false", value))
    }

    fn write(&self) -> Value {
        Value::from(*self)
    }
}

impl PropertyValue for i64 {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        value.as_i64().ok_or_else(|| PropertyError::expected("a whole number", value))
    }

    fn write(&self) -> Value {
        Value::from(*self)
    }
}

impl<T: PropertyValue> PropertyValue for Vec<T> {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        let Value::Array(items) = value else {
            return Err(PropertyError::expected("a list", value));
        };
        let items = items.iter().enumerate();
        items
            .map(|(index, item)| T::read(item).map_err(|error| error.within(format!("[{index}]"))))
            .collect()
    }

    fn write(&self) -> Value {
        self.iter().map(T::write).collect()
    }
}

/// Implements serde for a type by its [`PropertyValue`].
macro_rules! serde_by_value {
    ($($name:ty),* $(,)?) => {$(
        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde_core::Serialize::serialize(
                    &$crate::value::PropertyValue::write(self),
                    serializer,
                )
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $name {
            fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <serde_json::Value as serde_core::Deserialize>::deserialize(deserializer)?;
                $crate::value::PropertyValue::read(&value).map_err(serde_core::de::Error::custom)
            }
        }
    )*};
}
pub(crate) use serde_by_value;

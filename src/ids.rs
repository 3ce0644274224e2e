//! Ids: strings that cannot be mixed up.
//!
//! The protocol gives ids no form, so none is imposed: whatever a producer sent comes back byte
//! for byte, the empty string included. Ids of up to 23 bytes live inside the value, longer ones
//! are shared, so a clone never copies text.

use std::borrow::Borrow;
use std::fmt;

use serde_core::de::{Deserialize, Deserializer, Visitor};
use serde_core::ser::{Serialize, Serializer};
use smol_str::SmolStr;

use crate::wire::Reading;
use crate::wire::read::{Blank, Decode, Known};
use crate::wire::write::WriteJson;

macro_rules! ids {
    ($($(#[$docs:meta])* $name:ident;)*) => {$(
        $(#[$docs])*
        ///
        /// ```
        #[doc = concat!("let id = ag_ui::", stringify!($name), "::new(\"a-1\");")]
        /// assert_eq!(id.as_str(), "a-1");
        #[doc = concat!("assert_eq!(id, ag_ui::", stringify!($name), "::from(String::from(\"a-1\")));")]
        /// ```
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(SmolStr);

        impl $name {
            /// An id of that text, taken as it is.
            #[must_use]
            pub fn new(id: impl AsRef<str>) -> Self {
                Self(SmolStr::new(id))
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!(stringify!($name), "({:?})"), self.as_str())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self::new(id)
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(SmolStr::from(id))
            }
        }

        impl From<&$name> for $name {
            fn from(id: &$name) -> Self {
                id.clone()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(IdVisitor).map(Self)
            }
        }

        impl<'de> Decode<'de> for $name {
            const IS_PLAIN: bool = true;

            #[inline]
            fn decode<D: Deserializer<'de>>(
                deserializer: D,
                _reading: &mut Reading,
                value: &mut Self,
            ) -> Result<Known, D::Error> {
                *value = Self::deserialize(deserializer)?;
                Ok(Known::Yes)
            }
        }

        impl Blank for $name {
            #[inline]
            fn blank() -> Self {
                Self(SmolStr::default())
            }
        }

        impl WriteJson for $name {
            #[inline]
            fn write_json(&self, out: &mut Vec<u8>) {
                self.as_str().write_json(out);
            }
        }

        #[cfg(feature = "schemars")]
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                crate::wire::schema::string()
            }
        }
    )*};
}

ids! {
    /// Id of a conversation.
    ThreadId;
    /// Id of one run in a conversation.
    RunId;
    /// Id of a message.
    MessageId;
    /// Id of a tool call.
    ToolCallId;
    /// Id of one invocation of a subagent.
    SubagentRunId;
    /// Id of an interrupt.
    InterruptId;
}

struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = SmolStr;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    #[inline]
    fn visit_str<E>(self, id: &str) -> Result<SmolStr, E> {
        Ok(SmolStr::new(id))
    }

    fn visit_string<E>(self, id: String) -> Result<SmolStr, E> {
        Ok(SmolStr::from(id))
    }
}

//! Links to other components, and what they are called for people who do not see them.

use std::fmt;

use serde_json::{Map, Value, json};

use super::DataBinding;
use super::dynamic::DynamicString;
use super::read::{PropertyError, PropertyValue, serde_by_value};

/// The id of a component, within its surface.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId(String);

impl ComponentId {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: Into<String>> From<T> for ComponentId {
    fn from(id: T) -> Self {
        Self(id.into())
    }
}

impl fmt::Display for ComponentId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

impl PropertyValue for ComponentId {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        let id = value.as_str().map(Self::from);
        id.ok_or_else(|| PropertyError::expected("the id of a component", value))
    }

    fn write(&self) -> Value {
        self.0.clone().into()
    }
}

/// The children of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the protocol has these two")]
pub enum ChildList {
    /// These, in order.
    Ids(Vec<ComponentId>),
    /// One component for each item of a list in the data.
    Template(Template),
}

/// A component that is drawn for each item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Template {
    /// The component. Relative bindings in it begin at the item.
    pub component_id: ComponentId,
    /// Where the list is.
    pub path: String,
}

impl ChildList {
    /// A component for each item of a list in the data.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "as with every other binding")]
    pub fn template(component_id: impl Into<ComponentId>, list: DataBinding) -> Self {
        let (component_id, path) = (component_id.into(), list.path().to_owned());
        Self::Template(Template { component_id, path })
    }
}

impl Default for ChildList {
    fn default() -> Self {
        Self::Ids(Vec::new())
    }
}

impl<T: Into<ComponentId>> From<Vec<T>> for ChildList {
    fn from(ids: Vec<T>) -> Self {
        Self::Ids(ids.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<ComponentId>, const N: usize> From<[T; N]> for ChildList {
    fn from(ids: [T; N]) -> Self {
        Self::Ids(ids.into_iter().map(Into::into).collect())
    }
}

impl PropertyValue for ChildList {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        let expected = || PropertyError::expected("a list of component ids, or a template", value);
        match value {
            Value::Array(_) => Vec::read(value).map(Self::Ids),
            Value::Object(members) => match (members.get("componentId"), members.get("path")) {
                (Some(Value::String(id)), Some(Value::String(path))) if members.len() == 2 => {
                    let (component_id, path) = (id.clone().into(), path.clone());
                    Ok(Self::Template(Template { component_id, path }))
                }
                _ => Err(expected()),
            },
            _ => Err(expected()),
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::Ids(ids) => ids.write(),
            Self::Template(template) => {
                json!({"componentId": template.component_id.as_str(), "path": template.path})
            }
        }
    }
}

/// What a component is called for people who do not see it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Accessibility {
    members: Map<String, Value>,
}

impl Accessibility {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Its name, in a few words.
    #[must_use]
    pub fn label(mut self, label: impl Into<DynamicString>) -> Self {
        self.members.insert("label".to_owned(), label.into().write());
        self
    }

    /// More about it.
    #[must_use]
    pub fn description(mut self, description: impl Into<DynamicString>) -> Self {
        self.members.insert("description".to_owned(), description.into().write());
        self
    }
}

impl PropertyValue for Accessibility {
    /// Members that the protocol does not name are kept: the object is open.
    fn read(value: &Value) -> Result<Self, PropertyError> {
        let Value::Object(members) = value else {
            return Err(PropertyError::expected("an object", value));
        };
        for name in ["label", "description"] {
            if let Some(text) = members.get(name) {
                DynamicString::read(text).map_err(|error| error.within(name))?;
            }
        }
        Ok(Self { members: members.clone() })
    }

    fn write(&self) -> Value {
        Value::Object(self.members.clone())
    }
}

serde_by_value!(ComponentId, ChildList, Accessibility);

//! Components as any catalog may define them.

use serde_core::de::{self, Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// A component with whatever properties its catalog gives it.
///
/// It keeps everything it is given, in both directions.
///
/// ```
/// use ag_ui_a2ui::Component;
/// use serde_json::json;
///
/// let card = Component::new("root", "Card").with("child", json!("greeting"));
/// let value = serde_json::to_value(&card)?;
/// assert_eq!(value, json!({"id": "root", "component": "Card", "child": "greeting"}));
/// assert_eq!(serde_json::from_value::<Component>(value)?, card);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    id: String,
    component: String,
    properties: Map<String, Value>,
}

impl Component {
    /// A component without properties.
    #[must_use]
    pub fn new(id: impl Into<String>, component: impl Into<String>) -> Self {
        Self { id: id.into(), component: component.into(), properties: Map::new() }
    }

    /// A component with those properties; `id` and `component` among them are ignored.
    #[must_use]
    pub fn with_properties(
        id: impl Into<String>,
        component: impl Into<String>,
        mut properties: Map<String, Value>,
    ) -> Self {
        properties.remove("id");
        properties.remove("component");
        Self { id: id.into(), component: component.into(), properties }
    }

    /// Sets a property; `id` and `component` cannot be set like this, and are ignored.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a property; `id` and `component` cannot be set like this, and are ignored.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        let name = name.into();
        if name != "id" && name != "component" {
            self.properties.insert(name, value.into());
        }
    }

    /// The same component under another id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Its id, unique within a surface.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its type, as its catalog names it.
    #[must_use]
    pub fn component(&self) -> &str {
        &self.component
    }

    /// A property.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.properties.get(name)
    }

    /// All properties.
    #[must_use]
    pub fn properties(&self) -> &Map<String, Value> {
        &self.properties
    }
}

impl Serialize for Component {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2 + self.properties.len()))?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("component", &self.component)?;
        for (name, value) in &self.properties {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Component {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut properties = Map::deserialize(deserializer)?;
        let mut text = |name: &'static str| match properties.remove(name) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(de::Error::custom(format_args!("`{name}` of a component is a string"))),
            None => Err(de::Error::missing_field(name)),
        };
        Ok(Self { id: text("id")?, component: text("component")?, properties })
    }
}

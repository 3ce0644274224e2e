//! What agents say to renderers.

use serde_core::de::{self, Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::Component;
use crate::constants::PROTOCOL_VERSION;
use crate::members::{end, only, optional, required};

/// A message from an agent to a renderer.
///
/// ```
/// use ag_ui_a2ui::{AgentMessage, Component};
/// use serde_json::json;
///
/// let message = AgentMessage::update_components(
///     "cart",
///     vec![Component::new("root", "Text").with("text", "Hello")],
/// );
/// assert_eq!(serde_json::to_value(&message)?, json!({
///     "version": "v0.9",
///     "updateComponents": {
///         "surfaceId": "cart",
///         "components": [{"id": "root", "component": "Text", "text": "Hello"}],
///     },
/// }));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AgentMessage {
    /// The version of the protocol that it is written in.
    pub version: String,
    /// What it says.
    pub payload: AgentPayload,
}

/// What an agent says to a renderer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AgentPayload {
    /// A surface begins.
    CreateSurface(CreateSurface),
    /// Components come, or are replaced.
    UpdateComponents(UpdateComponents),
    /// Data come, are replaced, or go.
    UpdateDataModel(UpdateDataModel),
    /// A surface ends.
    DeleteSurface(DeleteSurface),
}

/// Begins a surface.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CreateSurface {
    /// The surface, unique for the renderer.
    pub surface_id: String,
    /// The catalog that all of its components are of.
    pub catalog_id: String,
    /// What the catalog's theme can set.
    pub theme: Option<Map<String, Value>>,
    /// Whether the renderer sends the data of the surface with every message. Absent means `false`.
    pub send_data_model: Option<bool>,
}

/// Adds components to a surface, and replaces those with the same ids as a whole.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UpdateComponents {
    /// The surface.
    pub surface_id: String,
    /// The components.
    pub components: Vec<Component>,
}

/// Changes the data of a surface.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UpdateDataModel {
    /// The surface.
    pub surface_id: String,
    /// Where; absent means all of the data.
    pub path: Option<String>,
    /// The new value, which may be null; absent removes what is there.
    pub value: Option<Value>,
}

/// Ends a surface.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeleteSurface {
    /// The surface.
    pub surface_id: String,
}

impl AgentMessage {
    fn of(payload: AgentPayload) -> Self {
        Self { version: PROTOCOL_VERSION.to_owned(), payload }
    }

    /// Begins a surface.
    #[must_use]
    pub fn create_surface(surface_id: impl Into<String>, catalog_id: impl Into<String>) -> Self {
        Self::of(AgentPayload::CreateSurface(CreateSurface {
            surface_id: surface_id.into(),
            catalog_id: catalog_id.into(),
            theme: None,
            send_data_model: None,
        }))
    }

    pub(crate) fn create_surface_with_theme(
        surface_id: &str,
        catalog_id: String,
        theme: Option<Map<String, Value>>,
    ) -> Self {
        Self::of(AgentPayload::CreateSurface(CreateSurface {
            surface_id: surface_id.to_owned(),
            catalog_id,
            theme,
            send_data_model: None,
        }))
    }

    /// Adds and replaces components.
    #[must_use]
    pub fn update_components(surface_id: impl Into<String>, components: Vec<Component>) -> Self {
        let surface_id = surface_id.into();
        Self::of(AgentPayload::UpdateComponents(UpdateComponents { surface_id, components }))
    }

    /// Writes a value into the data.
    #[must_use]
    pub fn update_data(
        surface_id: impl Into<String>,
        path: impl Into<String>,
        value: impl Into<Value>,
    ) -> Self {
        Self::of(AgentPayload::UpdateDataModel(UpdateDataModel {
            surface_id: surface_id.into(),
            path: Some(path.into()),
            value: Some(value.into()),
        }))
    }

    /// Removes a value from the data.
    #[must_use]
    pub fn remove_data(surface_id: impl Into<String>, path: impl Into<String>) -> Self {
        Self::of(AgentPayload::UpdateDataModel(UpdateDataModel {
            surface_id: surface_id.into(),
            path: Some(path.into()),
            value: None,
        }))
    }

    /// Ends a surface.
    #[must_use]
    pub fn delete_surface(surface_id: impl Into<String>) -> Self {
        Self::of(AgentPayload::DeleteSurface(DeleteSurface { surface_id: surface_id.into() }))
    }

    /// The surface that it is about.
    #[must_use]
    pub fn surface_id(&self) -> &str {
        match &self.payload {
            AgentPayload::CreateSurface(payload) => &payload.surface_id,
            AgentPayload::UpdateComponents(payload) => &payload.surface_id,
            AgentPayload::UpdateDataModel(payload) => &payload.surface_id,
            AgentPayload::DeleteSurface(payload) => &payload.surface_id,
        }
    }
}

impl AgentPayload {
    const NAMES: [&'static str; 4] =
        ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"];

    /// The name of the operation on the wire.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::CreateSurface(_) => Self::NAMES[0],
            Self::UpdateComponents(_) => Self::NAMES[1],
            Self::UpdateDataModel(_) => Self::NAMES[2],
            Self::DeleteSurface(_) => Self::NAMES[3],
        }
    }
}

impl Serialize for AgentMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("version", &self.version)?;
        map.serialize_entry(self.payload.name(), &Body(&self.payload))?;
        map.end()
    }
}

struct Body<'a>(&'a AgentPayload);

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            AgentPayload::CreateSurface(payload) => {
                map.serialize_entry("surfaceId", &payload.surface_id)?;
                map.serialize_entry("catalogId", &payload.catalog_id)?;
                if let Some(theme) = &payload.theme {
                    map.serialize_entry("theme", theme)?;
                }
                if let Some(send) = &payload.send_data_model {
                    map.serialize_entry("sendDataModel", send)?;
                }
            }
            AgentPayload::UpdateComponents(payload) => {
                map.serialize_entry("surfaceId", &payload.surface_id)?;
                map.serialize_entry("components", &payload.components)?;
            }
            AgentPayload::UpdateDataModel(payload) => {
                map.serialize_entry("surfaceId", &payload.surface_id)?;
                if let Some(path) = &payload.path {
                    map.serialize_entry("path", path)?;
                }
                if let Some(value) = &payload.value {
                    map.serialize_entry("value", value)?;
                }
            }
            AgentPayload::DeleteSurface(payload) => {
                map.serialize_entry("surfaceId", &payload.surface_id)?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for AgentMessage {
    /// Unknown members are errors: the protocol closes its messages.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut message = Map::deserialize(deserializer)?;
        let version = required(&mut message, "version")?;
        let (name, mut body) = only(message, "operation")?;
        let surface_id = required(&mut body, "surfaceId")?;
        let payload = match name.as_str() {
            "createSurface" => AgentPayload::CreateSurface(CreateSurface {
                surface_id,
                catalog_id: required(&mut body, "catalogId")?,
                theme: optional(&mut body, "theme")?,
                send_data_model: optional(&mut body, "sendDataModel")?,
            }),
            "updateComponents" => AgentPayload::UpdateComponents(UpdateComponents {
                surface_id,
                components: required(&mut body, "components")?,
            }),
            "updateDataModel" => AgentPayload::UpdateDataModel(UpdateDataModel {
                surface_id,
                path: optional(&mut body, "path")?,
                value: body.remove("value"),
            }),
            "deleteSurface" => AgentPayload::DeleteSurface(DeleteSurface { surface_id }),
            other => return Err(de::Error::unknown_variant(other, &AgentPayload::NAMES)),
        };
        end(&body, &name)?;
        Ok(Self { version, payload })
    }
}

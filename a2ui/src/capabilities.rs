//! What agents and renderers tell each other beside messages, as metadata of their transport.

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use crate::constants::PROTOCOL_VERSION;
use crate::members::{end, optional, required};
use crate::{Catalog, CatalogError};

/// What a renderer can draw.
///
/// It travels as metadata under [`CLIENT_CAPABILITIES_KEY`](crate::constants::CLIENT_CAPABILITIES_KEY),
/// keyed by version. Other versions than v0.9 are passed over.
///
/// ```
/// use ag_ui_a2ui::ClientCapabilities;
///
/// let capabilities: ClientCapabilities = serde_json::from_str(r#"
///     {"v0.9": {"supportedCatalogIds": ["https://example.com/charts.json"]}}
/// "#)?;
/// assert_eq!(capabilities.supported_catalog_ids, ["https://example.com/charts.json"]);
/// assert!(capabilities.inline_catalogs.is_empty());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ClientCapabilities {
    /// Ids of the catalogs that it knows, the one that it likes best first.
    pub supported_catalog_ids: Vec<String>,
    /// Catalogs that it brings along, for agents that accept that.
    pub inline_catalogs: Vec<InlineCatalog>,
}

impl ClientCapabilities {
    /// A renderer that knows these catalogs.
    #[must_use]
    pub fn new<I: Into<String>>(supported_catalog_ids: impl IntoIterator<Item = I>) -> Self {
        Self {
            supported_catalog_ids: supported_catalog_ids.into_iter().map(Into::into).collect(),
            inline_catalogs: Vec::new(),
        }
    }

    /// Adds a catalog that it brings along.
    #[must_use]
    pub fn with_inline_catalog(mut self, catalog: InlineCatalog) -> Self {
        self.inline_catalogs.push(catalog);
        self
    }
}

impl Serialize for ClientCapabilities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut body = Map::new();
        body.insert("supportedCatalogIds".to_owned(), json!(self.supported_catalog_ids));
        if !self.inline_catalogs.is_empty() {
            body.insert("inlineCatalogs".to_owned(), json!(self.inline_catalogs));
        }
        keyed(serializer, &body)
    }
}

impl<'de> Deserialize<'de> for ClientCapabilities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut body = of_version(deserializer)?;
        Ok(Self {
            supported_catalog_ids: required(&mut body, "supportedCatalogIds")?,
            inline_catalogs: optional(&mut body, "inlineCatalogs")?.unwrap_or_default(),
        })
    }
}

/// A catalog that a renderer brings along.
///
/// It is written otherwise than the document of a catalog: its functions are a list, and its theme
/// is a member of its own.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct InlineCatalog {
    /// The id that surfaces name it by.
    pub catalog_id: String,
    /// The JSON Schemas of its components, by name.
    pub components: Map<String, Value>,
    /// Its functions: `name`, `parameters`, `returnType`, and maybe `description`.
    pub functions: Vec<Value>,
    /// The JSON Schemas of what a theme sets, by name.
    pub theme: Map<String, Value>,
}

impl InlineCatalog {
    /// A catalog with nothing in it.
    #[must_use]
    pub fn new(catalog_id: impl Into<String>) -> Self {
        Self {
            catalog_id: catalog_id.into(),
            components: Map::new(),
            functions: Vec::new(),
            theme: Map::new(),
        }
    }

    /// Adds a component.
    #[must_use]
    pub fn with_component(mut self, name: impl Into<String>, schema: impl Into<Value>) -> Self {
        self.components.insert(name.into(), schema.into());
        self
    }

    /// The document of the same catalog.
    #[must_use]
    pub fn to_document(&self) -> Value {
        let mut functions = Map::new();
        for function in &self.functions {
            let Some(name) = function["name"].as_str() else { continue };
            let mut schema = json!({
                "type": "object",
                "properties": {
                    "call": {"const": name},
                    "args": function["parameters"],
                    "returnType": {"const": function["returnType"]},
                },
                "required": ["call", "args"],
            });
            if let Some(description) = function["description"].as_str() {
                schema["description"] = description.into();
            }
            functions.insert(name.to_owned(), schema);
        }
        json!({
            "catalogId": self.catalog_id,
            "components": self.components,
            "functions": functions,
            "$defs": {"theme": {"type": "object", "properties": self.theme}},
        })
    }

    /// The catalog, for validators.
    ///
    /// # Errors
    /// When a schema of it is not what it has to be.
    pub fn to_catalog(&self) -> Result<Catalog, CatalogError> {
        Catalog::from_schema(&self.to_document())
    }
}

impl Serialize for InlineCatalog {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("catalogId", &self.catalog_id)?;
        if !self.components.is_empty() {
            map.serialize_entry("components", &self.components)?;
        }
        if !self.functions.is_empty() {
            map.serialize_entry("functions", &self.functions)?;
        }
        if !self.theme.is_empty() {
            map.serialize_entry("theme", &self.theme)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for InlineCatalog {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut body = Map::deserialize(deserializer)?;
        let read = Self {
            catalog_id: required(&mut body, "catalogId")?,
            components: optional(&mut body, "components")?.unwrap_or_default(),
            functions: optional(&mut body, "functions")?.unwrap_or_default(),
            theme: optional(&mut body, "theme")?.unwrap_or_default(),
        };
        end(&body, "inlineCatalogs")?;
        Ok(read)
    }
}

/// What an agent can send.
///
/// ```
/// use ag_ui_a2ui::ServerCapabilities;
/// use serde_json::json;
///
/// let mut capabilities = ServerCapabilities::new(["https://example.com/charts.json"]);
/// capabilities.accepts_inline_catalogs = true;
/// assert_eq!(serde_json::to_value(&capabilities)?, json!({"v0.9": {
///     "supportedCatalogIds": ["https://example.com/charts.json"],
///     "acceptsInlineCatalogs": true,
/// }}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerCapabilities {
    /// Ids of the catalogs that it makes surfaces of.
    pub supported_catalog_ids: Vec<String>,
    /// Whether it makes surfaces of catalogs that a renderer brings along. By default it does not.
    pub accepts_inline_catalogs: bool,
}

impl ServerCapabilities {
    /// An agent that makes surfaces of these catalogs.
    #[must_use]
    pub fn new<I: Into<String>>(supported_catalog_ids: impl IntoIterator<Item = I>) -> Self {
        Self {
            supported_catalog_ids: supported_catalog_ids.into_iter().map(Into::into).collect(),
            accepts_inline_catalogs: false,
        }
    }
}

impl Serialize for ServerCapabilities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut body = Map::new();
        if !self.supported_catalog_ids.is_empty() {
            body.insert("supportedCatalogIds".to_owned(), json!(self.supported_catalog_ids));
        }
        if self.accepts_inline_catalogs {
            body.insert("acceptsInlineCatalogs".to_owned(), true.into());
        }
        keyed(serializer, &body)
    }
}

impl<'de> Deserialize<'de> for ServerCapabilities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut body = of_version(deserializer)?;
        Ok(Self {
            supported_catalog_ids: optional(&mut body, "supportedCatalogIds")?.unwrap_or_default(),
            accepts_inline_catalogs: optional(&mut body, "acceptsInlineCatalogs")?
                .unwrap_or_default(),
        })
    }
}

/// The data of surfaces, as a renderer sends them along with what it says.
///
/// Only of surfaces that were created with `sendDataModel`. It travels as metadata under
/// [`CLIENT_DATA_MODEL_KEY`](crate::constants::CLIENT_DATA_MODEL_KEY).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ClientDataModel {
    /// The version of the protocol that it is written in.
    pub version: String,
    /// The data of each surface, by its id.
    pub surfaces: Map<String, Value>,
}

impl ClientDataModel {
    /// The data of no surface.
    #[must_use]
    pub fn new() -> Self {
        Self { version: PROTOCOL_VERSION.to_owned(), surfaces: Map::new() }
    }

    /// Adds the data of a surface.
    #[must_use]
    pub fn with_surface(
        mut self,
        surface_id: impl Into<String>,
        data: impl Into<Map<String, Value>>,
    ) -> Self {
        self.surfaces.insert(surface_id.into(), Value::Object(data.into()));
        self
    }
}

impl Default for ClientDataModel {
    fn default() -> Self {
        Self::new()
    }
}

impl Serialize for ClientDataModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("version", &self.version)?;
        map.serialize_entry("surfaces", &self.surfaces)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for ClientDataModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde_core::de::Error as _;

        let mut body = Map::deserialize(deserializer)?;
        let read = Self {
            version: required(&mut body, "version")?,
            surfaces: required(&mut body, "surfaces")?,
        };
        end(&body, "a2uiClientDataModel")?;
        match read.surfaces.iter().find(|(_, data)| !data.is_object()) {
            Some((surface, _)) => {
                Err(D::Error::custom(format_args!("the data of `{surface}` are an object")))
            }
            None => Ok(read),
        }
    }
}

/// Capabilities, under the version that they are for.
fn keyed<S: Serializer>(serializer: S, body: &Map<String, Value>) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(PROTOCOL_VERSION, body)?;
    map.end()
}

fn of_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Map<String, Value>, D::Error> {
    required(&mut Map::deserialize(deserializer)?, PROTOCOL_VERSION)
}

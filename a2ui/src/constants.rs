//! Words that agents, toolkits and renderers have to agree on.

/// The version of the protocol that is spoken unless another is asked for, as messages state it.
pub const PROTOCOL_VERSION: &str = "v0.9";

/// Id of the basic catalog, as agent toolkits write it.
pub const BASIC_CATALOG_ID: &str = "https://a2ui.org/specification/v0_9/basic_catalog.json";

/// Id of the basic catalog, as its own document and the official renderers write it. It names the
/// same catalog as [`BASIC_CATALOG_ID`]; a renderer knows one of the two.
pub const CANONICAL_BASIC_CATALOG_ID: &str =
    "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";

/// Id of the component that a renderer draws first.
pub const ROOT_ID: &str = "root";

/// Levels that a component graph, and the JSON of messages, may be nested.
pub const MAX_DEPTH: usize = 50;

/// Calls that may be nested, one in the arguments of the other.
pub const MAX_FUNCTION_CALL_DEPTH: usize = 5;

/// Properties whose text may be shown while it is still being written: whatever is there of it is
/// worth reading, which is not so of an id or a URL.
pub const DEFAULT_CUTTABLE_KEYS: [&str; 7] =
    ["literalString", "valueString", "label", "hint", "caption", "altText", "text"];

/// Where a renderer's capabilities are in the metadata of a transport.
pub const CLIENT_CAPABILITIES_KEY: &str = "a2uiClientCapabilities";

/// Where the data of surfaces are in the metadata of a transport.
pub const CLIENT_DATA_MODEL_KEY: &str = "a2uiClientDataModel";

/// What marks data as A2UI, as agents write it.
pub const MIME_TYPE: &str = "application/a2ui+json";

/// What also marks data as A2UI, as older toolkits write it.
pub const LEGACY_MIME_TYPE: &str = "application/json+a2ui";

/// The extension of A2A that carries A2UI.
pub const A2A_EXTENSION_URI: &str = "https://a2ui.org/a2a-extension/a2ui/v0.9";

//! The A2UI protocol: surfaces that an agent declares and a renderer draws.
//!
//! A surface is a flat list of [`Component`]s that link to each other by id, and the data that they
//! are bound to. Which components there are, a [`Catalog`] says. Whether a surface means something,
//! a [`Validator`] says, in errors that a model can act on.
//!
//! ```
//! use ag_ui_a2ui::{Catalog, Component, Validator};
//! use serde_json::json;
//!
//! let catalog = Catalog::from_schema(&json!({"components": {
//!     "Text": {"properties": {"text": {"type": "string"}}, "required": ["text"]},
//! }}))?;
//! let report = Validator::new(&catalog).validate(&[Component::new("root", "Text")]);
//! assert_eq!(
//!     report.errors[0].to_string(),
//!     "[missing_required_prop] components[0].text: a Text needs `text`; add it"
//! );
//! # Ok::<(), ag_ui_a2ui::CatalogError>(())
//! ```

// Generated code names this crate as others do.
extern crate self as ag_ui_a2ui;

mod capabilities;
pub mod catalog;
mod component;
pub mod constants;
mod data;
mod error;
#[cfg(feature = "evaluate")]
pub mod evaluate;
mod members;
mod message;
pub mod pointer;
mod renderer;
pub mod schema;
mod tree;
pub mod typed;
pub mod validate;
pub mod value;
mod version;

pub use capabilities::{ClientCapabilities, ClientDataModel, InlineCatalog, ServerCapabilities};
pub use catalog::{Catalog, CompositionCode, CompositionViolation};
pub use component::Component;
pub use data::{DataError, DataModel, MAX_DATA_DEPTH, MAX_GROWTH};
pub use error::{CatalogError, Error};
pub use message::{
    AgentMessage, AgentPayload, CreateSurface, DeleteSurface, UpdateComponents, UpdateDataModel,
};
pub use renderer::{RendererError, RendererMessage, RendererPayload, UserAction};
pub use tree::{Branch, Node, Surface};
pub use validate::Validator;
pub use version::WireVersion;

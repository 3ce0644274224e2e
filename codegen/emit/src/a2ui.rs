//! Catalogs of A2UI: reading their documents, writing them in one form, and emitting Rust.
//!
//! A design system of one's own gets the same types as the basic catalog, from a build script:
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let document = std::fs::read_to_string("catalog.json")?;
//! let rust = ag_ui_codegen_emit::a2ui::emit_catalog(&document)?;
//! std::fs::write("catalog.rs", rust)?;
//! # Ok(())
//! # }
//! ```

mod components;
mod document;
mod functions;
pub mod model;
mod print;
mod read;
mod schemas;
mod trees;
mod types;

pub use document::to_document;
pub use print::emit;
pub use read::{CatalogError, read};

/// Emits the Rust types of a catalog, given as the text of its document.
///
/// The text is meant for `include!` in a module of a crate that depends on `ag-ui-a2ui`. Docs come
/// from the document's descriptions.
///
/// # Errors
/// When the text is no catalog document, or uses a form of JSON Schema that has no type here. The
/// error names the place.
pub fn emit_catalog(document: &str) -> Result<String, CatalogError> {
    let document = serde_json::from_str(document).map_err(CatalogError::NotJson)?;
    Ok(emit(&read(&document)?))
}

//! What can go wrong.

use crate::validate::ValidationErrors;

/// Anything that can go wrong with surfaces and catalogs.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A surface does not validate.
    #[error("{errors}")]
    Validation {
        /// What is wrong with it.
        errors: ValidationErrors,
    },
    /// A document is no catalog.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// Data cannot be written.
    #[error(transparent)]
    Data(#[from] crate::DataError),
}

/// A document that is no catalog: where, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the catalog document at {}: {problem}", if .path.is_empty() { "its root" } else { .path })]
pub struct CatalogError {
    path: String,
    problem: &'static str,
}

impl CatalogError {
    pub(crate) fn new(path: &str, problem: &'static str) -> Self {
        Self { path: path.to_owned(), problem }
    }

    /// Where in the document, with `/` before each name.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

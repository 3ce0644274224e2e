//! What can be wrong with a model.

/// A model that cannot be turned into Rust.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not a model.
    #[error("the model file is not readable: {0}")]
    Unreadable(#[source] serde_json::Error),
    /// The model has a layout this build does not know.
    #[error("the model file has format {found}, this build reads format {}", crate::model::FORMAT)]
    Format {
        /// The format found.
        found: u32,
    },
    /// An item has no text of its own.
    #[error("`{item}` has no text; add one to the docs file and run `model` again")]
    NoText {
        /// `Type` or `Type.field`.
        item: String,
    },
    /// A name that nothing in the model answers to.
    #[error("`{item}` refers to `{name}`, which the model does not have")]
    UnknownName {
        /// Where the name is used.
        item: String,
        /// The name.
        name: String,
    },
    /// Two items would get the same Rust name.
    #[error("`{item}` collides with another item of the same Rust name")]
    Collision {
        /// `Type` or `Type.field`.
        item: String,
    },
    /// The emitter has no answer for something.
    #[error("`{item}`: {why}")]
    Unsupported {
        /// `Type` or `Type.field`.
        item: String,
        /// What is wrong and what to do.
        why: String,
    },
    /// The emitter wrote something that is not Rust; a defect of the emitter.
    #[cfg(feature = "format")]
    #[error("emitted text is not Rust: {0}")]
    NotRust(String),
}

impl Error {
    pub(crate) fn unsupported(item: &str, why: &str) -> Self {
        Self::Unsupported { item: item.to_owned(), why: why.to_owned() }
    }
}

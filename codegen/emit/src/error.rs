//! What can be wrong with a model.

use std::fmt;

use crate::model::{FORMAT, ReadError};

/// A model that cannot be turned into Rust.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The text is not JSON.
    NotJson(serde_json::Error),
    /// The JSON is not a model.
    NotAModel(ReadError),
    /// The model has a layout this build does not know.
    Format {
        /// The format found.
        found: u32,
    },
    /// An item has no text of its own.
    NoText {
        /// `Type` or `Type.field`.
        item: String,
    },
    /// A name that nothing in the model answers to.
    UnknownName {
        /// Where the name is used.
        item: String,
        /// The name.
        name: String,
    },
    /// Two items would get the same Rust name.
    Collision {
        /// `Type` or `Type.field`.
        item: String,
    },
    /// The emitter has no answer for something.
    Unsupported {
        /// `Type` or `Type.field`.
        item: String,
        /// What is wrong and what to do.
        why: String,
    },
    /// The emitter wrote something that is not Rust; a defect of the emitter.
    #[cfg(feature = "format")]
    NotRust(String),
}

impl Error {
    pub(crate) fn unsupported(item: &str, why: &str) -> Self {
        Self::Unsupported { item: item.to_owned(), why: why.to_owned() }
    }
}

// By hand, because a derive would make every build of the packages wait for its macro.
impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(error) => write!(formatter, "the model file is not JSON: {error}"),
            Self::NotAModel(error) => write!(formatter, "the model file is no model: {error}"),
            Self::Format { found } => {
                write!(formatter, "the model file has format {found}, this build reads {FORMAT}")
            }
            Self::NoText { item } => write!(
                formatter,
                "`{item}` has no text; add one to the docs file and run `model` again"
            ),
            Self::UnknownName { item, name } => {
                write!(formatter, "`{item}` refers to `{name}`, which the model does not have")
            }
            Self::Collision { item } => {
                write!(formatter, "`{item}` collides with another item of the same Rust name")
            }
            Self::Unsupported { item, why } => write!(formatter, "`{item}`: {why}"),
            #[cfg(feature = "format")]
            Self::NotRust(problem) => write!(formatter, "emitted text is not Rust: {problem}"),
        }
    }
}

impl std::error::Error for Error {}

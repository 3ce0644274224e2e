//! What a command can end with.

use std::io;
use std::path::PathBuf;

use crate::{extract, pipeline, upstream, vendor};

/// A command did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The command line is wrong.
    #[error("{0}\n  help: `cargo run -p ag-ui-codegen -- --help` lists the commands")]
    Usage(String),
    /// There is no repository here.
    #[error("no vendor/upstream.toml in {} or above; run from the repository or give --root", from.display())]
    NoRepository {
        /// Where the search began.
        from: PathBuf,
    },
    /// A catalog of A2UI, or its texts, are not what they have to be.
    #[error("{0}")]
    Catalog(String),
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that only `vendor` brings is not there.
    #[error("{} is not there; run `cargo run -p ag-ui-codegen -- vendor` first", path.display())]
    NotVendored {
        /// The file.
        path: PathBuf,
    },
    /// The model is not there.
    #[error("{} is not there; run `cargo run -p ag-ui-codegen -- model` first", path.display())]
    NoModel {
        /// The file.
        path: PathBuf,
    },
    /// A TOML file is wrong.
    #[error("{} is wrong", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: toml::de::Error,
    },
    /// A JSON file is wrong.
    #[error("{} is wrong", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// The pins are wrong.
    #[error("{} is wrong", path.display())]
    Upstream {
        /// The file.
        path: PathBuf,
        /// Why.
        source: upstream::Error,
    },
    /// A source says something that the reader does not know.
    #[error("{name} {version}: {error}")]
    Extract {
        /// The package.
        name: String,
        /// Its version.
        version: String,
        /// What and where.
        error: Box<extract::Error>,
    },
    /// The sources make no model.
    #[error(transparent)]
    Pipeline(#[from] pipeline::Error),
    /// A source cannot be fetched.
    #[error(transparent)]
    Vendor(#[from] vendor::Error),
    /// The model cannot be turned into text.
    #[error("cannot write the model as JSON")]
    Text(#[source] serde_json::Error),
    /// The model cannot be turned into Rust.
    #[error("cannot emit Rust")]
    Emit(#[from] ag_ui_codegen_emit::Error),
    /// Standard output is closed.
    #[error("cannot write to standard output")]
    Output(#[source] io::Error),
    /// The check found something. Its list has been printed.
    #[error("{count} {}", if *count == 1 { "difference" } else { "differences" })]
    Findings {
        /// Number of lines.
        count: usize,
    },
}

impl Error {
    /// The exit status of the process: 1 when a check found something, 2 when the repository or
    /// the input does not allow one.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Findings { .. } => 1,
            _ => 2,
        }
    }
}

//! What can go wrong while fetching.

use std::io;
use std::path::PathBuf;

use super::integrity::Mismatch;
use crate::process;

/// A source cannot be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A client did not succeed.
    #[error(transparent)]
    Client(#[from] process::Error),
    /// A client succeeded and left nothing usable.
    #[error("{client} left no {wanted} for {what}")]
    Nothing {
        /// The client.
        client: &'static str,
        /// What was expected of it.
        wanted: &'static str,
        /// The source.
        what: String,
    },
    /// A package without an integrity to hold it to.
    #[error(
        "{what} has no integrity in vendor/upstream.toml\n  help: compare this with what the \
         registry states, then pin it: {actual}"
    )]
    Unpinned {
        /// The source.
        what: String,
        /// The digest of what was fetched.
        actual: String,
    },
    /// A package that is not the pinned one.
    #[error("{what} is not the archive that vendor/upstream.toml pins: {mismatch}")]
    Integrity {
        /// The source.
        what: String,
        /// Both digests.
        mismatch: Mismatch,
    },
    /// A damaged archive.
    #[error("cannot unpack the archive")]
    Archive(#[source] io::Error),
    /// An archive or source map that reaches outside itself.
    #[error("path `{path}` leaves the package; refusing the whole archive")]
    Traversal {
        /// The path as written there.
        path: String,
    },
    /// An archive entry that is neither a file nor a directory.
    #[error("`{path}` is a link or a device; refusing the whole archive")]
    Special {
        /// The entry.
        path: String,
    },
    /// A source map that is not one.
    #[error("`{path}` is not a source map")]
    SourceMap {
        /// The file.
        path: String,
        /// Why.
        source: serde_json::Error,
    },
    /// Two source maps with different contents for one file.
    #[error("the source maps hold two versions of `{path}`")]
    Conflict {
        /// The file.
        path: String,
    },
    /// A listed file that the source does not have.
    #[error(
        "{what} has no file `{pattern}`\n  help: correct `files` in vendor/upstream.toml; among \
         what is there: {present}"
    )]
    Missing {
        /// The source.
        what: String,
        /// The entry of `files`.
        pattern: String,
        /// Some of the files it has.
        present: String,
    },
    /// A git source that only a mirror has.
    #[error(
        "{what} has no commit in vendor/upstream.toml; give a directory that holds it as \
         `--mirror DIR` or AG_UI_VENDOR_MIRROR"
    )]
    NeedsMirror {
        /// The source.
        what: String,
    },
    /// A mirror without the source.
    #[error("the mirror has no directory {}", path.display())]
    NotInMirror {
        /// Where it should be.
        path: PathBuf,
    },
    /// A file that cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// What a client printed cannot be understood.
    #[error("cannot read what `{command}` printed")]
    Output {
        /// The command line.
        command: String,
        /// Why.
        source: serde_json::Error,
    },
}

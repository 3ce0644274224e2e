//! Fetches what is pinned.
//!
//! Every way of fetching ends in a list of files in memory with clean relative paths; only
//! [`store`] writes, and only below the directory of the pin.

mod archive;
mod cargo;
mod error;
mod git;
mod integrity;
mod npm;
mod paths;
mod source_map;

use std::fs;
use std::path::Path;

pub use archive::unpack;
pub use error::Error;
pub use integrity::verify;
pub(crate) use npm::newest;
pub use source_map::sources;

use crate::upstream::{Kind, Pin, Unpack};

/// A file from upstream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Path inside the package or repository, with `/`, without `..`.
    pub path: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// What came of fetching a source.
#[derive(Debug, PartialEq, Eq)]
pub enum Fetched {
    /// Its files.
    Files(Vec<File>),
    /// Nothing, since it is optional, and why.
    Skipped(String),
}

/// Fetches a source with the client of its kind.
///
/// # Errors
///
/// A client that fails, an archive that is not what is pinned or that reaches outside itself, a
/// listed file that is not there.
pub fn fetch(pin: &Pin, mirror: Option<&Path>) -> Result<Fetched, Error> {
    let files = match pin.kind {
        Kind::Npm => from_archive(pin, &npm::pack(pin)?)?,
        Kind::Crate => from_archive(pin, &cargo::download(pin)?)?,
        Kind::Git => match git::files(pin, mirror) {
            Ok(files) => files,
            Err(error) if pin.optional && mirror.is_none() => {
                return Ok(Fetched::Skipped(error.to_string()));
            }
            Err(error) => return Err(error),
        },
    };
    Ok(Fetched::Files(paths::select(pin, files)?))
}

/// The files in a packed archive, once it has proved to be the pinned one.
///
/// # Errors
///
/// No integrity pinned, another archive than the pinned one, a damaged or hostile archive.
pub fn from_archive(pin: &Pin, archive: &[u8]) -> Result<Vec<File>, Error> {
    let what = || format!("{} {}", pin.name, pin.version);
    let Some(expected) = &pin.integrity else {
        return Err(Error::Unpinned { what: what(), actual: integrity::sha512(archive) });
    };
    verify(expected, archive).map_err(|mismatch| Error::Integrity { what: what(), mismatch })?;
    let files = unpack(archive)?;
    match pin.unpack {
        Unpack::Archive => Ok(files),
        Unpack::SourceMaps => sources(&files),
    }
}

/// Writes the files of a pin below `vendor`, in place of what was there.
///
/// # Errors
///
/// When the file system refuses.
pub fn store(vendor: &Path, pin: &Pin, files: &[File]) -> Result<(), Error> {
    let directory = vendor.join(pin.directory());
    let write = |path: &Path, error| Error::Write { path: path.to_owned(), source: error };
    if directory.exists() {
        fs::remove_dir_all(&directory).map_err(|error| write(&directory, error))?;
    }
    for file in files {
        let path = directory.join(&file.path);
        let parent = path.parent().unwrap_or(&directory);
        fs::create_dir_all(parent).map_err(|error| write(parent, error))?;
        fs::write(&path, &file.bytes).map_err(|error| write(&path, error))?;
    }
    Ok(())
}

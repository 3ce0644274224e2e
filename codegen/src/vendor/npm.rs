//! npm packages.

use std::fs;

use serde::Deserialize;

use super::Error;
use crate::process::run;
use crate::upstream::Pin;

/// The packed archive of a package.
pub(super) fn pack(pin: &Pin) -> Result<Vec<u8>, Error> {
    let directory = temporary()?;
    let package = format!("{}@{}", pin.name, pin.version);
    run("npm", &["pack", "--silent", "--ignore-scripts", &package], directory.path())?;
    let read = |source| Error::Read { path: directory.path().to_owned(), source };
    for entry in fs::read_dir(directory.path()).map_err(read)? {
        let path = entry.map_err(read)?.path();
        if path.extension().is_some_and(|extension| extension == "tgz") {
            return fs::read(&path).map_err(|source| Error::Read { path, source });
        }
    }
    Err(Error::Nothing { client: "npm pack", wanted: "archive", what: package })
}

/// The newest release of a package and its integrity.
#[derive(Debug, Deserialize)]
pub(crate) struct Newest {
    pub(crate) version: String,
    #[serde(rename = "dist.integrity")]
    pub(crate) integrity: String,
}

/// Asks the registry for the newest release of a package.
pub(crate) fn newest(package: &str) -> Result<Newest, Error> {
    let directory = temporary()?;
    let arguments = ["view", "--json", package, "version", "dist.integrity"];
    let output = run("npm", &arguments, directory.path())?;
    let command = format!("npm {}", arguments.join(" "));
    serde_json::from_str(&output).map_err(|source| Error::Output { command, source })
}

/// A directory without a package of its own, so that npm takes none for the current one.
pub(super) fn temporary() -> Result<tempfile::TempDir, Error> {
    tempfile::tempdir().map_err(|source| Error::Write { path: std::env::temp_dir(), source })
}

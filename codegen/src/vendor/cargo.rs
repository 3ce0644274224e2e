//! Crates, by way of a throwaway package that depends on them.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Error;
use super::npm::temporary;
use crate::process::run;
use crate::upstream::Pin;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    manifest_path: PathBuf,
}

/// The packed archive of a crate.
pub(super) fn download(pin: &Pin) -> Result<Vec<u8>, Error> {
    let directory = temporary()?;
    let what = format!("{} {}", pin.name, pin.version);
    write(&directory.path().join("Cargo.toml"), &manifest(pin))?;
    write(&directory.path().join("lib.rs"), "")?;
    run("cargo", &["fetch", "--quiet"], directory.path())?;
    let arguments = ["metadata", "--format-version", "1", "--offline", "--quiet"];
    let output = run("cargo", &arguments, directory.path())?;
    let command = format!("cargo {}", arguments.join(" "));
    let metadata: Metadata =
        serde_json::from_str(&output).map_err(|source| Error::Output { command, source })?;
    let package = metadata
        .packages
        .iter()
        .find(|package| package.name == pin.name && package.version == pin.version);
    let archive = package.and_then(|package| archive_of(&package.manifest_path));
    let path = archive.ok_or(Error::Nothing { client: "cargo fetch", wanted: "archive", what })?;
    fs::read(&path).map_err(|source| Error::Read { path, source })
}

fn manifest(pin: &Pin) -> String {
    format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lib]\npath = \
         \"lib.rs\"\n\n[dependencies]\n\"{}\" = {{ version = \"={}\", default-features = false \
         }}\n\n[workspace]\n",
        pin.name, pin.version
    )
}

/// The archive beside the unpacked crate: `registry/src/INDEX/NAME/Cargo.toml` comes from
/// `registry/cache/INDEX/NAME.crate`.
fn archive_of(manifest: &Path) -> Option<PathBuf> {
    let unpacked = manifest.parent()?;
    let index = unpacked.parent()?;
    let registry = index.parent()?.parent()?;
    let mut name = unpacked.file_name()?.to_owned();
    name.push(".crate");
    Some(registry.join("cache").join(index.file_name()?).join(name))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|source| Error::Write { path: path.to_owned(), source })
}

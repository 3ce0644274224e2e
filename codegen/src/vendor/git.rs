//! Files of a repository at a commit, or of a mirror that holds them.

use std::fs;
use std::path::Path;

use super::npm::temporary;
use super::{Error, File};
use crate::process::run;
use crate::upstream::Pin;

pub(super) fn files(pin: &Pin, mirror: Option<&Path>) -> Result<Vec<File>, Error> {
    if let Some(mirror) = mirror {
        let directory = mirror.join(&pin.name).join(&pin.version);
        if !directory.is_dir() {
            return Err(Error::NotInMirror { path: directory });
        }
        return walk(&directory);
    }
    let (Some(repository), Some(commit)) = (&pin.repository, &pin.commit) else {
        return Err(Error::NeedsMirror { what: format!("{} {}", pin.name, pin.version) });
    };
    let clone = temporary()?;
    let options =
        ["clone", "--quiet", "--no-checkout", "--filter=blob:none", "--", repository, "."];
    run("git", &options, clone.path())?;
    run("git", &["checkout", "--quiet", "--detach", commit], clone.path())?;
    let within = clone.path().join(pin.within.as_deref().unwrap_or_default());
    walk(&within)
}

/// Every file below a directory, links and git's own files left out.
fn walk(root: &Path) -> Result<Vec<File>, Error> {
    let mut files = Vec::new();
    let mut waiting = vec![(root.to_owned(), String::new())];
    while let Some((directory, prefix)) = waiting.pop() {
        let read = |source| Error::Read { path: directory.clone(), source };
        for entry in fs::read_dir(&directory).map_err(read)? {
            let entry = entry.map_err(read)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().map_err(read)?;
            let path = format!("{prefix}{name}");
            if kind.is_dir() && name != ".git" {
                waiting.push((entry.path(), format!("{path}/")));
            } else if kind.is_file() {
                let bytes = fs::read(entry.path()).map_err(read)?;
                files.push(File { path, bytes });
            }
        }
    }
    Ok(files)
}

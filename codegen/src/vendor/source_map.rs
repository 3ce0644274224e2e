//! Source files inside source maps.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::paths::clean;
use super::{Error, File};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SourceMap {
    #[serde(default)]
    source_root: Option<String>,
    sources: Vec<Option<String>>,
    #[serde(default)]
    sources_content: Vec<Option<String>>,
}

/// The sources that the maps among `files` carry, under their paths in the package.
///
/// # Errors
///
/// A map that is not one, a source outside the package, two contents for one source.
pub fn sources(files: &[File]) -> Result<Vec<File>, Error> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.ends_with(".map")) {
        let map: SourceMap = serde_json::from_slice(&file.bytes)
            .map_err(|source| Error::SourceMap { path: file.path.clone(), source })?;
        let directory = file.path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let root = map.source_root.as_deref().unwrap_or_default();
        let directory = clean(directory, root)?;
        for (source, content) in map.sources.into_iter().zip(map.sources_content) {
            let (Some(source), Some(content)) = (source, content) else { continue };
            let path = clean(&directory, &source)?;
            match found.get(&path) {
                Some(other) if *other != content => return Err(Error::Conflict { path }),
                Some(_) => {}
                None => {
                    found.insert(path, content);
                }
            }
        }
    }
    Ok(found.into_iter().map(|(path, text)| File { path, bytes: text.into_bytes() }).collect())
}

//! Packed archives of npm and of cargo: a gzipped tar with one directory around everything.

use std::io::Read;

use flate2::read::GzDecoder;
use tar::{Archive, EntryType};

use super::paths::clean;
use super::{Error, File};

/// The files of an archive, without the outer directory.
///
/// # Errors
///
/// A damaged archive, a path that leaves it, a link.
pub fn unpack(archive: &[u8]) -> Result<Vec<File>, Error> {
    let mut files = Vec::new();
    let mut archive = Archive::new(GzDecoder::new(archive));
    for entry in archive.entries().map_err(Error::Archive)? {
        let mut entry = entry.map_err(Error::Archive)?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => {}
            EntryType::Directory | EntryType::XGlobalHeader => continue,
            _ => return Err(Error::Special { path }),
        }
        // Checked whole, so that the outer directory cannot hide a way out.
        clean("", &path)?;
        let inner = path.split_once('/').map_or(path.as_str(), |(_, inner)| inner);
        let path = clean("", inner)?;
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(Error::Archive)?;
        files.push(File { path, bytes });
    }
    Ok(files)
}

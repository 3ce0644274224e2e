//! The files of the repository that the tool reads and writes.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ag_ui_codegen_emit::model::Model;

use crate::docs::Docs;
use crate::error::Error;
use crate::extract::{self, Release, SourceFile};
use crate::overlay::Overlay;
use crate::pipeline::{self, Computed, Ingredients};
use crate::repairs::{self, Repair};
use crate::upstream::{Part, Pin, Upstream};

/// The protocol whose model this is.
const PROTOCOL: &str = "ag-ui";

/// The pins, seen from the root.
const UPSTREAM: &str = "vendor/upstream.toml";

/// The additions to the protocol, seen from the root.
const OVERLAY: &str = "schema/ag-ui.overlay.json";

/// The texts, seen from the root.
const DOCS: &str = "schema/ag-ui.docs.toml";

/// A checkout of the repository.
#[derive(Debug, Clone)]
pub struct Project {
    root: PathBuf,
    repairs: &'static [Repair],
}

impl Project {
    /// The repository at `root`.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub fn at(root: &Path) -> Result<Self, Error> {
        if root.join(UPSTREAM).is_file() {
            return Ok(Self { root: root.to_owned(), repairs: repairs::AG_UI });
        }
        Err(Error::NoRepository { from: root.to_owned() })
    }

    /// The repository around `directory`.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn around(directory: &Path) -> Result<Self, Error> {
        let none = || Error::NoRepository { from: directory.to_owned() };
        directory.ancestors().find_map(|root| Self::at(root).ok()).ok_or_else(none)
    }

    /// The same repository with other repairs than those of AG-UI.
    #[must_use]
    pub fn with_repairs(self, repairs: &'static [Repair]) -> Self {
        Self { repairs, ..self }
    }

    /// The directory that sources are fetched into.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where vendored files are.
    #[must_use]
    pub fn vendor(&self) -> PathBuf {
        self.root.join("vendor")
    }

    /// The file of the model.
    #[must_use]
    pub fn model_path(&self) -> PathBuf {
        self.root.join("schema/ag-ui.json")
    }

    /// The pins.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or is wrong.
    pub fn upstream(&self) -> Result<Upstream, Error> {
        let path = self.root.join(UPSTREAM);
        Upstream::parse(&read(&path)?).map_err(|source| Error::Upstream { path, source })
    }

    /// The model on file.
    ///
    /// # Errors
    ///
    /// When there is none, or it is not a model of this format.
    pub fn recorded(&self) -> Result<Model, Error> {
        match self.recorded_text()? {
            Some(text) => Ok(ag_ui_codegen_emit::read_model(&text)?),
            None => Err(Error::NoModel { path: self.model_path() }),
        }
    }

    /// The text of the model on file, if there is one.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn recorded_text(&self) -> Result<Option<String>, Error> {
        read_if_there(&self.model_path())
    }

    /// What the pinned sources say, oldest first.
    ///
    /// # Errors
    ///
    /// Files that are not vendored, and forms that no reader knows.
    pub fn releases(&self) -> Result<Vec<Release>, Error> {
        let upstream = self.upstream()?;
        upstream
            .sources
            .iter()
            .filter_map(|pin| Some((pin, part(pin)?)))
            .map(|(pin, part)| {
                let directory = self.vendor().join(pin.directory());
                let files = pin.files.iter().map(|path| source_file(&directory, path));
                release(pin, part, &files.collect::<Result<Vec<_>, _>>()?)
            })
            .collect()
    }

    /// Computes the model that `releases` make, with the overlay and the texts on file.
    ///
    /// # Errors
    ///
    /// Files that cannot be read or are wrong, and releases that cannot be united.
    pub fn compute(&self, releases: Vec<Release>) -> Result<Computed, Error> {
        let path = self.root.join(OVERLAY);
        let overlay: Overlay =
            serde_json::from_str(&read(&path)?).map_err(|source| Error::Json { path, source })?;
        let path = self.root.join(DOCS);
        // Without the file every single text is missing, and the findings say so.
        let docs: Docs = match read_if_there(&path)? {
            Some(text) => toml::from_str(&text).map_err(|source| Error::Toml { path, source })?,
            None => Docs::default(),
        };
        let overlay = Some((OVERLAY, &overlay));
        let repairs = self.repairs;
        let protocol = PROTOCOL;
        Ok(pipeline::compute(Ingredients { protocol, releases, repairs, overlay, docs: &docs })?)
    }
}

/// What the model takes from a pin.
#[must_use]
pub fn part(pin: &Pin) -> Option<&Part> {
    pin.model.as_ref().filter(|part| part.protocol == PROTOCOL)
}

/// Reads one release.
///
/// # Errors
///
/// A form that no reader knows.
pub fn release(pin: &Pin, part: &Part, files: &[SourceFile]) -> Result<Release, Error> {
    let (name, version) = (pin.name.clone(), pin.version.clone());
    match extract::read(part.plan(), files) {
        Ok(extract::Contents { types, protocol_version }) => {
            Ok(Release { name, version, protocol_version, types, fragments: Vec::new() })
        }
        Err(error) => Err(Error::Extract { name, version, error: Box::new(error) }),
    }
}

fn source_file(directory: &Path, path: &str) -> Result<SourceFile, Error> {
    let full = directory.join(path);
    match read_if_there(&full)? {
        Some(text) => Ok(SourceFile { path: path.into(), text }),
        None => Err(Error::NotVendored { path: full }),
    }
}

fn read_if_there(path: &Path) -> Result<Option<String>, Error> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Read { path: path.to_owned(), source }),
    }
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })
}

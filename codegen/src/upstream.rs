//! The pins: what is taken from upstream, and in which version.

use semver::Version;
use serde::Deserialize;

use crate::extract::Plan;

/// The content of `vendor/upstream.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upstream {
    /// The sources, those of one package oldest first.
    #[serde(rename = "source")]
    pub sources: Vec<Pin>,
}

/// One pinned source.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// How it is fetched.
    pub kind: Kind,
    /// Package name, crate name, or the name of a git source here and in a mirror.
    pub name: String,
    /// Release, or the name of the version of a git source.
    pub version: String,
    /// Digest of the packed archive, as the npm registry states it.
    #[serde(default)]
    pub integrity: Option<String>,
    /// Where the files are in the package.
    #[serde(default)]
    pub unpack: Unpack,
    /// The files wanted.
    pub files: Vec<String>,
    /// Whether the tool may go on without it.
    #[serde(default)]
    pub optional: bool,
    /// Where to clone a git source from.
    #[serde(default)]
    pub repository: Option<String>,
    /// The commit of a git source; without one only a mirror can give it.
    #[serde(default)]
    pub commit: Option<String>,
    /// The directory of the repository that `files` start from.
    #[serde(default)]
    pub within: Option<String>,
    /// What the model takes from it.
    #[serde(default)]
    pub model: Option<Part>,
}

/// How a source is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `npm pack`
    Npm,
    /// cargo
    Crate,
    /// `git`, or a local mirror
    Git,
}

/// Where the files are in a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unpack {
    /// In the archive itself.
    #[default]
    Archive,
    /// In the source maps of the archive.
    SourceMaps,
}

/// What a model takes from a source.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The protocol.
    pub protocol: String,
    /// Files with type declarations.
    #[serde(default)]
    pub types: Vec<String>,
    /// Files with zod schemas.
    #[serde(default)]
    pub validators: Vec<String>,
    /// The file that states the protocol version.
    #[serde(default)]
    pub version: Option<String>,
}

impl Part {
    /// Which file says what.
    #[must_use]
    pub fn plan(&self) -> Plan<'_> {
        Plan { types: &self.types, validators: &self.validators, version: self.version.as_deref() }
    }
}

/// The pins cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Not a list of pins.
    #[error("not a list of pinned sources")]
    Form(#[from] toml::de::Error),
    /// Releases of one package in another order than from the oldest to the newest.
    #[error("{name} {later} stands before {name} {earlier}; releases stand oldest first")]
    Order {
        /// The package.
        name: String,
        /// The newer release, which stands first.
        later: String,
        /// The older release.
        earlier: String,
    },
    /// A name that would make files land elsewhere.
    #[error("`{0}` cannot be the name of a directory; names and versions are plain")]
    Name(String),
}

impl Upstream {
    /// Reads the pins.
    ///
    /// # Errors
    ///
    /// Unknown or missing keys, names that lead out of the directory for fetched files, releases
    /// that do not stand oldest first.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let upstream: Self = toml::from_str(text)?;
        for name in upstream.sources.iter().flat_map(|pin| [&pin.name, &pin.version]) {
            if name.contains(['\\', ':'])
                || name.split('/').any(|part| matches!(part, "" | "." | ".."))
            {
                return Err(Error::Name(name.clone()));
            }
        }
        upstream.check_order()?;
        Ok(upstream)
    }

    fn check_order(&self) -> Result<(), Error> {
        for (index, pin) in self.sources.iter().enumerate() {
            let later = self.sources[..index].iter().find(|other| {
                (other.kind, &other.name) == (pin.kind, &pin.name) && other.is_later_than(pin)
            });
            if let Some(later) = later {
                return Err(Error::Order {
                    name: pin.name.clone(),
                    later: later.version.clone(),
                    earlier: pin.version.clone(),
                });
            }
        }
        Ok(())
    }
}

impl Pin {
    /// Whether both versions are semantic ones and this is the higher.
    #[must_use]
    pub fn is_later_than(&self, other: &Self) -> bool {
        match (Version::parse(&self.version), Version::parse(&other.version)) {
            (Ok(own), Ok(other)) => own > other,
            _ => false,
        }
    }

    /// The directory of its files below `vendor/`.
    #[must_use]
    pub fn directory(&self) -> String {
        let kind = match self.kind {
            Kind::Npm => "npm",
            Kind::Crate => "crate",
            Kind::Git => "git",
        };
        format!("{kind}/{}/{}", self.name, self.version)
    }
}

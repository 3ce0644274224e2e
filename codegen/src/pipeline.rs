//! The way from sources to a model, without files or network.

use ag_ui_codegen_emit::model::{FORMAT, Model, Source};

use crate::docs::Docs;
use crate::extract::{Place, Release, Type};
use crate::finding::Finding;
use crate::merge::{self, merge};
use crate::overlay::Overlay;
use crate::repairs::{self, Repair};

/// Everything a model is made from.
#[derive(Debug)]
pub struct Ingredients<'i> {
    /// Short name of the protocol.
    pub protocol: &'i str,
    /// The releases, oldest first.
    pub releases: Vec<Release>,
    /// Corrections of the releases.
    pub repairs: &'i [Repair],
    /// Path and content of the file with additions that no release has yet.
    pub overlay: Option<(&'i str, &'i Overlay)>,
    /// Our texts.
    pub docs: &'i Docs,
}

/// A model, and what did not fit while it was made.
#[derive(Debug)]
pub struct Computed {
    /// The model.
    pub model: Model,
    /// Repairs and overlay entries that do not apply, texts that are missing or describe nothing.
    pub findings: Vec<Finding>,
}

/// The releases make no model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// They cannot be united.
    #[error(transparent)]
    Merge(#[from] merge::Error),
    /// A set of strings is written in place, and no repair names it.
    #[error(
        "{at}: the set of strings of `{path}` has no name\n    | {}\n  help: name it in \
         codegen/src/repairs/ag_ui.rs, for example `Action::NameStrings {{ path: \"{path}\", \
         name: \"{suggestion}\" }}`",
        at.excerpt()
    )]
    NamelessStrings {
        /// Where it stands.
        at: Place,
        /// `Type.field`.
        path: String,
        /// A name that would do.
        suggestion: String,
    },
}

/// Computes the model.
///
/// # Errors
///
/// Releases that cannot be united, and types that nobody has named.
pub fn compute(ingredients: Ingredients<'_>) -> Result<Computed, Error> {
    let Ingredients { protocol, mut releases, repairs, overlay, docs } = ingredients;
    let mut findings: Vec<Finding> = Vec::new();
    findings.extend(repairs::apply(repairs, &mut releases).into_iter().map(Finding::Repair));
    releases.iter().flat_map(|release| &release.types).try_for_each(named)?;
    let mut types = merge(&releases, repairs)?;
    let mut sources: Vec<Source> = releases
        .iter()
        .map(|release| Source { name: release.name.clone(), version: release.version.clone() })
        .collect();
    let upstream = releases.iter().rev().find_map(|release| release.protocol_version.clone());
    let protocol_version = match overlay {
        Some((path, overlay)) => {
            let (version, stale) = overlay.apply(&mut types, upstream.as_deref());
            findings.extend(stale.into_iter().map(Finding::Overlay));
            sources.push(Source { name: path.into(), version: version.clone() });
            version
        }
        None => upstream.unwrap_or_default(),
    };
    let gaps = docs.apply(&mut types);
    findings.extend(gaps.missing.into_iter().map(Finding::NoText));
    findings.extend(gaps.stale.into_iter().map(Finding::StaleText));
    let protocol = protocol.into();
    let model = Model { format: FORMAT, protocol, protocol_version, sources, types };
    Ok(Computed { model, findings })
}

/// Refuses a type that still has the path of its field for a name.
fn named(definition: &Type) -> Result<(), Error> {
    let Some((owner, field)) = definition.name.split_once('.') else { return Ok(()) };
    let mut letters = field.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let suggestion = owner.chars().chain(first).chain(letters).collect();
    let (at, path) = (definition.place.clone(), definition.name.clone());
    Err(Error::NamelessStrings { at, path, suggestion })
}

/// The model as the text of its file.
///
/// # Errors
///
/// A model that JSON cannot carry, which [`compute`] never makes.
pub fn to_text(model: &Model) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(model)?;
    text.push('\n');
    Ok(text)
}

//! Named corrections of what upstream says.
//!
//! Each one is stated once, with its reason, in a table; each one that changes nothing is
//! reported, so that none outlives its cause.

mod ag_ui;

use semver::Version;

use crate::extract::{Kind, Release, Type, each_reference, find};
use ag_ui_codegen_emit::model::Shape;

pub use ag_ui::REPAIRS as AG_UI;

/// One correction.
#[derive(Debug, Clone)]
pub struct Repair {
    /// Which releases need it.
    pub of: Releases,
    /// What it does.
    pub action: Action,
}

/// A selection of releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Releases {
    /// Every release.
    All,
    /// This version alone.
    Only(&'static str),
    /// This version and later ones.
    From(&'static str),
}

/// What a correction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A type has another name in the newest release. Where both names exist already, they must
    /// say the same.
    Rename {
        /// The name in the source.
        from: &'static str,
        /// The name in the model.
        to: &'static str,
    },
    /// A type is a second name of another one and adds nothing.
    SecondName {
        /// The name that goes.
        name: &'static str,
        /// The name that stays.
        of: &'static str,
    },
    /// A set of strings stands in a field and has no name.
    NameStrings {
        /// `Type.field`.
        path: &'static str,
        /// The name to give it.
        name: &'static str,
    },
    /// A type only serves to compose others and never appears on the wire.
    Fragment {
        /// Its name.
        name: &'static str,
    },
    /// A retired type was composed of a fragment that lives on, and is read with the fragment's
    /// present fields, as its siblings are.
    Compose {
        /// The retired type.
        retired: &'static str,
        /// The fragment.
        fragment: &'static str,
    },
}

/// A correction that changes nothing any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// The correction.
    pub repair: String,
    /// Why it changes nothing.
    pub reason: String,
}

/// Applies `repairs` to the releases, oldest first, and returns those that no longer apply.
pub fn apply(repairs: &[Repair], releases: &mut [Release]) -> Vec<Stale> {
    repairs.iter().flat_map(|repair| repair.apply(releases)).collect()
}

impl Repair {
    fn apply(&self, releases: &mut [Release]) -> Vec<Stale> {
        let stale = |reason| Stale { repair: self.action.to_string(), reason };
        let mut problems = Vec::new();
        let mut needed = false;
        for release in releases.iter_mut().filter(|release| self.of.include(&release.version)) {
            needed = true;
            if let Err(reason) = self.action.apply(release) {
                problems.push(stale(format!("{} {}: {reason}", release.name, release.version)));
            }
        }
        if !needed {
            problems.push(stale("no source has a version it is for".into()));
        }
        if let (Action::Compose { retired, fragment }, Some(newest)) =
            (self.action, releases.last())
        {
            let version = &newest.version;
            if find(&newest.types, retired).is_some() {
                problems.push(stale(format!("`{retired}` is not retired in {version}")));
            }
            if find(&newest.fragments, fragment).is_none() {
                problems.push(stale(format!("there is no fragment `{fragment}` in {version}")));
            }
        }
        problems
    }
}

impl Releases {
    fn include(self, version: &str) -> bool {
        let at_least = |first| match (Version::parse(version), Version::parse(first)) {
            (Ok(version), Ok(first)) => version >= first,
            _ => false,
        };
        match self {
            Self::All => true,
            Self::Only(only) => version == only,
            Self::From(first) => at_least(first),
        }
    }
}

impl Action {
    fn apply(self, release: &mut Release) -> Result<(), String> {
        match self {
            Self::Rename { from, to } => {
                if find(&release.types, to).is_some() {
                    fold(release, from, to)?;
                }
                let mut renamed = 0;
                rename(release, from, to, &mut renamed);
                for target in release.types.iter_mut().filter(|target| target.name == to) {
                    target.formerly.push(from.into());
                    renamed += 1;
                }
                if renamed == 0 { Err(format!("there is no `{from}`")) } else { Ok(()) }
            }
            Self::SecondName { name, of } => {
                fold(release, name, of)?;
                rename(release, name, of, &mut 0);
                Ok(())
            }
            Self::NameStrings { path, name } => {
                let mut renamed = 0;
                rename(release, path, name, &mut renamed);
                if renamed == 0 { Err(format!("there is no `{path}`")) } else { Ok(()) }
            }
            Self::Fragment { name } => set_apart(release, name),
            // It concerns two releases, so it takes effect where they are merged.
            Self::Compose { retired, .. } => {
                find(&release.types, retired).map(|_| ()).ok_or(format!("there is no `{retired}`"))
            }
        }
    }
}

/// Removes type `name`, which must say what `of` says.
fn fold(release: &mut Release, name: &str, of: &str) -> Result<(), String> {
    let second = find(&release.types, name).ok_or(format!("there is no `{name}`"))?;
    let first = find(&release.types, of).ok_or(format!("there is no `{of}`"))?;
    let is_name = second.kind == Kind::Alias(Shape::Ref(of.into()));
    if !is_name && second.kind != first.kind {
        return Err(format!("`{name}` and `{of}` say different things"));
    }
    release.types.retain(|candidate| candidate.name != name);
    Ok(())
}

/// Moves a type out of the model, which must not mention it.
fn set_apart(release: &mut Release, name: &str) -> Result<(), String> {
    let index = release.types.iter().position(|candidate| candidate.name == name);
    let index = index.ok_or(format!("there is no `{name}`"))?;
    let fragment = release.types.remove(index);
    let mut user = None;
    for candidate in &mut release.types {
        let owner = candidate.name.clone();
        each_name(candidate, &mut |mentioned| {
            if *mentioned == name {
                user = Some(owner.clone());
            }
        });
    }
    release.fragments.push(fragment);
    match user {
        Some(user) => Err(format!("`{user}` mentions `{name}`, so it is no mere fragment")),
        None => Ok(()),
    }
}

/// Renames a type wherever it is mentioned, and counts the places.
fn rename(release: &mut Release, from: &str, to: &str, count: &mut usize) {
    for candidate in release.types.iter_mut().chain(&mut release.fragments) {
        if candidate.name == from {
            candidate.name = to.into();
            *count += 1;
        }
        each_name(candidate, &mut |mentioned| {
            if *mentioned == from {
                *mentioned = to.into();
                *count += 1;
            }
        });
    }
}

/// Calls `visit` on every type name that the definition mentions.
fn each_name(definition: &mut Type, visit: &mut dyn FnMut(&mut String)) {
    match &mut definition.kind {
        Kind::Object(object) => {
            for field in &mut object.fields {
                each_reference(&mut field.shape, visit);
            }
        }
        Kind::Union(union) => {
            for variant in &mut union.variants {
                visit(&mut variant.name);
            }
        }
        Kind::Alias(shape) => each_reference(shape, visit),
        Kind::Strings(_) => {}
    }
}

impl std::fmt::Display for Action {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rename { from, to } => write!(formatter, "rename {from} to {to}"),
            Self::SecondName { name, of } => write!(formatter, "fold {name} into {of}"),
            Self::NameStrings { path, name } => write!(formatter, "name {path} {name}"),
            Self::Fragment { name } => write!(formatter, "set fragment {name} apart"),
            Self::Compose { retired, fragment } => {
                write!(formatter, "compose retired {retired} of {fragment}")
            }
        }
    }
}

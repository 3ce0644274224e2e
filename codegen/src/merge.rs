//! From several releases to one set of types.
//!
//! The result describes the union: what any release has is there, with the versions that have
//! it, read as the newest of them reads it; older readings that differ are kept beside it.

mod object;
mod order;

use ag_ui_codegen_emit::model::{
    Member, Shape, Strings, TypeDef, TypeShape, Union as MergedUnion, Variant,
};

use crate::extract::{Kind, Object, Release, Type, Union, find, resolve};
use crate::repairs::{Action, Repair};

/// Two releases give one type name to things that cannot be united.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "`{name}` is {what} in {newer} and not in {older}\n  help: tell the two apart with a rename \
     in codegen/src/repairs/ag_ui.rs"
)]
pub struct Error {
    name: String,
    what: &'static str,
    older: String,
    newer: String,
}

/// Unites the types of `releases`, oldest first.
///
/// # Errors
///
/// A name that stands for different kinds of types, a union with another tag, or an alias of
/// another shape.
pub fn merge(releases: &[Release], repairs: &[Repair]) -> Result<Vec<TypeDef>, Error> {
    let lists: Vec<Vec<&str>> = releases
        .iter()
        .map(|release| release.types.iter().map(|candidate| candidate.name.as_str()).collect())
        .collect();
    united(&lists, order::append)
        .into_iter()
        .filter_map(|name| History::of(releases, repairs, name))
        .map(|history| history.merge())
        .collect()
}

/// One type through the releases that have it.
struct History<'r> {
    /// Version of the newest release of all, whether it has the type or not.
    current: &'r str,
    /// The newest release that has it.
    newest: (&'r Release, &'r Type),
    /// All that have it, oldest first.
    all: Vec<(&'r Release, &'r Type)>,
    /// The fragment whose present fields a retired type takes.
    fragment: Option<(&'r Release, &'r Object)>,
}

impl<'r> History<'r> {
    fn of(releases: &'r [Release], repairs: &[Repair], name: &str) -> Option<Self> {
        let present = |release: &'r Release| Some((release, find(&release.types, name)?));
        let all: Vec<_> = releases.iter().filter_map(present).collect();
        let newest = *all.last()?;
        let current = releases.last()?;
        let is_retired = newest.0.version != current.version;
        let fragment =
            repairs.iter().filter(|_| is_retired).find_map(|repair| match repair.action {
                Action::Compose { retired, fragment } if retired == name => {
                    fragment_of(current, fragment)
                }
                _ => None,
            });
        Some(Self { current: current.version.as_str(), newest, all, fragment })
    }

    fn merge(&self) -> Result<TypeDef, Error> {
        let (_, newest) = self.newest;
        let shape = match &newest.kind {
            Kind::Object(_) => TypeShape::Object(self.object(&self.same("an object", object_of)?)),
            Kind::Union(union) => {
                let same_tag = |kind| union_of(kind).filter(|other| other.tag == union.tag);
                TypeShape::Union(self.union(union, &self.same("a union by this tag", same_tag)?))
            }
            Kind::Strings(_) => {
                TypeShape::Strings(self.strings(&self.same("a set of strings", strings_of)?))
            }
            Kind::Alias(shape) => TypeShape::Alias(self.alias(shape)?),
        };
        let versions: Vec<&str> = self.all.iter().map(|(release, _)| version(release)).collect();
        let (since, until) = lifetime(&versions, self.current);
        let mut formerly: Vec<String> = Vec::new();
        for name in self.all.iter().flat_map(|(_, definition)| &definition.formerly) {
            if !formerly.contains(name) {
                formerly.push(name.clone());
            }
        }
        Ok(TypeDef {
            name: newest.name.clone(),
            docs: String::new(),
            since,
            until,
            formerly,
            shape,
        })
    }

    /// Every release's reading of the type, all of which must be of one kind.
    fn same<T>(
        &self,
        what: &'static str,
        select: impl Fn(&'r Kind) -> Option<T>,
    ) -> Result<Vec<(&'r Release, T)>, Error> {
        self.all
            .iter()
            .map(|(release, definition)| match select(&definition.kind) {
                Some(kind) => Ok((*release, kind)),
                None => Err(self.clash(what, release)),
            })
            .collect()
    }

    fn clash(&self, what: &'static str, older: &Release) -> Error {
        let (newer, definition) = self.newest;
        let name = definition.name.clone();
        Error { name, what, older: older.version.clone(), newer: newer.version.clone() }
    }

    fn alias(&self, shape: &Shape) -> Result<Shape, Error> {
        let (newest, _) = self.newest;
        let resolved = resolve(shape, &newest.types);
        for (release, other) in self.same("this alias", alias_of)? {
            if resolve(other, &release.types) != resolved {
                return Err(self.clash("an alias of this shape", release));
            }
        }
        Ok(shape.clone())
    }

    fn union(&self, newest: &Union, readings: &[(&'r Release, &'r Union)]) -> MergedUnion {
        let lists: Vec<Vec<&str>> = readings
            .iter()
            .map(|(_, union)| union.variants.iter().map(|variant| variant.value.as_str()).collect())
            .collect();
        let variants = united(&lists, order::interleave).into_iter().filter_map(|value| {
            let having: Vec<_> = readings
                .iter()
                .filter_map(|(release, union)| {
                    let variant = union.variants.iter().find(|variant| variant.value == value)?;
                    Some((version(release), variant))
                })
                .collect();
            let versions: Vec<&str> = having.iter().map(|(version, _)| *version).collect();
            let (since, until) = lifetime(&versions, self.current);
            let (_, variant) = having.last()?;
            Some(Variant { value: value.into(), name: variant.name.clone(), since, until })
        });
        MergedUnion { tag: newest.tag.clone(), variants: variants.collect() }
    }

    fn strings(&self, readings: &[(&'r Release, &'r Vec<String>)]) -> Strings {
        let lists: Vec<Vec<&str>> = readings
            .iter()
            .map(|(_, members)| members.iter().map(String::as_str).collect())
            .collect();
        let members = united(&lists, order::interleave).into_iter().map(|value| {
            let having = readings.iter().filter(|(_, list)| list.iter().any(|own| own == value));
            let versions: Vec<&str> = having.map(|(release, _)| version(release)).collect();
            let (since, until) = lifetime(&versions, self.current);
            Member { value: value.into(), docs: String::new(), since, until }
        });
        Strings { members: members.collect() }
    }
}

fn fragment_of<'r>(release: &'r Release, name: &str) -> Option<(&'r Release, &'r Object)> {
    Some((release, object_of(&find(&release.fragments, name)?.kind)?))
}

fn object_of(kind: &Kind) -> Option<&Object> {
    if let Kind::Object(object) = kind { Some(object) } else { None }
}

fn union_of(kind: &Kind) -> Option<&Union> {
    if let Kind::Union(union) = kind { Some(union) } else { None }
}

fn strings_of(kind: &Kind) -> Option<&Vec<String>> {
    if let Kind::Strings(members) = kind { Some(members) } else { None }
}

fn alias_of(kind: &Kind) -> Option<&Shape> {
    if let Kind::Alias(shape) = kind { Some(shape) } else { None }
}

fn version(release: &Release) -> &str {
    &release.version
}

/// The items of all lists, given oldest first, joined pair by pair from the newest.
fn united<'n>(
    lists: &[Vec<&'n str>],
    join: impl Fn(Vec<&'n str>, &[&'n str]) -> Vec<&'n str>,
) -> Vec<&'n str> {
    lists.iter().rev().fold(Vec::new(), |newer, older| join(newer, older))
}

/// First version, and the last one unless it is the `current` one.
fn lifetime(versions: &[&str], current: &str) -> (String, Option<String>) {
    let since = versions.first().copied().unwrap_or(current);
    let until = versions.last().copied().filter(|last| *last != current);
    (since.to_owned(), until.map(str::to_owned))
}

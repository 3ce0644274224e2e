//! From TypeScript sources to what a release says. Nothing after this module knows TypeScript.

mod aliases;
mod combine;
mod error;
mod modules;
mod place;
mod reading;
mod zod;

use oxc_allocator::Allocator;
use oxc_ast::ast::Expression;

pub use error::Error;
pub use modules::SourceFile;
pub use place::Place;
pub use reading::{Field, Kind, Object, Presence, Release, Type, Union, Variant};
pub(crate) use reading::{each_reference, find, resolve};

use modules::{Item, Module, Modules};

/// The constant in which a release states the protocol version.
const PROTOCOL_VERSION: &str = "PROTOCOL_VERSION";

/// Which file of a release says what.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plan<'p> {
    /// Files with type declarations; may be empty where there are validators.
    pub types: &'p [String],
    /// Files with zod schemas; may be empty where there are types.
    pub validators: &'p [String],
    /// The file that states the protocol version.
    pub version: Option<&'p str>,
}

/// Reads the types of one release.
///
/// # Errors
///
/// A form that no reader knows, an unresolved name, or declarations that contradict the
/// validators, each with its place.
pub fn read(plan: Plan<'_>, files: &[SourceFile]) -> Result<Contents, Error> {
    let allocator = Allocator::default();
    let modules = Modules::parse(&allocator, files)?;
    let Plan { types, validators, version } = plan;
    let declared = aliases::read(&listed(&modules, types)?, &modules)?;
    let validated = zod::read(&listed(&modules, validators)?, &modules)?;
    let types = match (types, validators) {
        ([], _) => validated,
        (_, []) => declared,
        _ => combine::combine(declared, &validated, &types.join(", "), &validators.join(", "))?,
    };
    let protocol_version = version.map(|path| protocol_version(&modules, path)).transpose()?;
    Ok(Contents { types, protocol_version })
}

/// What the files of one release say.
#[derive(Debug, Clone)]
pub struct Contents {
    /// The types, in source order.
    pub types: Vec<Type>,
    /// The protocol version, where a file states it.
    pub protocol_version: Option<String>,
}

fn listed<'m, 'a>(
    modules: &'m Modules<'a>,
    paths: &[String],
) -> Result<Vec<&'m Module<'a>>, Error> {
    paths
        .iter()
        .map(|path| modules.get(path).ok_or_else(|| Error::NotListed { path: path.clone() }))
        .collect()
}

fn protocol_version(modules: &Modules<'_>, path: &str) -> Result<String, Error> {
    let constant = modules.get(path).and_then(|module| {
        module.items.iter().find_map(|(name, item)| match item {
            Item::Constant(constant) if *name == PROTOCOL_VERSION => constant.init.as_ref(),
            _ => None,
        })
    });
    match constant {
        Some(Expression::StringLiteral(version)) => Ok(version.value.to_string()),
        _ => Err(Error::Constant { file: path.into(), name: PROTOCOL_VERSION }),
    }
}

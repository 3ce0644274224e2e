//! The maintainers' tool behind the generated protocol types.
//!
//! Data flows one way:
//!
//! 1. [`vendor`] fetches the files that `vendor/upstream.toml` pins, with the ordinary clients, and
//!    checks them.
//! 2. [`extract`] reads them into what each release says. It is the only part that knows
//!    TypeScript.
//! 3. [`repairs`] corrects the releases by a table, and [`merge`] unites them.
//! 4. [`overlay`] adds what no release has yet, [`docs`] our own texts; [`pipeline`] is the whole
//!    way.
//! 5. [`check`] compares the result with the model on file, in the words of [`drift`].
//!
//! [`a2ui`] does the same for the basic catalog of A2UI, whose sources are JSON Schemas.
//!
//! [`project`] knows which files of the repository take part.
//!
//! Nothing here is part of any published package or build.

#![expect(clippy::exhaustive_enums, reason = "no other package depends on this one")]

pub mod a2ui;
pub mod check;
mod cli;
pub mod docs;
pub mod drift;
mod error;
pub mod extract;
mod finding;
pub mod merge;
pub mod overlay;
pub mod pipeline;
mod process;
pub mod project;
pub mod repairs;
pub mod upstream;
pub mod vendor;

pub use cli::run;
pub use error::Error;
pub use finding::Finding;

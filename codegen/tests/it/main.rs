//! Behaviour of the maintainers' tool, on small sources written for the purpose.

#![allow(clippy::unwrap_used)]

mod aliases;
mod check;
mod cli;
mod combine;
mod drift;
mod merge;
mod repairs;
mod support;
mod texts;
mod upstream_files;
mod vendor;
mod zod;
mod zod_errors;

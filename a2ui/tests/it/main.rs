//! Behaviour of `ag-ui-a2ui`, one topic a module.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
mod conformance;
mod data_model;
mod design_examples;
#[cfg(feature = "evaluate")]
mod evaluation;
mod official_examples;
mod random_trees;
mod renderer;
#[cfg(feature = "schema-validation")]
mod schema_agreement;
mod trees;
mod validation;

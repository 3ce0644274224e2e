//! Behaviour of `ag-ui`, one topic a module.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod accept;
mod dependency_graph;
mod design_examples;
#[cfg(feature = "sse")]
mod sse_limits;
#[cfg(feature = "sse")]
mod sse_oracle;
#[cfg(feature = "sse")]
mod sse_reader;
#[cfg(feature = "sse")]
mod sse_support;
#[cfg(feature = "sse")]
mod sse_writer;

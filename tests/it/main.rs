//! Behaviour of `ag-ui`, one topic a module.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod accept;
#[cfg(feature = "axum")]
mod axum_routes;
#[cfg(feature = "axum")]
mod axum_stream;
#[cfg(feature = "client")]
mod client_conversation;
#[cfg(feature = "http-plain")]
mod client_http;
#[cfg(feature = "client")]
mod client_interrupts;
#[cfg(feature = "client")]
mod client_pipeline;
#[cfg(all(feature = "client", feature = "sse"))]
mod client_replay;
#[cfg(feature = "client")]
mod client_session;
#[cfg(feature = "client")]
mod client_support;
#[cfg(feature = "client")]
mod client_tools;
#[cfg(feature = "client")]
mod compaction;
#[cfg(feature = "http-plain")]
mod conformance;
mod decode_agreement;
mod dependency_graph;
mod design_examples;
mod documents;
mod encode_arbitrary;
mod error_texts;
mod events;
#[cfg(all(feature = "axum", feature = "schemars"))]
mod examples;
mod hostile_input;
#[cfg(feature = "http-plain")]
mod http_support;
mod ids;
#[cfg(feature = "schemars")]
mod json_schema;
mod messages;
mod null_policy;
mod patch_apply;
mod pointers;
mod round_trip;
mod runs;
#[cfg(feature = "server")]
mod server_activities;
#[cfg(feature = "server")]
mod server_builtin_transformers;
#[cfg(feature = "server")]
mod server_cancellation;
#[cfg(feature = "server")]
mod server_driver;
#[cfg(feature = "server")]
mod server_emitters;
#[cfg(feature = "server")]
mod server_endings;
#[cfg(feature = "server")]
mod server_memory;
#[cfg(feature = "server")]
mod server_programs;
#[cfg(feature = "server")]
mod server_redaction;
#[cfg(feature = "server")]
mod server_refusals;
#[cfg(feature = "server")]
mod server_state;
#[cfg(feature = "server")]
mod server_subagents;
#[cfg(feature = "server")]
mod server_support;
#[cfg(feature = "server")]
mod server_tool_calls;
#[cfg(feature = "server")]
mod server_tracked_state;
#[cfg(feature = "server")]
mod server_transformers;
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
mod strict_schema;
#[cfg(all(feature = "axum", feature = "schemars"))]
mod task_board;
mod unknown_material;
#[cfg(feature = "verify")]
mod verifier_chunks;
#[cfg(feature = "verify")]
mod verifier_rules;
#[cfg(all(feature = "axum", feature = "schemars", feature = "http"))]
mod watch;

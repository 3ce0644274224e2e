//! The official client and an independent validator against agents of ours, and our client against
//! servers of others.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![allow(clippy::print_stderr, reason = "says what was skipped")]

#[path = "../../../examples/first_agent/agent.rs"]
mod agent;
mod foreign_servers;
mod official_client;
mod support;
mod task_board;
mod validator;

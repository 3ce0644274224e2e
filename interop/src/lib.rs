//! Tests with clients and validators that others wrote. See the README beside `Cargo.toml`.

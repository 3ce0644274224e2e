//! Emitted from `schema/ag-ui.json`; print it with `cargo run -p ag-ui-codegen -- expand`.

include!(concat!(env!("OUT_DIR"), "/ag_ui.rs"));

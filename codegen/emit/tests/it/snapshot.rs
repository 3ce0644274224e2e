//! The emitted Rust is pinned, so that a change of it is read by someone.

use ag_ui_codegen_emit::emit_ag_ui;

use crate::support::committed;

const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/ag_ui.rs");

/// With `UPDATE=1` the snapshot is written instead of compared.
#[test]
fn emitted_rust_is_what_reviewers_have_seen() {
    let emitted = emit_ag_ui(&committed()).unwrap();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(SNAPSHOT, &emitted).unwrap();
        return;
    }
    let pinned = std::fs::read_to_string(SNAPSHOT).unwrap_or_default();
    let difference = emitted.lines().zip(pinned.lines()).position(|(new, old)| new != old);
    assert!(
        emitted == pinned,
        "the emitted Rust differs from the snapshot, first at line {}; to accept it, run\n    \
         UPDATE=1 cargo test -p ag-ui-codegen-emit --features format snapshot",
        difference.map_or_else(|| emitted.lines().count().min(pinned.lines().count()), |at| at + 1),
    );
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let model = committed();
    assert_eq!(emit_ag_ui(&model).unwrap(), emit_ag_ui(&model).unwrap());
}

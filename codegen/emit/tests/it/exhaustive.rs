//! A new event stops every exhaustive `match` from compiling.

use std::process::{Command, Output};

use ag_ui_codegen_emit::emit_ag_ui;
use ag_ui_codegen_emit::model::{Member, Model, TypeShape};

use crate::support::committed;

/// The emitted enum of event types, without what it needs from elsewhere.
fn event_types(model: &Model) -> String {
    let emitted = emit_ag_ui(model).unwrap();
    let start = emitted.find("pub enum EventType {").unwrap();
    let length = emitted[start..].find("\n}").unwrap();
    emitted[start..start + length + 2].to_owned()
}

/// A `match` over what is known today.
fn exhaustive_match(model: &Model) -> String {
    let arms: Vec<String> = event_types(model)
        .lines()
        .filter_map(|line| line.trim().strip_suffix(','))
        .map(|variant| format!("EventType::{variant} => 1,"))
        .collect();
    assert_eq!(arms.len(), 36);
    format!("pub fn weigh(event: EventType) -> u8 {{ match event {{ {} }} }}", arms.join(" "))
}

fn compile(name: &str, rust: &str) -> Output {
    let directory = std::env::temp_dir().join(format!("ag-ui-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let source = directory.join("lib.rs");
    std::fs::write(&source, format!("#![allow(deprecated)]\n{rust}")).unwrap();
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "--out-dir"])
        .arg(&directory)
        .arg(&source)
        .output()
        .unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    output
}

#[test]
fn a_match_over_every_event_type_compiles() {
    let model = committed();
    let rust = format!("{}\n{}", event_types(&model), exhaustive_match(&model));
    let output = compile("exhaustive", &rust);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_added_event_breaks_it() {
    let model = committed();
    let known = exhaustive_match(&model);
    let mut grown = model;
    let types = grown.types.iter_mut().find(|definition| definition.name == "EventType").unwrap();
    let TypeShape::Strings(strings) = &mut types.shape else { panic!("a set of strings") };
    strings.members.push(Member {
        value: "WEATHER_CHANGED".to_owned(),
        docs: "The weather changed.".to_owned(),
        since: "2.0.0".to_owned(),
        until: None,
    });
    let rust = format!("{}\n{known}", event_types(&grown));
    let output = compile("grown", &rust);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(errors.contains("E0004") && errors.contains("WeatherChanged"), "{errors}");
}

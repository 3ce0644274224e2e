//! The drift check of a whole repository.

use ag_ui_codegen::check::{check, would_change};
use ag_ui_codegen::upstream::Pin;
use ag_ui_codegen::vendor::File;
use ag_ui_codegen::{Error, Finding};
use serde_json::Value;

use crate::support::Repository;

const MODEL: &str = "schema/ag-ui.json";
const OLD: &str = "vendor/npm/@ag-ui/core/0.9.0/src/events.ts";
const TYPES: &str = "vendor/npm/@ag-ui/core/1.0.0/types.ts";
const SCHEMAS: &str = "vendor/npm/@ag-ui/core/1.0.0/schemas.ts";

/// The lines after a change of the model on file.
fn without(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let repository = Repository::with_model();
    let mut model: Value = serde_json::from_str(&repository.read(MODEL)).unwrap();
    change(&mut model);
    repository.write(MODEL, &format!("{}\n", serde_json::to_string_pretty(&model).unwrap()));
    repository.check()
}

fn remove(value: &mut Value, list: &str, key: &str, name: &str) {
    let list = value.pointer_mut(list).unwrap().as_array_mut().unwrap();
    let before = list.len();
    list.retain(|item| item.get(key).unwrap() != name);
    assert_eq!(list.len(), before - 1, "no {name}");
}

fn definition<'v>(model: &'v mut Value, name: &str) -> &'v mut Value {
    let types = model.pointer_mut("/types").unwrap().as_array_mut().unwrap();
    types.iter_mut().find(|definition| definition.get("name").unwrap() == name).unwrap()
}

#[test]
fn a_repository_in_order_has_no_findings() {
    assert_eq!(Repository::with_model().check(), [""; 0]);
}

#[test]
fn an_event_deleted_from_the_model_is_named() {
    let lines = without(|model| {
        remove(model, "/types", "name", "StopEvent");
        remove(definition(model, "Event"), "/shape/union/variants", "value", "STOP");
        remove(definition(model, "EventType"), "/shape/strings/members", "value", "STOP");
    });
    assert_eq!(
        lines,
        ["type added: StopEvent", "EventType: member added: STOP", "event added: STOP"]
    );
}

#[test]
fn a_field_deleted_from_the_model_is_named() {
    let lines = without(|model| {
        remove(definition(model, "StopEvent"), "/shape/object/fields", "name", "reason");
    });
    assert_eq!(lines, ["field added: StopEvent.reason"]);
}

#[test]
fn a_default_deleted_from_the_model_is_named() {
    let lines = without(|model| {
        let fields = definition(model, "StartEvent").pointer_mut("/shape/object/fields").unwrap();
        let field = fields.as_array_mut().unwrap().last_mut().unwrap();
        field.as_object_mut().unwrap().remove("default").unwrap();
    });
    assert_eq!(lines, ["StartEvent.role: default added: \"dog\""]);
}

#[test]
fn an_enum_member_deleted_from_the_model_is_named() {
    let lines = without(|model| {
        remove(definition(model, "Role"), "/shape/strings/members", "value", "cat");
    });
    assert_eq!(lines, ["Role: member added: cat"]);
}

#[test]
fn an_event_added_upstream_is_named() {
    let repository = Repository::with_model();
    repository.edit(OLD, "NAP = \"NAP\" }", "NAP = \"NAP\", EAT = \"EAT\" }");
    let event =
        "export const EatEventSchema = BaseEventSchema.extend({ type: z.literal(EventType.EAT) });";
    repository.edit(
        OLD,
        "export const EventSchemas",
        &format!("{event}\nexport const EventSchemas"),
    );
    repository.edit(OLD, "  NapEventSchema,\n", "  NapEventSchema,\n  EatEventSchema,\n");
    let lines = repository.check();
    let drift: Vec<&String> =
        lines.iter().filter(|line| !line.starts_with("text missing")).collect();
    assert_eq!(drift, ["type added: EatEvent", "EventType: member added: EAT", "event added: EAT"]);
    assert!(lines.contains(&"text missing: type EatEvent".to_owned()), "{lines:?}");
}

#[test]
fn a_field_default_or_bound_changed_upstream_is_named() {
    let repository = Repository::with_model();
    repository.edit(TYPES, "reason: string", "reason?: string");
    repository.edit(TYPES, "@default \"dog\"", "@default \"cat\"");
    repository.edit(SCHEMAS, "reason: z.string()", "reason: z.string().optional()");
    repository.edit(
        SCHEMAS,
        "at: z.int().min(0).optional(),\n  role",
        "at: z.int().min(5).optional(),\n  role",
    );
    assert_eq!(
        repository.check(),
        [
            "StartEvent.at: was integer 0..=9007199254740991, now integer 5..=9007199254740991",
            "StartEvent.role: default: was \"dog\", now \"cat\"",
            "StartEvent.role: reading of 0.9.0 added: optional Role, null rejected, default \"dog\"",
            "StopEvent.reason: now optional",
        ]
    );
}

#[test]
fn a_member_gone_upstream_is_named() {
    let repository = Repository::with_model();
    repository.edit(OLD, "[\"dog\", \"cat\"]", "[\"dog\"]");
    repository.edit(TYPES, "\"dog\" | \"cat\"", "\"dog\" | \"cow\"");
    repository.edit(SCHEMAS, "[\"dog\", \"cat\"]", "[\"dog\", \"cow\"]");
    let lines = repository.check();
    assert!(lines.contains(&"Role: member gone: cat".to_owned()), "{lines:?}");
    assert!(lines.contains(&"Role: member added: cow".to_owned()), "{lines:?}");
    assert!(lines.contains(&"text describes nothing: member cat of Role".to_owned()), "{lines:?}");
}

#[test]
fn a_repair_that_no_longer_applies_is_named() {
    let repository = Repository::with_model();
    repository.name_the_role();
    let line = "repair no longer applies: name StartEvent.role Role: @ag-ui/core 0.9.0: there is no \
                `StartEvent.role`";
    assert_eq!(repository.check(), [line]);
}

#[test]
fn a_newer_release_is_compared_on_top_of_the_pinned_ones() {
    let repository = Repository::with_model();
    let project = repository.project();
    let pin = Pin { version: "1.1.0".into(), ..project.upstream().unwrap().sources.remove(1) };
    let file = |path: &str| File {
        path: path.into(),
        bytes: repository.read(&format!("vendor/npm/@ag-ui/core/1.0.0/{path}")).into(),
    };
    let same = vec![file("types.ts"), file("schemas.ts"), file("version.ts")];
    let source = "source added: @ag-ui/core 1.1.0";
    assert_eq!(lines(would_change(&project, &pin, same.clone())), [source]);
    let newer = same.into_iter().map(|file| {
        let text = String::from_utf8(file.bytes).unwrap();
        let text = text.replace("reason: string", "note?: string");
        let text = text.replace("reason: z.string()", "note: z.string().optional()");
        File { bytes: text.into(), ..file }
    });
    assert_eq!(
        lines(would_change(&project, &pin, newer.collect())),
        [
            "text missing: field StopEvent.note",
            source,
            "field added: StopEvent.note",
            "StopEvent.reason: was current, now retired after 1.0.0",
        ]
    );
}

fn lines(findings: Result<Vec<Finding>, Error>) -> Vec<String> {
    findings.unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn the_same_model_in_another_form_is_found() {
    let repository = Repository::with_model();
    let model: Value = serde_json::from_str(&repository.read(MODEL)).unwrap();
    repository.write(MODEL, &serde_json::to_string(&model).unwrap());
    assert_eq!(
        repository.check(),
        ["schema/ag-ui.json: says the same in another form; run `model`"]
    );
}

#[test]
fn the_model_is_the_same_bytes_every_time() {
    let (one, two) = (Repository::with_model(), Repository::with_model());
    assert_eq!(one.read(MODEL), two.read(MODEL));
    assert!(one.read(MODEL).ends_with("}\n"));
}

#[test]
fn a_set_of_strings_that_no_repair_names_is_an_error_with_its_place() {
    let repository = Repository::with_model();
    repository.edit(OLD, "at: z.number()", "mood: z.enum([\"good\"]).optional(), at: z.number()");
    let error = check(&repository.project()).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    let message = error.to_string();
    let start = "src/events.ts:3:67: the set of strings of `BaseEvent.mood` has no name\n    | ";
    assert!(message.starts_with(start), "{message}");
    let help = "`Action::NameStrings { path: \"BaseEvent.mood\", name: \"BaseEventMood\" }`";
    assert!(message.ends_with(help), "{message}");
}

#[test]
fn an_unreadable_source_is_an_error_with_its_place() {
    let repository = Repository::with_model();
    repository.edit(OLD, "role: z.enum([\"dog\", \"cat\"])", "role: z.set(z.string())");
    let error = check(&repository.project()).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    let message = error.to_string();
    let start = "@ag-ui/core 0.9.0: src/events.ts:6:9: unknown zod constructor `z.set`";
    assert!(message.starts_with(start), "{message}");
}

//! Texts and overlay are held against the types in both directions.

use crate::support::Repository;

/// The drift check after one edit of a file of a repository that was in order.
fn after(path: &str, from: &str, to: &str) -> Vec<String> {
    let repository = Repository::with_model();
    repository.edit(path, from, to);
    repository.check()
}

const TEXTS: &str = "schema/ag-ui.docs.toml";
const OVERLAY: &str = "schema/ag-ui.overlay.json";

#[test]
fn a_missing_text_is_found() {
    let type_text = after(TEXTS, "doc = \"It rests.\"\n", "");
    assert_eq!(
        type_text,
        [
            "text missing: member NAP of EventType",
            "text missing: type NapEvent",
            "EventType member NAP: text differs",
            "NapEvent: text differs",
        ]
    );
    let field = after(TEXTS, "reason = \"Why it ends.\"\n", "");
    assert_eq!(field, ["text missing: field StopEvent.reason", "StopEvent.reason: text differs"]);
    let member = after(TEXTS, "cat = \"Purrs.\"\n", "cat = \" \"\n");
    assert!(member.contains(&"text missing: member cat of Role".to_owned()), "{member:?}");
    let common = after(TEXTS, "at = \"When it happened.\"\n", "");
    assert!(common.contains(&"text missing: field NapEvent.at".to_owned()), "{common:?}");
}

#[test]
fn a_text_for_what_does_not_exist_is_found() {
    let cases = [
        ("[Gone]\ndoc = \"x\"\n", "type Gone"),
        ("[Gone.fields]\na = \"x\"\n", "field Gone.a"),
        ("[NapEvent.fields]\ngone = \"x\"\n", "field NapEvent.gone"),
        ("[EventType.members]\nGONE = \"x\"\n", "member GONE of EventType"),
    ];
    for (text, item) in cases {
        let lines = after(TEXTS, "[NapEvent]\n", &format!("{text}[NapEvent]\n"));
        assert_eq!(lines, [format!("text describes nothing: {item}")]);
    }
    let common = after(TEXTS, "[common.fields]\n", "[common.fields]\ngone = \"x\"\n");
    assert_eq!(common, ["text describes nothing: field common.gone"]);
}

#[test]
fn an_own_text_wins_over_a_common_one() {
    let lines =
        after(TEXTS, "extra = \"More about it.\"", "extra = \"More about it.\"\nat = \"Own.\"");
    assert_eq!(lines, ["StopEvent.at: text differs"]);
}

#[test]
fn a_member_of_the_event_type_may_have_its_own_text() {
    let lines = after(TEXTS, "[Role]\n", "[EventType.members]\nNAP = \"Own.\"\n[Role]\n");
    assert_eq!(lines, ["EventType member NAP: text differs"]);
}

#[test]
fn the_overlay_adds_a_field_with_its_version() {
    let repository = Repository::with_model();
    let model = repository.project().recorded().unwrap();
    assert_eq!(model.protocol_version, "1.1");
    let source = model.sources.last().unwrap();
    assert_eq!((&*source.name, &*source.version), ("schema/ag-ui.overlay.json", "1.1"));
    let text = serde_json::to_value(model.find("StopEvent").unwrap()).unwrap();
    let fields = text.pointer("/shape/object/fields").unwrap().as_array().unwrap();
    let names: Vec<&str> =
        fields.iter().map(|field| field.get("name").unwrap().as_str().unwrap()).collect();
    assert_eq!(names, ["type", "at", "extra", "reason"]);
    let extra = fields.iter().find(|field| field.get("name").unwrap() == "extra").unwrap();
    assert_eq!(extra.get("since").unwrap(), "1.1");
}

#[test]
fn an_overlay_entry_that_does_not_apply_is_found() {
    let entry = "overlay entry does not apply: ";
    let cases = [
        ("\"StopEvent\"", "\"GoneEvent\"", "GoneEvent.extra: there is no type GoneEvent"),
        ("\"StopEvent\"", "\"Role\"", "Role.extra: Role is not an object"),
        ("\"extra\"", "\"reason\"", "StopEvent.reason: upstream has it now"),
        ("\"after\": \"at\"", "\"after\": \"gone\"", "StopEvent.extra: there is no field gone"),
        ("\"value\": \"1.1\"", "\"value\": \"1.0\"", "protocolVersion: upstream states 1.0 itself"),
    ];
    for (from, to, reason) in cases {
        let lines = after(OVERLAY, from, to);
        assert!(lines.contains(&format!("{entry}{reason}")), "{to}: {lines:?}");
    }
    let version = after("vendor/npm/@ag-ui/core/1.0.0/version.ts", "1.0", "1.10");
    assert_eq!(version, [format!("{entry}protocolVersion: upstream states 1.10 itself")]);
}

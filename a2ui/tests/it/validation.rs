//! What the validator finds, code by code, and at what cost.

#![expect(clippy::needless_pass_by_value, reason = "values are written where they are used")]

use ag_ui_a2ui::validate::{ErrorCode, ValidateOptions, ValidationReport};
use ag_ui_a2ui::{AgentMessage, Catalog, Component, Validator, WireVersion};
use proptest::prelude::*;
use serde_json::{Value, json};

type Errors = Vec<(ErrorCode, &'static str)>;
type Switch = fn(&mut ValidateOptions);

fn found(report: &ValidationReport) -> Vec<(ErrorCode, &str)> {
    report.errors.iter().map(|error| (error.code, error.path.as_str())).collect()
}

fn text(id: &str) -> Value {
    json!({"id": id, "component": "Text", "text": id})
}

fn column(id: &str, children: Value) -> Value {
    json!({"id": id, "component": "Column", "children": children})
}

/// Components as they come from a model, and all that is wrong with them.
#[test]
fn components_are_wrong_in_these_ways() {
    use ErrorCode::*;
    let table: Vec<(Value, Errors)> = vec![
        (json!([]), vec![(EmptyComponents, "components")]),
        (json!([text("root")]), vec![]),
        (json!([{"component": "Text", "text": ""}]), vec![(MissingId, "components[0].id")]),
        (
            json!([{"id": "", "component": "Text", "text": ""}]),
            vec![(MissingId, "components[0].id")],
        ),
        (
            json!([{"id": 7, "component": "Text", "text": ""}, text("root")]),
            vec![(MissingId, "components[0].id")],
        ),
        (
            json!([{"id": "root", "component": {"Text": {}}}]),
            vec![(MissingComponentType, "components[0].component")],
        ),
        (json!(["root"]), vec![(TypeMismatch, "components[0]")]),
        (json!([text("root"), text("root")]), vec![(DuplicateId, "components[1].id")]),
        (json!([text("a")]), vec![(NoRoot, "components")]),
        (
            json!([{"id": "root", "component": "Sparkline"}]),
            vec![(UnknownComponent, "components[0].component")],
        ),
        (
            json!([{"id": "root", "component": "Text"}]),
            vec![(MissingRequiredProp, "components[0].text")],
        ),
        // What is there is there, null or not.
        (json!([{"id": "root", "component": "Text", "text": null}]), vec![]),
        (
            json!([{"id": "root", "component": "Card", "child": 7}]),
            vec![(TypeMismatch, "components[0].child")],
        ),
        (
            json!([{"id": "root", "component": "Slider", "value": 1, "max": "9"}]),
            vec![(TypeMismatch, "components[0].max")],
        ),
        (
            json!([column("root", json!(["a", "b"])), text("a")]),
            vec![(UnresolvedChild, "components[0].children[1]")],
        ),
        (
            json!([column("root", json!({"componentId": "a", "path": "/x"}))]),
            vec![(UnresolvedChild, "components[0].children")],
        ),
        (
            json!([{"id": "root", "component": "Tabs", "tabs": [{"title": "a", "child": "a"}, {"title": "b", "child": "b"}]}, text("a")]),
            vec![(UnresolvedChild, "components[0].tabs[1].child")],
        ),
        (
            json!([{"id": "root", "component": "Modal", "trigger": "a", "content": "b"}]),
            vec![
                (UnresolvedChild, "components[0].content"),
                (UnresolvedChild, "components[0].trigger"),
            ],
        ),
        (json!([column("root", json!(["root"]))]), vec![(ChildCycle, "components[0].children[0]")]),
        (
            json!([text("root"), column("a", json!(["b"])), column("b", json!(["a"]))]),
            vec![(ChildCycle, "components[2].children[0]")],
        ),
        (
            json!([{"id": "root", "component": "Text", "text": {"path": "/a~x"}}]),
            vec![(UnresolvedBinding, "components[0].text")],
        ),
        (json!([{"id": "root", "component": "Text", "text": {"path": "a~x"}}]), vec![]),
    ];
    let catalog = Catalog::basic();
    for (components, expected) in table {
        let report = Validator::new(&catalog).validate_json(components.as_array().unwrap());
        assert_eq!(found(&report), expected, "{components}");
    }
}

#[test]
fn a_url_is_no_link_and_a_plain_list_has_no_children() {
    let document = json!({"components": {
        "Link": {"properties": {"child": {"$ref": "common_types.json#/$defs/ComponentId"}, "target": {"type": "string"}, "words": {"type": "array", "items": {"type": "string"}}}},
    }});
    let catalog = Catalog::from_schema(&document).unwrap();
    let link =
        Component::new("root", "Link").with("target", "nowhere").with("words", json!(["a", "b"]));
    assert!(Validator::new(&catalog).validate(&[link]).is_valid());
}

#[test]
fn a_catalog_without_link_types_is_read_by_names() {
    let document = json!({"components": {"Box": {"properties": {"child": {"type": "string"}, "children": {"type": "array"}}}}});
    let catalog = Catalog::from_schema(&document).unwrap();
    let report = Validator::new(&catalog).validate(&[Component::new("root", "Box")
        .with("children", json!(["a"]))
        .with("child", "b")]);
    assert_eq!(
        found(&report),
        [
            (ErrorCode::UnresolvedChild, "components[0].child"),
            (ErrorCode::UnresolvedChild, "components[0].children[0]")
        ]
    );
}

#[test]
fn nothing_is_unknown_without_a_catalog() {
    let catalog = Catalog::from_schema(&json!({})).unwrap();
    assert!(
        Validator::new(&catalog)
            .validate(&[Component::new("root", "Anything").with("x", 1)])
            .is_valid()
    );
}

#[test]
fn options_switch_checks_one_by_one() {
    let catalog = Catalog::basic();
    let components = [
        json!({"id": "top", "component": "Sparkline"}),
        json!({"id": "b", "component": "Text"}),
        json!({"id": "c", "component": "Card", "child": "nobody"}),
        json!({"id": "d", "component": "Card", "child": 7}),
        json!({"id": "e", "component": "Text", "text": {"path": "/~"}}),
    ];
    let codes = |change: fn(&mut ValidateOptions)| {
        let mut options = ValidateOptions::default();
        change(&mut options);
        let report = Validator::with_options(&catalog, options).validate_json(&components);
        report.errors.iter().map(|error| error.code).collect::<Vec<_>>()
    };
    let all = codes(|_| {});
    let switches: [(Switch, ErrorCode); 7] = [
        (|options| options.require_root = false, ErrorCode::NoRoot),
        (|options| options.root_id = "top".to_owned(), ErrorCode::NoRoot),
        (|options| options.allow_dangling_children = true, ErrorCode::UnresolvedChild),
        (|options| options.check_component_types = false, ErrorCode::UnknownComponent),
        (|options| options.check_required_props = false, ErrorCode::MissingRequiredProp),
        (|options| options.check_prop_types = false, ErrorCode::TypeMismatch),
        (|options| options.check_binding_syntax = false, ErrorCode::UnresolvedBinding),
    ];
    for (change, code) in switches {
        let mut expected = all.clone();
        expected.retain(|other| *other != code);
        assert_eq!(codes(change), expected, "{code}");
        assert_eq!(all.len(), expected.len() + 1, "{code}");
    }
}

#[test]
fn bindings_lead_somewhere_in_the_data() {
    let list = |path: &str| {
        Component::new("root", "List")
            .with("children", json!({"componentId": "item", "path": path}))
    };
    let item = |path: &str| Component::new("item", "Text").with("text", json!({"path": path}));
    let data = json!({"title": "x", "items": [{"name": "a"}, {"name": "b", "more": 1}], "empty": [], "object": {"a": 1}});
    let table: Vec<(Vec<Component>, Option<&str>)> = vec![
        (vec![Component::new("root", "Text").with("text", json!({"path": "/title"}))], None),
        (
            vec![Component::new("root", "Text").with("text", json!({"path": "/nowhere"}))],
            Some("components[0].text"),
        ),
        (
            vec![Component::new("root", "Text").with("text", json!({"path": "title"}))],
            Some("components[0].text"),
        ),
        (vec![list("/items"), item("name")], None),
        // Some items have it: a field may be missing.
        (vec![list("/items"), item("more")], None),
        (vec![list("/items"), item("nowhere")], Some("components[1].text")),
        (vec![list("/items"), item("/title")], None),
        (vec![list("/empty"), item("anything")], None),
        (vec![list("/object"), item("a")], Some("components[0].children")),
        (vec![list("/nowhere"), item("a")], Some("components[0].children")),
        // Calls have bindings in their arguments.
        (
            vec![Component::new("root", "Text").with(
                "text",
                json!({"call": "formatNumber", "args": {"value": {"path": "/nowhere"}}}),
            )],
            Some("components[0].text"),
        ),
    ];
    let catalog = Catalog::basic();
    for (components, expected) in table {
        let report = Validator::new(&catalog).validate_surface(&components, &data);
        let expected: Vec<_> =
            expected.into_iter().map(|path| (ErrorCode::UnresolvedBinding, path)).collect();
        assert_eq!(found(&report), expected, "{components:?}");
        assert!(Validator::new(&catalog).validate(&components).is_valid());
    }
}

#[test]
fn lists_within_lists_are_looked_into() {
    let components = [
        Component::new("root", "List")
            .with("children", json!({"componentId": "group", "path": "/groups"})),
        Component::new("group", "Column").with("children", json!(["name", "items"])),
        Component::new("name", "Text").with("text", json!({"path": "name"})),
        Component::new("items", "List")
            .with("children", json!({"componentId": "item", "path": "items"})),
        Component::new("item", "Text").with("text", json!({"path": "title"})),
    ];
    let catalog = Catalog::basic();
    let data = json!({"groups": [{"name": "a", "items": [{"title": "x"}]}]});
    assert!(Validator::new(&catalog).validate_surface(&components, &data).is_valid());
    let data = json!({"groups": [{"name": "a", "items": [{"headline": "x"}]}]});
    let report = Validator::new(&catalog).validate_surface(&components, &data);
    assert_eq!(found(&report), [(ErrorCode::UnresolvedBinding, "components[4].text")]);
}

fn create(surface: &str) -> Value {
    json!({"version": "v0.9", "createSurface": {"surfaceId": surface, "catalogId": "c"}})
}

fn update(surface: &str, components: Value) -> Value {
    json!({"version": "v0.9", "updateComponents": {"surfaceId": surface, "components": components}})
}

#[test]
fn streams_are_folded_surface_by_surface() {
    use ErrorCode::*;
    let table: Vec<(Value, Errors)> = vec![
        (json!([]), vec![]),
        (json!([create("a")]), vec![]),
        (json!([create("a"), update("a", json!([text("root")]))]), vec![]),
        (
            json!([create("a"), update("a", json!([text("x")]))]),
            vec![(NoRoot, "messages[1].updateComponents.components")],
        ),
        // What is not created here is held by the renderer, also beside what is.
        (json!([update("a", json!([column("x", json!(["held"]))]))]), vec![]),
        (
            json!([
                create("a"),
                update("a", json!([text("root")])),
                update("b", json!([column("x", json!(["held"]))]))
            ]),
            vec![],
        ),
        // A later message may bring what an earlier one names, and replace what it brought.
        (
            json!([
                create("a"),
                update("a", json!([column("root", json!(["x"]))])),
                update("a", json!([text("x")]))
            ]),
            vec![],
        ),
        (
            json!([
                create("a"),
                update("a", json!([column("root", json!(["x"]))])),
                update("a", json!([text("root")]))
            ]),
            vec![],
        ),
        (
            json!([
                create("a"),
                update("a", json!([text("root")])),
                update("a", json!([column("root", json!(["x"]))]))
            ]),
            vec![(UnresolvedChild, "messages[2].updateComponents.components[0].children[0]")],
        ),
        (
            json!([create("a"), update("a", json!([]))]),
            vec![(EmptyComponents, "messages[1].updateComponents.components")],
        ),
        // What was deleted is gone.
        (
            json!([create("a"), update("a", json!([text("x")])), {"version": "v0.9", "deleteSurface": {"surfaceId": "a"}}]),
            vec![],
        ),
        // Data are known once a message brings them.
        (
            json!([create("a"), update("a", json!([{"id": "root", "component": "Text", "text": {"path": "/x"}}])), {"version": "v0.9", "updateDataModel": {"surfaceId": "a", "path": "/y", "value": 1}}]),
            vec![(UnresolvedBinding, "messages[1].updateComponents.components[0].text")],
        ),
        (
            json!([{"version": "v0.9", "updateDataModel": {"surfaceId": "a", "path": "/~2", "value": 1}}]),
            vec![(UnresolvedBinding, "messages[0].updateDataModel.path")],
        ),
        (
            json!([{"version": "v0.9", "createSurface": {"surfaceId": "a", "catalogId": "c", "components": [text("root")]}}]),
            vec![],
        ),
    ];
    let catalog = Catalog::basic();
    for (messages, expected) in table {
        let report = Validator::new(&catalog).validate_json_messages(messages.as_array().unwrap());
        assert_eq!(found(&report), expected, "{messages}");
    }
}

#[test]
fn envelopes_are_wrong_in_these_ways() {
    use ErrorCode::*;
    let table: Vec<(Value, Errors)> = vec![
        (json!("text"), vec![(TypeMismatch, "messages[0]")]),
        (json!({"version": "v0.9"}), vec![(MissingField, "messages[0]")]),
        (
            json!({"version": 9, "deleteSurface": {"surfaceId": "a"}}),
            vec![(TypeMismatch, "messages[0].version")],
        ),
        (
            json!({"version": "v0.9.1", "deleteSurface": {"surfaceId": "a"}}),
            vec![(InvalidValue, "messages[0].version")],
        ),
        (
            json!({"version": "v0.9", "deleteSurface": {"surfaceId": "a"}, "createSurface": {"surfaceId": "a", "catalogId": "c"}}),
            vec![(InvalidValue, "messages[0]")],
        ),
        (
            json!({"version": "v0.9", "deleteSurface": {"surfaceId": "a"}, "more": 1}),
            vec![(InvalidValue, "messages[0].more")],
        ),
        (
            json!({"version": "v0.9", "deleteSurface": {"surfaceId": "a", "more": 1}}),
            vec![(InvalidValue, "messages[0].deleteSurface.more")],
        ),
        (
            json!({"version": "v0.9", "deleteSurface": []}),
            vec![(TypeMismatch, "messages[0].deleteSurface")],
        ),
        (
            json!({"version": "v0.9", "updateComponents": {"surfaceId": "a", "components": {}}}),
            vec![(TypeMismatch, "messages[0].updateComponents.components")],
        ),
        (
            json!({"version": "v0.9", "createSurface": {"surfaceId": "a", "catalogId": "c", "theme": [], "sendDataModel": 1}}),
            vec![
                (TypeMismatch, "messages[0].createSurface.theme"),
                (TypeMismatch, "messages[0].createSurface.sendDataModel"),
            ],
        ),
    ];
    let catalog = Catalog::basic();
    for (message, expected) in table {
        let report =
            Validator::new(&catalog).validate_json_messages(std::slice::from_ref(&message));
        assert_eq!(found(&report), expected, "{message}");
    }
    let newer = json!({"version": "v0.9.1", "deleteSurface": {"surfaceId": "a"}});
    let validator = Validator::new(&catalog).wire_version(WireVersion::V0_9_1);
    assert!(validator.validate_json_messages(&[newer]).is_valid());
}

#[test]
fn nesting_has_bounds_that_are_kept_exactly() {
    let catalog = Catalog::basic();
    let nested = |levels: usize| (0..levels).fold(json!(1), |value, _| json!({"a": value}));
    let data = |levels| json!({"version": "v0.9", "updateDataModel": {"surfaceId": "a", "value": nested(levels)}});
    // The list is at level 0, the message at 1, its operation at 2, the value at 3.
    for (levels, is_valid) in [(47, true), (48, false)] {
        let report = Validator::new(&catalog).validate_json_messages(&[data(levels)]);
        assert_eq!(report.is_valid(), is_valid, "{levels}: {report:?}");
    }
    let calls = |count: usize| {
        let call =
            (0..count).fold(json!("x"), |value, _| json!({"call": "f", "args": {"value": value}}));
        update("a", json!([{"id": "x", "component": "Text", "text": call}]))
    };
    for (count, is_valid) in [(5, true), (6, false)] {
        let report = Validator::new(&catalog).validate_json_messages(&[calls(count)]);
        assert_eq!(report.is_valid(), is_valid, "{count}: {report:?}");
    }
    for (length, is_valid) in [(50, true), (51, false)] {
        let report = Validator::new(&catalog).validate(&chain(length));
        assert_eq!(report.is_valid(), is_valid, "{length}");
    }
}

/// Cards in cards, with a text in the last of so many steps.
fn chain(steps: usize) -> Vec<Component> {
    let id = |step: usize| if step == 0 { "root".to_owned() } else { format!("c{step}") };
    let mut components: Vec<Component> = (0..steps)
        .map(|step| Component::new(id(step), "Card").with("child", id(step + 1)))
        .collect();
    components.push(Component::new(id(steps), "Text").with("text", "end"));
    components
}

/// Depth is policy, and no matter of life and death.
#[test]
fn a_million_components_in_each_other_are_validated_on_a_small_stack() {
    let work = || {
        let components = chain(1_000_000);
        let mut options = ValidateOptions::default();
        options.max_depth = usize::MAX - 1;
        let report = Validator::with_options(&Catalog::basic(), options).validate(&components);
        assert!(report.is_valid());
        let report = Validator::new(&Catalog::basic()).validate(&components);
        assert_eq!(found(&report), [(ErrorCode::MaxDepthExceeded, "components[51]")]);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn errors_are_lines_that_a_model_can_act_on() {
    let report = Validator::new(&Catalog::basic()).validate(&[
        Component::new("root", "Card").with("child", "missing"),
        Component::new("a", "Text"),
    ]);
    let text = report.into_result().unwrap_err().to_string();
    assert_eq!(
        text,
        "[missing_required_prop] components[1].text: a Text needs `text`; add it\n\
         [unresolved_child] components[0].child: `root` references non-existent component 'missing'; \
         add a component with that id, or take the reference away"
    );
    for code in ErrorCode::ALL {
        assert!(code.as_str().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
    }
}

fn any_component() -> impl Strategy<Value = Value> {
    let id = prop::sample::select(vec!["root", "a", "b", "c", "d"]);
    let link = prop::sample::select(vec![
        json!("a"),
        json!("b"),
        json!("root"),
        json!("x"),
        json!(7),
        json!(null),
    ]);
    let kind = prop::sample::select(vec!["Card", "Text", "Column", "List", "Tabs", "Sparkline"]);
    let children = prop_oneof![
        prop::collection::vec(link.clone(), 0..3).prop_map(Value::from),
        link.clone().prop_map(|id| json!({"componentId": id, "path": "/items"})),
    ];
    (id, kind, link, children).prop_map(|(id, kind, link, children)| {
        json!({"id": id, "component": kind, "child": link.clone(), "children": children, "text": {"path": "name"}, "tabs": [{"title": "t", "child": link}]})
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]
    /// Whatever is there: no panic, every error has a place and advice, and what is valid has none of
    /// the faults that one can look for by hand.
    #[test]
    fn any_components_get_a_report(components in prop::collection::vec(any_component(), 0..7)) {
        let catalog = Catalog::basic();
        let report = Validator::new(&catalog).validate_json(&components);
        for error in &report.errors {
            prop_assert!(!error.path.is_empty() && error.message.len() > 10, "{error}");
        }
        let messages = [create("s"), update("s", json!(components))];
        let folded = Validator::new(&catalog).validate_json_messages(&messages);
        prop_assert_eq!(folded.is_valid(), report.is_valid());
        if report.is_valid() {
            let typed: Vec<Component> =
                components.iter().map(|component| serde_json::from_value(component.clone()).unwrap()).collect();
            prop_assert!(Validator::new(&catalog).validate(&typed).is_valid());
            prop_assert!(typed.iter().any(|component| component.id() == "root"));
            let messages = [AgentMessage::create_surface("s", "c"), AgentMessage::update_components("s", typed)];
            prop_assert!(Validator::new(&catalog).validate_messages(&messages).is_valid());
        }
    }
}

//! Surfaces written as trees.

use std::collections::BTreeSet;

use ag_ui_a2ui::catalog::basic::{AnyComponent, Card, Column, Modal, Tabs, Text};
use ag_ui_a2ui::validate::ValidateOptions;
use ag_ui_a2ui::value::bind;
use ag_ui_a2ui::{AgentPayload, Catalog, Component, Node, Surface, Validator};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::random_trees;

fn written(node: Node) -> Vec<Value> {
    let components = node.into_components();
    components.iter().map(|component| serde_json::to_value(component).unwrap()).collect()
}

#[test]
fn ids_are_given_in_reading_order_and_never_twice() {
    let node = Column::of([
        Node::from(Text::of("one")),
        Text::new("text-2", "has the id that would come next").into(),
        Column::of([Text::of("three")]).into(),
        Text::of("four").into(),
    ]);
    let ids: Vec<_> = Node::from(node)
        .into_components()
        .iter()
        .map(|component| component.id().to_owned())
        .collect();
    assert_eq!(ids, ["root", "text-1", "text-2", "column-1", "text-4", "text-3"]);
}

#[test]
fn a_root_of_another_name_keeps_it() {
    let components = Node::new(Text::new("title", "Hello")).into_components();
    assert_eq!(components[0].id(), "title");
}

#[test]
fn a_root_without_a_name_makes_way_for_one_that_has_it() {
    let components = Node::from(Column::of([Text::new("root", "Hello")])).into_components();
    let ids: Vec<_> = components.iter().map(Component::id).collect();
    assert_eq!(ids, ["column-1", "root"]);
}

#[test]
fn slots_items_and_templates_are_written_as_the_catalog_has_them() {
    let node = Column::of([
        Node::from(Modal::of(Text::of("Open"), Text::of("Inside"))),
        Tabs::of([("First", Text::of("1")), ("Second", Text::of("2"))]).id("tabs").into(),
    ]);
    assert_eq!(
        written(node.into()),
        [
            json!({"id": "root", "component": "Column", "children": ["modal-1", "tabs"]}),
            json!({"id": "modal-1", "component": "Modal", "trigger": "text-1", "content": "text-2"}),
            json!({"id": "text-1", "component": "Text", "text": "Open"}),
            json!({"id": "text-2", "component": "Text", "text": "Inside"}),
            json!({"id": "tabs", "component": "Tabs", "tabs": [
                {"title": "First", "child": "text-3"}, {"title": "Second", "child": "text-4"},
            ]}),
            json!({"id": "text-3", "component": "Text", "text": "1"}),
            json!({"id": "text-4", "component": "Text", "text": "2"}),
        ]
    );
    let list = Column::each(bind("/items"), Text::of("x"));
    assert_eq!(
        written(list.into())[0],
        json!({"id": "root", "component": "Column", "children": {"componentId": "text-1", "path": "/items"}})
    );
}

#[test]
fn children_come_behind_those_that_are_linked_by_hand() {
    let node = Node::new(Column::new("", ["by-hand"])).slots("children", [Text::of("x")]);
    assert_eq!(written(node)[0]["children"], json!(["by-hand", "text-1"]));
}

#[test]
fn deep_and_wide_trees_take_no_stack() {
    let deep = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        let mut node = Node::from(Text::of("end"));
        for _ in 0..200_000 {
            node = Card::of(node).into();
        }
        node.into_components().len()
    });
    assert_eq!(deep.unwrap().join().unwrap(), 200_001);
    let wide = Column::of((0..200_000).map(|_| Text::of("x")));
    assert_eq!(Node::from(wide).into_components().len(), 200_001);
}

#[test]
fn a_surface_is_created_then_drawn_then_filled() {
    let messages = Surface::new("s").root(Text::of("x")).data(json!({})).into_messages();
    let names: Vec<_> = messages.iter().map(|message| message.payload.name()).collect();
    assert_eq!(names, ["createSurface", "updateComponents", "updateDataModel"]);
    assert_eq!(Surface::new("s").into_messages().len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn what_the_builders_make_is_valid(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let messages = random_trees::surface("s", &bytes).into_messages();
        // Templates of random paths find no lists: what they are bound to is not looked at.
        let report = Validator::with_options(&Catalog::basic(), options_without_bindings())
            .validate_messages(&messages);
        prop_assert!(report.errors.is_empty(), "{:?}", report.errors);
        prop_assert!(report.unreachable.is_empty());
        let raw: Vec<Value> = messages.iter().map(|m| serde_json::to_value(m).unwrap()).collect();
        let report = Validator::with_options(&Catalog::basic(), options_without_bindings())
            .validate_json_messages(&raw);
        prop_assert!(report.errors.is_empty(), "{:?}", report.errors);
        for message in &messages {
            let AgentPayload::UpdateComponents(update) = &message.payload else { continue };
            let ids: BTreeSet<_> = update.components.iter().map(Component::id).collect();
            prop_assert_eq!(ids.len(), update.components.len());
            for component in &update.components {
                let typed = AnyComponent::try_from(component).unwrap();
                prop_assert_eq!(&typed.to_component(), component);
            }
        }
    }
}

fn options_without_bindings() -> ValidateOptions {
    let mut options = ValidateOptions::default();
    options.check_bindings = false;
    options
}

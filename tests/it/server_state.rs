//! Shared state: a snapshot first, then whatever is shorter.

use ag_ui::server::{RunContext, StateManager};
use ag_ui::{Event, EventType, JsonPatchOperation, RunAgentInput};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::server_support::lines;

#[derive(Default, Serialize, Deserialize)]
struct Board {
    title: String,
    tasks: Vec<String>,
}

#[test]
fn publishing_sends_a_snapshot_then_deltas_then_nothing() {
    let input = RunAgentInput::new("t", "r", vec![])
        .with_state(json!({ "title": "A board with quite a long title", "tasks": ["tea"] }));
    let (mut context, events) = RunContext::<Board>::new(input).unwrap();
    context.publish_state().unwrap();
    context.state_mut().tasks.push("cake".to_owned());
    assert_eq!(events.drain().len(), 1, "changing alone sends nothing");
    context.publish_state().unwrap();
    context.publish_state().unwrap();
    assert_eq!(
        lines(&events.drain()),
        [r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/tasks/1","value":"cake"}]}"#]
    );
    context.set_state(Board::default()).unwrap();
    assert_eq!(
        lines(&events.drain()),
        [r#"{"type":"STATE_SNAPSHOT","snapshot":{"tasks":[],"title":""}}"#],
        "a patch would be longer"
    );
}

#[test]
fn state_is_published_while_a_block_is_open() {
    let (mut context, events) =
        RunContext::<Board>::new(RunAgentInput::new("t", "r", vec![])).unwrap();
    let mut call = context.tool_call("rename").unwrap();
    call.update_state(|board| board.title = "Home".to_owned()).unwrap();
    assert_eq!(call.state().title, "Home");
    call.end().unwrap();
    let types: Vec<_> = events.drain().iter().map(Event::event_type).collect();
    assert_eq!(types, [EventType::ToolCallStart, EventType::StateSnapshot, EventType::ToolCallEnd]);
}

#[test]
fn a_reset_manager_sends_a_snapshot_again() {
    let mut manager = StateManager::new();
    assert!(manager.publish(&json!(null)).unwrap().is_some(), "null is a state");
    assert!(manager.publish(&json!(null)).unwrap().is_none());
    manager.reset();
    let event = manager.publish(&json!(null)).unwrap().unwrap();
    assert_eq!(event, Event::state_snapshot(Value::Null));
}

/// What a client holds after an event.
pub(crate) fn apply(state: &mut Value, event: Event) {
    match event {
        Event::StateSnapshot(event) => *state = event.snapshot,
        Event::StateDelta(event) => {
            event.delta.into_iter().for_each(|operation| apply_one(state, operation));
        }
        other => panic!("{other:?}"),
    }
}

fn apply_one(state: &mut Value, operation: JsonPatchOperation) {
    let (path, value) = match operation {
        JsonPatchOperation::Add(operation) => (operation.path, Some(operation.value)),
        JsonPatchOperation::Remove(operation) => (operation.path, None),
        JsonPatchOperation::Replace(operation) => {
            *state.pointer_mut(operation.path.as_str()).unwrap() = operation.value;
            return;
        }
        other => panic!("{other:?}"),
    };
    let text = path.as_str();
    let (parent, _) = text.rsplit_once('/').unwrap();
    let token = path.tokens().last().unwrap();
    match (state.pointer_mut(parent).unwrap(), value) {
        (Value::Object(map), Some(value)) => assert!(map.insert(token, value).is_none()),
        (Value::Object(map), None) => assert!(map.remove(&token).is_some()),
        (Value::Array(items), Some(value)) => items.insert(token.parse().unwrap(), value),
        (Value::Array(items), None) => drop(items.remove(token.parse().unwrap())),
        (other, _) => panic!("{other:?}"),
    }
}

fn any_state() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..3).prop_map(Value::from),
        "[a~/ ]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a~/ ]{0,2}", inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_client_that_applies_every_event_holds_the_state(
        states in prop::collection::vec(any_state(), 1..8),
    ) {
        let mut manager = StateManager::new();
        let mut held = Value::Null;
        for (index, state) in states.iter().enumerate() {
            match manager.publish(state).unwrap() {
                Some(event) => {
                    prop_assert!(index > 0 || event.event_type() == EventType::StateSnapshot);
                    apply(&mut held, event);
                }
                None => prop_assert!(index > 0),
            }
            prop_assert_eq!(&held, state);
            prop_assert_eq!(manager.published(), Some(state));
        }
    }
}

//! Tracked lists, and states of every shape: whoever applies the events holds the state.

use std::collections::BTreeMap;

use ag_ui::server::{StateManager, TrackedVec};
use ag_ui::{Event, EventType};
use proptest::prelude::*;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use crate::server_state::apply;

/// A state with lists in several places, one inside the other.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Board {
    title: String,
    columns: TrackedVec<Column>,
    log: TrackedVec<u32>,
    spare: Option<TrackedVec<u32>>,
    shape: Shape,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Column {
    name: String,
    cards: TrackedVec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
enum Shape {
    #[default]
    None,
    One(u8),
    Two(u8, String),
    Named {
        a: Option<i64>,
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        b: Vec<f32>,
    },
    Map(BTreeMap<u16, char>),
}

#[derive(Debug, Clone)]
enum Change {
    Title(String),
    Push(u32),
    Pop,
    Insert(usize, u32),
    Remove(usize),
    Set(usize, u32),
    Truncate(usize),
    Extend(Vec<u32>),
    Retain,
    Column(usize, String),
    Card(usize, usize, String),
    DropColumn(usize),
    SwapLists,
    CloneList,
    TakeList,
    ReplaceBoard,
    Shape(Shape),
    /// Publishes with the first, the second, or both managers.
    Publish(bool, bool),
    Reset(bool),
    /// A publish that fails in the middle.
    Fail,
}

fn change() -> impl Strategy<Value = Change> {
    let text = "[a-c/~]{0,3}";
    let shape = prop_oneof![
        Just(Shape::None),
        any::<u8>().prop_map(Shape::One),
        (any::<u8>(), text).prop_map(|(number, text)| Shape::Two(number, text)),
        (any::<Option<i64>>(), prop::collection::vec(0.0..1.0_f32, 0..3))
            .prop_map(|(a, b)| Shape::Named { a, b }),
        prop::collection::btree_map(0..4_u16, any::<char>(), 0..3).prop_map(Shape::Map),
    ];
    prop_oneof![
        1 => text.prop_map(Change::Title),
        4 => any::<u32>().prop_map(Change::Push),
        2 => Just(Change::Pop),
        1 => (0..6_usize, any::<u32>()).prop_map(|(at, item)| Change::Insert(at, item)),
        1 => (0..6_usize).prop_map(Change::Remove),
        3 => (0..6_usize, 0..3_u32).prop_map(|(at, item)| Change::Set(at, item)),
        1 => (0..6_usize).prop_map(Change::Truncate),
        1 => prop::collection::vec(any::<u32>(), 0..4).prop_map(Change::Extend),
        1 => Just(Change::Retain),
        2 => (0..3_usize, text).prop_map(|(at, name)| Change::Column(at, name)),
        3 => (0..3_usize, 0..3_usize, text).prop_map(|(at, card, text)| Change::Card(at, card, text)),
        1 => (0..3_usize).prop_map(Change::DropColumn),
        1 => Just(Change::SwapLists),
        1 => Just(Change::CloneList),
        1 => Just(Change::TakeList),
        1 => Just(Change::ReplaceBoard),
        2 => shape.prop_map(Change::Shape),
        8 => any::<(bool, bool)>().prop_map(|(first, second)| Change::Publish(first, second)),
        1 => any::<bool>().prop_map(Change::Reset),
        1 => Just(Change::Fail),
    ]
}

/// Fails behind what it holds.
struct Failing<'a>(&'a Board);

impl Serialize for Failing<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{Error, SerializeStruct};
        let mut fields = serializer.serialize_struct("Board", 3)?;
        fields.serialize_field("title", "changed")?;
        fields.serialize_field("log", &self.0.log)?;
        fields.serialize_field("columns", &self.0.columns)?;
        Err(S::Error::custom("no more"))
    }
}

/// A manager and whoever applies its events.
#[derive(Default)]
struct Pair {
    manager: StateManager,
    held: Value,
}

impl Pair {
    fn publish(&mut self, board: &Board) -> Result<(), TestCaseError> {
        let state = serde_json::to_value(board).unwrap();
        if let Some(event) = self.manager.publish(board).unwrap() {
            // A snapshot may come again after a reset.
            let is_delta = event.event_type() == EventType::StateDelta;
            prop_assert!(!is_delta || self.held != state, "nothing had changed");
            apply(&mut self.held, event);
        }
        prop_assert_eq!(&self.held, &state);
        prop_assert_eq!(self.manager.published(), Some(&state));
        Ok(())
    }
}

fn change_board(board: &mut Board, change: Change) {
    match change {
        Change::Title(title) => board.title = title,
        Change::Push(item) => board.log.push(item),
        Change::Pop => drop(board.log.pop()),
        Change::Insert(at, item) => board.log.insert(at, item),
        Change::Remove(at) => drop(board.log.remove(at)),
        Change::Set(at, item) => {
            if let Some(place) = board.log.get_mut(at) {
                *place = item;
            }
        }
        Change::Truncate(length) => board.log.truncate(length),
        Change::Extend(items) => board.log.extend(items),
        Change::Retain => board.log.retain(|item| item % 2 == 0),
        Change::Column(at, name) => match board.columns.get_mut(at) {
            Some(column) => column.name = name,
            None => board.columns.push(Column { name, cards: TrackedVec::new() }),
        },
        Change::Card(at, card, text) => {
            if let Some(column) = board.columns.get_mut(at) {
                match column.cards.get_mut(card) {
                    Some(card) => *card = text,
                    None => column.cards.push(text),
                }
            }
        }
        Change::DropColumn(at) => drop(board.columns.remove(at)),
        Change::SwapLists => {
            let spare = board.spare.get_or_insert_default();
            std::mem::swap(spare, &mut board.log);
        }
        Change::CloneList => board.spare = Some(board.log.clone()),
        Change::TakeList => board.log = board.spare.take().unwrap_or_default(),
        Change::ReplaceBoard => *board = board.clone(),
        Change::Shape(shape) => board.shape = shape,
        Change::Publish(..) | Change::Reset(_) | Change::Fail => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_changes_both_readers_hold_the_state(
        changes in prop::collection::vec(change(), 1..60),
    ) {
        let mut board = Board::default();
        let (mut first, mut second) = (Pair::default(), Pair::default());
        for change in changes {
            match change {
                Change::Publish(one, two) => {
                    if one {
                        first.publish(&board)?;
                    }
                    if two {
                        second.publish(&board)?;
                    }
                }
                Change::Reset(one) => if one { &mut first } else { &mut second }.manager.reset(),
                Change::Fail => {
                    let before = first.manager.published().cloned();
                    let error = first.manager.publish(&Failing(&board)).unwrap_err();
                    prop_assert_eq!(error.code(), "SERIALIZATION");
                    prop_assert_eq!(first.manager.published().cloned(), before);
                }
                change => change_board(&mut board, change),
            }
        }
        first.publish(&board)?;
        second.publish(&board)?;
    }
}

#[test]
fn a_tracked_list_is_a_plain_list_to_everybody_else() {
    let list: TrackedVec<u32> = vec![1, 2].into();
    assert_eq!(serde_json::to_string(&list).unwrap(), "[1,2]");
    assert_eq!(serde_json::from_str::<TrackedVec<u32>>("[1,2]").unwrap(), list);
    assert_eq!(format!("{list:?}"), "[1, 2]");
    assert_eq!((list.len(), list[1], list.first()), (2, 2, Some(&1)));
    assert_eq!(list.into_iter().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn only_what_changed_is_serialized() {
    use std::cell::Cell;
    thread_local!(static SERIALIZED: Cell<usize> = const { Cell::new(0) });

    #[derive(Clone)]
    struct Counted(u32);

    impl Serialize for Counted {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            SERIALIZED.set(SERIALIZED.get() + 1);
            self.0.serialize(serializer)
        }
    }

    let mut list: TrackedVec<Counted> = (0..1_000).map(Counted).collect();
    let mut manager = StateManager::new();
    let mut count = |list: &TrackedVec<Counted>| {
        SERIALIZED.set(0);
        let event = manager.publish(list).unwrap();
        (SERIALIZED.get(), event.map(|event: Event| event.event_type()))
    };
    assert_eq!(count(&list), (1_000, Some(EventType::StateSnapshot)));
    assert_eq!(count(&list), (1_000, None), "it is seen for the first time");
    assert_eq!(count(&list), (0, None));
    list.push(Counted(7));
    assert_eq!(count(&list), (1, Some(EventType::StateDelta)));
    list[3] = Counted(8);
    // Once to compare it, and once to send it.
    assert_eq!(count(&list), (2, Some(EventType::StateDelta)));
    list[3] = Counted(9);
    list.push(Counted(7));
    assert_eq!(count(&list), (3, Some(EventType::StateDelta)));
    assert_eq!(count(&list.clone()).0, 1_002, "a clone is another list");
}

#[test]
fn an_item_that_is_inserted_is_one_operation() {
    let mut state =
        json!({ "tasks": (0..50).map(|task| json!({ "title": task })).collect::<Vec<_>>() });
    let mut manager = StateManager::new();
    manager.publish(&state).unwrap();
    state["tasks"].as_array_mut().unwrap().insert(0, json!({ "title": "first" }));
    let Some(Event::StateDelta(delta)) = manager.publish(&state).unwrap() else { panic!() };
    assert_eq!(delta.delta.len(), 1, "{:?}", delta.delta);
}

#[test]
fn keys_and_numbers_are_as_in_json() {
    #[derive(Serialize)]
    struct Odd {
        keys: BTreeMap<i32, bool>,
        wide: u128,
        bytes: serde_json::Map<String, Value>,
        float: f32,
        not_a_number: f64,
        unit: (),
    }
    let odd = |number: i32| Odd {
        keys: [(number, true), (-1, false)].into(),
        wide: 7,
        bytes: [("a".to_owned(), json!(number))].into_iter().collect(),
        float: 0.1,
        not_a_number: f64::NAN,
        unit: (),
    };
    let mut pair = (StateManager::new(), Value::Null);
    for number in [1, 1, 2, 3] {
        if let Some(event) = pair.0.publish(&odd(number)).unwrap() {
            apply(&mut pair.1, event);
        }
        assert_eq!(pair.1, serde_json::to_value(odd(number)).unwrap());
    }
}

/// A reader that applies every event holds the state, whatever a change did to itself.
fn holds<S: Serialize>(manager: &mut StateManager, held: &mut Value, state: &S) {
    if let Some(event) = manager.publish(state).unwrap() {
        apply(held, event);
    }
    assert_eq!(*held, serde_json::to_value(state).unwrap());
}

#[test]
fn changes_that_go_wrong_halfway_are_changes() {
    let (mut manager, mut held) = (StateManager::new(), Value::Null);
    let mut list: TrackedVec<u32> = (0..10).collect();
    holds(&mut manager, &mut held, &list);

    std::mem::forget(list.drain(2..5));
    holds(&mut manager, &mut held, &list);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        list.modify(|items| {
            items.push(7);
            items[100] = 1;
        });
    }));
    assert!(caught.is_err());
    holds(&mut manager, &mut held, &list);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| list[100] = 1));
    assert!(caught.is_err());
    holds(&mut manager, &mut held, &list);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        list.retain(|item| if *item == 7 { panic!("no sevens") } else { *item == 0 });
    }));
    assert!(caught.is_err());
    holds(&mut manager, &mut held, &list);
    list.extend(0..5_000);
    list.truncate(3);
    list.extend(0..2_000);
    for index in 0..2_000 {
        list[index] += 1;
    }
    holds(&mut manager, &mut held, &list);
}

#[test]
fn lists_that_come_and_go_with_their_fields_are_followed() {
    #[derive(Default, Serialize)]
    struct State {
        #[serde(skip_serializing_if = "TrackedVec::is_empty_list")]
        listed: Listed,
        #[serde(flatten)]
        more: BTreeMap<String, TrackedVec<u32>>,
        pair: (TrackedVec<u32>, Option<TrackedVec<u32>>),
    }
    use std::ops::Deref;

    type Listed = TrackedVec<u32>;
    trait IsEmptyList {
        fn is_empty_list(&self) -> bool;
    }
    impl IsEmptyList for Listed {
        fn is_empty_list(&self) -> bool {
            self.deref().is_empty()
        }
    }

    let (mut manager, mut held) = (StateManager::new(), Value::Null);
    let mut state = State::default();
    holds(&mut manager, &mut held, &state);
    for round in 0..8 {
        state.listed.push(round);
        state.more.entry(format!("k{}", round % 3)).or_default().push(round);
        state.pair.0.push(round);
        holds(&mut manager, &mut held, &state);
        state.listed.clear();
        state.pair.1 = state.more.remove(&format!("k{}", (round + 1) % 3));
        holds(&mut manager, &mut held, &state);
        state.listed.push(round);
        state.listed[0] += 1;
        std::mem::swap(&mut state.listed, &mut state.pair.0);
        holds(&mut manager, &mut held, &state);
    }
}

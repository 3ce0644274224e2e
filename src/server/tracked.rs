//! A list that knows what changed in it.

use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::ops::{Deref, Index, IndexMut, RangeBounds};
use std::slice::SliceIndex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeTupleStruct, Serializer};

/// A `Vec` that remembers where it was changed, for states with long lists.
///
/// Publishing a state compares it with what was published. A plain list is compared item by item,
/// each time; of this one only what changed is looked at, so that publishing costs what the change
/// costs, however long the list is. Everything else sees a plain list: it reads, prints, compares,
/// serializes and deserializes as a `Vec`.
///
/// Changes have to go through its methods. What an item changes in itself behind a shared
/// reference, as a `Cell` can, is not seen.
///
/// ```
/// use ag_ui::server::{StateManager, TrackedVec};
/// use ag_ui::EventType;
///
/// let mut tasks: TrackedVec<String> = (0..1_000).map(|task| format!("task {task}")).collect();
/// let mut manager = StateManager::new();
/// manager.publish(&tasks)?;
///
/// tasks.push("tea".to_owned());
/// tasks[7].push_str(", done");
/// let event = manager.publish(&tasks)?.unwrap();
/// assert_eq!(event.event_type(), EventType::StateDelta);
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
pub struct TrackedVec<T> {
    items: Vec<T>,
    id: u64,
    version: u64,
    /// The latest changes, each with the version that it led to.
    changes: VecDeque<(u64, Change)>,
    /// Changes up to this version are forgotten.
    forgotten: u64,
}

#[derive(Debug, Clone, Copy)]
enum Change {
    Item(usize),
    /// From there on nothing is sure, the length included.
    From(usize),
}

/// Changes that are remembered. When there are more, everything counts as changed.
const REMEMBERED: usize = 1_024;

/// A list at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) id: u64,
    pub(super) version: u64,
}

impl<T> TrackedVec<T> {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Vec::new().into()
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        self.changed(Change::From(self.items.len()));
        self.items.push(item);
    }

    /// Takes the last item.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.items.pop()?;
        self.changed(Change::From(self.items.len()));
        Some(item)
    }

    /// Puts an item before the one at that place; at the end when there is none.
    pub fn insert(&mut self, index: usize, item: T) {
        let index = index.min(self.items.len());
        self.changed(Change::From(index));
        self.items.insert(index, item);
    }

    /// Takes the item at that place, if there is one.
    pub fn remove(&mut self, index: usize) -> Option<T> {
        if index >= self.items.len() {
            return None;
        }
        self.changed(Change::From(index));
        Some(self.items.remove(index))
    }

    /// Drops what is behind that many items.
    pub fn truncate(&mut self, length: usize) {
        if length < self.items.len() {
            self.changed(Change::From(length));
            self.items.truncate(length);
        }
    }

    /// Drops all items.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Takes out the items of a range.
    ///
    /// # Panics
    /// When the range is not within the list, as `Vec::drain` does.
    pub fn drain(&mut self, range: impl RangeBounds<usize>) -> std::vec::Drain<'_, T> {
        self.changed(Change::From(0));
        self.items.drain(range)
    }

    /// Keeps the items for which the function says so.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.modify(|items| items.retain(keep));
    }

    /// The item at that place, to be changed. It counts as changed.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index < self.items.len() {
            self.changed(Change::Item(index));
        }
        self.items.get_mut(index)
    }

    /// Changes the list in any way. All of it counts as changed.
    pub fn modify<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        self.changed(Change::From(0));
        change(&mut self.items)
    }

    /// The plain list.
    #[must_use]
    pub fn into_inner(self) -> Vec<T> {
        self.items
    }

    fn changed(&mut self, change: Change) {
        self.version += 1;
        if self.changes.len() == REMEMBERED
            && let Some((version, _)) = self.changes.pop_front()
        {
            self.forgotten = version;
        }
        self.changes.push_back((self.version, change));
    }

    /// Places of items that changed, and from where on everything may have.
    fn changes_since(&self, known: Option<Seen>) -> (BTreeSet<usize>, usize) {
        let known = known.filter(|seen| seen.id == self.id && seen.version >= self.forgotten);
        let Some(known) = known else { return (BTreeSet::new(), 0) };
        let mut items = BTreeSet::new();
        let mut from = self.items.len();
        let later = self.changes.iter().rev().take_while(|(version, _)| *version > known.version);
        for (_, change) in later {
            match change {
                Change::Item(index) => drop(items.insert(*index)),
                Change::From(index) => from = from.min(*index),
            }
        }
        items.retain(|index| *index < from);
        (items, from)
    }
}

impl<T> From<Vec<T>> for TrackedVec<T> {
    fn from(items: Vec<T>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { items, id, version: 0, changes: VecDeque::new(), forgotten: 0 }
    }
}

impl<T> Default for TrackedVec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Clone> Clone for TrackedVec<T> {
    /// A list of its own, which has nothing to remember.
    fn clone(&self) -> Self {
        self.items.clone().into()
    }
}

impl<T> FromIterator<T> for TrackedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<T> Extend<T> for TrackedVec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.changed(Change::From(self.items.len()));
        self.items.extend(items);
    }
}

impl<T> IntoIterator for TrackedVec<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a TrackedVec<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<T> Deref for TrackedVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T, I: SliceIndex<[T]>> Index<I> for TrackedVec<T> {
    type Output = I::Output;

    fn index(&self, index: I) -> &I::Output {
        &self.items[index]
    }
}

impl<T> IndexMut<usize> for TrackedVec<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.changed(Change::Item(index));
        &mut self.items[index]
    }
}

impl<T: PartialEq> PartialEq for TrackedVec<T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<T: Eq> Eq for TrackedVec<T> {}

impl<T: fmt::Debug> fmt::Debug for TrackedVec<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(formatter)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TrackedVec<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for TrackedVec<T> {
    fn inline_schema() -> bool {
        Vec::<T>::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<T>::json_schema(generator)
    }
}

/// The name under which a list shows itself. Whoever does not know it sees what is inside.
pub(super) const COLLECTION: &str = "ag_ui::server::TrackedVec";

/// The name of the answer to whoever asked for changes: the list's id and version, the place from
/// which on everything follows and the number of items that follow before; these with their places;
/// and then everything from that place on.
pub(super) const CHANGES: &str = "ag_ui::server::TrackedVec changes";

thread_local! {
    /// Asks the next list for its changes since it was seen, if it was.
    static ASKED: Cell<Option<Option<Seen>>> = const { Cell::new(None) };
}

/// Asks the list that the work serializes for its changes.
pub(super) fn ask<R>(known: Option<Seen>, work: impl FnOnce() -> R) -> R {
    /// Also when the work panics.
    struct Withdraw;

    impl Drop for Withdraw {
        fn drop(&mut self) {
            ASKED.set(None);
        }
    }

    ASKED.set(Some(known));
    let _withdraw = Withdraw;
    work()
}

impl<T: Serialize> Serialize for TrackedVec<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(COLLECTION, &Inside(self))
    }
}

struct Inside<'a, T>(&'a TrackedVec<T>);

impl<T: Serialize> Serialize for Inside<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let list = self.0;
        let Some(known) = ASKED.take() else { return serializer.collect_seq(&list.items) };
        let (changed, from) = list.changes_since(known);
        let length = 4 + 2 * changed.len() + list.items.len() - from;
        let mut answer = serializer.serialize_tuple_struct(CHANGES, length)?;
        for number in [list.id, list.version, from as u64, changed.len() as u64] {
            answer.serialize_field(&number)?;
        }
        for index in changed {
            answer.serialize_field(&(index as u64))?;
            answer.serialize_field(&list.items[index])?;
        }
        for item in &list.items[from..] {
            answer.serialize_field(item)?;
        }
        answer.end()
    }
}

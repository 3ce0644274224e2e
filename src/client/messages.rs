//! The messages of a conversation, found by their ids.

use std::collections::HashMap;
use std::ops::Index;

use crate::{Message, MessageId, ToolCall, ToolCallId};

/// The messages of a conversation, in order.
///
/// A message is found by its id, and a tool call by its, in a time that does not depend on how
/// many there are.
///
/// ```
/// use ag_ui::Message;
/// use ag_ui::client::Messages;
///
/// let messages: Messages = [Message::user("m-1", "Hello"), Message::assistant("m-2", "Hi!")]
///     .into_iter()
///     .collect();
/// assert_eq!(messages.get("m-2").and_then(Message::text).as_deref(), Some("Hi!"));
/// assert_eq!(messages[0].id(), &"m-1");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Messages {
    /// In the order in which they came, so that places in it stay when one is put between others.
    slots: Vec<Message>,
    order: Vec<u32>,
    by_id: HashMap<MessageId, u32>,
    calls: HashMap<ToolCallId, (u32, u32)>,
    /// Whose answers stand at the end, so that one more is found its place without a search.
    last_caller: Option<u32>,
}

impl Messages {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The message of that id; of several, the first.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Message> {
        self.slots.get(*self.by_id.get(id)? as usize)
    }

    /// The message at that place.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<&Message> {
        self.order.get(index).map(|slot| &self.slots[*slot as usize])
    }

    /// The last message.
    #[must_use]
    pub fn last(&self) -> Option<&Message> {
        self.at(self.len().checked_sub(1)?)
    }

    /// The tool call of that id, and the message it belongs to.
    #[must_use]
    pub fn tool_call(&self, id: &str) -> Option<(&MessageId, &ToolCall)> {
        let (slot, index) = *self.calls.get(id)?;
        let message = self.slots.get(slot as usize)?;
        let Message::Assistant(assistant) = message else { return None };
        Some((&assistant.id, assistant.tool_calls.as_ref()?.get(index as usize)?))
    }

    /// All messages, in order.
    #[must_use]
    pub fn iter(&self) -> Iter<'_> {
        Iter { messages: self, order: self.order.iter() }
    }

    pub(super) fn get_mut(&mut self, id: &MessageId) -> Option<&mut Message> {
        self.slots.get_mut(*self.by_id.get(id)? as usize)
    }

    pub(super) fn contains(&self, id: &MessageId) -> bool {
        self.by_id.contains_key(id)
    }

    pub(super) fn push(&mut self, message: Message) {
        self.last_caller = None;
        self.insert(self.len(), message);
    }

    fn insert(&mut self, index: usize, message: Message) {
        let slot = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        self.index(slot, &message);
        self.slots.push(message);
        self.order.insert(index, slot);
    }

    fn index(&mut self, slot: u32, message: &Message) {
        self.by_id.entry(message.id().clone()).or_insert(slot);
        let Message::Assistant(assistant) = message else { return };
        for (index, call) in (0..).zip(assistant.tool_calls.iter().flatten()) {
            self.calls.entry(call.id.clone()).or_insert((slot, index));
        }
    }

    /// Adds a call to an assistant message.
    pub(super) fn add_call(&mut self, id: &MessageId, call: ToolCall) {
        let Some(slot) = self.by_id.get(id).copied() else { return };
        let Some(Message::Assistant(assistant)) = self.slots.get_mut(slot as usize) else { return };
        let calls = assistant.tool_calls.get_or_insert_default();
        let index = u32::try_from(calls.len()).unwrap_or(u32::MAX);
        self.calls.entry(call.id.clone()).or_insert((slot, index));
        calls.push(call);
    }

    pub(super) fn tool_call_mut(&mut self, id: &ToolCallId) -> Option<(&MessageId, &mut ToolCall)> {
        let (slot, index) = *self.calls.get(id)?;
        let Some(Message::Assistant(assistant)) = self.slots.get_mut(slot as usize) else {
            return None;
        };
        Some((&assistant.id, assistant.tool_calls.as_mut()?.get_mut(index as usize)?))
    }

    /// Puts a tool's answer behind the message of its call and the answers already there; at the
    /// end when nobody made the call.
    pub(super) fn insert_result(&mut self, call: &ToolCallId, message: Message) {
        let caller = self.calls.get(call).map(|(slot, _)| *slot);
        let is_last = caller.is_some() && self.last_caller == caller;
        let place = caller
            .filter(|_| !is_last)
            .and_then(|slot| self.order.iter().rposition(|other| *other == slot));
        let Some(place) = place else {
            self.push(message);
            self.last_caller = caller;
            return;
        };
        let behind = &self.order[place + 1..];
        let answers = behind
            .iter()
            .take_while(|slot| matches!(self.slots[**slot as usize], Message::Tool(_)))
            .count();
        let is_last = answers == behind.len();
        self.insert(place + 1 + answers, message);
        self.last_caller = caller.filter(|_| is_last);
    }

    /// Replaces the message of that id where it stands.
    pub(super) fn replace(&mut self, message: Message) {
        let slot = self.by_id.get(message.id()).copied();
        let Some((slot, place)) =
            slot.and_then(|slot| Some((slot, self.slots.get_mut(slot as usize)?)))
        else {
            return self.push(message);
        };
        self.last_caller = None;
        if let Message::Assistant(replaced) = std::mem::replace(place, message) {
            for call in replaced.tool_calls.iter().flatten() {
                if self.calls.get(&call.id).is_some_and(|(caller, _)| *caller == slot) {
                    self.calls.remove(&call.id);
                }
            }
        }
    }

    /// Restates the conversation: held messages are replaced in place, new ones added, and of the
    /// others those kept that `keep` says.
    pub(super) fn reconcile(&mut self, snapshot: Vec<Message>, keep: impl Fn(&Message) -> bool) {
        self.last_caller = None;
        let mut restated = std::collections::HashSet::new();
        let mut added = Vec::new();
        for message in snapshot {
            match self.by_id.get(message.id()) {
                Some(slot) => {
                    restated.insert(message.id().clone());
                    self.slots[*slot as usize] = message;
                }
                None => added.push(message),
            }
        }
        self.rebuild(|message| restated.contains(message.id()) || keep(message));
        added.into_iter().for_each(|message| self.push(message));
    }

    fn rebuild(&mut self, keep: impl Fn(&Message) -> bool) {
        let mut slots: Vec<Option<Message>> =
            std::mem::take(&mut self.slots).into_iter().map(Some).collect();
        let order = std::mem::take(&mut self.order);
        self.by_id.clear();
        self.calls.clear();
        for slot in order {
            if let Some(message) = slots[slot as usize].take().filter(|message| keep(message)) {
                self.push(message);
            }
        }
    }
}

impl Index<usize> for Messages {
    type Output = Message;

    fn index(&self, index: usize) -> &Message {
        &self.slots[self.order[index] as usize]
    }
}

impl PartialEq for Messages {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl FromIterator<Message> for Messages {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Self {
        let mut collected = Self::default();
        messages.into_iter().for_each(|message| collected.push(message));
        collected
    }
}

impl<'a> IntoIterator for &'a Messages {
    type Item = &'a Message;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// The messages of a conversation in order, see [`Messages::iter`].
#[derive(Debug, Clone)]
pub struct Iter<'a> {
    messages: &'a Messages,
    order: std::slice::Iter<'a, u32>,
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a Message;

    fn next(&mut self) -> Option<&'a Message> {
        self.order.next().map(|slot| &self.messages.slots[*slot as usize])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.order.size_hint()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.order.next_back().map(|slot| &self.messages.slots[*slot as usize])
    }
}

impl ExactSizeIterator for Iter<'_> {}

//! Whose things are.

use super::Run;
use super::entities::{Entities, Owner};
use super::rule::Rule;
use super::violation::Fault;
use crate::chunks::Whose;
use crate::{
    ActivityDeltaEvent, ActivitySnapshotEvent, Message, MessageId, ReasoningEncryptedValueEvent,
    ReasoningEncryptedValueSubtype, SubagentRunId,
};

/// An event without a tag goes along with whoever the thing belongs to.
#[inline]
pub(super) fn check_owner(
    what: &str,
    id: &str,
    owner: &Owner,
    tag: Option<&SubagentRunId>,
) -> Result<(), Fault> {
    if tag.is_none() || tag == owner.as_ref() {
        return Ok(());
    }
    Err(mismatch(what, id, owner, tag))
}

#[cold]
fn mismatch(what: &str, id: &str, owner: &Owner, tag: Option<&SubagentRunId>) -> Fault {
    let advice = format!(
        "{what} `{id}` belongs to {}, not to {}; set its subagentRunId or leave it out",
        Whose(owner.as_ref()),
        Whose(tag)
    );
    Fault::new(Rule::OwnerMismatch, advice).of(id).by(tag)
}

impl Run {
    /// Takes the owners that a conversation records: over those that are known, or beside them.
    pub(super) fn seed(&mut self, messages: &[Message], over: bool) {
        for message in messages {
            let owner = message.subagent_run_id();
            match message {
                Message::Reasoning(message) => self.reasonings.seed(&message.id, owner, over),
                Message::Activity(message) => self.seed_activity(&message.id, owner, over),
                other => self.messages.seed(other.id(), owner, over),
            }
            if let Message::Assistant(message) = message {
                let calls = message.tool_calls.iter().flatten();
                calls.for_each(|call| self.calls.seed(&call.id, owner, over));
            }
        }
    }

    fn seed_activity(&mut self, id: &MessageId, owner: Option<&SubagentRunId>, over: bool) {
        if over || !self.activities.contains_key(id) {
            self.activities.insert(id.clone(), owner.cloned());
        }
    }

    pub(super) fn encrypted_value(
        &self,
        event: &ReasoningEncryptedValueEvent,
    ) -> Result<(), Fault> {
        let tag = event.subagent_run_id.as_ref();
        let id = event.entity_id.as_str();
        let (what, owner) = match event.subtype {
            ReasoningEncryptedValueSubtype::ToolCall => {
                ("tool call", owner_of(&self.calls, &id.into()))
            }
            ReasoningEncryptedValueSubtype::Message => {
                let of_message = owner_of(&self.messages, &id.into());
                ("message", of_message.or_else(|| owner_of(&self.reasonings, &id.into())))
            }
        };
        owner.map_or(Ok(()), |owner| check_owner(what, id, owner, tag))
    }

    pub(super) fn activity_snapshot(&mut self, event: &ActivitySnapshotEvent) -> Result<(), Fault> {
        let replaces = event.replace.unwrap_or(true);
        self.seed_activity(&event.message_id, event.subagent_run_id.as_ref(), replaces);
        Ok(())
    }

    pub(super) fn activity_delta(&self, event: &ActivityDeltaEvent) -> Result<(), Fault> {
        let (id, tag) = (&event.message_id, event.subagent_run_id.as_ref());
        let Some(owner) = self.activities.get(id) else { return Ok(()) };
        check_owner("activity", id.as_str(), owner, tag)
    }
}

fn owner_of<'a, Id: Clone + Eq + std::hash::Hash, State: Default>(
    entities: &'a Entities<Id, State>,
    id: &Id,
) -> Option<&'a Owner> {
    entities.get(id).map(|entity| &entity.owner)
}

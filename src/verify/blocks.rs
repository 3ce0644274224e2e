//! What is opened and closed.

use super::attribution::check_owner;
use super::entities::{Entities, Entity};
use super::rule::Rule;
use super::violation::Fault;
use super::{EventVerifier, Open, Reasoning, Run};
use crate::chunks::{Chunk, Item, Whose};
use crate::{MessageId, SubagentRunId, SubagentStartedEvent, ToolCallId};

type Tag<'a> = Option<&'a SubagentRunId>;

/// A kind of block, for messages to people.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    start: &'static str,
}

const MESSAGE: Kind = Kind { name: "message", start: "TEXT_MESSAGE_START" };
const CALL: Kind = Kind { name: "tool call", start: "TOOL_CALL_START" };
const SPAN: Kind = Kind { name: "reasoning", start: "REASONING_START" };
const REASONING: Kind = Kind { name: "reasoning message", start: "REASONING_MESSAGE_START" };

impl Kind {
    #[cold]
    fn is_open(self, id: &str, tag: Tag<'_>) -> Fault {
        let Self { name, .. } = self;
        let advice = format!("{name} `{id}` is open; close it first, or use another id");
        Fault::new(Rule::DuplicateStart, advice).of(id).by(tag)
    }

    #[cold]
    fn is_closed(self, id: &str, tag: Tag<'_>) -> Fault {
        let Self { name, start } = self;
        let advice = format!("{name} `{id}` is not open; emit {start} to open it again");
        Fault::new(Rule::NotOpen, advice).of(id).by(tag)
    }

    #[cold]
    fn is_unknown(self, id: &str, tag: Tag<'_>) -> Fault {
        let Self { name, start } = self;
        let advice = format!("no {name} `{id}` was started; emit {start} first");
        Fault::new(Rule::UnknownId, advice).of(id).by(tag)
    }

    /// The block that an event adds to or closes.
    #[inline]
    fn inside<'a, Id, State>(
        self,
        entities: &'a mut Entities<Id, State>,
        id: &Id,
        tag: Tag<'_>,
        block: fn(&mut State) -> &mut Open,
    ) -> Result<&'a mut Open, Fault>
    where
        Id: Clone + Eq + std::hash::Hash + AsRef<str>,
        State: Default,
    {
        let Some(entity) = entities.find(id) else { return Err(self.is_unknown(id.as_ref(), tag)) };
        let open = block(&mut entity.state);
        if !open.0 {
            return Err(self.is_closed(id.as_ref(), tag));
        }
        check_owner(self.name, id.as_ref(), &entity.owner, tag)?;
        Ok(open)
    }

    /// Opens a block. An id that was used before keeps its owner.
    fn start<Id, State>(
        self,
        entities: &mut Entities<Id, State>,
        id: &Id,
        tag: Tag<'_>,
        block: fn(&mut State) -> &mut Open,
    ) -> Result<(), Fault>
    where
        Id: Clone + Eq + std::hash::Hash + AsRef<str>,
        State: Default,
    {
        let Entity { owner, state, .. } = entities.find_or_add(id, tag);
        let open = block(state);
        if open.0 {
            return Err(self.is_open(id.as_ref(), tag));
        }
        check_owner(self.name, id.as_ref(), owner, tag)?;
        open.0 = true;
        Ok(())
    }
}

fn whole(open: &mut Open) -> &mut Open {
    open
}

fn span(reasoning: &mut Reasoning) -> &mut Open {
    &mut reasoning.span
}

fn message(reasoning: &mut Reasoning) -> &mut Open {
    &mut reasoning.message
}

impl Run {
    #[inline]
    pub(super) fn in_message(&mut self, id: &MessageId, tag: Tag<'_>) -> Result<&mut Open, Fault> {
        MESSAGE.inside(&mut self.messages, id, tag, whole)
    }

    #[inline]
    pub(super) fn in_call(&mut self, id: &ToolCallId, tag: Tag<'_>) -> Result<&mut Open, Fault> {
        CALL.inside(&mut self.calls, id, tag, whole)
    }

    pub(super) fn in_span(&mut self, id: &MessageId, tag: Tag<'_>) -> Result<&mut Open, Fault> {
        SPAN.inside(&mut self.reasonings, id, tag, span)
    }

    #[inline]
    pub(super) fn in_reasoning(
        &mut self,
        id: &MessageId,
        tag: Tag<'_>,
    ) -> Result<&mut Open, Fault> {
        REASONING.inside(&mut self.reasonings, id, tag, message)
    }

    pub(super) fn start_message(&mut self, id: &MessageId, tag: Tag<'_>) -> Result<(), Fault> {
        MESSAGE.start(&mut self.messages, id, tag, whole)
    }

    pub(super) fn start_span(&mut self, id: &MessageId, tag: Tag<'_>) -> Result<(), Fault> {
        SPAN.start(&mut self.reasonings, id, tag, span)
    }

    pub(super) fn start_reasoning(&mut self, id: &MessageId, tag: Tag<'_>) -> Result<(), Fault> {
        REASONING.start(&mut self.reasonings, id, tag, message)
    }

    /// A call without a tag belongs to whoever its message belongs to.
    pub(super) fn start_call(
        &mut self,
        id: &ToolCallId,
        parent: Option<&MessageId>,
        tag: Tag<'_>,
    ) -> Result<(), Fault> {
        let known = self.calls.get(id);
        if known.is_some_and(|call| call.state.0) {
            return Err(CALL.is_open(id.as_str(), tag));
        }
        let Some(message) = parent.and_then(|parent| self.messages.get(parent)) else {
            return CALL.start(&mut self.calls, id, tag, whole);
        };
        check_owner(MESSAGE.name, message.id.as_str(), &message.owner, tag)?;
        let inherited = message.owner.as_ref();
        if let Some(call) = known
            && call.owner.as_ref() != inherited
        {
            let advice = format!(
                "tool call `{id}` belongs to {}, its message `{}` to {}; use another id",
                Whose(call.owner.as_ref()),
                message.id,
                Whose(inherited)
            );
            return Err(Fault::new(Rule::OwnerMismatch, advice).of(id).by(tag));
        }
        CALL.start(&mut self.calls, id, inherited, whole)
    }

    /// A result that comes before the end of the arguments answers what was not asked yet.
    pub(super) fn check_result(&mut self, id: &ToolCallId) -> Result<(), Fault> {
        if self.calls.get(id).is_none_or(|call| !call.state.0) {
            return Ok(());
        }
        let advice = format!("the arguments of tool call `{id}` go on; emit TOOL_CALL_END first");
        Err(Fault::new(Rule::OutOfOrder, advice).of(id))
    }

    pub(super) fn start_step(&mut self, name: &str, tag: Tag<'_>) -> Result<(), Fault> {
        let owners = self.steps.get_mut(name);
        if owners.as_ref().is_some_and(|owners| owners.iter().any(|owner| owner.as_ref() == tag)) {
            let advice = format!("step `{name}` of {} is open; finish it first", Whose(tag));
            return Err(Fault::new(Rule::DuplicateStart, advice).of(name).by(tag));
        }
        match owners {
            Some(owners) => owners.push(tag.cloned()),
            None => drop(self.steps.insert(name.to_owned(), vec![tag.cloned()])),
        }
        Ok(())
    }

    /// Steps are exact: a finish without a tag is the agent's own.
    pub(super) fn finish_step(&mut self, name: &str, tag: Tag<'_>) -> Result<(), Fault> {
        let Some(owners) = self.steps.get_mut(name) else {
            let advice = format!("step `{name}` is not open; emit STEP_STARTED first");
            return Err(Fault::new(Rule::NotOpen, advice).of(name).by(tag));
        };
        let Some(place) = owners.iter().position(|owner| owner.as_ref() == tag) else {
            let open = owners.first().and_then(Option::as_ref);
            let advice = format!(
                "step `{name}` is open for {}, not for {}; finish it with the subagentRunId that \
                 it was started with",
                Whose(open),
                Whose(tag)
            );
            return Err(Fault::new(Rule::OwnerMismatch, advice).of(name).by(tag));
        };
        owners.remove(place);
        if owners.is_empty() {
            self.steps.remove(name);
        }
        Ok(())
    }

    pub(super) fn start_subagent(&mut self, event: &SubagentStartedEvent) -> Result<(), Fault> {
        let id = &event.subagent_run_id;
        match self.subagents.get(id) {
            Some(Open(true)) => {
                let advice = format!("subagent `{id}` is at work; give each run an id of its own");
                return Err(Fault::new(Rule::DuplicateStart, advice).of(id).by(Some(id)));
            }
            Some(Open(false)) => {
                let advice = format!("subagent `{id}` has ended; give each run an id of its own");
                return Err(Fault::new(Rule::SubagentReused, advice).of(id).by(Some(id)));
            }
            None => {}
        }
        if let Some(parent) = &event.parent_subagent_run_id
            && !self.subagents.contains_key(parent)
        {
            let advice = format!("no subagent `{parent}` was started; emit its start first");
            return Err(Fault::new(Rule::UnknownParent, advice).of(parent).by(Some(id)));
        }
        self.subagents.insert(id.clone(), Open(true));
        Ok(())
    }

    pub(super) fn end_subagent(&mut self, id: &SubagentRunId) -> Result<(), Fault> {
        match self.subagents.get_mut(id) {
            Some(open) if open.0 => {
                open.0 = false;
                Ok(())
            }
            Some(_) => {
                let advice = format!("subagent `{id}` has ended; it ends once");
                Err(Fault::new(Rule::NotOpen, advice).of(id).by(Some(id)))
            }
            None => {
                let advice = format!("no subagent `{id}` was started; emit SUBAGENT_STARTED first");
                Err(Fault::new(Rule::UnknownId, advice).of(id).by(Some(id)))
            }
        }
    }

    /// All that is open, by kind, in the order in which the end of a run asks for it.
    pub(super) fn open(&self) -> impl Iterator<Item = (&'static str, String)> {
        let steps = self.steps.iter().flat_map(|(name, owners)| {
            owners.iter().map(move |owner| format!("`{name}` of {}", Whose(owner.as_ref())))
        });
        let mut subagents: Vec<_> = self.subagents.iter().filter(|(_, open)| open.0).collect();
        subagents.sort_unstable_by_key(|(id, _)| *id);
        let kinds = [
            ("step", list(steps)),
            ("message", list(ids(&self.messages, |open| open.0))),
            ("reasoning message", list(ids(&self.reasonings, |open| open.message.0))),
            ("reasoning", list(ids(&self.reasonings, |open| open.span.0))),
            ("tool call", list(ids(&self.calls, |open| open.0))),
            ("subagent", list(subagents.into_iter().map(|(id, _)| format!("`{id}`")))),
        ];
        kinds.into_iter().filter(|(_, ids)| !ids.is_empty())
    }

    pub(super) fn open_at_finish(&self) -> Option<String> {
        self.open().next().map(|(kind, ids)| format!("{kind} {ids} is"))
    }
}

fn ids<Id: Clone + Eq + std::hash::Hash + std::fmt::Display, State: Default>(
    entities: &Entities<Id, State>,
    is_open: fn(&State) -> bool,
) -> impl Iterator<Item = String> {
    let open = entities.iter().filter(move |entity| is_open(&entity.state));
    open.map(|entity| format!("`{}`", entity.id))
}

/// Ids that are listed before it is only said how many more there are.
const LISTED: usize = 5;

fn list(mut names: impl Iterator<Item = String>) -> String {
    let listed: Vec<String> = names.by_ref().take(LISTED).collect();
    match names.count() {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

/// Blocks that chunks opened.
impl EventVerifier {
    pub(super) fn start_item(&mut self, item: &Item, chunk: &Chunk<'_>) -> Result<(), Fault> {
        match item {
            Item::Text(id) => self.run.start_message(id, chunk.tag()),
            Item::Call(id) => self.run.start_call(id, chunk.parent(), chunk.tag()),
            Item::Reasoning(id) => self.run.start_reasoning(id, chunk.tag()),
        }
    }

    pub(super) fn check_item(&mut self, item: &Item, tag: Tag<'_>) -> Result<(), Fault> {
        match item {
            Item::Text(id) => self.run.in_message(id, tag).map(drop),
            Item::Call(id) => self.run.in_call(id, tag).map(drop),
            Item::Reasoning(id) => self.run.in_reasoning(id, tag).map(drop),
        }
    }

    pub(super) fn set_open(&mut self, item: &Item, open: bool) {
        let block = match item {
            Item::Text(id) => self.run.messages.find(id).map(|entity| &mut entity.state),
            Item::Call(id) => self.run.calls.find(id).map(|entity| &mut entity.state),
            Item::Reasoning(id) => {
                self.run.reasonings.find(id).map(|entity| &mut entity.state.message)
            }
        };
        if let Some(block) = block {
            block.0 = open;
        }
    }
}

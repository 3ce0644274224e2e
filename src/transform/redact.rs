//! Texts that must not reach the reader.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use super::unchunked::Unchunked;
use super::{BoxError, Output, Result, StreamTransformer};
use crate::decode::decode;
use crate::encode::to_json;
use crate::{Event, EventType, MessageId, SubagentRunId, ToolCallId};

/// What stands in place of a secret unless something else is set.
pub const DEFAULT_REPLACEMENT: &str = "[redacted]";

/// Replaces secrets wherever they occur in the stream, also across pieces of a streamed text.
///
/// The end of a piece that may be the beginning of a secret is held back until the next piece, or
/// the end of its block, decides. Everything in an event is searched: texts, arguments, states,
/// results, error messages, raw events, ids. Chunks are [expanded](super::ExpandChunks).
///
/// Secrets are compared byte by byte, as they are and as they stand in JSON text. A secret in
/// another form, such as base64, is not found.
///
/// ```
/// use ag_ui::transform::Redact;
///
/// let redact = Redact::new(["hunter2", "sk-0123456789"]).with_replacement("***");
/// ```
pub struct Redact {
    /// Longest first, so that of two that begin at one place the longer is replaced.
    secrets: Vec<String>,
    replacement: String,
    held: BTreeMap<Block, Held>,
    chunks: Unchunked,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Block {
    Text(MessageId),
    Arguments(ToolCallId),
    Reasoning(MessageId),
}

#[derive(Debug)]
struct Held {
    text: String,
    owner: Option<SubagentRunId>,
}

impl Redact {
    /// Replaces those secrets. Empty ones are ignored.
    pub fn new<T: AsRef<str>>(secrets: impl IntoIterator<Item = T>) -> Self {
        let mut secrets: Vec<String> =
            secrets.into_iter().flat_map(|secret| forms(secret.as_ref())).collect();
        secrets.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        secrets.dedup();
        let replacement = DEFAULT_REPLACEMENT.to_owned();
        Self { secrets, replacement, held: BTreeMap::new(), chunks: Unchunked::default() }
    }

    /// Sets what stands in place of a secret. By default [`DEFAULT_REPLACEMENT`].
    #[must_use]
    pub fn with_replacement(mut self, replacement: impl Into<String>) -> Self {
        self.replacement = replacement.into();
        self
    }

    fn redact(&mut self, mut event: Event, output: &mut Output<'_>) -> Result {
        let delta = streamed(&mut event).map(|(_, delta)| std::mem::take(delta));
        let mut event = self.whole(event)?;
        match (delta, ended(&event)) {
            (Some(delta), _) => {
                let bare = event.metadata().is_none() && event.raw_event().is_none();
                let owner = event.subagent_run_id().cloned();
                let Some((block, slot)) = streamed(&mut event) else { return Ok(()) };
                *slot = self.piece(block, &delta, owner);
                if bare && slot.is_empty() {
                    return Ok(());
                }
            }
            (None, Some(block)) => self.release(&block, output),
            (None, None) => {}
        }
        output.push(event);
        Ok(())
    }

    /// Takes a piece of streamed text and gives back what is certain of it.
    fn piece(&mut self, block: Block, piece: &str, owner: Option<SubagentRunId>) -> String {
        let mut text = self.held.remove(&block).map_or_else(String::new, |held| held.text);
        text.push_str(piece);
        let (mut passed, rest) = self.replaced(&text, |rest| self.decided(rest));
        let (certain, undecided) = rest.split_at(self.decided(rest));
        passed.push_str(certain);
        if !undecided.is_empty() {
            self.held.insert(block, Held { text: undecided.to_owned(), owner });
        }
        passed
    }

    /// Puts out what was held back, for nothing more comes that could complete a secret.
    fn release(&mut self, block: &Block, output: &mut Output<'_>) {
        if let Some(held) = self.held.remove(block) {
            output.push(block.content(self.text(&held.text), held.owner));
        }
    }

    /// The text up to the last secret in it, replaced, and what follows that secret. Stops at a
    /// secret that is not before what is undecided.
    fn replaced<'a>(
        &self,
        mut text: &'a str,
        decided: impl Fn(&str) -> usize,
    ) -> (String, &'a str) {
        let mut replaced = String::new();
        while let Some((start, length)) = self.find(text)
            && start < decided(text)
        {
            replaced.push_str(&text[..start]);
            replaced.push_str(&self.replacement);
            text = &text[start + length..];
        }
        (replaced, text)
    }

    /// Whether a longer secret begins with all of that text.
    fn may_go_on(&self, text: &str) -> bool {
        self.secrets.iter().any(|secret| secret.len() > text.len() && secret.starts_with(text))
    }

    fn find(&self, text: &str) -> Option<(usize, usize)> {
        let found =
            self.secrets.iter().filter_map(|secret| Some((text.find(secret)?, secret.len())));
        found.min_by_key(|(start, length)| (*start, usize::MAX - length))
    }

    /// Bytes of a text that what follows cannot make the beginning of a secret.
    fn decided(&self, text: &str) -> usize {
        let longest = self.secrets.first().map_or(0, |secret| secret.len() - 1);
        let from = text.len().saturating_sub(longest);
        let mut starts = text.char_indices().map(|(start, _)| start).filter(|start| *start >= from);
        let begins = starts.find(|start| self.may_go_on(&text[*start..]));
        begins.unwrap_or(text.len())
    }

    /// Replaces within an event that is whole. Most have nothing to replace and pass as they are.
    fn whole(&self, event: Event) -> Result<Event> {
        let json = to_json(&event);
        if self.find(&json).is_none() {
            return Ok(event);
        }
        let unreadable = |_| BoxError::from(unreadable(event.event_type()));
        let mut value: Value = serde_json::from_str(&json)?;
        self.within(&mut value);
        decode(&value.to_string()).map_err(unreadable)
    }

    fn within(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.within(item)),
            Value::Object(fields) => {
                fields.values_mut().for_each(|value| self.within(value));
                if fields.keys().any(|key| self.find(key).is_some()) {
                    let renamed = std::mem::take(fields).into_iter();
                    *fields =
                        renamed.map(|(key, value)| (self.text(&key), value)).collect::<Map<_, _>>();
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&self, text: &str) -> String {
        let (mut replaced, rest) = self.replaced(text, str::len);
        replaced.push_str(rest);
        replaced
    }
}

impl StreamTransformer for Redact {
    fn transform(&mut self, event: Event, output: &mut Output<'_>) -> Result {
        let mut chunks = std::mem::take(&mut self.chunks);
        let mut redacted = Ok(());
        let expanded = chunks.each(event, |event| {
            if redacted.is_ok() {
                redacted = self.redact(event, output);
            }
        });
        self.chunks = chunks;
        expanded.and(redacted)
    }

    fn finish(&mut self, output: &mut Output<'_>) -> Result {
        let blocks: Vec<_> = self.held.keys().cloned().collect();
        blocks.iter().for_each(|block| self.release(block, output));
        Ok(())
    }
}

impl fmt::Debug for Redact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the secrets.
        formatter.debug_struct("Redact").finish_non_exhaustive()
    }
}

/// A secret as it is and as it stands in JSON text.
fn forms(secret: &str) -> impl Iterator<Item = String> + use<> {
    let quoted = Value::from(secret).to_string();
    let escaped = quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned();
    [secret.to_owned(), escaped].into_iter().filter(|form| !form.is_empty())
}

fn unreadable(event_type: EventType) -> String {
    format!("{event_type} is none any more without its secrets; a secret is a word of the protocol")
}

fn streamed(event: &mut Event) -> Option<(Block, &mut String)> {
    match event {
        Event::TextMessageContent(event) => {
            Some((Block::Text(event.message_id.clone()), &mut event.delta))
        }
        Event::ToolCallArgs(event) => {
            Some((Block::Arguments(event.tool_call_id.clone()), &mut event.delta))
        }
        Event::ReasoningMessageContent(event) => {
            Some((Block::Reasoning(event.message_id.clone()), &mut event.delta))
        }
        _ => None,
    }
}

fn ended(event: &Event) -> Option<Block> {
    match event {
        Event::TextMessageEnd(event) => Some(Block::Text(event.message_id.clone())),
        Event::ToolCallEnd(event) => Some(Block::Arguments(event.tool_call_id.clone())),
        Event::ReasoningMessageEnd(event) => Some(Block::Reasoning(event.message_id.clone())),
        _ => None,
    }
}

impl Block {
    fn content(&self, text: String, owner: Option<SubagentRunId>) -> Event {
        let mut event = match self {
            Self::Text(id) => Event::text_message_content(id, text),
            Self::Arguments(id) => Event::tool_call_args(id, text),
            Self::Reasoning(id) => Event::reasoning_message_content(id, text),
        };
        if let Some(owner) = owner {
            event.set_subagent_run_id(owner);
        }
        event
    }
}

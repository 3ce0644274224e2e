//! Tool calls that the reader does not see.

use std::collections::BTreeSet;

use super::unchunked::Unchunked;
use super::{Output, Result, StreamTransformer};
use crate::{Event, ReasoningEncryptedValueSubtype, RunOutcome, ToolCallId};

/// Drops whole tool calls by the name of the tool: start, arguments, end, result, encrypted values,
/// and the mention among the pending calls of the outcome.
///
/// Chunks are [expanded](super::ExpandChunks). Conversations in `MESSAGES_SNAPSHOT` stay as they
/// are: what the agent puts there on purpose is not filtered.
///
/// ```
/// use ag_ui::transform::FilterToolCalls;
///
/// let hide_internal = FilterToolCalls::block(["vector_search", "sql"]);
/// let only_widgets = FilterToolCalls::allow(["render_chart"]);
/// ```
#[derive(Debug)]
pub struct FilterToolCalls {
    names: BTreeSet<String>,
    allow: bool,
    dropped: BTreeSet<ToolCallId>,
    chunks: Unchunked,
}

impl FilterToolCalls {
    /// Lets calls of those tools through and drops all others.
    pub fn allow<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::new(names, true)
    }

    /// Drops calls of those tools and lets all others through.
    pub fn block<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::new(names, false)
    }

    fn new<N: Into<String>>(names: impl IntoIterator<Item = N>, allow: bool) -> Self {
        Self {
            names: names.into_iter().map(Into::into).collect(),
            allow,
            dropped: BTreeSet::new(),
            chunks: Unchunked::default(),
        }
    }
}

fn is_dropped(
    event: &mut Event,
    dropped: &mut BTreeSet<ToolCallId>,
    allowed: impl Fn(&str) -> bool,
) -> bool {
    match event {
        Event::ToolCallStart(start) if allowed(&start.tool_call_name) => {
            dropped.remove(&start.tool_call_id);
            false
        }
        Event::ToolCallStart(start) => {
            dropped.insert(start.tool_call_id.clone());
            true
        }
        Event::ToolCallArgs(event) => dropped.contains(&event.tool_call_id),
        Event::ToolCallEnd(event) => dropped.contains(&event.tool_call_id),
        Event::ToolCallResult(event) => dropped.contains(&event.tool_call_id),
        Event::ReasoningEncryptedValue(event) => {
            event.subtype == ReasoningEncryptedValueSubtype::ToolCall
                && dropped.contains(event.entity_id.as_str())
        }
        Event::RunFinished(finished) => {
            if let Some(RunOutcome::Success(success)) = &mut finished.outcome
                && let Some(pending) = &mut success.pending_tool_call_ids
            {
                pending.retain(|id| !dropped.contains(id));
            }
            false
        }
        _ => false,
    }
}

impl StreamTransformer for FilterToolCalls {
    fn transform(&mut self, event: Event, output: &mut Output<'_>) -> Result {
        let Self { names, allow, dropped, chunks } = self;
        chunks.each(event, |mut event| {
            if !is_dropped(&mut event, dropped, |name| names.contains(name) == *allow) {
                output.push(event);
            }
        })
    }
}

//! Tools under other names.

use std::collections::BTreeMap;

use super::{Output, Result, StreamTransformer};
use crate::{Event, Message};

/// Shows tools under other names than the agent's: in calls, in chunks, and in the conversations of
/// `MESSAGES_SNAPSHOT`.
///
/// ```
/// use ag_ui::transform::RenameTools;
///
/// let rename = RenameTools::new([("tavily_search_v2", "search")]);
/// ```
#[derive(Debug, Clone)]
pub struct RenameTools {
    names: BTreeMap<String, String>,
}

impl RenameTools {
    /// Replaces the first name of each pair by the second.
    pub fn new<A: Into<String>, B: Into<String>>(names: impl IntoIterator<Item = (A, B)>) -> Self {
        let names = names.into_iter().map(|(from, to)| (from.into(), to.into())).collect();
        Self { names }
    }

    fn rename(&self, name: &mut String) {
        if let Some(shown) = self.names.get(name) {
            name.clone_from(shown);
        }
    }
}

impl StreamTransformer for RenameTools {
    fn transform(&mut self, mut event: Event, output: &mut Output<'_>) -> Result {
        match &mut event {
            Event::ToolCallStart(start) => self.rename(&mut start.tool_call_name),
            Event::ToolCallChunk(chunk) => {
                chunk.tool_call_name.iter_mut().for_each(|name| self.rename(name));
            }
            Event::MessagesSnapshot(snapshot) => {
                for message in &mut snapshot.messages {
                    if let Message::Assistant(message) = message {
                        let calls = message.tool_calls.iter_mut().flatten();
                        calls.for_each(|call| self.rename(&mut call.function.name));
                    }
                }
            }
            _ => {}
        }
        output.push(event);
        Ok(())
    }
}

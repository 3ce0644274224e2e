//! Retired events read as what replaced them.
//!
//! One removable module: when the protocol ends its tolerance for these events, it goes.

#![expect(deprecated, reason = "it reads the retired events")]

use super::Warning;
use crate::{
    Event, MessageId, ReasoningEndEvent, ReasoningMessageContentEvent, ReasoningMessageEndEvent,
    ReasoningMessageStartEvent, ReasoningStartEvent,
};

/// The compatibility boundary of a stream: turns `THINKING_*` events into `REASONING_*` events.
///
/// The retired events have no ids, so it makes some up. What decoding itself reads of older peers,
/// such as nulls for absence and `binary` parts, does not come here.
///
/// ```
/// use ag_ui::client::RetiredEvents;
/// use ag_ui::{Event, EventType, decode};
///
/// let mut retired = RetiredEvents::new("r-1");
/// let event: Event = decode::decode(r#"{"type":"THINKING_START","title":"Hm"}"#)?;
/// let (event, warning) = retired.translate(event, 0);
/// assert_eq!(event.event_type(), EventType::ReasoningStart);
/// assert!(warning.unwrap().to_string().contains("THINKING_START"));
/// # Ok::<(), ag_ui::DecodeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct RetiredEvents {
    prefix: String,
    made: u64,
    span: Option<MessageId>,
    message: Option<MessageId>,
}

impl RetiredEvents {
    /// A boundary whose ids begin with that, which should be an id of the run.
    #[must_use]
    pub fn new(prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), made: 0, span: None, message: None }
    }

    /// The event as the current protocol has it, and what is to be said about that.
    pub fn translate(&mut self, event: Event, event_index: u64) -> (Event, Option<Warning>) {
        if !is_retired(&event) {
            return (event, None);
        }
        let from = event.event_type();
        let mut lost = None;
        let metadata = event.metadata().cloned();
        let raw_event = event.raw_event().cloned();
        let timestamp = event.timestamp();
        let mut translated: Event = match event {
            Event::ThinkingStart(event) => {
                lost = event.title.map(|_| "title");
                let id = self.make_id();
                self.span = Some(id.clone());
                ReasoningStartEvent::new(id).into()
            }
            Event::ThinkingTextMessageStart(_) => {
                let id = self.make_id();
                self.message = Some(id.clone());
                ReasoningMessageStartEvent::new(id).into()
            }
            Event::ThinkingTextMessageContent(event) => {
                let id = self.message.clone().unwrap_or_else(|| self.make_id());
                ReasoningMessageContentEvent::new(id, event.delta).into()
            }
            Event::ThinkingTextMessageEnd(_) => {
                let id = self.message.take().unwrap_or_else(|| self.make_id());
                ReasoningMessageEndEvent::new(id).into()
            }
            Event::ThinkingEnd(_) => {
                let id = self.span.take().unwrap_or_else(|| self.make_id());
                ReasoningEndEvent::new(id).into()
            }
            current => return (current, None),
        };
        if let Some(metadata) = metadata {
            translated.set_metadata(metadata);
        }
        if let Some(raw_event) = raw_event {
            translated.set_raw_event(raw_event);
        }
        if let Some(timestamp) = timestamp {
            translated.set_timestamp(timestamp);
        }
        let to = translated.event_type();
        (translated, Some(Warning::Retired { event_index, from, to, lost }))
    }

    fn make_id(&mut self) -> MessageId {
        self.made += 1;
        MessageId::new(format!("{}-thinking-{}", self.prefix, self.made))
    }
}

fn is_retired(event: &Event) -> bool {
    matches!(
        event,
        Event::ThinkingStart(_)
            | Event::ThinkingEnd(_)
            | Event::ThinkingTextMessageStart(_)
            | Event::ThinkingTextMessageContent(_)
            | Event::ThinkingTextMessageEnd(_)
    )
}

//! Activities: progress that is shown and never goes back to the model.

use serde_core::Serialize;
use serde_json::{Map, Value};

use super::error::{Error, Result};
use super::sink::Sink;
use super::state_manager::StateManager;
use crate::patch::JsonPatch;
use crate::{ActivitySnapshotEvent, Event, MessageId};

/// An activity message that was shown, to be kept up to date.
///
/// It has no end and borrows nothing: it may be updated while something else is open, and from
/// another task. What it emits belongs to the subagent it was made by.
///
/// ```
/// # use ag_ui::{RunAgentInput, server::{Result, RunContext}};
/// # use serde_json::json;
/// fn plan(context: &mut RunContext<()>) -> Result<()> {
///     let steps = ["boil the water", "warm the pot", "pour"];
///     let mut plan = context.activity("PLAN", &json!({ "steps": steps, "done": 0 }))?;
///     let mut message = context.assistant_message()?;
///     message.delta("The water boils.")?;
///     plan.update(&json!({ "steps": steps, "done": 1 }))?;
///     Ok(())
/// }
/// # let (mut context, events) = RunContext::new(RunAgentInput::new("t", "r", vec![]))?;
/// # plan(&mut context)?;
/// # let types: Vec<_> = events.drain().iter().map(|event| event.event_type()).collect();
/// # assert_eq!(types[3], ag_ui::EventType::ActivityDelta);
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
#[derive(Debug)]
pub struct Activity {
    sink: Sink,
    id: MessageId,
    activity_type: String,
    content: StateManager,
}

impl Activity {
    pub(super) fn show(
        sink: &Sink,
        id: MessageId,
        activity_type: String,
        content: &(impl Serialize + ?Sized),
    ) -> Result<Self> {
        let content_manager = StateManager::new();
        let mut activity = Self { sink: sink.clone(), id, activity_type, content: content_manager };
        activity.update(content)?;
        Ok(activity)
    }

    /// Id of its message.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }

    /// Type of the activity, by which the interface chooses how to show it.
    #[must_use]
    pub fn activity_type(&self) -> &str {
        &self.activity_type
    }

    /// Shows that content from now on: as a patch, or in full when that is shorter. The same
    /// content emits nothing.
    ///
    /// # Errors
    /// [`Error::ActivityContent`], and the content stays as it was; when the content has no JSON
    /// form; else as with all emitters, see [`RunContext`](super::RunContext#errors).
    pub fn update(&mut self, content: &(impl Serialize + ?Sized)) -> Result<()> {
        match self.content.publish(content)? {
            None => self.sink.check(),
            Some(Event::StateDelta(event)) => self.emit_delta(event.delta),
            Some(Event::StateSnapshot(event)) => match event.snapshot {
                Value::Object(content) => self.emit_snapshot(content),
                _ => Err(self.not_an_object()),
            },
            Some(other) => self.sink.emit(other),
        }
    }

    /// Applies a patch of the caller's. The next [`update`](Self::update) sends its content in
    /// full.
    ///
    /// # Errors
    /// As with all emitters. That the patch applies is not checked.
    pub fn delta(&mut self, patch: JsonPatch) -> Result<()> {
        self.content.reset();
        self.emit_delta(patch)
    }

    fn emit_delta(&self, patch: JsonPatch) -> Result<()> {
        self.sink.emit(Event::activity_delta(&self.id, &self.activity_type, patch))
    }

    fn emit_snapshot(&self, content: Map<String, Value>) -> Result<()> {
        self.sink.emit(ActivitySnapshotEvent::new(&self.id, &self.activity_type, content))
    }

    fn not_an_object(&mut self) -> Error {
        self.content.reset();
        Error::ActivityContent { activity_type: self.activity_type.clone() }
    }
}

//! Activities: structured progress that is shown and never sent back.

use serde_json::Value;

use super::{Conversation, merge};
use crate::client::Warning;
use crate::client::update::{ActivityChange, ActivityUpdate, Update};
use crate::patch::{JsonPatchOperation, apply_within};
use crate::{
    ActivityDeltaEvent, ActivityMessage, ActivitySnapshotEvent, EventType, Message, MessageId,
    Metadata, SubagentRunId,
};

impl Conversation {
    pub(super) fn activity_snapshot(
        &mut self,
        event: ActivitySnapshotEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let replaces = event.replace_or_default();
        let ActivitySnapshotEvent {
            message_id: id,
            activity_type,
            content,
            subagent_run_id,
            metadata,
            ..
        } = event;
        match self.messages.get_mut(&id) {
            Some(Message::Activity(activity)) => {
                merge(&mut activity.metadata, metadata);
                if !replaces {
                    return;
                }
                activity.content = content;
                activity.activity_type = activity_type;
                activity.subagent_run_id.clone_from(&subagent_run_id);
            }
            Some(_) if !replaces => return,
            held => {
                let is_new = held.is_none();
                let mut activity = ActivityMessage::new(&id, activity_type, content);
                activity.subagent_run_id.clone_from(&subagent_run_id);
                activity.metadata = metadata;
                if is_new {
                    self.messages.push(activity.into());
                } else {
                    self.messages.replace(activity.into());
                }
            }
        }
        put_out(update(id, subagent_run_id, ActivityChange::Replaced));
    }

    pub(super) fn activity_delta(
        &mut self,
        event: ActivityDeltaEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let ActivityDeltaEvent { message_id: id, activity_type, patch, subagent_run_id, .. } =
            event;
        let activity = match self.messages.get_mut(&id) {
            Some(Message::Activity(activity)) => activity,
            Some(_) => return put_out(no_activity(&id, "which is no activity")),
            None => return put_out(no_activity(&id, "an activity that is not there")),
        };
        merge(&mut activity.metadata, event.metadata);
        // A patch that puts something else in place of all of it is rare: the copy is for that.
        let whole = patch.iter().any(replaces_all).then(|| activity.content.clone());
        let mut content = Value::Object(std::mem::take(&mut activity.content));
        let applied = apply_within(&mut content, &patch, &mut self.copied_in_activities);
        match (applied, content) {
            (Ok(()), Value::Object(content)) => {
                activity.content = content;
                activity.activity_type = activity_type;
                put_out(update(id, subagent_run_id, ActivityChange::Patched(patch)));
            }
            (Err(error), Value::Object(content)) => {
                activity.content = content;
                let message_id = id;
                put_out(Update::Warning(Warning::ActivityPatch { message_id, error }));
            }
            (_, _) => {
                activity.content = whole.unwrap_or_default();
                put_out(Update::Warning(Warning::ActivityContent { message_id: id }));
            }
        }
    }
}

fn update(
    message_id: MessageId,
    subagent_run_id: Option<SubagentRunId>,
    change: ActivityChange,
) -> Update {
    Update::Activity(ActivityUpdate { message_id, subagent_run_id, change })
}

fn replaces_all(operation: &JsonPatchOperation) -> bool {
    let path = match operation {
        JsonPatchOperation::Add(operation) => &operation.path,
        JsonPatchOperation::Remove(operation) => &operation.path,
        JsonPatchOperation::Replace(operation) => &operation.path,
        JsonPatchOperation::Move(operation) => &operation.path,
        JsonPatchOperation::Copy(operation) => &operation.path,
        JsonPatchOperation::Test(_) => return false,
    };
    path.as_str().is_empty()
}

fn no_activity(id: &MessageId, problem: &'static str) -> Update {
    let event_type = EventType::ActivityDelta;
    Update::Warning(Warning::NoTarget { event_type, id: id.to_string(), problem })
}

/// Which activities a snapshot of the messages speaks for, and so removes by leaving them out.
pub(super) enum Authority<'a> {
    All,
    None,
    Types(Vec<&'a str>),
}

impl<'a> Authority<'a> {
    /// As the snapshot declares it. Without a declaration it speaks for all activities when it
    /// has any.
    pub(super) fn of(metadata: Option<&'a Metadata>, has_activities: bool) -> Self {
        let declared = metadata.and_then(|metadata| metadata.get("@ag-ui/client"));
        let Some(container) = declared else {
            return if has_activities { Self::All } else { Self::None };
        };
        let Value::Object(container) = container else { return Self::None };
        match container.get("authoritativeActivityTypes") {
            None if has_activities => Self::All,
            Some(Value::Null) => Self::All,
            Some(Value::Array(types)) => {
                let names: Option<Vec<&str>> = types.iter().map(Value::as_str).collect();
                names.map_or(Self::None, Self::Types)
            }
            _ => Self::None,
        }
    }

    pub(super) fn covers(&self, activity_type: &str) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Types(types) => types.contains(&activity_type),
        }
    }
}

//! Agents that speak an older version of the protocol.

use std::fmt;
use std::str::FromStr;

use super::{Error, Warning};
use crate::{
    Event, Message, MessageContent, PROTOCOL_VERSION, RunAgentInput, RunOutcome, RunStartedEvent,
};

/// The newest version of the protocol's packages that an agent is known to read.
///
/// Nothing is negotiated: whoever configures the client knows its agent. The default is
/// [`PeerVersion::CURRENT`]. A client of an older agent sends what that agent can read, and reads
/// what it sends:
///
/// | up to | not sent | not read |
/// | --- | --- | --- |
/// | `0.0.39` | `parentRunId`; content in parts, of which the text goes as one | |
/// | `0.0.57` | the subagent of a message | the events and names of subagents |
/// | below [`PeerVersion::CURRENT`] | `protocolVersion` | |
///
/// ```
/// use ag_ui::client::PeerVersion;
///
/// let version: PeerVersion = "0.0.39".parse()?;
/// assert!(version < PeerVersion::CURRENT);
/// # Ok::<(), ag_ui::client::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerVersion {
    major: u64,
    minor: u64,
    patch: u64,
}

impl PeerVersion {
    /// The version that this client speaks.
    pub const CURRENT: Self = Self::new(1, 1, 0);

    const CONTENT_IS_TEXT: Self = Self::new(0, 0, 39);
    const WITHOUT_SUBAGENTS: Self = Self::new(0, 0, 57);

    /// The version of those numbers.
    #[must_use]
    pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self { major, minor, patch }
    }
}

impl Default for PeerVersion {
    fn default() -> Self {
        Self::CURRENT
    }
}

impl fmt::Display for PeerVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for PeerVersion {
    type Err = Error;

    /// Reads three numbers with dots between.
    fn from_str(text: &str) -> Result<Self, Error> {
        let numbers: Option<Vec<u64>> = text.split('.').map(number).collect();
        match numbers.as_deref() {
            Some([major, minor, patch]) => Ok(Self::new(*major, *minor, *patch)),
            _ => Err(Error::Config(format!("`{text}` is no version; write it as `0.0.57`"))),
        }
    }
}

fn number(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Makes an input what the agent can read.
///
/// Activities never go to an agent. Whatever else is left out for an older one is reported.
pub fn prepare_input(input: &mut RunAgentInput, peer: PeerVersion) -> Vec<Warning> {
    let mut warnings = Vec::new();
    input.messages.retain(|message| !matches!(message, Message::Activity(_)));
    input.protocol_version = (peer >= PeerVersion::CURRENT).then(|| PROTOCOL_VERSION.to_owned());
    if peer <= PeerVersion::WITHOUT_SUBAGENTS {
        input.messages.iter_mut().for_each(drop_owner);
    }
    if peer <= PeerVersion::CONTENT_IS_TEXT {
        input.parent_run_id = None;
        input.messages.iter_mut().for_each(|message| flatten(message, peer, &mut warnings));
    }
    warnings
}

fn flatten(message: &mut Message, peer: PeerVersion, warnings: &mut Vec<Warning>) {
    let message_id = message.id().clone();
    let content = match message {
        Message::User(message) => &mut message.content,
        Message::Tool(message) => &mut message.content,
        Message::Assistant(message) => {
            message.content.get_or_insert_default();
            return;
        }
        _ => return,
    };
    let MessageContent::Parts(parts) = &*content else { return };
    let media = parts.iter().filter(|part| part.as_text().is_none()).count();
    let text = content.text().into_owned();
    *content = MessageContent::Text(text);
    if media > 0 {
        let lost = format!("{media} parts that are no text");
        warnings.push(Warning::NotForPeer { message_id, lost, peer });
    }
}

fn drop_owner(message: &mut Message) {
    match message {
        Message::Developer(message) => message.subagent_run_id = None,
        Message::System(message) => message.subagent_run_id = None,
        Message::Assistant(message) => message.subagent_run_id = None,
        Message::User(message) => message.subagent_run_id = None,
        Message::Tool(message) => message.subagent_run_id = None,
        Message::Activity(message) => message.subagent_run_id = None,
        Message::Reasoning(message) => message.subagent_run_id = None,
    }
}

/// An event as an agent of that version can have meant it; `None` when it does not have it.
pub(super) fn read_from(mut event: Event, peer: PeerVersion) -> Option<Event> {
    if peer > PeerVersion::WITHOUT_SUBAGENTS {
        return Some(event);
    }
    match &mut event {
        Event::SubagentStarted(_) | Event::SubagentFinished(_) | Event::SubagentError(_) => {
            return None;
        }
        Event::MessagesSnapshot(event) => event.messages.iter_mut().for_each(drop_owner),
        Event::RunStarted(event) => {
            let messages = event.input.as_mut().map(|input| &mut input.messages);
            messages.into_iter().flatten().for_each(drop_owner);
        }
        Event::RunFinished(event) => {
            if let Some(RunOutcome::Interrupt(outcome)) = &mut event.outcome {
                let interrupts = outcome.interrupts.iter_mut();
                interrupts.for_each(|interrupt| interrupt.subagent_run_id = None);
            }
        }
        event => {
            event.clear_subagent_run_id();
        }
    }
    Some(event)
}

/// What is to be said about the version that an agent declares.
pub(super) fn declared_version(event: &RunStartedEvent) -> Option<Warning> {
    let declared = event.protocol_version.clone()?;
    let own = parts(PROTOCOL_VERSION);
    match parts(&declared) {
        None => Some(Warning::UnreadableVersion { declared }),
        version if version > own => Some(Warning::NewerVersion { declared }),
        Some(_) => None,
    }
}

fn parts(version: &str) -> Option<(u64, u64)> {
    let (major, minor) = version.split_once('.')?;
    Some((number(major)?, number(minor)?))
}

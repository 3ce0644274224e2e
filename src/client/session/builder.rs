//! Settings of a session.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::Value;

use super::Session;
use crate::client::error::BoxError;
use crate::client::pipeline::{PipelineSettings, Undescribed, UnknownEvents, Verification};
use crate::client::tools::{MaybeSendFuture, ToolAnswer, ToolInvocation, Tools};
use crate::client::transport::{MaybeSend, Transport};
use crate::client::{Conversation, PeerVersion};
use crate::transform::StreamTransformer;
use crate::{Context, Message, ThreadId, Tool};

/// Settings of a [`Session`], see [`Session::builder`].
///
/// ```
/// use ag_ui::Tool;
/// use ag_ui::client::{ReplayTransport, Session, ToolInvocation, UnknownEvents};
/// use serde_json::json;
///
/// let clock = Tool::new("clock", "Tells the time.", json!({"type": "object"}));
/// let session = Session::builder(ReplayTransport::default(), "t-1")
///     .state(json!({"theme": "dark"}))
///     .unknown_events(UnknownEvents::DropWithWarning)
///     .tool(clock, async |_: ToolInvocation| Ok::<_, std::fmt::Error>("12:00"))
///     .build();
/// assert!(session.messages().is_empty());
/// ```
pub struct SessionBuilder {
    transport: Arc<dyn Transport>,
    thread_id: ThreadId,
    conversation: Conversation,
    settings: PipelineSettings,
    tools: Tools,
    tool_rounds: usize,
    single_run: bool,
    context: Vec<Context>,
    forwarded_props: Option<Value>,
    runs: u64,
    now: Option<fn() -> SystemTime>,
}

/// How often tools run in a row unless [`SessionBuilder::tool_rounds`] says otherwise.
pub const DEFAULT_TOOL_ROUNDS: usize = 16;

impl SessionBuilder {
    pub(super) fn new(transport: Arc<dyn Transport>, thread_id: ThreadId) -> Self {
        Self {
            transport,
            thread_id,
            conversation: Conversation::new(),
            settings: PipelineSettings::new(),
            tools: Tools::default(),
            tool_rounds: DEFAULT_TOOL_ROUNDS,
            single_run: false,
            context: Vec::new(),
            forwarded_props: None,
            runs: 0,
            now: clock(),
        }
    }

    /// Sets what was said so far.
    #[must_use]
    pub fn messages(mut self, messages: impl IntoIterator<Item = Message>) -> Self {
        self.conversation.set_messages(messages);
        self
    }

    /// Sets the state. By default the first run sends an empty object.
    #[must_use]
    pub fn state(mut self, state: Value) -> Self {
        self.conversation.set_state(state);
        self
    }

    /// Offers tools to the agent. Their calls end the run and wait for
    /// [`Session::answer_tool`].
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        tools.into_iter().for_each(|tool| self.tools.offer(tool));
        self
    }

    /// Offers a tool to the agent, and says who runs it.
    ///
    /// When a run ends in calls of such tools, they run, side by side, and the agent goes on with
    /// the answers, all within one [`RunStream`](super::RunStream). An error is an answer too: the
    /// agent is told what went wrong.
    #[must_use]
    pub fn tool<H, F, A, E>(mut self, tool: Tool, handler: H) -> Self
    where
        H: Fn(ToolInvocation) -> F + MaybeSend + 'static,
        F: MaybeSendFuture<Output = Result<A, E>> + 'static,
        A: Into<ToolAnswer>,
        E: Into<BoxError>,
    {
        self.tools.handle(tool, handler);
        self
    }

    /// Sets how often tools run in a row before the calls are left to the caller: an agent may
    /// call them without end. By default [`DEFAULT_TOOL_ROUNDS`].
    #[must_use]
    pub fn tool_rounds(mut self, rounds: usize) -> Self {
        self.tool_rounds = rounds;
        self
    }

    /// Sets that a stream holds one run, and is given up when that has ended: for servers that leave
    /// the connection open. By default a stream is read to its end, for it may hold several runs.
    #[must_use]
    pub fn single_run(mut self, single_run: bool) -> Self {
        self.single_run = single_run;
        self
    }

    /// Sets the context of all runs.
    #[must_use]
    pub fn context(mut self, context: impl IntoIterator<Item = Context>) -> Self {
        self.context = context.into_iter().collect();
        self
    }

    /// Sets what all runs pass on to the agent untouched. By default an empty object.
    #[must_use]
    pub fn forwarded_props(mut self, forwarded_props: Value) -> Self {
        self.forwarded_props = Some(forwarded_props);
        self
    }

    /// Sets what becomes of events of unknown types. By default the run fails.
    #[must_use]
    pub fn unknown_events(mut self, unknown_events: UnknownEvents) -> Self {
        self.settings = self.settings.unknown_events(unknown_events);
        self
    }

    /// Sets what becomes of what the protocol does not describe. By default it is left out with a
    /// warning.
    #[must_use]
    pub fn undescribed(mut self, undescribed: Undescribed) -> Self {
        self.settings = self.settings.undescribed(undescribed);
        self
    }

    /// Sets what becomes of events that are wrong. By default the run fails.
    #[must_use]
    pub fn verification(mut self, verification: Verification) -> Self {
        self.settings = self.settings.verification(verification);
        self
    }

    /// Sets how old the agent is. By default it is current.
    #[must_use]
    pub fn peer(mut self, peer: PeerVersion) -> Self {
        self.settings = self.settings.peer(peer);
        self
    }

    /// Adds a transformer, made anew for each run, behind those that are there.
    #[must_use]
    pub fn transformer<T: StreamTransformer + 'static>(
        mut self,
        make: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        self.settings = self.settings.transformer(make);
        self
    }

    /// Sets how many runs the thread has had, so that the next is named `{thread}-run-{n+1}`: no
    /// two runs of a thread may have the same name. By default none.
    #[must_use]
    pub fn previous_runs(mut self, runs: u64) -> Self {
        self.runs = runs;
        self
    }

    /// Sets the clock by which interrupts expire. By default that of the system; on
    /// `wasm32-unknown-unknown`, which has none, interrupts do not expire.
    #[must_use]
    pub fn clock(mut self, now: fn() -> SystemTime) -> Self {
        self.now = Some(now);
        self
    }

    /// The session. Nothing is sent.
    #[must_use]
    pub fn build(self) -> Session {
        let Self { transport, thread_id, conversation, settings, tools, .. } = self;
        let Self { tool_rounds, single_run, context, forwarded_props, runs, now, .. } = self;
        Session {
            transport,
            thread_id,
            conversation,
            settings,
            tools,
            tool_rounds,
            single_run,
            context,
            forwarded_props,
            runs,
            next_run_id: None,
            messages_made: 0,
            now,
        }
    }
}

impl fmt::Debug for SessionBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SessionBuilder")
            .field("thread_id", &self.thread_id)
            .field("settings", &self.settings)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}

/// Where the system has no clock, asking for the time panics.
fn clock() -> Option<fn() -> SystemTime> {
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        None
    } else {
        Some(SystemTime::now)
    }
}

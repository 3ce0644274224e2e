//! A conversation with an agent, over as many runs as it takes.

mod builder;
mod stream;

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use serde_core::de::DeserializeOwned;
use serde_json::Value;

pub use builder::{DEFAULT_TOOL_ROUNDS, SessionBuilder};
pub use stream::RunStream;

use super::answers::{Answers, check};
use super::pipeline::PipelineSettings;
use super::tools::{ToolAnswer, Tools};
use super::transport::Transport;
use super::{Conversation, Error, Messages, Result};
use crate::{
    Context, Interrupt, Message, MessageContent, MessageId, ResumeEntry, RunAgentInput, RunId,
    ThreadId, TokenUsage, Tool, ToolCall, ToolCallId, ToolMessage, UserMessage,
};

/// A conversation with an agent, over as many runs as it takes.
///
/// A session holds what the runs of a thread come to: messages, state, and what waits for an
/// answer. Each run sends all of it and streams back what changes.
///
/// ```
/// use ag_ui::client::{ReplayTransport, RunEnd, Session, TextChange, Update};
///
/// let agent = ReplayTransport::from_json_lines(
///     r#"
///     {"type":"RUN_STARTED","threadId":"t-1","runId":"t-1-run-1"}
///     {"type":"TEXT_MESSAGE_CHUNK","messageId":"m-1","delta":"Hello!"}
///     {"type":"RUN_FINISHED","threadId":"t-1","runId":"t-1-run-1"}
///     "#,
/// );
/// # futures_executor::block_on(async {
/// let mut session = Session::new(agent, "t-1");
/// let mut run = session.send("Hi");
/// while let Some(update) = run.next().await {
///     match update {
///         Update::Text(text) => {
///             if let TextChange::Delta(delta) = text.change {
///                 print!("{delta}");
///             }
///         }
///         Update::Done(RunEnd::Failed { message, .. }) => eprintln!("{message}"),
///         _ => {}
///     }
/// }
/// drop(run);
/// assert_eq!(session.messages().len(), 2);
/// # });
/// ```
///
/// # When a run does not end well
///
/// What arrived stays, and the session goes on from there. [`Session::pending`] says what waits for
/// an answer; until interrupts are answered, or [given up](Session::drop_interrupts), no run is sent.
pub struct Session {
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
    next_run_id: Option<RunId>,
    messages_made: u64,
    now: Option<fn() -> SystemTime>,
}

/// What waits for an answer of this side.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Pending {
    /// Answer these with [`Session::resume`], all at once, or give them up with
    /// [`Session::drop_interrupts`]. No run is sent before.
    pub interrupts: Vec<Interrupt>,
    /// Answer these with [`Session::answer_tool`], or all with [`Session::decline_tools`]. A run
    /// can be sent before, but most models refuse a conversation in which calls have no answer.
    pub tool_calls: Vec<ToolCall>,
}

impl Pending {
    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.interrupts.is_empty() && self.tool_calls.is_empty()
    }
}

impl Session {
    /// A session with nothing said, with default settings.
    ///
    /// A URL is no transport: over HTTP, use `HttpTransport`.
    ///
    /// ```compile_fail,E0277
    /// ag_ui::client::Session::new("http://localhost:3000/agent", "t-1");
    /// ```
    #[must_use]
    pub fn new(transport: impl Transport + 'static, thread_id: impl Into<ThreadId>) -> Self {
        Self::builder(transport, thread_id).build()
    }

    /// Settings of a session.
    #[must_use]
    pub fn builder(
        transport: impl Transport + 'static,
        thread_id: impl Into<ThreadId>,
    ) -> SessionBuilder {
        SessionBuilder::new(Arc::new(transport), thread_id.into())
    }

    /// The thread.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// The messages.
    #[must_use]
    pub fn messages(&self) -> &Messages {
        self.conversation.messages()
    }

    /// The state as a type of the application's own; absent until there is one.
    ///
    /// It is read anew each time: keep it, and read it again when an
    /// [`Update::State`](super::Update::State) comes.
    ///
    /// # Errors
    /// [`Error::State`] when the state is no `S`; the [raw state](Self::raw_state) is right
    /// nevertheless.
    pub fn state<S: DeserializeOwned>(&self) -> Result<Option<S>> {
        self.conversation.state()
    }

    /// The state as JSON; absent until there is one.
    #[must_use]
    pub fn raw_state(&self) -> Option<&Value> {
        self.conversation.raw_state()
    }

    /// What the last run waits for.
    #[must_use]
    pub fn interrupts(&self) -> &[Interrupt] {
        self.conversation.interrupts()
    }

    /// What waits for an answer of this side, and how to answer it.
    #[must_use]
    pub fn pending(&self) -> Pending {
        Pending {
            interrupts: self.interrupts().to_vec(),
            tool_calls: self.conversation.pending_tool_calls().cloned().collect(),
        }
    }

    /// What the runs have used up so far, added up by provider and model.
    #[must_use]
    pub fn usage(&self) -> &[TokenUsage] {
        self.conversation.usage()
    }

    /// What the runs came to.
    #[must_use]
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// What the runs came to, to be changed between them.
    pub fn conversation_mut(&mut self) -> &mut Conversation {
        &mut self.conversation
    }

    /// Replaces the state that the next run sends.
    pub fn set_state(&mut self, state: Value) {
        self.conversation.set_state(state);
    }

    /// Replaces the tools that the next run offers without running them.
    pub fn set_tools(&mut self, tools: impl IntoIterator<Item = Tool>) {
        self.tools.clear_offers();
        tools.into_iter().for_each(|tool| self.tools.offer(tool));
    }

    /// Replaces the context that the next run sends.
    pub fn set_context(&mut self, context: Vec<Context>) {
        self.context = context;
    }

    /// Replaces what the next run passes on to the agent untouched.
    pub fn set_forwarded_props(&mut self, forwarded_props: Option<Value>) {
        self.forwarded_props = forwarded_props;
    }

    /// Names the next run. By default runs are named `{thread}-run-{n}`.
    pub fn set_next_run_id(&mut self, run_id: impl Into<RunId>) {
        self.next_run_id = Some(run_id.into());
    }

    /// Says something and runs the agent.
    ///
    /// What is said stays in the conversation whatever becomes of the run, unless
    /// [interrupts](Self::interrupts) wait: then nothing is said, and the run fails.
    pub fn send(&mut self, content: impl Into<MessageContent>) -> RunStream<'_> {
        let id = self.make_message_id();
        self.send_message(UserMessage::new(id, content))
    }

    /// Adds a message and runs the agent, as [`Self::send`].
    pub fn send_message(&mut self, message: impl Into<Message>) -> RunStream<'_> {
        if self.interrupts().is_empty() {
            self.conversation.push(message.into());
        }
        self.run()
    }

    /// Runs the agent on the conversation as it is.
    ///
    /// Nothing is sent before the stream is polled. Dropping the stream stops the run.
    pub fn run(&mut self) -> RunStream<'_> {
        self.start(Vec::new())
    }

    /// Answers the interrupts and runs the agent.
    ///
    /// The run fails before anything is sent when the answers are not as the protocol wants them;
    /// the interrupts wait on then. [`Answers`] makes them.
    pub fn resume(&mut self, answers: Vec<ResumeEntry>) -> RunStream<'_> {
        self.start(answers)
    }

    /// Answers to the interrupts that wait, to be filled in.
    #[must_use]
    pub fn answers(&self) -> Answers {
        Answers::to(self.interrupts())
    }

    /// Gives the interrupts up, so that the next run need not answer them. The agent is not told.
    pub fn drop_interrupts(&mut self) -> Vec<Interrupt> {
        self.conversation.drop_interrupts()
    }

    /// Answers a tool call. The agent gets the answer with the next run.
    ///
    /// # Errors
    /// When no call of that id [waits](Self::pending).
    pub fn answer_tool(
        &mut self,
        id: impl Into<ToolCallId>,
        answer: impl Into<ToolAnswer>,
    ) -> Result<MessageId> {
        let id = id.into();
        if !self.conversation.pending_tool_calls().any(|call| call.id == id) {
            return Err(Error::UnknownToolCall { id });
        }
        Ok(self.add_answer(id, answer.into()))
    }

    /// Answers all tool calls that wait with a refusal.
    pub fn decline_tools(&mut self, reason: &str) {
        let calls: Vec<_> =
            self.conversation.pending_tool_calls().map(|call| call.id.clone()).collect();
        for id in calls {
            self.add_answer(id, ToolAnswer::failed(reason));
        }
    }

    fn add_answer(&mut self, id: ToolCallId, answer: ToolAnswer) -> MessageId {
        let message_id = self.make_message_id();
        let mut message = ToolMessage::new(&message_id, answer.content, id);
        message.error = answer.error;
        self.conversation.push(message.into());
        message_id
    }

    fn start(&mut self, answers: Vec<ResumeEntry>) -> RunStream<'_> {
        let now = self.now.map(|now| now());
        match check(self.interrupts(), &answers, now) {
            Ok(()) => RunStream::begin(self, answers),
            Err(error) => RunStream::refused(self, error.into()),
        }
    }

    fn make_message_id(&mut self) -> MessageId {
        loop {
            self.messages_made += 1;
            let id = MessageId::new(format!("{}-message-{}", self.thread_id, self.messages_made));
            if !self.messages().contains(&id) {
                return id;
            }
        }
    }

    fn make_run_id(&mut self) -> RunId {
        self.runs += 1;
        let made = || RunId::new(format!("{}-run-{}", self.thread_id, self.runs));
        self.next_run_id.take().unwrap_or_else(made)
    }

    fn input(&mut self, answers: Vec<ResumeEntry>) -> RunAgentInput {
        let run_id = self.make_run_id();
        let messages = self.messages().iter().cloned().collect();
        let mut input = RunAgentInput::new(&self.thread_id, run_id, messages);
        input.state =
            Some(self.raw_state().cloned().unwrap_or_else(|| Value::Object(Default::default())));
        input.tools = self.tools.offered().to_vec();
        input.context.clone_from(&self.context);
        input.forwarded_props =
            Some(self.forwarded_props.clone().unwrap_or_else(|| Value::Object(Default::default())));
        input.resume = Some(answers).filter(|answers| !answers.is_empty());
        input
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Session")
            .field("thread_id", &self.thread_id)
            .field("conversation", &self.conversation)
            .field("settings", &self.settings)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}

//! Changing a stream of events between who produces it and who reads it.
//!
//! Hosts add transformers with `Runner::transformer`, clients with `SessionBuilder::transformer`,
//! in the order in which they are to work: to log what the reader gets, put [`EventLog`] last; to
//! log what the agent said, put it first. Each belongs to one run.

mod filter;
mod log;
mod map;
mod redact;
mod rename;
mod result_to_state;
mod unchunked;

pub use filter::FilterToolCalls;
pub use log::EventLog;
pub use map::{map_call, map_content, map_interrupt, map_result};
pub use redact::{DEFAULT_REPLACEMENT, Redact};
pub use rename::RenameTools;
pub use result_to_state::ToolResultToState;
pub use unchunked::ExpandChunks;

use crate::Event;

/// Why a transformer failed: any error, or a text.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The result of transforming an event.
pub type Result<T = (), E = BoxError> = std::result::Result<T, E>;

/// Sees every event of a run before the reader does, and decides what the reader gets instead.
///
/// It is the one place to change a stream: events are mapped, dropped, held back and inserted
/// here. Transformers run in the order they were added, each on what the one before it put out,
/// and all of them before the order of events is verified. So an event that is dropped is as good
/// as never emitted, and one that is inserted is held to the rules.
///
/// A transformer belongs to one run and may keep what it has seen. It runs inside the emit that it
/// transforms, while the run is locked: it must not wait for anything, and must not emit into the
/// same run other than through its output.
///
/// The events that open and end a run pass through as well, and must pass: whoever drops or
/// repeats one ends the run with an error. Closures will do:
///
/// ```
/// use ag_ui::server::{Runner, agent_fn};
/// use ag_ui::transform::Output;
/// use ag_ui::{Event, EventType, RunAgentInput, RunOutcome};
/// use futures_util::StreamExt;
///
/// let agent = agent_fn(async |context: &mut ag_ui::server::RunContext<()>| {
///     context.think("What do they want?")?;
///     context.say("Hello!")?;
///     Ok(RunOutcome::success())
/// });
/// // Nobody reads the agent's mind.
/// let runner = Runner::new(agent).transformer(|event: Event, output: &mut Output<'_>| {
///     if !event.event_type().as_str().starts_with("REASONING") {
///         output.push(event);
///     }
///     Ok(())
/// });
/// # futures_executor::block_on(async {
/// let run = runner.run(RunAgentInput::new("t-1", "r-1", vec![]));
/// let types: Vec<_> = run.map(|event| event.map(|event| event.event_type())).collect().await;
/// let types: Vec<_> = types.into_iter().collect::<Result<_, _>>()?;
/// assert_eq!(types[1], EventType::TextMessageStart);
/// # Ok::<(), ag_ui::server::Error>(())
/// # }).unwrap();
/// ```
pub trait StreamTransformer: Send {
    /// Puts out what the reader gets in place of an event: nothing, the event, or others.
    ///
    /// # Errors
    /// An error ends the run, as `RUN_ERROR` with the code `TRANSFORMER_ERROR`. What was put out
    /// before stays.
    fn transform(&mut self, event: Event, output: &mut Output<'_>) -> Result;

    /// Puts out what is left, once, when the agent has ended and before the terminal event.
    ///
    /// # Errors
    /// As [`Self::transform`].
    fn finish(&mut self, output: &mut Output<'_>) -> Result {
        let _ = output;
        Ok(())
    }
}

impl<F> StreamTransformer for F
where
    F: FnMut(Event, &mut Output<'_>) -> Result + Send,
{
    fn transform(&mut self, event: Event, output: &mut Output<'_>) -> Result {
        self(event, output)
    }
}

/// Where a [`StreamTransformer`] puts what it lets through.
pub struct Output<'a> {
    next: &'a mut [Box<dyn StreamTransformer>],
    put_out: &'a mut Vec<Event>,
    /// The failure of a later transformer. The earlier one need not look for it.
    failure: Result,
}

impl Output<'_> {
    /// Passes an event on: to the next transformer, and after the last one to the reader.
    pub fn push(&mut self, event: impl Into<Event>) {
        if self.failure.is_ok() {
            self.failure = transform(self.next, event.into(), self.put_out);
        }
    }
}

impl std::fmt::Debug for Output<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Output").finish_non_exhaustive()
    }
}

/// Passes an event through a chain.
pub(crate) fn transform(
    chain: &mut [Box<dyn StreamTransformer>],
    event: Event,
    put_out: &mut Vec<Event>,
) -> Result {
    let Some((first, next)) = chain.split_first_mut() else {
        put_out.push(event);
        return Ok(());
    };
    let mut output = Output { next, put_out, failure: Ok(()) };
    first.transform(event, &mut output)?;
    output.failure
}

/// Tells the transformers of a chain that nothing more comes, each after the ones before it.
pub(crate) fn finish(
    mut chain: &mut [Box<dyn StreamTransformer>],
    put_out: &mut Vec<Event>,
) -> Result {
    while let Some((first, next)) = chain.split_first_mut() {
        let mut output = Output { next, put_out, failure: Ok(()) };
        first.finish(&mut output)?;
        output.failure?;
        chain = next;
    }
    Ok(())
}

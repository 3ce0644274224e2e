//! Changing events of one kind with a function.

use super::{Output, Result, StreamTransformer};
use crate::{
    Event, Interrupt, RunOutcome, TextMessageContentEvent, ToolCallResultEvent, ToolCallStartEvent,
};

/// Changes every piece of text of the messages. Text that arrives as chunks passes as it is.
///
/// ```
/// use ag_ui::transform::map_content;
///
/// let shout = map_content(|content| content.delta = content.delta.to_uppercase());
/// ```
pub fn map_content(
    mut change: impl FnMut(&mut TextMessageContentEvent) + Send + 'static,
) -> impl StreamTransformer + 'static {
    each(move |event| {
        if let Event::TextMessageContent(content) = event {
            change(content);
        }
    })
}

/// Changes the start of every tool call.
pub fn map_call(
    mut change: impl FnMut(&mut ToolCallStartEvent) + Send + 'static,
) -> impl StreamTransformer + 'static {
    each(move |event| {
        if let Event::ToolCallStart(start) = event {
            change(start);
        }
    })
}

/// Changes the result of every tool call.
pub fn map_result(
    mut change: impl FnMut(&mut ToolCallResultEvent) + Send + 'static,
) -> impl StreamTransformer + 'static {
    each(move |event| {
        if let Event::ToolCallResult(result) = event {
            change(result);
        }
    })
}

/// Changes every interrupt that a run ends with.
pub fn map_interrupt(
    mut change: impl FnMut(&mut Interrupt) + Send + 'static,
) -> impl StreamTransformer + 'static {
    each(move |event| {
        if let Event::RunFinished(finished) = event
            && let Some(RunOutcome::Interrupt(outcome)) = &mut finished.outcome
        {
            outcome.interrupts.iter_mut().for_each(&mut change);
        }
    })
}

fn each(mut change: impl FnMut(&mut Event) + Send + 'static) -> impl StreamTransformer + 'static {
    move |mut event: Event, output: &mut Output<'_>| -> Result {
        change(&mut event);
        output.push(event);
        Ok(())
    }
}

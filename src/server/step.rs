//! Steps.

use std::ops::{Deref, DerefMut};

use super::context::RunContext;
use super::error::Result;
use crate::Event;

/// An open step; it stands for the context. Dropping it finishes the step.
///
/// ```
/// # use ag_ui::{RunAgentInput, server::{Result, RunContext}};
/// fn work(context: &mut RunContext<()>) -> Result<()> {
///     let mut step = context.step("plan")?;
///     step.say("First, the kettle.")?;
///     Ok(())
/// }
/// # let (mut context, events) = RunContext::new(RunAgentInput::new("t", "r", vec![]))?;
/// # work(&mut context)?;
/// # assert_eq!(events.drain().len(), 5);
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a step is finished as soon as its guard is dropped"]
pub struct StepGuard<'a, S> {
    context: &'a mut RunContext<S>,
    name: String,
}

impl<'a, S> StepGuard<'a, S> {
    pub(super) fn open(context: &'a mut RunContext<S>, name: String) -> Result<Self> {
        context.sink().emit(Event::step_started(&name))?;
        Ok(Self { context, name })
    }

    /// Name of the step.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Finishes the step. Dropping the guard does the same.
    pub fn finish(self) {}
}

impl<S> Deref for StepGuard<'_, S> {
    type Target = RunContext<S>;

    fn deref(&self) -> &RunContext<S> {
        self.context
    }
}

impl<S> DerefMut for StepGuard<'_, S> {
    fn deref_mut(&mut self) -> &mut RunContext<S> {
        self.context
    }
}

impl<S> Drop for StepGuard<'_, S> {
    fn drop(&mut self) {
        self.context.sink().close(Event::step_finished(&self.name));
    }
}

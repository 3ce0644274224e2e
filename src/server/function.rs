//! Agents that are functions.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;

use super::agent::{Agent, AgentState};
use super::context::RunContext;
use super::error::Result;
use crate::RunOutcome;

/// An agent from an async function, or from an async closure that captures nothing.
///
/// An agent that holds data is a type of its own with an [`Agent`] implementation.
///
/// ```
/// use ag_ui::RunOutcome;
/// use ag_ui::server::{RunContext, agent_fn};
///
/// let greeter = agent_fn(async |context: &mut RunContext<()>| {
///     context.say("Hello!")?;
///     Ok(RunOutcome::success())
/// });
/// ```
#[must_use]
pub fn agent_fn<S, F>(function: F) -> FnAgent<S, F>
where
    S: AgentState + 'static,
    F: for<'a> AgentFn<'a, S> + Send + Sync,
{
    FnAgent { function, state: PhantomData }
}

/// An agent that is a function, see [`agent_fn`].
pub struct FnAgent<S, F> {
    function: F,
    state: PhantomData<fn() -> S>,
}

impl<S, F> Agent for FnAgent<S, F>
where
    S: AgentState + 'static,
    F: for<'a> AgentFn<'a, S> + Send + Sync,
{
    type State = S;

    fn run(&self, context: &mut RunContext<S>) -> impl Future<Output = Result<RunOutcome>> + Send {
        (self.function)(context)
    }
}

impl<S, F> fmt::Debug for FnAgent<S, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FnAgent").finish_non_exhaustive()
    }
}

/// Functions that can be agents. Implemented for all that have the signature.
///
/// It names the future of a function, which a bound on the function alone cannot do, so that it
/// can be required to be [`Send`].
pub trait AgentFn<'a, S: 'a>: Fn(&'a mut RunContext<S>) -> Self::Running {
    /// The future that the function returns.
    type Running: Future<Output = Result<RunOutcome>> + Send + 'a;
}

impl<'a, S, F, R> AgentFn<'a, S> for F
where
    S: 'a,
    F: Fn(&'a mut RunContext<S>) -> R,
    R: Future<Output = Result<RunOutcome>> + Send + 'a,
{
    type Running = R;
}

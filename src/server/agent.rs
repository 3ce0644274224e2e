//! The agent trait.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::context::RunContext;
use super::error::Result;
use crate::RunOutcome;

/// What an agent can share with the interface as its state. Implemented for every type that has
/// what it takes.
pub trait AgentState: Serialize + DeserializeOwned + Default + Send {}

impl<T: Serialize + DeserializeOwned + Default + Send> AgentState for T {}

/// Something that can be run. See the [module](super) for an example.
///
/// The trait is the whole boundary to models and frameworks: an integration is an implementation.
pub trait Agent: Send + Sync {
    /// The state it shares with the interface; `()` for none, whatever the client sends.
    type State: AgentState;

    /// Does one run. What it opened and did not close is closed when it returns.
    fn run(
        &self,
        context: &mut RunContext<Self::State>,
    ) -> impl Future<Output = Result<RunOutcome>> + Send;
}

impl<A: Agent> Agent for &A {
    type State = A::State;

    fn run(
        &self,
        context: &mut RunContext<Self::State>,
    ) -> impl Future<Output = Result<RunOutcome>> + Send {
        (**self).run(context)
    }
}

impl<A: Agent> Agent for Arc<A> {
    type State = A::State;

    fn run(
        &self,
        context: &mut RunContext<Self::State>,
    ) -> impl Future<Output = Result<RunOutcome>> + Send {
        (**self).run(context)
    }
}

/// The form of [`Agent`] that can stand behind a pointer. Implemented for every agent.
pub trait DynAgent<S>: Send + Sync {
    /// As [`Agent::run`], with the future on the heap.
    fn run_boxed<'a>(
        &'a self,
        context: &'a mut RunContext<S>,
    ) -> Pin<Box<dyn Future<Output = Result<RunOutcome>> + Send + 'a>>;
}

impl<A: Agent> DynAgent<A::State> for A {
    fn run_boxed<'a>(
        &'a self,
        context: &'a mut RunContext<A::State>,
    ) -> Pin<Box<dyn Future<Output = Result<RunOutcome>> + Send + 'a>> {
        Box::pin(self.run(context))
    }
}

/// An agent of whichever type with that state, for registries. It is an [`Agent`] itself.
pub struct BoxAgent<S>(Box<dyn DynAgent<S>>);

impl<S: AgentState> BoxAgent<S> {
    /// Hides the type of an agent.
    #[must_use]
    pub fn new(agent: impl Agent<State = S> + 'static) -> Self {
        Self(Box::new(agent))
    }
}

impl<S: AgentState> Agent for BoxAgent<S> {
    type State = S;

    async fn run(&self, context: &mut RunContext<S>) -> Result<RunOutcome> {
        self.0.run_boxed(context).await
    }
}

impl<S> std::fmt::Debug for BoxAgent<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("BoxAgent").finish_non_exhaustive()
    }
}

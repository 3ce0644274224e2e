//! How a run reaches an agent, and its events come back.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use futures_core::Stream;

use super::Result;
use crate::{Event, RunAgentInput};

/// What a transport delivers: one event.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "an event is text or not")]
pub enum Frame {
    /// As JSON text, not looked at.
    Json(String),
    /// As it is, from an agent that speaks these types.
    Event(Box<Event>),
}

impl From<Event> for Frame {
    fn from(event: Event) -> Self {
        Self::Event(Box::new(event))
    }
}

impl Frame {
    /// The JSON text of the event.
    #[must_use]
    pub fn to_json(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Json(json) => json.into(),
            Self::Event(event) => crate::encode::to_json(&**event).into(),
        }
    }
}

/// The events of a run as they arrive. It ends when nothing more comes, for whatever reason.
#[cfg(not(target_family = "wasm"))]
pub type Frames = Pin<Box<dyn Stream<Item = Result<Frame>> + Send>>;
/// The events of a run as they arrive. It ends when nothing more comes, for whatever reason.
#[cfg(target_family = "wasm")]
pub type Frames = Pin<Box<dyn Stream<Item = Result<Frame>>>>;

/// What [`Transport::run`] gives back: the events, once the agent has begun to answer.
#[cfg(not(target_family = "wasm"))]
pub type Connecting = Pin<Box<dyn Future<Output = Result<Frames>> + Send>>;
/// What [`Transport::run`] gives back: the events, once the agent has begun to answer.
#[cfg(target_family = "wasm")]
pub type Connecting = Pin<Box<dyn Future<Output = Result<Frames>>>>;

/// `Send` and `Sync`, but on wasm, where there is one thread.
#[cfg(not(target_family = "wasm"))]
pub trait MaybeSend: Send + Sync {}
/// `Send` and `Sync`, but on wasm, where there is one thread.
#[cfg(target_family = "wasm")]
pub trait MaybeSend {}

#[cfg(not(target_family = "wasm"))]
impl<T: Send + Sync + ?Sized> MaybeSend for T {}
#[cfg(target_family = "wasm")]
impl<T: ?Sized> MaybeSend for T {}

/// Carries the input of a run to an agent and its events back.
///
/// It turns bytes into JSON texts and no more: what the texts say is read by the
/// [`Pipeline`](super::Pipeline). Dropping the events stops the run. After an error nothing more is
/// read.
///
/// ```
/// use ag_ui::client::{Connecting, Frame, Frames, Session, Transport};
/// use ag_ui::{Event, RunAgentInput};
/// use futures_util::stream;
///
/// /// Answers every run with nothing but its end.
/// struct Mute;
///
/// impl Transport for Mute {
///     fn run(&self, input: RunAgentInput) -> Connecting {
///         let events = [
///             Event::run_started(&input.thread_id, &input.run_id),
///             Event::run_finished(&input.thread_id, &input.run_id),
///         ];
///         let frames = stream::iter(events.map(|event| Ok(Frame::from(event))));
///         Box::pin(async { Ok(Box::pin(frames) as Frames) })
///     }
/// }
///
/// # futures_executor::block_on(async {
/// let mut session = Session::new(Mute, "t-1");
/// assert!(session.send("Hello").finish().await.is_success());
/// # });
/// ```
pub trait Transport: MaybeSend {
    /// Begins a run. Nothing happens before the future is polled.
    fn run(&self, input: RunAgentInput) -> Connecting;
}

impl<T: Transport + ?Sized> Transport for &T {
    fn run(&self, input: RunAgentInput) -> Connecting {
        (**self).run(input)
    }
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn run(&self, input: RunAgentInput) -> Connecting {
        (**self).run(input)
    }
}

impl<T: Transport + ?Sized> Transport for Arc<T> {
    fn run(&self, input: RunAgentInput) -> Connecting {
        (**self).run(input)
    }
}

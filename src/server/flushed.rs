//! Waiting for the reader.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::sink::Sink;

/// Future of [`RunContext::flushed`](super::RunContext::flushed). It borrows nothing.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Flushed(Sink);

impl Flushed {
    pub(super) fn new(sink: &Sink) -> Self {
        Self(sink.clone())
    }
}

impl Future for Flushed {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0.is_drained_or_wakes(context.waker()) { Poll::Ready(()) } else { Poll::Pending }
    }
}

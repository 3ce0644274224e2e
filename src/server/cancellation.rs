//! Cancelling a run from outside.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// Cancels a run, from any thread and any number of times. Clones are one token.
///
/// ```
/// let token = ag_ui::server::CancellationToken::new();
/// let watched = token.clone();
/// token.cancel();
/// assert!(watched.is_cancelled());
/// ```
#[derive(Debug, Clone, Default)]
pub struct CancellationToken(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    cancelled: bool,
    next: u64,
    waiting: BTreeMap<u64, Waker>,
}

impl CancellationToken {
    /// A token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels. Whoever waits in [`Self::cancelled`] is woken.
    pub fn cancel(&self) {
        let waiting = self.with(|inner| {
            inner.cancelled = true;
            std::mem::take(&mut inner.waiting)
        });
        // Outside the lock: a waker may run what it wakes.
        waiting.into_values().for_each(Waker::wake);
    }

    /// Whether it was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.with(|inner| inner.cancelled)
    }

    /// Waits until it is cancelled. The future borrows nothing.
    pub fn cancelled(&self) -> Cancelled {
        Cancelled { token: self.clone(), key: None }
    }

    fn with<T>(&self, action: impl FnOnce(&mut Inner) -> T) -> T {
        // The lock guards plain data that no panic leaves half changed.
        action(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Future of [`CancellationToken::cancelled`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Cancelled {
    token: CancellationToken,
    key: Option<u64>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let known = self.key;
        let key = self.token.with(|inner| {
            if inner.cancelled {
                return None;
            }
            let key = known.unwrap_or(inner.next);
            inner.next += u64::from(known.is_none());
            inner.waiting.insert(key, context.waker().clone());
            Some(key)
        });
        self.key = key;
        if key.is_some() { Poll::Pending } else { Poll::Ready(()) }
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            self.token.with(|inner| inner.waiting.remove(&key));
        }
    }
}

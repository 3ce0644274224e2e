//! Cancelling a run from outside.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
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
pub struct CancellationToken(Arc<Node>);

#[derive(Debug, Default)]
struct Node {
    /// Set before those who wait are woken. Every emit reads it, so it is not behind the lock.
    cancelled: AtomicBool,
    waiting: Mutex<Waiting>,
    parent: Option<CancellationToken>,
}

#[derive(Debug, Default)]
struct Waiting {
    next: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl CancellationToken {
    /// A token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that is cancelled with this one, and can be cancelled without it.
    ///
    /// ```
    /// use ag_ui::server::CancellationToken;
    ///
    /// let server = CancellationToken::new();
    /// let (first, second) = (server.child(), server.child());
    /// first.cancel();
    /// assert!(!second.is_cancelled());
    /// server.cancel();
    /// assert!(second.is_cancelled());
    /// ```
    #[must_use]
    pub fn child(&self) -> Self {
        Self(Arc::new(Node { parent: Some(self.clone()), ..Node::default() }))
    }

    /// Cancels. Whoever waits in [`Self::cancelled`] is woken.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        let wakers = self.with(|waiting| std::mem::take(&mut waiting.wakers));
        // Outside the lock: a waker may run what it wakes.
        wakers.into_values().for_each(Waker::wake);
    }

    /// Whether it was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
            || self.0.parent.as_ref().is_some_and(Self::is_cancelled)
    }

    /// Waits until it is cancelled. The future borrows nothing.
    pub fn cancelled(&self) -> Cancelled {
        let parent = self.0.parent.as_ref().map(|parent| Box::new(parent.cancelled()));
        Cancelled { token: self.clone(), key: None, parent }
    }

    fn with<T>(&self, action: impl FnOnce(&mut Waiting) -> T) -> T {
        // The lock guards plain data that no panic leaves half changed.
        action(&mut self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Future of [`CancellationToken::cancelled`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Cancelled {
    token: CancellationToken,
    key: Option<u64>,
    parent: Option<Box<Cancelled>>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let known = self.key;
        let node = &self.token.0;
        let key = self.token.with(|waiting| {
            // Under the lock: whoever cancels later takes the waker that is put in here.
            if node.cancelled.load(Ordering::SeqCst) {
                return None;
            }
            let key = known.unwrap_or(waiting.next);
            waiting.next += u64::from(known.is_none());
            waiting.wakers.insert(key, context.waker().clone());
            Some(key)
        });
        self.key = key;
        if key.is_none() {
            return Poll::Ready(());
        }
        self.parent.as_mut().map_or(Poll::Pending, |parent| Pin::new(parent).poll(context))
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            self.token.with(|waiting| waiting.wakers.remove(&key));
        }
    }
}

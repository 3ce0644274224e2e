//! Cancellation: who is told, and who is not.

use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Wake, Waker};

use ag_ui::server::{CancellationToken, RunContext, Runner, agent_fn, run};
use ag_ui::{EventType, RunOutcome};
use futures_executor::block_on;
use futures_util::StreamExt;

use crate::server_support::{collect, input, script, types};

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn the_last_waker_of_each_future_is_woken_once() {
    let token = CancellationToken::new();
    let (stale, current) = (Arc::new(Wakes::default()), Arc::new(Wakes::default()));
    let mut moved = pin!(token.cancelled());
    for wakes in [&stale, &current] {
        let waker = Waker::from(Arc::clone(wakes));
        assert!(moved.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    }
    {
        let mut gone = pin!(token.cancelled());
        let waker = Waker::from(Arc::clone(&stale));
        assert!(gone.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    }
    token.cancel();
    token.cancel();
    let count = |wakes: &Arc<Wakes>| wakes.0.load(Ordering::SeqCst);
    assert_eq!((count(&stale), count(&current)), (0, 1));
    assert_eq!(Arc::strong_count(&stale), 1, "a future that is gone keeps no waker");
    block_on(moved);
}

#[test]
fn a_token_cancels_its_children_and_not_its_parent() {
    let parent = CancellationToken::new();
    let (child, sibling) = (parent.child(), parent.child());
    child.cancel();
    assert!(child.is_cancelled());
    assert!(!parent.is_cancelled() && !sibling.is_cancelled());

    let waiting = sibling.child().cancelled();
    let wakes = Arc::new(Wakes::default());
    let mut waiting = pin!(waiting);
    let waker = Waker::from(Arc::clone(&wakes));
    assert!(waiting.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    parent.cancel();
    assert_eq!(wakes.0.load(Ordering::SeqCst), 1);
    assert!(sibling.is_cancelled());
    block_on(waiting);
}

#[test]
fn dropping_a_stream_tells_who_works_for_it_and_no_other_run() {
    let shutdown = CancellationToken::new();
    let start = || {
        let agent = agent_fn(async |context: &mut RunContext<()>| {
            context.say("a")?;
            pending().await
        });
        Runner::new(agent).with_cancellation(&shutdown).run(input("x"))
    };
    let (mut dropped, kept) = (start(), start());
    let (told, not_told) = (dropped.cancellation_token(), kept.cancellation_token());
    block_on(dropped.next());
    drop(dropped);
    assert!(told.is_cancelled());
    assert!(!not_told.is_cancelled() && !shutdown.is_cancelled());

    shutdown.cancel();
    let events = collect(kept);
    assert_eq!(events.last().map(ag_ui::Event::event_type), Some(EventType::RunFinished));
}

#[test]
fn a_run_that_ended_by_itself_cancels_nothing() {
    let run = run(script::<()>(|_| Ok(RunOutcome::success())), input("x"));
    let token = run.cancellation_token();
    assert_eq!(types(&collect(run)), [EventType::RunStarted, EventType::RunFinished]);
    assert!(!token.is_cancelled());
}

#[test]
fn work_is_given_up_when_the_run_is_cancelled() {
    let agent = agent_fn(async |context: &mut RunContext<()>| {
        assert_eq!(context.until_cancelled(async { 7 }).await?, 7);
        context.cancellation_token().cancel();
        context.until_cancelled(pending::<()>()).await?;
        unreachable!("the run is cancelled");
    });
    let events = collect(run(agent, input("x")));
    let Some(ag_ui::Event::RunFinished(finished)) = events.last() else { panic!("{events:?}") };
    assert_eq!(finished.outcome, Some(RunOutcome::cancelled()));
}

//! What a run keeps in memory, counted by the allocator.

use std::pin::pin;
use std::task::{Context, Waker};

use ag_ui::server::{QueueLimits, RunContext, Runner, agent_fn};
use ag_ui::{EventType, RunOutcome};
use futures_core::Stream;

use crate::server_support::{input, pause};

/// Bytes that are allocated and not freed when the work returns what it still holds.
fn held<T>(work: impl FnOnce() -> T) -> (T, i64) {
    let mut value = None;
    let counted = allocation_counter::measure(|| value = Some(work()));
    (value.unwrap(), counted.bytes_current)
}

#[test]
fn a_reader_that_stalls_on_an_endless_run_costs_nothing_more() {
    let endless = agent_fn(async |context: &mut RunContext<()>| {
        let mut message = context.assistant_message()?;
        loop {
            message.delta("on and on and on and on")?;
            pause().await;
        }
    });
    let mut run = pin!(Runner::new(endless).run(input("x")));
    let mut task = Context::from_waker(Waker::noop());
    let mut read = |events: usize| {
        let mut left = events;
        while left > 0 {
            left -= usize::from(run.as_mut().poll_next(&mut task).is_ready());
        }
    };
    read(100);
    // Stalled for as long as a reader takes: nothing is polled, so nothing is emitted. And read on,
    // the run holds no more after the next hundred thousand than it did before.
    let ((), grown) = held(|| read(100_000));
    assert!(grown <= 1_024, "{grown} bytes more after 100,000 events");
}

#[test]
fn an_agent_that_does_not_wait_for_a_stalled_reader_is_stopped_at_the_limit() {
    let limit = 1024 * 1024;
    let flood = agent_fn(async |context: &mut RunContext<()>| {
        let mut message = context.assistant_message()?;
        loop {
            message.delta("x".repeat(1_000))?;
        }
    });
    let runner = Runner::new(flood).queue_limits(QueueLimits::default().with_bytes(limit));
    let mut run = Box::pin(runner.run(input("x")));
    let mut task = Context::from_waker(Waker::noop());
    // The start, and the first event of the flood: the rest waits for a reader that is gone.
    let ((), held) = held(|| {
        for _ in 0..2 {
            assert!(run.as_mut().poll_next(&mut task).is_ready());
        }
    });
    let limit = i64::try_from(limit).unwrap();
    assert!((limit / 2..limit * 2).contains(&held), "{held} bytes held for a limit of {limit}");
}

#[test]
fn a_long_run_of_whole_messages_holds_what_the_order_of_events_has_to_know() {
    let chatty = agent_fn(async |context: &mut RunContext<()>| {
        for _ in 0..10_000 {
            context.say("a")?;
            pause().await;
        }
        Ok(RunOutcome::success())
    });
    let mut run = Box::pin(Runner::new(chatty).run(input("x")));
    let mut task = Context::from_waker(Waker::noop());
    let (last, held) = held(|| {
        let mut last = None;
        loop {
            match run.as_mut().poll_next(&mut task) {
                std::task::Poll::Ready(Some(event)) => last = Some(event.unwrap().event_type()),
                std::task::Poll::Ready(None) => break last,
                std::task::Poll::Pending => {}
            }
        }
    });
    assert_eq!(last, Some(EventType::RunFinished));
    // The owner of every message is kept, for a later event may name it.
    assert!(held < 10_000 * 256, "{held} bytes after 10,000 messages");
}

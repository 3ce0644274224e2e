//! From an agent's emit to bytes for the wire: what a delta costs, what of it the verifier takes,
//! and how often it allocates.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark")]

use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ag_ui::server::{Agent, QueueLimits, Result, RunContext, Runner};
use ag_ui::verify::EventVerifier;
use ag_ui::{Event, Message, RunAgentInput, RunOutcome, encode};
use ag_ui_benches::{Contest, Row};
use futures_core::Stream;

/// Turns of a run; each has a hundred events and is what `chatty_run` streams.
const TURNS: usize = 200;

/// Emits the same mix as `chatty_run` through the emitters.
struct Chatty {
    turns: usize,
}

impl Agent for Chatty {
    type State = ();

    async fn run(&self, context: &mut RunContext<()>) -> Result<RunOutcome> {
        for _ in 0..self.turns {
            turn(context)?;
            // The reader takes what is there before the next turn.
            context.flushed().await;
        }
        Ok(RunOutcome::success())
    }
}

fn turn(context: &mut RunContext<()>) -> Result<()> {
    let mut step = context.step("plan")?;
    let mut reasoning = step.reasoning()?;
    for _ in 0..10 {
        reasoning.delta("the ")?;
    }
    reasoning.end()?;
    step.finish();
    let mut message = context.assistant_message()?;
    for _ in 0..60 {
        message.delta("three ")?;
    }
    let message = message.end()?;
    let mut call = context.tool_call_of(message, "add_task")?;
    for fragment in ["{\"title\"", ":\"Tea", " and ", "cake\",", "\"due\":", "null}"] {
        call.args(fragment)?;
    }
    call.result("{\"ok\":true,\"id\":17}")?;
    Ok(())
}

/// Emits that many deltas of one message.
struct Deltas(usize);

impl Agent for Deltas {
    type State = ();

    async fn run(&self, context: &mut RunContext<()>) -> Result<RunOutcome> {
        let mut message = context.assistant_message()?;
        for _ in 0..self.0 {
            message.delta("three ")?;
        }
        message.end()?;
        Ok(RunOutcome::success())
    }
}

/// Runs an agent and hands on its events.
fn drain(agent: impl Agent + 'static, mut take: impl FnMut(Event)) {
    let input = RunAgentInput::new("thread-7", "run-42", vec![Message::user("m-1", "Plan tea.")]);
    let limits = QueueLimits::default().with_events(usize::MAX);
    let mut run = pin!(Runner::new(agent).queue_limits(limits).run(input));
    let mut task = Context::from_waker(Waker::noop());
    loop {
        match run.as_mut().poll_next(&mut task) {
            Poll::Ready(Some(event)) => take(event.unwrap()),
            Poll::Ready(None) => return,
            Poll::Pending => {}
        }
    }
}

fn to_bytes(agent: impl Agent + 'static) {
    let mut buffer = Vec::new();
    drain(agent, |event| {
        buffer.clear();
        encode::encode_into(&event, &mut buffer);
        black_box(&buffer);
    });
}

fn main() {
    let mut events = Vec::new();
    drain(Chatty { turns: TURNS }, |event| events.push(event));
    println!("{} events\n", events.len());
    time(&events);
    allocations();
}

fn time(events: &[Event]) {
    let mut buffer = Vec::new();
    let rows = Contest::default()
        .with("emit to bytes", || to_bytes(Chatty { turns: TURNS }))
        .with("the verifier alone", || {
            let mut verifier = EventVerifier::producer();
            for event in events {
                verifier.verify(event).unwrap();
            }
            verifier.finish().unwrap();
        })
        .with("encoding alone", || {
            for event in events {
                buffer.clear();
                encode::encode_into(event, &mut buffer);
                black_box(&buffer);
            }
        })
        .run(events.len());
    println!("one event from emit to bytes");
    for Row { name, nanoseconds } in &rows {
        println!("  {name:<34} {nanoseconds:>7.1} ns");
    }
    let share = 100.0 * rows[1].nanoseconds / rows[0].nanoseconds;
    println!("share of the verifier  {share:.1} %   (wanted: at most 10 %)\n");
}

/// Allocations of twice as many deltas, less those of as many: what is left is theirs alone.
fn allocations() {
    const DELTAS: usize = 10_000;
    let count = |deltas| allocation_counter::measure(|| to_bytes(Deltas(deltas))).count_total;
    let more = count(2 * DELTAS) - count(DELTAS);
    #[expect(clippy::cast_precision_loss, reason = "they are few")]
    let each = more as f64 / DELTAS as f64;
    println!("allocations per delta  {each:.3}");
}

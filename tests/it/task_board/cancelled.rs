//! A run that is stopped ends in the next pause, with everything closed.

use std::time::Duration;

use ag_ui::server::Runner;
use ag_ui::{Event, EventType, RunOutcome};
use futures_util::StreamExt;
use tokio::time::Instant;

use super::script::ScriptedBoard;
use super::support::{outcome, scripted};
use super::voice::Voice;
use crate::server_support::{input, outline};

/// Speaks so slowly that nothing but a cancellation ends its runs.
fn slow() -> ScriptedBoard {
    ScriptedBoard { voice: Voice { pause: Duration::from_secs(3_600) }, ..scripted() }
}

#[tokio::test(start_paused = true)]
async fn a_stopped_run_is_cancelled_at_once() {
    let runner = Runner::new(slow());
    let stop = runner.cancellation_token();
    let mut run = runner.run(input("add buy milk"));
    while run.next().await.unwrap().unwrap().event_type() != EventType::ReasoningMessageContent {}
    stop.cancel();
    let start = Instant::now();
    let rest: Vec<Event> = run.map(Result::unwrap).collect().await;
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert_eq!(
        outline(&rest),
        ["REASONING_MESSAGE_END", "REASONING_END", "STEP_FINISHED", "RUN_FINISHED"]
    );
    assert_eq!(*outcome(&rest), RunOutcome::cancelled());
}

#[tokio::test(start_paused = true)]
async fn a_planner_that_is_stopped_has_failed() {
    let runner = Runner::new(slow());
    let stop = runner.cancellation_token();
    let mut run = runner.run(input("plan a picnic"));
    while run.next().await.unwrap().unwrap().event_type() != EventType::SubagentStarted {}
    stop.cancel();
    let rest: Vec<Event> = run.map(Result::unwrap).collect().await;
    let ended: Vec<_> = outline(&rest).into_iter().rev().take(3).collect();
    assert_eq!(ended, ["RUN_FINISHED", "STEP_FINISHED", "SUBAGENT_ERROR @r-1-planner"]);
    assert_eq!(*outcome(&rest), RunOutcome::cancelled());
}

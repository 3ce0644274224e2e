//! The planner: a subagent that splits a goal into tasks.

use ag_ui::SubagentStartedEvent;
use ag_ui::server::{Result, RunContext};
use serde::Serialize;
use serde_json::json;

use super::board::Board;
use super::script::use_tool;
use super::tools::{ADD, AddTask};
use super::voice::Voice;

/// The progress that is shown while the tasks are added.
#[derive(Serialize)]
struct Plan<'a> {
    goal: &'a str,
    tasks: Vec<PlannedTask>,
}

#[derive(Serialize)]
struct PlannedTask {
    title: String,
    added: bool,
}

/// Adds the tasks that lead to a goal, and returns how many there are.
pub(crate) async fn plan(
    context: &mut RunContext<Board>,
    voice: Voice,
    goal: &str,
) -> Result<usize> {
    let start = SubagentStartedEvent::new(format!("{}-planner", context.run_id()), "planner")
        .with_description(format!("Splits “{goal}” into tasks."));
    let mut planner = context.subagent_from(start)?;
    voice.think(&mut planner, "Who, with what, and when: three tasks will do.").await?;
    let mut plan = Plan { goal, tasks: split(goal) };
    let mut shown = planner.activity("PLAN", &plan)?;
    for index in 0..plan.tasks.len() {
        let title = plan.tasks[index].title.clone();
        use_tool(&mut planner, voice, ADD, &AddTask { title, column: None }).await?;
        plan.tasks[index].added = true;
        shown.update(&plan)?;
    }
    planner.finish_with(&json!({ "added": plan.tasks.len() }))?;
    Ok(plan.tasks.len())
}

fn split(goal: &str) -> Vec<PlannedTask> {
    let titles = [
        format!("Ask who is in for {goal}"),
        format!("Get what {goal} needs"),
        format!("Set a date for {goal}"),
    ];
    titles.map(|title| PlannedTask { title, added: false }).into()
}

//! A scripted assistant that keeps a board of tasks. It needs no model and no keys.

use std::time::Duration;

use ag_ui::RunOutcome;
use ag_ui::server::{Agent, Error, Result, RunContext};
use serde::{Deserialize, Serialize};

/// What agent and interface share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Board {
    pub(crate) tasks: Vec<Task>,
    pub(crate) note: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) id: u32,
    pub(crate) title: String,
    pub(crate) done: bool,
}

impl Default for Board {
    fn default() -> Self {
        let tasks = vec![
            Task { id: 1, title: "Water the plants".to_owned(), done: true },
            Task { id: 2, title: "Write the first agent".to_owned(), done: false },
        ];
        Self { tasks, note: "Say what to add, or `done 2` to tick a task off.".to_owned() }
    }
}

/// What the user wants.
enum Wish {
    Add(String),
    Done(u32),
}

/// Waits between pieces, so that a person sees them arrive. Tests set it to nothing.
pub(crate) struct BoardAgent {
    pub(crate) pause: Duration,
}

impl Agent for BoardAgent {
    type State = Board;

    async fn run(&self, context: &mut RunContext<Board>) -> Result<RunOutcome> {
        context.publish_state()?;
        let wish = self.plan(context).await?;
        let answer = match wish {
            Wish::Add(title) => self.add(context, title).await?,
            Wish::Done(id) => self.tick_off(context, id).await?,
        };
        self.answer(context, &answer).await?;
        Ok(RunOutcome::success())
    }
}

impl BoardAgent {
    /// Thinks aloud. The step is finished when its guard goes out of scope, so is the reasoning.
    async fn plan(&self, context: &mut RunContext<Board>) -> Result<Wish> {
        let text = context.last_user_text().unwrap_or_default().trim().to_owned();
        let wish = match text.strip_prefix("done ").and_then(|id| id.trim().parse().ok()) {
            Some(id) => Wish::Done(id),
            None if text.is_empty() => Wish::Add("Something nice".to_owned()),
            None => Wish::Add(text),
        };
        let thought = match &wish {
            Wish::Add(title) => {
                format!("There is something new to do: {title}. It goes to the end.")
            }
            Wish::Done(id) => format!("Task {id} seems to be finished. Let me look for it."),
        };
        let mut step = context.step("plan")?;
        let mut reasoning = step.reasoning()?;
        for word in thought.split_inclusive(' ') {
            reasoning.delta(word)?;
            self.pause().await;
        }
        Ok(wish)
    }

    /// Calls a tool that it answers itself, and changes the board while the call is open.
    async fn add(&self, context: &mut RunContext<Board>, title: String) -> Result<String> {
        let mut step = context.step("act")?;
        let last = step.state().tasks.iter().map(|task| task.id).max().unwrap_or_default();
        // The state comes from the client: nothing in it can be relied on.
        let id = last.checked_add(1).ok_or_else(|| Error::agent("the board is full"))?;
        let mut call = step.tool_call("add_task")?;
        let arguments = serde_json::json!({ "title": title }).to_string();
        self.stream_arguments(&mut call, &arguments).await?;
        call.update_state(|board| board.tasks.push(Task { id, title, done: false }))?;
        self.pause().await;
        call.result_json(&serde_json::json!({ "id": id }))?;
        Ok(format!("Noted as task {id}. There is no hurry."))
    }

    async fn tick_off(&self, context: &mut RunContext<Board>, id: u32) -> Result<String> {
        let mut step = context.step("act")?;
        let mut call = step.tool_call("finish_task")?;
        self.stream_arguments(&mut call, &serde_json::json!({ "id": id }).to_string()).await?;
        let known = call.state().tasks.iter().any(|task| task.id == id);
        call.update_state(|board| {
            board.tasks.iter_mut().filter(|task| task.id == id).for_each(|task| task.done = true);
        })?;
        call.result_json(&serde_json::json!({ "found": known }))?;
        Ok(if known {
            format!("Task {id} is done. Well done!")
        } else {
            format!("There is no task {id} on the board.")
        })
    }

    async fn stream_arguments(
        &self,
        call: &mut ag_ui::server::ToolCallHandle<'_, Board>,
        arguments: &str,
    ) -> Result<()> {
        for piece in arguments.split_inclusive([':', ',', ' ']) {
            call.args(piece)?;
            self.pause().await;
        }
        Ok(())
    }

    async fn answer(&self, context: &mut RunContext<Board>, text: &str) -> Result<()> {
        let mut message = context.assistant_message()?;
        for word in text.split_inclusive(' ') {
            message.delta(word)?;
            self.pause().await;
        }
        message.end()?;
        Ok(())
    }

    async fn pause(&self) {
        if !self.pause.is_zero() {
            tokio::time::sleep(self.pause).await;
        }
    }
}

//! The agent that needs no model: it follows a script.

use ag_ui::RunOutcome;
use ag_ui::server::{Agent, Result, RunContext};
use serde::Serialize;

use super::approval::Asking;
use super::board::Board;
use super::command::Command;
use super::opening::open;
use super::planner::plan;
use super::tools::{self, ADD, AddTask, CLEAR, ClearBoard, EDIT, EditTask, MOVE, MoveTask};
use super::voice::Voice;

const HELP: &str = "Try “add buy milk”, “move 2 to done”, “rename 1 to feed the cat”, “assign 1 to \
                    Ada”, “plan a picnic” or “clear the board”.";

/// Understands plain commands and does the same for the same words.
#[derive(Clone, Copy, Default)]
pub(crate) struct ScriptedBoard {
    pub(crate) voice: Voice,
    pub(crate) asking: Asking,
}

impl Agent for ScriptedBoard {
    type State = Board;

    async fn run(&self, context: &mut RunContext<Board>) -> Result<RunOutcome> {
        if let Some(outcome) = open(context, self.voice, self.asking).await? {
            return Ok(outcome);
        }
        let text = context.last_user_text().unwrap_or_default().into_owned();
        let command = self.understand(context, &text).await?;
        self.carry_out(context, command).await
    }
}

impl ScriptedBoard {
    /// Thinks aloud about what the user wants.
    async fn understand<'a>(
        &self,
        context: &mut RunContext<Board>,
        text: &'a str,
    ) -> Result<Command<'a>> {
        let command = Command::parse(text);
        let thought = match &command {
            Command::Add { title } => format!("There is something new to do: {title}."),
            Command::Move { id, column } => format!("Task {id} belongs in {column}."),
            Command::Rename { id, .. } => format!("Task {id} needs another title."),
            Command::Assign { id, assignee } => format!("Task {id} is for {assignee}."),
            Command::Plan { goal } => format!("“{goal}” is more than one task. The planner helps."),
            Command::Clear => "Clearing cannot be undone, so the user has to approve.".to_owned(),
            Command::Unknown => "I do not know what that means.".to_owned(),
        };
        let mut step = context.step("understand")?;
        self.voice.think(&mut step, &thought).await?;
        Ok(command)
    }

    async fn carry_out(
        &self,
        context: &mut RunContext<Board>,
        command: Command<'_>,
    ) -> Result<RunOutcome> {
        let told = match command {
            Command::Add { title } => {
                let arguments = AddTask { title: title.to_owned(), column: None };
                self.act(context, ADD, &arguments).await?
            }
            Command::Move { id, column } => {
                self.act(context, MOVE, &MoveTask { id, column: column.to_owned() }).await?
            }
            Command::Rename { id, title } => {
                let arguments = EditTask { id, title: Some(title.to_owned()), assignee: None };
                self.act(context, EDIT, &arguments).await?
            }
            Command::Assign { id, assignee } => {
                let arguments = EditTask { id, title: None, assignee: Some(assignee.to_owned()) };
                self.act(context, EDIT, &arguments).await?
            }
            Command::Plan { goal } => {
                let mut step = context.step("plan")?;
                let count = plan(&mut step, self.voice, goal).await?;
                format!("{count} tasks lead to {goal}. They are on the board.")
            }
            Command::Clear if context.state().tasks().next().is_some() => {
                return self.ask_to_clear(context);
            }
            Command::Clear => self.act(context, CLEAR, &ClearBoard {}).await?,
            Command::Unknown => HELP.to_owned(),
        };
        let mut step = context.step("answer")?;
        self.voice.say(&mut step, &told).await?;
        Ok(RunOutcome::success())
    }

    async fn act(
        &self,
        context: &mut RunContext<Board>,
        tool: &str,
        arguments: &impl Serialize,
    ) -> Result<String> {
        let mut step = context.step("act")?;
        use_tool(&mut step, self.voice, tool, arguments).await
    }

    /// The call stays without a result until the user has decided.
    fn ask_to_clear(&self, context: &mut RunContext<Board>) -> Result<RunOutcome> {
        let mut call = context.tool_call(CLEAR)?;
        call.args_json(&ClearBoard {})?;
        let call = call.end()?;
        self.asking.ask(context, call)
    }
}

/// Calls a tool in public, carries it out, and returns what was done in one sentence.
pub(crate) async fn use_tool(
    context: &mut RunContext<Board>,
    voice: Voice,
    tool: &str,
    arguments: &impl Serialize,
) -> Result<String> {
    let mut call = context.tool_call(tool)?;
    voice.type_arguments(&mut call, arguments).await?;
    let arguments = call.raw_args().to_owned();
    let told = match tools::run(call.state_mut(), tool, &arguments) {
        Ok(done) => done,
        Err(error) => format!("That did not work: {error}."),
    };
    call.publish_state()?;
    call.result(told.as_str())?;
    Ok(told)
}

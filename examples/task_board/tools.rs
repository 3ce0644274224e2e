//! The tools: what the agent can do to the board.
//!
//! The agent calls them and carries them out itself. Their arguments may come from a model, which
//! makes them the input of a stranger.

use ag_ui::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::{Board, BoardError};

pub(crate) const ADD: &str = "add_task";
pub(crate) const MOVE: &str = "move_task";
pub(crate) const EDIT: &str = "edit_task";
pub(crate) const CLEAR: &str = "clear_board";

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct AddTask {
    /// What is to be done.
    pub(crate) title: String,
    /// Name of the column; the first one if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct MoveTask {
    /// Number of the task.
    pub(crate) id: u32,
    /// Name of the column it goes to.
    pub(crate) column: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct EditTask {
    /// Number of the task.
    pub(crate) id: u32,
    /// Its new title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// Who does it; blank for nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) assignee: Option<String>,
}

/// It has no arguments.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct ClearBoard {}

/// Why a call has no effect. Whoever made the call is told, and may make a better one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolError {
    #[error("there is no tool “{0}”")]
    Unknown(String),
    #[error("the arguments do not fit: {0}")]
    Arguments(#[from] serde_json::Error),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error("say what to change: the title or the assignee")]
    NothingToEdit,
    #[error("clearing the board needs the approval of the user")]
    NeedsApproval,
}

/// The tools as they are described to a model.
pub(crate) fn all() -> [Tool; 4] {
    [
        Tool::of::<AddTask>(ADD, "Adds a task to the board."),
        Tool::of::<MoveTask>(MOVE, "Moves a task to another column."),
        Tool::of::<EditTask>(EDIT, "Renames a task, or says who does it."),
        Tool::of::<ClearBoard>(CLEAR, "Takes all tasks off the board. The user is asked first."),
    ]
}

/// Carries out a call and says in one sentence what was done.
pub(crate) fn run(board: &mut Board, name: &str, arguments: &str) -> Result<String, ToolError> {
    match name {
        ADD => add(board, &serde_json::from_str(arguments)?),
        MOVE => relocate(board, &serde_json::from_str(arguments)?),
        EDIT => edit(board, &serde_json::from_str(arguments)?),
        CLEAR if board.tasks().next().is_some() => Err(ToolError::NeedsApproval),
        CLEAR => Ok("The board is empty already.".to_owned()),
        unknown => Err(ToolError::Unknown(unknown.to_owned())),
    }
}

fn add(board: &mut Board, AddTask { title, column }: &AddTask) -> Result<String, ToolError> {
    let task = board.add(title, column.as_deref())?;
    Ok(format!("Task {} is “{}”.", task.id, task.title))
}

fn relocate(board: &mut Board, MoveTask { id, column }: &MoveTask) -> Result<String, ToolError> {
    let title = board.task(*id)?.title.clone();
    let column = board.move_to(*id, column)?;
    Ok(format!("“{title}” is in {column} now."))
}

fn edit(
    board: &mut Board,
    EditTask { id, title, assignee }: &EditTask,
) -> Result<String, ToolError> {
    if title.is_none() && assignee.is_none() {
        return Err(ToolError::NothingToEdit);
    }
    if let Some(title) = title {
        board.rename(*id, title)?;
    }
    if let Some(assignee) = assignee {
        board.assign(*id, assignee)?;
    }
    let task = board.task(*id)?;
    let whose = task.assignee.as_deref().unwrap_or("nobody");
    Ok(format!("Task {id} is “{}”, done by {whose}.", task.title))
}

//! The board: what agent and interface share.
//!
//! The interface keeps it and sends it along with each request, so the agent remembers nothing.
//! That makes it input: nothing in it can be relied on.

use serde::{Deserialize, Serialize};

use super::approval::Approval;

/// Columns of tasks, and the question that is open about them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Board {
    pub(crate) columns: Vec<Column>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) approval: Option<Approval>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) tasks: Vec<Task>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) id: u32,
    pub(crate) title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) assignee: Option<String>,
}

/// Why the board stays as it is.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(crate) enum BoardError {
    #[error("there is no task {0} on the board")]
    NoTask(u32),
    #[error("there is no column “{name}”; there is {}", known.join(", "))]
    NoColumn { name: String, known: Vec<String> },
    #[error("the board has no columns, so nothing can be put on it")]
    NoColumns,
    #[error("a task needs a title")]
    NoTitle,
    #[error("the numbers of tasks are used up; clear the board")]
    Full,
}

impl Default for Board {
    fn default() -> Self {
        let column = |name: &str| Column { name: name.to_owned(), tasks: Vec::new() };
        let mut board =
            Self { columns: ["To do", "Doing", "Done"].map(column).into(), approval: None };
        let task = |id, title: &str| Task { id, title: title.to_owned(), assignee: None };
        board.columns[0].tasks = vec![task(1, "Water the plants"), task(2, "Call the dentist")];
        board.columns[1].tasks = vec![task(3, "Write the invitation")];
        board
    }
}

impl Board {
    pub(crate) fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.columns.iter().flat_map(|column| &column.tasks)
    }

    /// Adds a task at the end of a column, the first one unless it is named.
    pub(crate) fn add(&mut self, title: &str, column: Option<&str>) -> Result<&Task, BoardError> {
        let title = proper(title)?;
        let last = self.tasks().map(|task| task.id).max().unwrap_or_default();
        let id = last.checked_add(1).ok_or(BoardError::Full)?;
        let column = match column {
            Some(name) => self.column_mut(name)?,
            None => self.columns.first_mut().ok_or(BoardError::NoColumns)?,
        };
        Ok(column.tasks.push_mut(Task { id, title, assignee: None }))
    }

    /// Moves a task to the end of a column and returns the name of that.
    pub(crate) fn move_to(&mut self, id: u32, column: &str) -> Result<&str, BoardError> {
        self.column_mut(column)?;
        let task = self.take(id)?;
        let column = self.column_mut(column)?;
        column.tasks.push(task);
        Ok(&column.name)
    }

    pub(crate) fn rename(&mut self, id: u32, title: &str) -> Result<(), BoardError> {
        let title = proper(title)?;
        self.task_mut(id)?.title = title;
        Ok(())
    }

    /// Gives a task to somebody, or to nobody when the name is blank.
    pub(crate) fn assign(&mut self, id: u32, assignee: &str) -> Result<(), BoardError> {
        let assignee = assignee.trim();
        self.task_mut(id)?.assignee = (!assignee.is_empty()).then(|| assignee.to_owned());
        Ok(())
    }

    /// Takes all tasks off and returns how many there were.
    pub(crate) fn clear(&mut self) -> usize {
        self.columns.iter_mut().map(|column| column.tasks.drain(..).len()).sum()
    }

    fn take(&mut self, id: u32) -> Result<Task, BoardError> {
        let found = self.columns.iter_mut().find_map(|column| {
            let index = column.tasks.iter().position(|task| task.id == id)?;
            Some(column.tasks.remove(index))
        });
        found.ok_or(BoardError::NoTask(id))
    }

    pub(crate) fn task(&self, id: u32) -> Result<&Task, BoardError> {
        self.tasks().find(|task| task.id == id).ok_or(BoardError::NoTask(id))
    }

    fn task_mut(&mut self, id: u32) -> Result<&mut Task, BoardError> {
        let mut tasks = self.columns.iter_mut().flat_map(|column| &mut column.tasks);
        tasks.find(|task| task.id == id).ok_or(BoardError::NoTask(id))
    }

    fn column_mut(&mut self, name: &str) -> Result<&mut Column, BoardError> {
        let wanted = name.trim().to_lowercase();
        let Some(index) = self.columns.iter().position(|it| it.name.to_lowercase() == wanted)
        else {
            let known = self.columns.iter().map(|column| column.name.clone()).collect();
            return Err(BoardError::NoColumn { name: name.trim().to_owned(), known });
        };
        Ok(&mut self.columns[index])
    }
}

fn proper(title: &str) -> Result<String, BoardError> {
    let title = title.trim();
    if title.is_empty() { Err(BoardError::NoTitle) } else { Ok(title.to_owned()) }
}

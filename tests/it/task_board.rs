//! The example `task_board`: whole streams of its runs, without a network.

#[path = "../../examples/task_board/approval.rs"]
mod approval;
#[path = "../../examples/task_board/board.rs"]
mod board;
#[path = "../../examples/task_board/chat.rs"]
mod chat;
#[path = "../../examples/task_board/command.rs"]
mod command;
#[path = "../../examples/task_board/history.rs"]
mod history;
#[path = "../../examples/task_board/model.rs"]
mod model;
#[path = "../../examples/task_board/opening.rs"]
mod opening;
#[path = "../../examples/task_board/planner.rs"]
mod planner;
#[path = "../../examples/task_board/reply.rs"]
mod reply;
#[path = "../../examples/task_board/script.rs"]
mod script;
#[path = "../../examples/task_board/tools.rs"]
mod tools;
#[path = "../../examples/task_board/voice.rs"]
mod voice;

mod approvals;
mod cancelled;
mod commands;
mod endpoint;
mod model_failures;
mod model_runs;
mod support;

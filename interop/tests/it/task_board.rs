//! The example `task_board`, driven by the official client and by a browser.

#[path = "../../../examples/task_board/approval.rs"]
mod approval;
#[path = "../../../examples/task_board/board.rs"]
mod board;
#[path = "../../../examples/task_board/capabilities.rs"]
mod capabilities;
#[path = "../../../examples/task_board/command.rs"]
mod command;
#[path = "../../../examples/task_board/opening.rs"]
mod opening;
#[path = "../../../examples/task_board/planner.rs"]
mod planner;
#[path = "../../../examples/task_board/script.rs"]
mod script;
#[path = "../../../examples/task_board/tools.rs"]
mod tools;
#[path = "../../../examples/task_board/voice.rs"]
mod voice;

mod cancellation;
mod client;
mod page;
mod recording;
mod served;

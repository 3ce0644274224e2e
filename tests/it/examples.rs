//! The examples start, serve their page and run their agent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// An example that runs until this is dropped.
pub(crate) struct Example {
    process: Child,
    pub(crate) address: String,
}

impl Drop for Example {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(name: &str) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["run", "--quiet", "--all-features", "--example", name])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PORT", "0")
        .env_remove("TASK_BOARD_MODEL_URL")
        .env_remove("TASK_BOARD_MODEL");
    command
}

impl Example {
    pub(crate) fn start(name: &str) -> Self {
        let mut process = command(name).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let output = process.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("The board is at http://");
        Self { address: address.unwrap_or_else(|| panic!("{line:?}")).to_owned(), process }
    }

    /// Sends a request and returns the whole answer.
    fn answer(&self, head: &str, body: &str) -> String {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        // HTTP/1.0 closes the connection behind the answer.
        let length = body.len();
        let request = format!("{head} HTTP/1.0\r\ncontent-length: {length}\r\n\r\n{body}");
        connection.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer
    }
}

#[test]
fn the_examples_serve_a_page_and_an_agent() {
    for (name, title) in [("first_agent", "First agent"), ("task_board", "Task board")] {
        let example = Example::start(name);
        let page = example.answer("GET /", "");
        assert!(page.starts_with("HTTP/1.0 200 OK"), "{name}: {page}");
        assert!(page.contains(&format!("<h1>{title}</h1>")), "{name}");
        let input = r#"{"threadId":"t","runId":"r","messages":[]}"#;
        let stream = example.answer("POST /agent", input);
        assert!(stream.contains(r#"data: {"type":"RUN_STARTED""#), "{name}: {stream}");
        let last = stream.trim_end().rsplit("\n\n").next().unwrap();
        assert!(last.starts_with(r#"data: {"type":"RUN_FINISHED""#), "{name}: {last}");
    }
}

#[test]
fn the_task_board_says_what_it_can_do() {
    let answer = Example::start("task_board").answer("GET /agent/capabilities", "");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let capabilities: ag_ui::AgentCapabilities = serde_json::from_str(body).unwrap();
    let tools = capabilities.tools.unwrap().items.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["add_task", "move_task", "edit_task", "clear_board"]);
    assert_eq!(capabilities.human_in_the_loop.unwrap().interrupts, Some(true));
}

/// Ctrl-C in mid-run: the stream gets its end, and the process ends without being killed.
#[cfg(unix)]
#[test]
fn the_task_board_ends_its_runs_before_it_stops() {
    let mut example = Example::start("task_board");
    let mut connection = TcpStream::connect(&example.address).unwrap();
    let input = r#"{"threadId":"t","runId":"r","messages":[]}"#;
    let head =
        format!("POST /agent HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", input.len());
    connection.write_all((head + input).as_bytes()).unwrap();
    let mut stream = BufReader::new(connection);
    let mut line = String::new();
    while !line.contains("TEXT_MESSAGE_CONTENT") {
        line.clear();
        assert!(stream.read_line(&mut line).unwrap() > 0, "the stream ended early");
    }
    let process = example.process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    let mut rest = String::new();
    stream.read_to_string(&mut rest).unwrap();
    assert!(rest.contains(r#""outcome":{"type":"cancelled"}"#), "{rest}");
    assert!(example.process.wait().unwrap().success());
}

#[test]
fn the_task_board_says_which_setting_is_missing() {
    let mut start = command("task_board");
    let output = start.env("TASK_BOARD_MODEL_URL", "http://127.0.0.1:1").output().unwrap();
    assert!(!output.status.success());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("TASK_BOARD_MODEL_URL is set, so TASK_BOARD_MODEL"), "{told}");
}

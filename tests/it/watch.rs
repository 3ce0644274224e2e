//! The example `watch`: what it shows, writes down, and exits with.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::client_support::{said, texts};
use crate::examples::Example;
use crate::http_support::{Answer, Server};

struct Shown {
    code: i32,
    out: String,
    errors: String,
}

/// Runs `watch` with those arguments and lines on its standard input.
fn watch(arguments: &[&str], input: &str) -> Shown {
    let mut process = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--all-features", "--example", "watch", "--"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    Shown {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A recording in a file that goes when this does.
struct Recording(PathBuf);

impl Recording {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ag-ui-watch-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn of(name: &str, runs: &[&str]) -> Self {
        let run = |run: &&str| texts(run).join("\n");
        Self::new(name, &runs.iter().map(run).collect::<Vec<_>>().join("\n\n"))
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn everything_that_happens_has_a_line() {
    let stream = "RUN_STARTED threadId=t runId=r;STEP_STARTED stepName=plan;REASONING_MESSAGE_START messageId=q role=reasoning;REASONING_MESSAGE_CONTENT messageId=q delta=hm;REASONING_MESSAGE_END messageId=q;STEP_FINISHED stepName=plan;STATE_SNAPSHOT snapshot={\"n\":1};STATE_DELTA delta=[{\"op\":\"replace\",\"path\":\"/n\",\"value\":2},{\"op\":\"remove\",\"path\":\"/n\"}];STATE_DELTA delta=[{\"op\":\"remove\",\"path\":\"/n\"}];TOOL_CALL_START toolCallId=c toolCallName=add;TOOL_CALL_ARGS toolCallId=c delta=\"{}\";TOOL_CALL_END toolCallId=c;TOOL_CALL_RESULT messageId=x toolCallId=c content=added;SUBAGENT_STARTED subagentRunId=s name=helper;TEXT_MESSAGE_CHUNK messageId=m delta=from @s;TEXT_MESSAGE_CHUNK messageId=n delta=main;TEXT_MESSAGE_CHUNK messageId=m delta=below @s;SUBAGENT_ERROR subagentRunId=s message=tired;ACTIVITY_SNAPSHOT messageId=a activityType=search content={\"found\":3};CUSTOM name=x.y value=[];RAW event=null;RUN_FINISHED threadId=t runId=r result=7 usage=[{\"model\":\"m-1\",\"inputTokens\":3}]";
    let recording = Recording::of("lines", &[stream]);
    let shown = watch(&["--replay", recording.path(), "--message", "Hi"], "");
    assert_eq!(
        shown.out.lines().collect::<Vec<_>>(),
        [
            "step      plan",
            "thinks    hm",
            "step      plan done",
            r#"state     {"n":1}"#,
            "state     replace /n 2",
            "state     remove /n",
            "calls     add {}",
            "result    added",
            "subagent  [s] helper begins",
            "agent     [s] from",
            "agent     main",
            "agent     [s] below",
            "subagent  [s] fails: tired",
            r#"activity  search: {"found":3}"#,
            "custom    x.y: []",
            "raw       null",
            "usage     m-1: 3 tokens in, ? out",
            r#"done      "7""#,
        ]
    );
    assert_eq!((shown.code, shown.errors.lines().count()), (0, 1), "{}", shown.errors);
    assert!(shown.errors.contains("warning: the state patch does not apply"), "{}", shown.errors);
}

#[test]
fn what_an_agent_sends_cannot_control_the_terminal() {
    let evil = r#""\u001b[2J\u202eevil\r\u0007\u009b31m\nnext""#;
    let stream = format!(
        r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r"}}
        {{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":{evil},"subagentRunId":{evil}}}
        {{"type":"STEP_STARTED","stepName":{evil}}}
        {{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":{evil},"delta":{evil}}}
        {{"type":"RUN_ERROR","message":{evil},"code":{evil}}}"#
    );
    let recording = Recording::new("evil", &stream);
    let shown = watch(&["--replay", recording.path(), "--message", "Hi"], "");
    let all = shown.out + &shown.errors;
    let dangerous =
        |character: char| character != '\n' && (character.is_control() || character == '\u{202e}');
    assert!(!all.contains(dangerous), "{all:?}");
    assert!(all.contains(r"\u{1b}[2J\u{202e}evil\u{d}\u{7}\u{9b}31m"), "{all}");
    assert_eq!(shown.code, 1);
}

#[test]
fn interrupts_are_answered_as_told_or_wait() {
    let asks = "RUN_STARTED threadId=t runId=r;RUN_FINISHED threadId=t runId=r outcome={\"type\":\"interrupt\",\"interrupts\":[{\"id\":\"i\",\"reason\":\"approval\",\"message\":\"Sure?\"}]}";
    let ends = format!(
        "RUN_STARTED threadId=t runId=q;{};RUN_FINISHED threadId=t runId=q",
        said("m", "ok")
    );
    let recording = Recording::of("asks", &[asks, &ends]);
    for decision in ["--approve", "--decline"] {
        let shown = watch(&["--replay", recording.path(), "--message", "Hi", decision], "");
        assert_eq!(
            shown.out,
            "waits     for the answers to 1 interrupts\nasks      Sure?\nagent     ok\ndone\n"
        );
        assert_eq!(shown.code, 0);
    }
    let shown = watch(&["--replay", recording.path(), "--message", "Hi"], "");
    assert_eq!((shown.code, shown.out.lines().last()), (2, Some("asks      Sure?")));
}

#[test]
fn tools_that_nobody_runs_are_declined_but_not_for_ever() {
    let calls = |id: usize| {
        format!(
            "RUN_STARTED threadId=t runId=r{id};TOOL_CALL_START toolCallId=c{id} toolCallName=ask;TOOL_CALL_END toolCallId=c{id};RUN_FINISHED threadId=t runId=r{id}"
        )
    };
    let runs: Vec<String> = (0..6).map(calls).collect();
    let recording = Recording::of("calls", &runs.iter().map(String::as_str).collect::<Vec<_>>());
    let shown = watch(&["--replay", recording.path(), "--message", "Hi"], "");
    assert_eq!(shown.code, 2);
    assert_eq!(shown.out.matches("calls     ask").count(), 4);
    assert!(shown.errors.contains("nobody runs the tool ask here"), "{}", shown.errors);
}

#[test]
fn lines_of_the_standard_input_are_said_one_after_the_other() {
    let run = |id: usize| {
        format!(
            "RUN_STARTED threadId=t runId=r{id};{};RUN_FINISHED threadId=t runId=r{id}",
            said(&format!("m{id}"), &format!("answer{id}"))
        )
    };
    let recording = Recording::of("input", &[&run(1), &run(2)]);
    let shown = watch(&["--replay", recording.path()], "one\n\n  \ntwo\n");
    assert_eq!(shown.out, "agent     answer1\ndone\nagent     answer2\ndone\n");
    // A third message finds no run.
    let shown = watch(&["--replay", recording.path()], "one\ntwo\nthree");
    assert_eq!(shown.code, 1);
    assert!(
        shown.out.ends_with(
            "failed    the recording has no run left: 2 were recorded and replayed (TRANSPORT)\n"
        ),
        "{}",
        shown.out
    );
}

#[test]
fn the_task_board_is_watched_recorded_and_replayed() {
    let board = Example::start("task_board");
    let url = format!("http://{}/agent", board.address);
    for (format, start) in
        [("json-lines", "{\"type\":\"RUN_STARTED\""), ("sse", "data: {\"type\":\"RUN_STARTED\"")]
    {
        let recording = Recording::new(format, "");
        let say = ["--message", "add milk", "--message", "clear the board", "--approve"];
        let arguments = [
            &[url.as_str(), "--record", recording.path(), "--format", format, "--thread", format],
            &say[..],
        ]
        .concat();
        let shown = watch(&arguments, "");
        assert_eq!(shown.code, 0, "{}{}", shown.out, shown.errors);
        for line in [
            "calls     add_task {\"title\":\"milk\"}",
            "state     add /columns/0/tasks/2 {\"id\":4,\"title\":\"milk\"}",
            "result    Task 4 is “milk”.",
            "asks      May I take all 4 tasks off the board?",
            "result    The board is clear: 4 tasks are gone.",
        ] {
            assert!(shown.out.lines().any(|shown| shown == line), "{line} in {}", shown.out);
        }
        assert!(std::fs::read_to_string(&recording.0).unwrap().starts_with(start));
        let replayed = watch(&[&["--replay", recording.path()], &say[..]].concat(), "");
        assert_eq!((replayed.out, replayed.code), (shown.out, 0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_talked_to_is_said() {
    let server = Server::start(Answer::new("200 OK", Some("text/html"), "<h1>Hi</h1>")).await;
    let html = server.url();
    let nobody = "http://127.0.0.1:9/agent";
    tokio::task::spawn_blocking(move || {
        let shown = watch(&[&html, "--message", "Hi", "--header", "x-key: 1"], "");
        assert_eq!(shown.code, 1);
        assert!(
            shown.out.contains(
                "failed    the server answered with text/html in place of text/event-stream"
            ),
            "{}",
            shown.out
        );
        let shown = watch(&[nobody, "--message", "Hi"], "");
        assert!(
            shown.code == 1 && shown.out.contains("failed    the connection failed"),
            "{}",
            shown.out
        );
        for (arguments, text) in [
            (&["--message", "Hi"][..], "say the URL of an agent, or --replay FILE"),
            (&["localhost:3000"], "`localhost:3000` is no URL of an agent"),
            (&["--replay", "/no/such/file"], "cannot read /no/such/file"),
            (&[nobody, "--header", "x"], "write a header as NAME:VALUE"),
            (&[nobody, "--timeout", "soon"], "`soon` is no number of seconds"),
            (&[nobody, "--format", "xml"], "`xml` is no format"),
            (&[nobody, "--colour"], "--colour"),
        ] {
            let shown = watch(arguments, "");
            assert_eq!(shown.code, 1, "{arguments:?}");
            assert!(shown.errors.contains(text), "{arguments:?}: {}", shown.errors);
        }
        let help = watch(&["--help"], "");
        assert!(help.code == 0 && help.out.starts_with("watch URL"));
    })
    .await
    .unwrap();
    assert!(server.requests().await[0].head.contains("x-key: 1"));
}

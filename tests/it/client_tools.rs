//! Tools that run on this side.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ag_ui::client::{
    Frame, ReplayTransport, RunEnd, Session, SessionBuilder, ToolAnswer, ToolCallChange,
    ToolInvocation, Update,
};
use ag_ui::{Message, Tool};
use serde::Deserialize;
use serde_json::json;

use crate::client_support::{drain, failed, run_of, said, send, success, warnings};

fn tool(name: &str) -> Tool {
    Tool::new(name, "does it", json!({"type": "object"}))
}

fn call(id: &str, name: &str, arguments: &str) -> String {
    format!(
        "TOOL_CALL_START toolCallId={id} toolCallName={name};TOOL_CALL_ARGS toolCallId={id} delta={};TOOL_CALL_END toolCallId={id}",
        json!(arguments)
    )
}

fn builder(runs: impl IntoIterator<Item = Vec<Frame>>) -> (SessionBuilder, ReplayTransport) {
    let transport = ReplayTransport::with_runs(runs);
    (Session::builder(transport.clone(), "t"), transport)
}

#[derive(Deserialize)]
struct Sum {
    a: i64,
    b: i64,
}

fn adds(builder: SessionBuilder) -> SessionBuilder {
    builder.tool(tool("add"), async |call: ToolInvocation| {
        let Sum { a, b } = call.parse()?;
        Ok::<_, serde_json::Error>((a + b).to_string())
    })
}

#[test]
fn calls_run_and_the_agent_goes_on_with_the_answers() {
    let calls =
        format!("{};{}", call("c", "add", r#"{"a":1,"b":2}"#), call("d", "add", r#"{"a":1}"#));
    let (builder, transport) = builder([run_of(&calls), run_of(&said("m", "3"))]);
    let mut session = adds(builder).build();
    let (updates, end) = send(&mut session, "Add");
    assert_eq!(end, success());
    assert_eq!(transport.requests()[0].tools[0].name, "add");
    let answers: Vec<_> = transport.requests()[1]
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::Tool(answer) => Some((
                answer.tool_call_id.to_string(),
                answer.content.text().into_owned(),
                answer.error.is_some(),
            )),
            _ => None,
        })
        .collect();
    assert_eq!(answers[0], ("c".into(), "3".into(), false));
    // What went wrong is an answer too, so that the model can do better.
    assert!(answers[1].2 && answers[1].1.contains("missing field `b`"), "{answers:?}");
    let running = updates.iter().filter(
        |update| matches!(update, Update::ToolCall(call) if call.change == ToolCallChange::Running),
    );
    assert_eq!(running.count(), 2);
    assert_eq!(
        updates.iter().filter(|update| matches!(update, Update::ToolResult { .. })).count(),
        2
    );
    assert_eq!(session.messages().last().unwrap().text().unwrap(), "3");
}

#[test]
fn calls_that_nobody_runs_are_left_to_the_caller() {
    let calls = format!("{};{}", call("c", "add", r#"{"a":1,"b":2}"#), call("d", "ask", ""));
    let (builder, transport) = builder([run_of(&calls), run_of(&said("m", "done"))]);
    let mut session = adds(builder.tools([tool("ask")])).build();
    let (_, end) = send(&mut session, "Go");
    // The protocol wants all calls answered before the agent goes on.
    assert_eq!(end, RunEnd::Success { result: None, pending_tool_calls: vec!["d".into()] });
    assert_eq!(transport.requests().len(), 1);
    session.answer_tool("d", ToolAnswer::json(&json!([1])).unwrap()).unwrap();
    assert_eq!(drain(session.run()).1, success());
    assert_eq!(transport.requests()[1].messages.len(), 5);
}

#[test]
fn an_agent_that_calls_without_end_is_stopped() {
    let runs = (0..10).map(|index| run_of(&call(&format!("c{index}"), "add", r#"{"a":1,"b":2}"#)));
    let (builder, transport) = builder(runs);
    let mut session = adds(builder).tool_rounds(3).build();
    let (updates, end) = send(&mut session, "Add");
    assert_eq!(end, RunEnd::Success { result: None, pending_tool_calls: vec!["c3".into()] });
    assert_eq!(transport.requests().len(), 4);
    assert!(
        warnings(&updates).last().unwrap().contains("3 times in a row"),
        "{:?}",
        warnings(&updates)
    );
}

#[test]
fn calls_of_one_run_run_side_by_side() {
    let calls = format!("{};{}", call("c", "meet", ""), call("d", "meet", ""));
    let (builder, _) = builder([run_of(&calls), run_of("")]);
    let here = Arc::new(AtomicUsize::new(0));
    let meet = move |_: ToolInvocation| {
        let here = here.clone();
        async move {
            here.fetch_add(1, Ordering::SeqCst);
            // Waits for the other one: alone it would wait for ever.
            std::future::poll_fn(|context| {
                context.waker().wake_by_ref();
                if here.load(Ordering::SeqCst) == 2 {
                    std::task::Poll::Ready(())
                } else {
                    std::task::Poll::Pending
                }
            })
            .await;
            Ok::<_, std::fmt::Error>("met")
        }
    };
    let mut session = builder.tool(tool("meet"), meet).build();
    assert_eq!(send(&mut session, "Meet").1, success());
}

#[test]
fn aborting_stops_the_tools() {
    let (builder, transport) = builder([run_of(&call("c", "wait", "")), run_of("")]);
    let waits = async |_: ToolInvocation| {
        std::future::pending::<()>().await;
        Ok::<_, std::fmt::Error>("never")
    };
    let mut session = builder.tool(tool("wait"), waits).build();
    let run = session.send("Wait");
    let token = run.cancellation_token();
    let mut run = run;
    let mut end = None;
    futures_executor::block_on(async {
        while let Some(update) = run.next().await {
            match update {
                Update::ToolCall(call) if call.change == ToolCallChange::Running => token.cancel(),
                Update::Done(done) => end = Some(done),
                _ => {}
            }
        }
    });
    drop(run);
    assert_eq!(failed(&end.unwrap()).0, "CANCELLED");
    assert_eq!(transport.requests().len(), 1);
    // The call still waits, and can be answered.
    assert_eq!(session.pending().tool_calls.len(), 1);
    session.answer_tool("c", "enough").unwrap();
    assert_eq!(drain(session.run()).1, success());
}

#[test]
fn a_failed_run_runs_no_tools() {
    let stream = crate::client_support::frames(&format!(
        "RUN_STARTED threadId=t runId=r;{};RUN_ERROR message=x",
        call("c", "add", "{}")
    ));
    let (builder, transport) = builder([stream, run_of("")]);
    let mut session = adds(builder).build();
    assert_eq!(failed(&send(&mut session, "Add").1).1, "x");
    assert_eq!(transport.requests().len(), 1);
    assert_eq!(session.pending().tool_calls.len(), 1);
}

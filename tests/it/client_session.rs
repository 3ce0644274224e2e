//! Sessions: runs that end well, badly, or early, and what the next one sends.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use ag_ui::client::{
    Connecting, Error, Frame, Frames, ReplayTransport, RunEnd, Session, TextChange, Transport,
    Update,
};
use ag_ui::{Message, PROTOCOL_VERSION, RunAgentInput, Tool, encode};
use futures_core::Stream;
use futures_executor::block_on;
use serde_json::{Value, json};

use crate::client_support::{drain, failed, frames, run_of, said, send, session, success};

#[test]
fn a_run_sends_everything_and_what_comes_back_is_kept() {
    let transport = ReplayTransport::with_runs([
        run_of(&format!("{};STATE_SNAPSHOT snapshot={{\"n\":1}}", said("m-1", "Hi"))),
        run_of(&said("m-2", "Bye")),
    ]);
    let mut session = Session::builder(transport.clone(), "t")
        .tools([Tool::new("x", "does x", json!({}))])
        .context([ag_ui::Context::new("place", "here")])
        .forwarded_props(json!({"a": 1}))
        .build();
    assert_eq!(send(&mut session, "Hello").1, success());
    session.set_next_run_id("named");
    assert_eq!(send(&mut session, "Good bye").1, success());

    let [first, second] = &transport.requests()[..] else { panic!() };
    assert_eq!(
        serde_json::to_value(first).unwrap(),
        json!({
            "threadId": "t", "runId": "t-run-1", "protocolVersion": PROTOCOL_VERSION, "state": {},
            "messages": [{"id": "t-message-1", "role": "user", "content": "Hello"}],
            "tools": [{"name": "x", "description": "does x", "parameters": {}}],
            "context": [{"description": "place", "value": "here"}],
            "forwardedProps": {"a": 1},
        })
    );
    assert_eq!((second.run_id.as_str(), &second.state), ("named", &Some(json!({"n": 1}))));
    let said: Vec<_> = second.messages.iter().map(|message| message.text().unwrap()).collect();
    assert_eq!(said, ["Hello", "Hi", "Good bye"]);
    assert_eq!(session.messages().len(), 4);
}

#[test]
fn activities_do_not_go_to_the_agent() {
    let (mut session, transport) =
        session([run_of("ACTIVITY_SNAPSHOT messageId=a activityType=x content={}"), run_of("")]);
    send(&mut session, "one");
    send(&mut session, "two");
    assert_eq!(session.messages().len(), 3);
    assert_eq!(transport.requests()[1].messages.len(), 2);
}

#[test]
fn made_ids_avoid_those_that_are_there() {
    let transport = ReplayTransport::with_runs([run_of("")]);
    let mut session = Session::builder(transport.clone(), "t")
        .messages([Message::user("t-message-1", "earlier")])
        .previous_runs(7)
        .build();
    send(&mut session, "now");
    assert_eq!(session.messages().last().unwrap().id(), &"t-message-2");
    assert_eq!(transport.requests()[0].run_id, "t-run-8");
}

/// Whatever is wrong with a stream, there is one end, and what came before it is kept.
#[test]
fn a_stream_that_is_wrong_fails_the_run_and_keeps_what_came() {
    let hello = said("m", "Hello");
    let table = [
        ("", "TRUNCATED", "after 0 events"),
        ("RUN_STARTED threadId=t runId=r", "TRUNCATED", "after 1 events"),
        (&*format!("RUN_STARTED threadId=t runId=r;{hello}"), "TRUNCATED", "after 4 events"),
        (
            &*format!("RUN_STARTED threadId=t runId=r;{hello};TEXT_MESSAGE_END messageId=m"),
            "ORDERING",
            "`m`",
        ),
        (
            &*format!("RUN_STARTED threadId=t runId=r;{hello};STEP_STARTED stepName=null"),
            "DECODE",
            "STEP_STARTED at /stepName",
        ),
        (
            &*format!("RUN_STARTED threadId=t runId=r;{hello};LATER_EVENT x=1"),
            "UNKNOWN_EVENT",
            "`LATER_EVENT`",
        ),
        (
            &*format!("RUN_STARTED threadId=t runId=r;{hello};RUN_ERROR message=boom code=X"),
            "X",
            "boom",
        ),
        (
            &*format!(
                "RUN_STARTED threadId=t runId=r;{hello};RUN_FINISHED threadId=t runId=r outcome={{\"type\":\"cancelled\"}}"
            ),
            "CANCELLED",
            "cancelled",
        ),
        (
            &*format!("RUN_STARTED threadId=t runId=r;{hello};RUN_FINISHED threadId=t runId=q"),
            "ORDERING",
            "run-id-mismatch",
        ),
    ];
    for (stream, code, text) in table {
        let (mut session, _) = session([frames(stream), run_of("")]);
        let (updates, end) = send(&mut session, "Hi");
        assert_eq!(failed(&end).0, code, "{stream}");
        assert!(failed(&end).1.contains(text), "{stream}: {}", failed(&end).1);
        if stream.contains("Hello") {
            assert_eq!(session.messages().get("m").unwrap().text().unwrap(), "Hello", "{stream}");
            let ended = updates.iter().filter(
                |update| matches!(update, Update::Text(text) if text.change == TextChange::Ended),
            );
            assert_eq!(ended.count(), 1, "{stream}");
        }
        assert_eq!(end.is_cancelled(), code == "CANCELLED");
        // The session goes on.
        assert_eq!(send(&mut session, "Again").1, success(), "{stream}");
    }
}

#[test]
fn a_message_that_is_cut_off_ends_where_it_is() {
    let (mut session, _) = session([frames(
        "RUN_STARTED threadId=t runId=r; TEXT_MESSAGE_CHUNK messageId=m delta=Hel",
    )]);
    let (updates, end) = send(&mut session, "Hi");
    assert_eq!(failed(&end).0, "TRUNCATED");
    assert!(matches!(updates.last(), Some(Update::Text(text)) if text.change == TextChange::Ended));
    assert_eq!(session.messages().last().unwrap().text().unwrap(), "Hel");
}

#[test]
fn of_several_runs_in_a_stream_the_last_decides() {
    let (mut session, _) = session([
        frames(
            "RUN_ERROR message=first; RUN_STARTED threadId=t runId=r; RUN_FINISHED threadId=t runId=r result=7",
        ),
        frames(
            "RUN_STARTED threadId=t runId=r; RUN_FINISHED threadId=t runId=r; RUN_ERROR message=late",
        ),
    ]);
    let (updates, end) = send(&mut session, "Hi");
    assert_eq!(end, RunEnd::Success { result: Some(json!("7")), pending_tool_calls: vec![] });
    let ends = updates.iter().filter(|update| matches!(update, Update::RunEnded { .. })).count();
    assert_eq!(ends, 2);
    assert_eq!(failed(&send(&mut session, "Hi").1).1, "late");
}

#[test]
fn the_error_of_a_run_can_be_looked_at() {
    let (mut session, _) =
        session([frames("RUN_STARTED threadId=t runId=r; STEP_FINISHED stepName=x")]);
    let mut run = session.send("Hi");
    block_on(async { while run.next().await.is_some() {} });
    let Some(Error::Order(violation)) = run.error() else { panic!("{:?}", run.error()) };
    assert_eq!(violation.event_index(), 1);
    assert_eq!(run.session().messages().len(), 1);
}

#[test]
fn a_transport_that_fails_is_an_end_like_others() {
    let (mut session, transport) = session([run_of("")]);
    assert_eq!(send(&mut session, "one").1, success());
    let (updates, end) = send(&mut session, "two");
    assert_eq!(failed(&end).0, "TRANSPORT");
    assert!(updates.is_empty());
    // What was said was said.
    assert_eq!(session.messages().last().unwrap().text().unwrap(), "two");
    assert_eq!(transport.remaining(), 0);
}

/// Delivers some frames, then waits for ever; says when it is dropped.
struct Waits {
    frames: Vec<Frame>,
    dropped: Arc<Mutex<u32>>,
}

struct Waiting(std::vec::IntoIter<Frame>, Arc<Mutex<u32>>);

impl Transport for Waits {
    fn run(&self, _: RunAgentInput) -> Connecting {
        let frames = Waiting(self.frames.clone().into_iter(), self.dropped.clone());
        Box::pin(async { Ok(Box::pin(frames) as Frames) })
    }
}

impl Stream for Waiting {
    type Item = Result<Frame, Error>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.next().map_or(Poll::Pending, |frame| Poll::Ready(Some(Ok(frame))))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        *self.1.lock().unwrap() += 1;
    }
}

const HALF: &str = "RUN_STARTED threadId=t runId=r; STATE_SNAPSHOT snapshot={\"n\":\"1\"}; TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_ARGS toolCallId=c delta=half; TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=Hel";

#[test]
fn a_run_is_aborted_from_another_thread_at_any_point() {
    let all = frames(HALF);
    for count in 0..=all.len() {
        let dropped = Arc::new(Mutex::new(0));
        let transport = Waits { frames: all[..count].to_vec(), dropped: dropped.clone() };
        let mut session = Session::new(transport, "t");
        let run = session.send("Hi");
        let token = run.cancellation_token();
        let (seen, waits) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            waits.recv().unwrap();
            token.cancel();
        });
        let mut run = run;
        let end = block_on(async {
            let mut taken = 0;
            loop {
                let is_last = taken == count.saturating_sub(usize::from(count > 0));
                if is_last {
                    seen.send(()).unwrap_or_default();
                }
                match run.next().await {
                    Some(Update::Done(end)) => break end,
                    Some(_) => taken += 1,
                    None => panic!("no end"),
                }
            }
        });
        thread.join().unwrap();
        assert!(end.is_cancelled(), "{count}: {end:?}");
        assert!(block_on(run.next()).is_none());
        drop(run);
        assert_eq!(*dropped.lock().unwrap(), 1, "{count}: the connection is closed");
        assert!(count < 6 || session.messages().get("m").unwrap().text().unwrap() == "Hel");
    }
}

#[test]
fn a_dropped_run_leaves_what_came_and_says_what_waits() {
    let dropped = Arc::new(Mutex::new(0));
    let mut session = Session::new(Waits { frames: frames(HALF), dropped: dropped.clone() }, "t");
    let mut run = session.send("Hi");
    block_on(async {
        while let Some(update) = run.next().await {
            if matches!(update, Update::Text(text) if text.change != (TextChange::Ended))
                && run
                    .session()
                    .messages()
                    .get("m")
                    .is_some_and(|message| message.text().unwrap() == "Hel")
            {
                break;
            }
        }
    });
    drop(run);
    assert_eq!(*dropped.lock().unwrap(), 1);
    assert_eq!(session.raw_state(), Some(&json!({"n": "1"})));
    let pending = session.pending();
    assert_eq!(pending.tool_calls[0].function.arguments, "half");
    session.decline_tools("the run was stopped");
    assert!(session.pending().is_empty());
    let Some(Message::Tool(answer)) =
        session.messages().iter().find(|message| matches!(message, Message::Tool(_)))
    else {
        panic!()
    };
    assert_eq!(answer.error.as_deref(), Some("the run was stopped"));
}

#[test]
fn nothing_is_sent_before_the_run_is_polled() {
    let (mut session, transport) = session([run_of("")]);
    drop(session.send("Hi"));
    assert!(transport.requests().is_empty());
    assert_eq!(session.messages().len(), 1);
}

#[test]
fn tools_of_earlier_runs_that_wait_are_warned_about_and_can_be_answered() {
    let call = "TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_END toolCallId=c";
    let (mut session, transport) = session([run_of(call), run_of(""), run_of("")]);
    let (_, end) = send(&mut session, "Hi");
    assert_eq!(end, RunEnd::Success { result: None, pending_tool_calls: vec!["c".into()] });
    let (updates, _) = drain(session.run());
    assert!(matches!(&updates[0], Update::Warning(warning) if warning.to_string().contains("`c`")));
    // The run ended without them: they are not asked for any more.
    assert!(session.pending().is_empty());
    assert_eq!(
        session.answer_tool("c", "late").unwrap_err().to_string(),
        "no tool call `c` waits for an answer"
    );
    assert_eq!(transport.requests().len(), 2);
}

#[test]
fn an_answer_goes_behind_its_call_and_to_the_agent() {
    let call = "TOOL_CALL_START toolCallId=c toolCallName=x; TOOL_CALL_END toolCallId=c";
    let (mut session, transport) =
        session([run_of(&format!("{call};{}", said("m", "wait"))), run_of("")]);
    send(&mut session, "Hi");
    session.answer_tool("c", "done").unwrap();
    assert!(session.answer_tool("c", "again").is_err());
    let (updates, _) = drain(session.run());
    assert!(!updates.iter().any(|update| matches!(update, Update::Warning(_))), "{updates:?}");
    let roles: Vec<Value> = serde_json::to_value(&transport.requests()[1].messages)
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].clone())
        .collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant"]);
    assert_eq!(
        encode::to_json(&transport.requests()[1]).matches("\"toolCallId\":\"c\"").count(),
        1
    );
}

#[test]
fn sessions_and_their_runs_can_be_sent_to_other_threads() {
    fn is_send<T: Send>(_: &T) {}
    let (mut session, _) = session([run_of("")]);
    is_send(&session);
    is_send(&session.run());
}

//! Random agents: whatever an agent does with the emitters, its stream is whole.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};

use ag_ui::EventType::{self, *};
#[cfg(feature = "client")]
use ag_ui::client::{Frame, ReplayTransport, Session, TextChange, Update};
use ag_ui::server::{Agent, AgentState, Error, Result, RunContext, Runner};
use ag_ui::verify::{EventVerifier, Violation};
use ag_ui::{
    Event, Interrupt, InterruptId, Message, ReasoningMessageChunkEvent, RunOutcome,
    TextMessageChunkEvent, TextMessageRole, ToolCallChunkEvent,
};
use proptest::prelude::*;
use serde_json::json;

use crate::server_support::{collect, input, pause};

/// One thing an agent does.
#[derive(Debug, Clone)]
enum Act {
    Say(String),
    Message(TextMessageRole, Vec<Piece>),
    Reasoning {
        pieces: Vec<Piece>,
        encrypted: bool,
    },
    Call {
        arguments: Vec<Piece>,
        end: CallEnd,
    },
    Calls(Vec<(u8, CallEnd)>),
    Step(String, Vec<Act>),
    Subagent(Vec<Act>, End),
    SideBySide(Vec<(Vec<Act>, End)>),
    Activity(Vec<u8>),
    State(u32),
    Custom,
    Raw,
    Messages,
    Chunks(Chunked, u8),
    Pause,
    /// Leaves what is open by an error.
    Fail,
    Panic,
    Cancel,
}

/// What happens while a block is open.
#[derive(Debug, Clone)]
enum Piece {
    Delta(String),
    State(u32),
    Custom,
    Pause,
    Fail,
}

#[derive(Debug, Clone, Copy)]
enum CallEnd {
    Result,
    EndThenResult,
    End,
    Drop,
}

#[derive(Debug, Clone, Copy)]
enum End {
    Finish,
    Suspend,
    Fail,
    Drop,
}

#[derive(Debug, Clone, Copy)]
enum Chunked {
    Text,
    Call,
    Reasoning,
}

/// A whole agent: what it does, and the outcome it returns if it gets there.
#[derive(Debug, Clone)]
struct Program {
    acts: Vec<Act>,
    interrupts: bool,
}

fn program() -> impl Strategy<Value = Program> {
    (prop::collection::vec(act(), 0..8), prop::bool::weighted(0.2))
        .prop_map(|(acts, interrupts)| Program { acts, interrupts })
}

fn act() -> impl Strategy<Value = Act> {
    let role = prop::sample::select(&TextMessageRole::ALL[..]);
    let leaf = prop_oneof![
        4 => ".{0,8}".prop_map(Act::Say),
        4 => (role, pieces()).prop_map(|(role, pieces)| Act::Message(role, pieces)),
        2 => (pieces(), any::<bool>())
            .prop_map(|(pieces, encrypted)| Act::Reasoning { pieces, encrypted }),
        4 => (pieces(), call_end()).prop_map(|(arguments, end)| Act::Call { arguments, end }),
        3 => prop::collection::vec((0..4_u8, call_end()), 0..6).prop_map(Act::Calls),
        2 => prop::collection::vec(any::<u8>(), 1..4).prop_map(Act::Activity),
        2 => any::<u32>().prop_map(Act::State),
        1 => Just(Act::Custom),
        1 => Just(Act::Raw),
        1 => Just(Act::Messages),
        3 => (prop::sample::select(vec![Chunked::Text, Chunked::Call, Chunked::Reasoning]), 1..4_u8)
            .prop_map(|(kind, count)| Act::Chunks(kind, count)),
        3 => Just(Act::Pause),
        1 => prop_oneof![6 => Just(Act::Fail), 1 => Just(Act::Panic), 3 => Just(Act::Cancel)],
    ];
    leaf.prop_recursive(3, 24, 5, |act| {
        let acts = prop::collection::vec(act, 0..5);
        prop_oneof![
            ("[a-c]", acts.clone()).prop_map(|(name, acts)| Act::Step(name, acts)),
            (acts.clone(), end()).prop_map(|(acts, end)| Act::Subagent(acts, end)),
            prop::collection::vec((acts, end()), 1..4).prop_map(Act::SideBySide),
        ]
    })
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let piece = prop_oneof![
        6 => ".{0,6}".prop_map(Piece::Delta),
        1 => any::<u32>().prop_map(Piece::State),
        1 => Just(Piece::Custom),
        2 => Just(Piece::Pause),
        1 => prop::bool::weighted(0.1)
            .prop_map(|fails| if fails { Piece::Fail } else { Piece::Pause }),
    ];
    prop::collection::vec(piece, 0..5)
}

fn call_end() -> impl Strategy<Value = CallEnd> {
    use CallEnd::{Drop, End, EndThenResult, Result};
    prop::sample::select(vec![Result, EndThenResult, End, Drop])
}

fn end() -> impl Strategy<Value = End> {
    prop::sample::select(vec![End::Finish, End::Finish, End::Suspend, End::Fail, End::Drop])
}

/// A state that an act can change, or none.
trait Changes: AgentState {
    fn change(&mut self, by: u32);
}

impl Changes for Vec<u32> {
    fn change(&mut self, by: u32) {
        self.push(by);
    }
}

impl Changes for () {
    fn change(&mut self, _by: u32) {}
}

type Acting<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

fn perform<'a, S: Changes>(context: &'a mut RunContext<S>, acts: &'a [Act]) -> Acting<'a> {
    Box::pin(async move {
        for act in acts {
            perform_one(context, act).await?;
        }
        Ok(())
    })
}

/// Does the pieces with an open handle of whichever kind.
macro_rules! do_pieces {
    ($handle:ident, $delta:ident, $pieces:expr) => {
        for piece in $pieces {
            match piece {
                Piece::Delta(text) => $handle.$delta(text)?,
                Piece::State(by) => $handle.update_state(|state| state.change(*by))?,
                Piece::Custom => $handle.custom("acme.note", "a note")?,
                Piece::Pause => pause().await,
                Piece::Fail => return Err(Error::agent("a piece failed")),
            }
        }
    };
}

async fn perform_one<S: Changes>(context: &mut RunContext<S>, act: &Act) -> Result<()> {
    match act {
        Act::Say(text) => drop(context.say(text)?),
        Act::Message(role, pieces) => {
            let mut message = context.message(*role)?;
            do_pieces!(message, delta, pieces);
        }
        Act::Reasoning { pieces, encrypted } => {
            let mut reasoning = context.reasoning()?;
            do_pieces!(reasoning, delta, pieces);
            if *encrypted {
                reasoning.encrypted_value("opaque")?;
            }
        }
        Act::Call { arguments, end } => {
            let mut call = context.tool_call("search")?;
            do_pieces!(call, args, arguments);
            match end {
                CallEnd::Result => drop(call.result("found")?),
                CallEnd::EndThenResult => {
                    call.end_args()?;
                    pause().await;
                    call.result_json(&json!(["found"]))?;
                }
                CallEnd::End => drop(call.end()?),
                CallEnd::Drop => drop(call),
            }
        }
        Act::Calls(calls) => perform_calls(context, calls).await?,
        Act::Step(name, acts) => {
            // Of one name, one step at a time: how deep it is makes the name.
            let name = format!("{name}-{:p}", acts.as_ptr());
            let mut step = context.step(name)?;
            perform(&mut step, acts).await?;
        }
        Act::Subagent(acts, end) => {
            let mut subagent = context.subagent("helper")?;
            perform(&mut subagent, acts).await?;
            match end {
                End::Finish => subagent.finish_with(&1)?,
                End::Suspend => subagent.suspend([InterruptId::new("i-1")])?,
                End::Fail => subagent.fail("no luck")?,
                End::Drop => drop(subagent),
            }
        }
        Act::SideBySide(all) => perform_side_by_side(context, all).await?,
        Act::Activity(contents) => {
            let mut activity = context.activity("PLAN", &json!({ "done": 0 }))?;
            for done in contents {
                activity.update(&json!({ "done": done, "of": "a plan with some steps" }))?;
            }
        }
        Act::State(by) => context.update_state(|state| state.change(*by))?,
        Act::Custom => context.custom("acme.note", &1)?,
        Act::Raw => context.raw(&json!({ "a": null }))?,
        Act::Messages => context.messages_snapshot(vec![Message::user("m-1", "Hello")])?,
        Act::Chunks(kind, count) => {
            for index in 0..*count {
                context.emit(chunk(*kind, index))?;
            }
        }
        Act::Pause => pause().await,
        Act::Fail => return Err(Error::agent("an act failed")),
        Act::Panic => panic!("an act panicked"),
        Act::Cancel => context.cancellation_token().cancel(),
    }
    Ok(())
}

/// The first chunk of a block names it, later ones go on.
fn chunk(kind: Chunked, index: u8) -> Event {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let id = (index == 0).then(|| format!("chunk-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    match kind {
        Chunked::Text => {
            let mut chunk = TextMessageChunkEvent::new().with_delta("a");
            chunk.message_id = id.map(Into::into);
            chunk.into()
        }
        Chunked::Call => {
            let mut chunk = ToolCallChunkEvent::new().with_delta("{}");
            chunk.tool_call_name = id.is_some().then(|| "search".to_owned());
            chunk.tool_call_id = id.map(Into::into);
            chunk.into()
        }
        Chunked::Reasoning => {
            let mut chunk = ReasoningMessageChunkEvent::new().with_delta("a");
            chunk.message_id = id.map(Into::into);
            chunk.into()
        }
    }
}

async fn perform_calls<S: Changes>(
    context: &mut RunContext<S>,
    acts: &[(u8, CallEnd)],
) -> Result<()> {
    let mut calls = context.tool_calls();
    for (key, end) in acts {
        if !calls.contains(key) {
            calls.start(*key, "search")?;
            calls.args(key, "{}")?;
            pause().await;
            continue;
        }
        match end {
            CallEnd::Result => drop(calls.result(key, "found")?),
            CallEnd::EndThenResult => {
                calls.end_args(key)?;
                calls.update_state(|state| state.change(1))?;
                calls.result(key, "found")?;
            }
            CallEnd::End => calls.end_args(key)?,
            CallEnd::Drop => {}
        }
    }
    Ok(())
}

async fn perform_side_by_side<S: Changes>(
    context: &mut RunContext<S>,
    all: &[(Vec<Act>, End)],
) -> Result<()> {
    let subagents = context.subagents();
    let work = all.iter().map(|(acts, end)| {
        let subagents = &subagents;
        async move {
            let mut subagent = subagents.start("helper")?;
            perform(&mut subagent, acts).await?;
            subagent.update_shared(|state| state.change(2))?;
            match end {
                End::Finish => subagent.finish(),
                End::Suspend => subagent.suspend([]),
                End::Fail => subagent.fail("no luck"),
                End::Drop => Ok(()),
            }
        }
    });
    futures_util::future::try_join_all(work).await?;
    Ok(())
}

impl Agent for Program {
    type State = Vec<u32>;

    async fn run(&self, context: &mut RunContext<Vec<u32>>) -> Result<RunOutcome> {
        perform(context, &self.acts).await?;
        Ok(if self.interrupts {
            RunOutcome::interrupt(vec![Interrupt::new("i-1", "approval")])
        } else {
            RunOutcome::success()
        })
    }
}

/// The stream of a program, which may panic without a word on the terminal.
fn stream_of(program: Program) -> Vec<Event> {
    collect(Runner::new(program).run(input("x")))
}

/// What the verifier says of a whole stream.
fn verdict(events: &[Event]) -> Result<(), Violation> {
    let mut verifier = EventVerifier::producer();
    events.iter().try_for_each(|event| verifier.verify(event))?;
    verifier.finish()
}

/// Blocks by the events that open and close them, counted without regard to the verifier.
fn is_balanced(events: &[Event]) -> bool {
    let count = |name: EventType| events.iter().filter(|event| event.event_type() == name).count();
    count(TextMessageStart) == count(TextMessageEnd)
        && count(ToolCallStart) == count(ToolCallEnd)
        && count(ReasoningStart) == count(ReasoningEnd)
        && count(ReasoningMessageStart) == count(ReasoningMessageEnd)
        && count(StepStarted) == count(StepFinished)
        && count(SubagentStarted) == count(SubagentFinished) + count(SubagentError)
        && count(RunStarted) == 1
        && count(RunFinished) + count(RunError) == 1
}

/// What a session says while it takes a stream, and what it holds then.
#[cfg(feature = "client")]
fn taken(
    frames: Vec<Frame>,
) -> std::result::Result<(Vec<Update>, serde_json::Value), TestCaseError> {
    let mut session = Session::new(ReplayTransport::with_runs([frames]), "t-1");
    let mut run = session.run();
    let mut updates = Vec::new();
    while let Some(update) = futures_executor::block_on(run.next()) {
        updates.push(update);
    }
    prop_assert!(run.error().is_none(), "{:?}", run.error());
    drop(run);
    // A conversation that is restated may lose what is open.
    if !updates.contains(&Update::Messages) {
        let warned = updates.iter().find(|update| matches!(update, Update::Warning(_)));
        prop_assert!(warned.is_none(), "{:?}", warned);
    }
    let count =
        |change: fn(&Update) -> bool| updates.iter().filter(|update| change(update)).count();
    let texts = |wanted: fn(&TextChange) -> bool| {
        updates
            .iter()
            .filter(|update| matches!(update, Update::Text(text) if wanted(&text.change)))
            .count()
    };
    prop_assert_eq!(
        texts(|change| matches!(change, TextChange::Started { .. })),
        texts(|change| matches!(change, TextChange::Ended))
    );
    prop_assert_eq!(count(|update| matches!(update, Update::Done(_))), 1);
    let held = json!({
        "messages": session.messages().iter().map(|message| serde_json::to_value(message).unwrap()).collect::<Vec<_>>(),
        "state": session.raw_state(),
        "interrupts": session.interrupts().len(),
        "calls": session.pending().tool_calls.len(),
    });
    Ok((updates, held))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_an_agent_does_its_stream_is_whole(program in program()) {
        let events = stream_of(program);
        prop_assert_eq!(verdict(&events).map_err(|violation| violation.to_string()), Ok(()));
        prop_assert!(is_balanced(&events), "{:?}", events);
        let refused = matches!(
            events.last(),
            Some(Event::RunError(error)) if error.code.as_deref() == Some("ORDERING")
        );
        prop_assert!(!refused, "the emitters refused their own: {:?}", events.last());
    }

    /// The other side takes every stream, as events or as text, says nothing against it, and shows
    /// nothing as growing for ever. What is stored of it is worth the same.
    #[cfg(feature = "client")]
    #[test]
    fn whatever_an_agent_says_a_client_takes(program in program()) {
        let events = stream_of(program);
        let texts = events.iter().map(|event| Frame::Json(ag_ui::encode::to_json(event))).collect();
        let (typed, typed_held) = taken(events.iter().map(Frame::from).collect())?;
        let (read, read_held) = taken(texts)?;
        prop_assert_eq!(&typed, &read);
        prop_assert_eq!(&typed_held, &read_held);
        let short = ag_ui::compact::compact(events).unwrap();
        let (_, short_held) = taken(short.iter().map(Frame::from).collect())?;
        prop_assert_eq!(&typed_held, &short_held);
    }

    /// A stream without one of its brackets, or with one of them twice, is none.
    #[test]
    fn a_stream_that_lost_or_doubled_a_bracket_is_rejected(
        program in program(),
        place in any::<prop::sample::Index>(),
        doubles in any::<bool>(),
    ) {
        let mut events = stream_of(program);
        // A failed run abandons what is open, so there only the doubled ones show.
        let failed = matches!(events.last(), Some(Event::RunError(_)));
        let brackets: Vec<usize> = (0..events.len()).filter(|at| is_bracket(&events[*at])).collect();
        prop_assume!(!brackets.is_empty() && (doubles || !failed));
        let place = brackets[place.index(brackets.len())];
        if doubles {
            events.insert(place, events[place].clone());
        } else {
            events.remove(place);
        }
        prop_assert!(verdict(&events).is_err(), "{:?}", events);
    }
}

fn is_bracket(event: &Event) -> bool {
    let name = event.event_type().as_str();
    ["_START", "_END", "_STARTED", "_FINISHED"].iter().any(|end| name.ends_with(end))
}

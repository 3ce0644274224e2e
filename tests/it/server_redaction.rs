//! Redaction: nothing of a secret gets out, however it is cut.

use ag_ui::server::{Agent, Error, RunContext, Runner};
use ag_ui::transform::Redact;
use ag_ui::{Event, Interrupt, Metadata, RunOutcome, TextMessageContentEvent};
use proptest::prelude::*;
use serde_json::json;

use crate::server_support::{collect, input, lines, script};

fn redacted(agent: impl Agent + 'static, secrets: &[&str]) -> Vec<Event> {
    collect(Runner::new(agent).transformer(Redact::new(secrets)).run(input("x")))
}

/// The texts of the messages, joined.
fn text(events: &[Event]) -> String {
    let delta = |event: &Event| match event {
        Event::TextMessageContent(event) => Some(event.delta.clone()),
        _ => None,
    };
    events.iter().filter_map(delta).collect()
}

/// Says a text in pieces of given lengths.
struct Says(Vec<String>);

impl Agent for Says {
    type State = ();

    async fn run(&self, context: &mut RunContext<()>) -> ag_ui::server::Result<RunOutcome> {
        let mut message = context.assistant_message()?;
        for piece in &self.0 {
            message.delta(piece)?;
        }
        message.end()?;
        Ok(RunOutcome::success())
    }
}

fn said(pieces: &[&str], secrets: &[&str]) -> String {
    text(&redacted(Says(pieces.iter().map(|piece| (*piece).to_owned()).collect()), secrets))
}

#[test]
fn a_secret_is_found_across_pieces() {
    assert_eq!(
        said(&["the key is sk-1", "23", "4, keep it"], &["sk-1234"]),
        "the key is [redacted], keep it"
    );
    assert_eq!(said(&["s", "k", "-", "1"], &["sk-1"]), "[redacted]");
}

#[test]
fn what_only_begins_like_a_secret_gets_through_at_the_end() {
    assert_eq!(said(&["the key is sk-12"], &["sk-1234"]), "the key is sk-12");
    assert_eq!(said(&["sk-", "sk-", "sk-1"], &["sk-1"]), "sk-sk-[redacted]");
}

#[test]
fn of_two_secrets_at_one_place_the_longer_is_replaced() {
    assert_eq!(said(&["abc", "d."], &["abc", "abcd"]), "[redacted].");
    assert_eq!(said(&["abc", "x"], &["abc", "abcd"]), "[redacted]x");
    assert_eq!(said(&["abc"], &["abc", "abcd"]), "[redacted]");
}

#[test]
fn characters_are_not_cut() {
    assert_eq!(said(&["grüß", "e, ü"], &["üü", "ße"]), "grü[redacted], ü");
}

#[test]
fn everything_in_an_event_is_searched() {
    let agent = script::<()>(|context| {
        let mut call = context.tool_call("log_in")?;
        call.args(r#"{"password":"hun"#)?;
        call.args(r#"ter2"}"#)?;
        call.result_json(&json!({ "echo": "hunter2" }))?;
        context.think("Is hunter2 a good password?")?;
        context.custom("acme.note", &json!({ "hunter2": ["hunter2"] }))?;
        let metadata = Metadata::from_iter([("seen".to_owned(), json!("hunter2"))]);
        let mut message = context.assistant_message()?;
        let content = TextMessageContentEvent::new(message.id(), "").with_metadata(metadata);
        message.emit(content)?;
        message.end()?;
        Ok(RunOutcome::interrupt(vec![Interrupt::new("i-1", "hunter2?")]))
    });
    let text = lines(&redacted(agent, &["hunter2"])).concat();
    assert!(!text.contains("hunter2"), "{text}");
    assert_eq!(text.matches("[redacted]").count(), 1 + 1 + 1 + 2 + 1 + 1, "{text}");
}

#[test]
fn a_secret_is_found_in_the_json_of_arguments() {
    let agent = script::<()>(|context| {
        let mut call = context.tool_call("log_in")?;
        call.args_json(&json!({ "password": "a\"b\nc" }))?;
        call.end()?;
        Ok(RunOutcome::success())
    });
    let text = lines(&redacted(agent, &["a\"b\nc"])).concat();
    assert!(text.contains(r#"{\"password\":\"[redacted]\"}"#), "{text}");
}

#[test]
fn the_error_of_a_run_is_searched_too() {
    let agent = script::<()>(|_| Err(Error::agent("401 for key sk-1234")));
    let last = lines(&redacted(agent, &["sk-1234"])).pop().unwrap();
    assert_eq!(
        last,
        r#"{"type":"RUN_ERROR","message":"401 for key [redacted]","code":"AGENT_ERROR"}"#
    );
}

#[test]
fn what_is_held_back_gets_out_when_its_block_is_left_open() {
    let agent = script::<()>(|context| {
        context.emit(Event::text_message_start("m", ag_ui::TextMessageRole::Assistant))?;
        context.emit(Event::text_message_content("m", "see sk-1"))?;
        Err(Error::agent("no power"))
    });
    assert_eq!(text(&redacted(agent, &["sk-1234"])), "see sk-1");
}

#[test]
fn a_secret_that_is_a_word_of_the_protocol_ends_the_run_and_says_so() {
    let agent = script::<()>(|context| {
        context.say("a")?;
        Ok(RunOutcome::success())
    });
    let last = lines(&redacted(agent, &["TEXT_MESSAGE_END"])).pop().unwrap();
    assert!(last.contains("a secret is a word of the protocol"), "{last}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_make_no_difference(
        text in "[ab ]{0,24}",
        secrets in prop::collection::vec("[ab]{1,4}", 1..4),
        cuts in prop::collection::vec(0..24_usize, 0..6),
    ) {
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
        let whole = said(&[&text], &secrets);
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut start = 0;
        for cut in cuts {
            pieces.push(&text[start..cut]);
            start = cut;
        }
        pieces.push(&text[start..]);
        prop_assert_eq!(said(&pieces, &secrets), whole.clone());
        for secret in secrets {
            prop_assert!(!whole.replace("[redacted]", "").contains(secret) || whole.contains("[redacted]"));
        }
    }
}

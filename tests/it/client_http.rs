//! A client over HTTP, and servers that do not behave.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ag_ui::client::{Error, HttpTransport, HttpTransportBuilder, RunEnd, Session, Update};
use reqwest::header::{AUTHORIZATION, HeaderMap};

use crate::client_support::{said, texts};
use crate::http_support::{Answer, End, Server};

fn body() -> String {
    let stream = format!(
        "RUN_STARTED threadId=t runId=r;{};RUN_FINISHED threadId=t runId=r",
        said("m", "Grüße")
    );
    texts(&stream).iter().map(|text| format!("data: {text}\n\n")).collect()
}

/// One client for all: to make one costs more than a run.
fn transport(server: &Server) -> HttpTransportBuilder {
    HttpTransport::builder(server.url())
}

async fn send(transport: HttpTransportBuilder) -> (RunEnd, Session) {
    let mut session = Session::new(transport.build().unwrap(), "t");
    let end = session.send("Hi").finish().await;
    (end, session)
}

fn failed(end: &RunEnd) -> (String, String) {
    match end {
        RunEnd::Failed { message, code } => (code.clone().unwrap_or_default(), message.clone()),
        end => panic!("{end:?}"),
    }
}

#[tokio::test]
async fn a_run_is_a_post_that_asks_for_an_event_stream() {
    let server = Server::start(Answer::sse(body())).await;
    let asked = Arc::new(AtomicU32::new(0));
    let counted = asked.clone();
    let transport = transport(&server)
        .header("x-team", "a")
        .header("X-Team", "board")
        .header("accept", "text/html")
        .auth(move || {
            let number = counted.fetch_add(1, Ordering::SeqCst);
            async move {
                Ok(HeaderMap::from_iter([(AUTHORIZATION, format!("Bearer {number}").parse()?)]))
            }
        });
    let mut session = Session::new(transport.build().unwrap(), "t");
    assert!(session.send("Hi").finish().await.is_success());
    assert!(session.send("Hi").finish().await.is_success());
    assert_eq!(session.messages().get("m").unwrap().text().unwrap(), "GrüßeGrüße");
    let requests = server.requests().await;
    for (number, request) in requests.iter().enumerate() {
        let head = request.head.to_lowercase();
        assert!(head.starts_with("post /agent http/1.1\r\n"), "{head}");
        for line in [
            "content-type: application/json",
            "accept: text/event-stream",
            "x-team: board",
            &format!("authorization: bearer {number}"),
        ] {
            assert_eq!(head.lines().filter(|found| *found == line).count(), 1, "{line} in {head}");
        }
        assert!(!head.contains("text/html"));
    }
    assert!(requests[1].body.contains(r#""runId":"t-run-2""#), "{}", requests[1].body);
}

#[tokio::test]
async fn an_auth_hook_that_fails_ends_the_run_before_it_is_sent() {
    let server = Server::start(Answer::sse(body())).await;
    let (end, _) = send(transport(&server).auth(async || Err("the vault is closed".into()))).await;
    assert_eq!(
        failed(&end),
        ("TRANSPORT".into(), "the connection failed: the vault is closed".into())
    );
    assert!(server.requests().await.is_empty());
}

/// Refusals, and answers that are no event streams.
#[tokio::test]
async fn what_is_no_event_stream_is_said_with_its_beginning() {
    let html = format!("<!doctype html><title>Welcome</title>{}", "x".repeat(100_000));
    let table = [
        (
            Answer::new("500 Internal Server Error", Some("text/plain"), "no database"),
            "status 500: `no database`",
        ),
        (
            Answer::new("401 Unauthorized", Some("application/json"), r#"{"code":"AUTH"}"#),
            r#"status 401: `{\"code\":\"AUTH\"}`"#,
        ),
        (
            Answer::new("200 OK", Some("text/html; charset=utf-8"), html),
            "text/html; charset=utf-8 in place of text/event-stream; is the URL that of an agent? It begins: `<!doctype html>",
        ),
        (Answer::new("200 OK", None, ""), "no content type in place of"),
        (
            Answer::new("302 Found", Some("text/plain"), "")
                .header("location: http://127.0.0.1:9/other"),
            "status 302",
        ),
    ];
    for (answer, text) in table {
        let server = Server::start(answer).await;
        let mut session = Session::new(transport(&server).build().unwrap(), "t");
        let mut run = session.send("Hi");
        let mut end = None;
        while let Some(update) = run.next().await {
            end = if let Update::Done(done) = update { Some(done) } else { panic!("{update:?}") };
        }
        let (code, message) = failed(&end.unwrap());
        assert_eq!(code, "HTTP");
        assert!(message.contains(text), "{message}");
        assert!(message.len() < 500, "{message}");
        match run.error() {
            Some(Error::Status { body, .. } | Error::ContentType { body, .. }) => {
                assert!(body.chars().count() <= 2_048);
            }
            error => panic!("{error:?}"),
        }
    }
}

#[tokio::test]
async fn media_types_are_read_as_http_has_them() {
    for content_type in
        ["text/event-stream;charset=utf-8", "Text/Event-Stream", " text/event-stream "]
    {
        let server = Server::start(Answer::new("200 OK", Some(content_type), body())).await;
        let (end, _) = send(transport(&server)).await;
        assert!(end.is_success(), "{content_type}: {end:?}");
    }
}

#[tokio::test]
async fn redirects_are_followed_to_the_same_server_only() {
    let server = Server::with_answers(vec![
        Answer::new("307 Temporary Redirect", None, "").header("location: /elsewhere"),
        Answer::sse(body()),
    ])
    .await;
    let (end, _) = send(transport(&server).header("x-secret", "s")).await;
    assert!(end.is_success(), "{end:?}");
    assert!(server.requests().await[1].head.starts_with("POST /elsewhere"));

    let other = Server::start(Answer::sse(body())).await;
    let location = format!("location: {}", other.url());
    let server =
        Server::start(Answer::new("307 Temporary Redirect", None, "").header(&location)).await;
    let (end, _) = send(transport(&server).header("x-secret", "s")).await;
    assert_eq!(failed(&end).0, "HTTP");
    assert!(other.requests().await.is_empty());
}

/// Wherever the connection breaks, what came is kept, and only a whole run is a success.
#[tokio::test]
async fn a_stream_is_cut_at_every_byte() {
    let body = body();
    // The blank line behind the last event is all that may be missing.
    let whole = body.trim_end().len();
    let client = reqwest::Client::new();
    let mut kept = 0;
    for length in 0..=body.len() {
        for end in [End::Well, End::Cut] {
            let answer = Answer::sse(&body.as_bytes()[..length]).ending(end);
            let server = Server::start(answer).await;
            let transport = transport(&server).client(client.clone());
            let mut session = Session::new(transport.build().unwrap(), "t");
            let ended = session.send("Hi").finish().await;
            let is_whole = length >= whole && (end == End::Well || length == body.len());
            assert_eq!(
                ended.is_success(),
                is_whole,
                "{length} of {whole}, {}: {ended:?}",
                end == End::Cut
            );
            let text = session
                .messages()
                .get("m")
                .and_then(|message| message.text().map(|text| text.into_owned()));
            assert!(text.as_deref().is_none_or(|text| "Grüße".starts_with(text)), "{text:?}");
            kept += usize::from(text.is_some());
        }
    }
    assert!(kept > 100, "{kept}");
}

#[tokio::test]
async fn an_agent_that_falls_silent_is_given_up() {
    let limit = Duration::from_millis(150);
    let half = &body()[..60];
    for (answer, count) in
        [(Answer::sse("").ending(End::Silent), 0), (Answer::sse(half).ending(End::Silent), 1)]
    {
        let server = Server::start(answer).await;
        let transport = transport(&server).idle_timeout(limit);
        let mut session = Session::new(transport.build().unwrap(), "t");
        let mut run = session.send("Hi");
        let mut updates = 0;
        let mut end = None;
        while let Some(update) = run.next().await {
            match update {
                Update::Done(done) => end = Some(done),
                _ => updates += 1,
            }
        }
        let (code, message) = failed(&end.unwrap());
        assert_eq!((code.as_str(), updates), ("TIMEOUT", count));
        assert_eq!(
            message,
            "the silence of the agent took longer than 0.15 s; raise `HttpTransportBuilder::idle_timeout`"
        );
        server.closed().await;
    }
}

#[tokio::test]
async fn an_agent_that_never_ends_is_stopped_by_the_clock_or_by_its_size() {
    let server = Server::start(Answer::sse(body()).ending(End::Comments)).await;
    let idle = Duration::from_millis(500);
    let (end, _) =
        send(transport(&server).idle_timeout(idle).timeout(Duration::from_millis(700))).await;
    // The run itself had ended: what was lost is nothing.
    assert!(end.is_success(), "{end:?}");

    // Who knows that one run is all there is need not wait.
    let agent = transport(&server).idle_timeout(None).build().unwrap();
    let mut session = Session::builder(agent, "t").single_run(true).build();
    assert!(session.send("Hi").finish().await.is_success());
    server.closed().await;

    let server = Server::start(Answer::sse(&body()[..60]).ending(End::Comments)).await;
    let (end, _) = send(transport(&server).timeout(Duration::from_millis(200))).await;
    assert!(failed(&end).1.contains("the run took longer than 0.2 s"), "{end:?}");

    let (end, _) = send(transport(&server).body_limit(5_000)).await;
    assert_eq!(failed(&end).0, "TOO_LARGE");
    server.closed().await;
}

#[tokio::test]
async fn a_frame_without_end_is_refused() {
    let server = Server::start(Answer::sse(format!("data: {}", "x".repeat(10_000)))).await;
    let (end, _) = send(transport(&server).frame_limit(1_000)).await;
    assert_eq!(failed(&end).0, "DECODE");
    assert!(failed(&end).1.contains("exceeds the limit of 1000 bytes"), "{end:?}");
}

#[tokio::test]
async fn a_run_that_cannot_begin_is_tried_again() {
    let busy = Answer::new("503 Service Unavailable", None, "busy");
    let lost = Answer::sse("").ending(End::Cut);
    let pause = Duration::from_millis(1);
    let server = Server::with_answers(vec![busy.clone(), lost, Answer::sse(body())]).await;
    let (end, _) = send(transport(&server).retries(2).retry_pause(pause)).await;
    assert!(end.is_success(), "{end:?}");
    let requests = server.requests().await;
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|request| request.body == requests[0].body));

    // Not by default, not without end, and not what will not get better.
    for (answer, retries, count) in [
        (busy.clone(), 0, 1),
        (busy.clone(), 2, 3),
        (Answer::new("400 Bad Request", None, ""), 2, 1),
        (Answer::new("200 OK", Some("text/html"), ""), 2, 1),
        // After the first event the agent may have done something.
        (Answer::sse(&body()[..60]).ending(End::Cut), 2, 1),
    ] {
        let server = Server::start(answer).await;
        let (end, _) = send(transport(&server).retries(retries).retry_pause(pause)).await;
        failed(&end);
        assert_eq!(server.requests().await.len(), count);
    }
}

#[tokio::test]
async fn a_server_says_when_to_come_again() {
    let busy = Answer::new("429 Too Many Requests", None, "").header("retry-after: 0");
    let server = Server::with_answers(vec![busy, Answer::sse(body())]).await;
    // The pause that is set would take longer than the test may.
    let (end, _) = send(transport(&server).retries(1).retry_pause(Duration::from_secs(3600))).await;
    assert!(end.is_success(), "{end:?}");
}

#[tokio::test]
async fn nobody_is_there() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/agent", listener.local_addr().unwrap());
    drop(listener);
    let (end, session) =
        send(HttpTransport::builder(url).retries(1).retry_pause(Duration::ZERO)).await;
    assert_eq!(failed(&end).0, "TRANSPORT");
    assert!(failed(&end).1.contains("refused"), "{end:?}");
    assert_eq!(session.messages().len(), 1);
}

#[tokio::test]
async fn dropping_and_aborting_close_the_connection() {
    for aborts in [false, true] {
        let server = Server::start(Answer::sse(&body()[..60]).ending(End::Silent)).await;
        let mut session = Session::new(transport(&server).build().unwrap(), "t");
        let mut run = session.send("Hi");
        assert!(matches!(run.next().await, Some(Update::RunStarted { .. })));
        if aborts {
            let token = run.cancellation_token();
            let end = tokio::spawn(async move {
                tokio::task::yield_now().await;
                token.cancel();
            });
            assert!(run.finish().await.is_cancelled());
            end.await.unwrap();
        } else {
            drop(run);
        }
        server.closed().await;
    }
}

#[test]
fn settings_are_checked_when_the_transport_is_built() {
    let bad = |builder: HttpTransportBuilder| builder.build().unwrap_err().to_string();
    assert_eq!(
        bad(HttpTransport::builder("localhost:3000")),
        "`localhost:3000` is no URL of an agent: it has to begin with http:// or https://"
    );
    assert!(bad(HttpTransport::builder("")).contains("is no URL of an agent"));
    let url = "http://localhost/";
    assert_eq!(bad(HttpTransport::builder(url).header("a b", "c")), "`a b` is no header name");
    let message = bad(HttpTransport::builder(url).header("x-key", "secret\n"));
    assert!(
        message.starts_with("`x-key` is no header with a value") && !message.contains("secret")
    );
    let transport = HttpTransport::builder(url).header("x-key", "secret");
    assert!(!format!("{transport:?}").contains("secret"));
    assert!(!format!("{:?}", transport.build().unwrap()).contains("secret"));
}

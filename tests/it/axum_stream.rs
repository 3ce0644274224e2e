//! Agents as routes: what is answered, byte for byte.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ag_ui::axum::{AgentEndpoint, RouterExt, RunInput, SseResponse};
use ag_ui::server::{Agent, Error, Result, Runner};
use ag_ui::{EventType, RunOutcome, decode, encode};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::response::Response;
use axum::routing::post;
use http::{HeaderMap, Request, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::server_support::{Waiting, input, script};

const LIMIT: usize = 1 << 20;

fn request(body: impl Into<Body>) -> Request<Body> {
    Request::post("/agent").header("content-type", "application/json").body(body.into()).unwrap()
}

async fn send(app: Router, request: Request<Body>) -> Response {
    app.oneshot(request).await.unwrap()
}

async fn text(response: Response) -> String {
    String::from_utf8(to_bytes(response.into_body(), LIMIT).await.unwrap().to_vec()).unwrap()
}

fn greeter() -> impl Agent<State = ()> {
    script::<()>(|context| {
        context.say("Hello!\u{2028}")?;
        Ok(RunOutcome::success())
    })
}

fn app() -> Router {
    Router::new().route_agui("/agent", greeter())
}

fn hello() -> String {
    encode::to_json(&input("hello"))
}

#[tokio::test]
async fn a_run_is_answered_as_a_stream() {
    let response = send(app(), request(hello())).await;
    assert_eq!(response.status(), StatusCode::OK);
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/event-stream");
    assert_eq!(header("cache-control"), "no-cache, no-store, no-transform");
    assert_eq!(header("x-accel-buffering"), "no");
    assert_eq!(header("vary"), "accept");
    assert_eq!(
        text(response).await,
        concat!(
            "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t-1\",\"runId\":\"r-1\",",
            "\"protocolVersion\":\"1.1\"}\n\n",
            "data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"r-1-msg-1\",",
            "\"role\":\"assistant\"}\n\n",
            "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"r-1-msg-1\",",
            "\"delta\":\"Hello!\u{2028}\"}\n\n",
            "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"r-1-msg-1\"}\n\n",
            "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t-1\",\"runId\":\"r-1\",",
            "\"outcome\":{\"type\":\"success\"}}\n\n",
        )
    );
}

#[tokio::test]
async fn a_run_that_fails_is_still_a_stream() {
    let agent = script::<()>(|_| Err(Error::agent("no luck")));
    let app = Router::new().route_agui("/agent", agent);
    let response = send(app, request(hello())).await;
    assert_eq!(response.status(), StatusCode::OK);
    let text = text(response).await;
    assert!(
        text.ends_with(
            "data: {\"type\":\"RUN_ERROR\",\"message\":\"no luck\",\"code\":\"AGENT_ERROR\"}\n\n"
        ),
        "{text}"
    );
}

async fn rejection(app: Router, request: Request<Body>) -> (StatusCode, String, String) {
    let response = send(app, request).await;
    let status = response.status();
    assert_eq!(response.headers()["content-type"], "application/json");
    let body: serde_json::Value = serde_json::from_str(&text(response).await).unwrap();
    let field = |name: &str| body[name].as_str().unwrap().to_owned();
    (status, field("code"), field("message"))
}

#[tokio::test]
async fn a_malformed_input_is_refused_by_its_field() {
    let body = r#"{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":7}]}"#;
    assert_eq!(
        rejection(app(), request(body)).await,
        (
            StatusCode::BAD_REQUEST,
            "INVALID_INPUT".to_owned(),
            "the body is not a run input: at /messages/0/content: invalid type: number `7`, \
             expected a string or an array of content parts (line 1, column 77)"
                .to_owned(),
        )
    );
    for body in ["", "{", "[]", "null", r#"{"threadId":"t"}"#] {
        let (status, code, _) = rejection(app(), request(body)).await;
        assert_eq!((status, &*code), (StatusCode::BAD_REQUEST, "INVALID_INPUT"), "{body}");
    }
    let (_, code, message) = rejection(app(), request(vec![b'{', 0xFF])).await;
    assert_eq!((&*code, &*message), ("INVALID_INPUT", "the body is not UTF-8 at byte 1"));
}

#[tokio::test]
async fn what_the_protocol_does_not_describe_is_left_out() {
    let body = r#"{"threadId":"t","runId":"r","messages":[],"newer":{"x":1},"state":null}"#;
    assert_eq!(send(app(), request(body)).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let limited = || AgentEndpoint::new(greeter()).body_limit(hello().len());
    let app = || Router::new().route("/agent", limited().into_route());
    assert_eq!(send(app(), request(hello())).await.status(), StatusCode::OK);
    let (status, code, message) = rejection(app(), request(hello() + " ")).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(code, "BODY_TOO_LARGE");
    assert_eq!(message, format!("the body is larger than {} bytes", hello().len()));
}

#[tokio::test]
async fn the_content_type_has_to_be_json_or_missing() {
    let with = |content_type: &str| {
        Request::post("/agent").header("content-type", content_type).body(hello().into()).unwrap()
    };
    for accepted in ["application/json", "Application/JSON; charset=utf-8", "application/x+json"] {
        assert_eq!(send(app(), with(accepted)).await.status(), StatusCode::OK, "{accepted}");
    }
    let missing = Request::post("/agent").body(hello().into()).unwrap();
    assert_eq!(send(app(), missing).await.status(), StatusCode::OK);
    let (status, code, message) = rejection(app(), with("text/plain")).await;
    assert_eq!((status, &*code), (StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE"));
    assert_eq!(message, "the body is declared as `text/plain`; send `application/json`");
}

#[tokio::test]
async fn a_compressed_body_is_refused_by_its_encoding() {
    let with = |encoding: &str| {
        let mut request = request(hello());
        request.headers_mut().insert("content-encoding", encoding.parse().unwrap());
        request
    };
    assert_eq!(send(app(), with("identity")).await.status(), StatusCode::OK);
    let (status, code, message) = rejection(app(), with("gzip")).await;
    assert_eq!((status, &*code), (StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_ENCODING"));
    assert_eq!(message, "the body is encoded as `gzip`; send it as it is");
}

/// The body never ends, so only the declared length can have decided.
#[tokio::test]
async fn a_body_that_is_declared_too_large_is_not_waited_for() {
    let body = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, Error>>());
    let mut request = request(body);
    request.headers_mut().insert("content-length", "99999999999".parse().unwrap());
    let (status, code, _) = rejection(app(), request).await;
    assert_eq!((status, &*code), (StatusCode::PAYLOAD_TOO_LARGE, "BODY_TOO_LARGE"));
}

#[tokio::test]
async fn a_client_that_accepts_no_stream_is_refused() {
    let with = |accept: &[&str]| {
        let mut request = request(hello());
        for value in accept {
            request.headers_mut().append("accept", value.parse().unwrap());
        }
        request
    };
    for accepted in [&["*/*"][..], &["text/html", "text/*;q=0.1"], &["TEXT/event-stream"]] {
        assert_eq!(send(app(), with(accepted)).await.status(), StatusCode::OK, "{accepted:?}");
    }
    let (status, code, _) = rejection(app(), with(&["application/json"])).await;
    assert_eq!((status, &*code), (StatusCode::NOT_ACCEPTABLE, "NOT_ACCEPTABLE"));
}

#[tokio::test]
async fn other_methods_are_not_allowed() {
    let request = Request::get("/agent").body(Body::empty()).unwrap();
    assert_eq!(send(app(), request).await.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_handler_of_ones_own_streams_a_run() {
    async fn handler(
        headers: HeaderMap,
        RunInput(input): RunInput,
    ) -> Result<SseResponse, ag_ui::axum::Rejection> {
        assert_eq!(input.thread_id, "t-1");
        SseResponse::negotiate(&headers, Runner::new(greeter()).run(input))
    }
    let app = Router::new().route("/agent", post(handler));
    let text = text(send(app, request(hello())).await).await;
    assert_eq!(text.matches("data: ").count(), 5);
}

#[tokio::test]
async fn a_client_that_goes_away_drops_the_run() {
    let dropped = Arc::new(AtomicBool::new(false));
    let app = Router::new().route_agui("/agent", Waiting(Arc::clone(&dropped)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(axum::serve(listener, app).into_future());

    let mut client = TcpStream::connect(address).await.unwrap();
    let body = hello();
    let head = format!(
        "POST /agent HTTP/1.1\r\nhost: {address}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    client.write_all(head.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    while !received.windows(6).any(|window| window == b"\"wait\"") {
        assert!(client.read_buf(&mut received).await.unwrap() > 0, "the stream ended early");
    }
    assert!(!dropped.load(Ordering::SeqCst));
    drop(client);
    let gone = async {
        while !dropped.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.unwrap();
    server.abort();
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_is_kept_alive() {
    let dropped = Arc::new(AtomicBool::new(false));
    let endpoint = AgentEndpoint::new(Waiting(dropped)).keep_alive(Some(Duration::from_secs(5)));
    let app = Router::new().route("/agent", endpoint.into_route());
    let mut body = send(app, request(hello())).await.into_body().into_data_stream();
    let mut next = async || {
        let chunk = std::future::poll_fn(|context| {
            futures_core::Stream::poll_next(std::pin::Pin::new(&mut body), context)
        });
        String::from_utf8(chunk.await.unwrap().unwrap().to_vec()).unwrap()
    };
    let start = tokio::time::Instant::now();
    assert_eq!(next().await.matches("data: ").count(), 3, "what is ready shares a chunk");
    assert_eq!(start.elapsed(), Duration::ZERO);
    for seconds in [5, 10] {
        assert_eq!(next().await, ": keep-alive\n\n");
        assert_eq!(start.elapsed().as_secs(), seconds);
    }
}

#[tokio::test(start_paused = true)]
async fn no_interval_and_no_end_of_time_keep_nothing_alive() {
    for interval in [None, Some(Duration::ZERO), Some(Duration::MAX)] {
        let endpoint = AgentEndpoint::new(Waiting(Arc::default())).keep_alive(interval);
        let app = Router::new().route("/agent", endpoint.into_route());
        let mut body = send(app, request(hello())).await.into_body().into_data_stream();
        let mut next = async || {
            let chunk = std::future::poll_fn(|context| {
                futures_core::Stream::poll_next(std::pin::Pin::new(&mut body), context)
            });
            chunk.await
        };
        assert!(next().await.unwrap().unwrap().starts_with(b"data: "));
        let silence = tokio::time::timeout(Duration::from_secs(3_600), next());
        assert!(silence.await.is_err(), "{interval:?}");
    }
}

#[tokio::test]
async fn many_runs_at_once_are_each_whole() {
    let app = app();
    let runs: Vec<_> = (0..200)
        .map(|number| {
            let mut input = input("hello");
            input.run_id = format!("run-{number}").into();
            let request = request(encode::to_json(&input));
            let app = app.clone();
            tokio::spawn(async move { (number, text(send(app, request).await).await) })
        })
        .collect();
    for run in runs {
        let (number, text) = run.await.unwrap();
        let events: Vec<ag_ui::Event> = text
            .split_terminator("\n\n")
            .map(|frame| decode::decode(frame.strip_prefix("data: ").unwrap()).unwrap())
            .collect();
        assert_eq!(events.len(), 5);
        assert_eq!(events[4].event_type(), EventType::RunFinished);
        let ag_ui::Event::RunStarted(started) = &events[0] else { panic!("{events:?}") };
        assert_eq!(started.run_id, *format!("run-{number}"));
    }
}

//! Several agents, what they declare, who may ask, and how a server with open streams ends.

use std::collections::BTreeMap;
use std::time::Duration;

use ag_ui::axum::{AgentEndpoint, AgentRegistry, RouterExt};
use ag_ui::server::{CancellationToken, RunContext, agent_fn};
use ag_ui::transform::EventLog;
use ag_ui::verify::EventVerifier;
use ag_ui::{AgentCapabilities, Event, RunOutcome, decode};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::response::Response;
use http::{Request, StatusCode, header};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tower::ServiceExt;

#[path = "../../examples/secured_agents/app.rs"]
mod secured_agents;

use secured_agents::{User, Users};

const INPUT: &str = r#"{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]}"#;

fn says<S: ag_ui::server::AgentState + Sync + 'static>()
-> impl ag_ui::server::Agent<State = S> + 'static {
    agent_fn(async |context: &mut RunContext<S>| {
        context.say(std::any::type_name::<S>())?;
        Ok(RunOutcome::success())
    })
}

async fn send(app: &Router, method: &str, path: &str, body: impl Into<Body>) -> Response {
    let request = Request::builder().method(method).uri(path).body(body.into()).unwrap();
    app.clone().oneshot(request).await.unwrap()
}

async fn text(response: Response) -> String {
    String::from_utf8(to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec()).unwrap()
}

/// The events of a stream, which has to be whole.
fn whole(stream: &str) -> Vec<Event> {
    let mut verifier = EventVerifier::producer();
    let events: Vec<Event> = stream
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|json| decode::decode(json).unwrap())
        .collect();
    events.iter().for_each(|event| verifier.verify(event).unwrap());
    verifier.finish().unwrap();
    assert!(!events.is_empty(), "{stream}");
    events
}

fn registry() -> Router {
    let mut capabilities = AgentCapabilities::new();
    capabilities.custom = Some(json!({ "tea": true }).as_object().unwrap().clone());
    AgentRegistry::new()
        .agent("text", says::<String>())
        .endpoint("numbers", AgentEndpoint::new(says::<Vec<u8>>()).capabilities(capabilities))
        .agent("strange / {name}", says::<()>())
        .into_router("/agents")
}

#[tokio::test]
async fn agents_of_different_states_share_a_path() {
    let app = registry();
    for (path, said) in [
        ("/agents/text", "alloc::string::String"),
        ("/agents/numbers", "alloc::vec::Vec<u8>"),
        ("/agents/strange%20%2F%20%7Bname%7D", "()"),
    ] {
        let response = send(&app, "POST", path, INPUT).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let stream = text(response).await;
        assert!(stream.contains(&format!(r#""delta":"{said}""#)), "{stream}");
        whole(&stream);
    }
}

#[tokio::test]
async fn an_unknown_agent_is_not_found_and_other_methods_are_not_allowed() {
    let app = registry();
    for (method, path) in [("POST", "/agents/nobody"), ("GET", "/agents/nobody/capabilities")] {
        let response = send(&app, method, path, INPUT).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        let body: Value = serde_json::from_str(&text(response).await).unwrap();
        let expected = json!({ "code": "UNKNOWN_AGENT", "message": "there is no agent `nobody`" });
        assert_eq!(body, expected);
    }
    assert_eq!(
        send(&app, "GET", "/agents/text", "").await.status(),
        StatusCode::METHOD_NOT_ALLOWED
    );
    assert_eq!(send(&app, "POST", "/agents", INPUT).await.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_registry_lists_its_agents_and_what_they_declare() {
    let app = registry();
    let body: Value =
        serde_json::from_str(&text(send(&app, "GET", "/agents", "").await).await).unwrap();
    let names = ["numbers", "strange / {name}", "text"].map(|name| json!({ "name": name }));
    assert_eq!(body, json!({ "agents": names }));
    let response = send(&app, "GET", "/agents/numbers/capabilities", "").await;
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
    assert_eq!(text(response).await, r#"{"custom":{"tea":true}}"#);
    assert_eq!(text(send(&app, "GET", "/agents/text/capabilities", "").await).await, "{}");
}

#[tokio::test]
async fn an_endpoint_tells_what_it_declares_beside_its_route() {
    let endpoint = AgentEndpoint::new(says::<()>()).capabilities(AgentCapabilities::new());
    let app: Router = Router::new().merge(endpoint.into_router("/agent"));
    assert_eq!(text(send(&app, "GET", "/agent/capabilities", "").await).await, "{}");
    whole(&text(send(&app, "POST", "/agent", INPUT).await).await);
    let silent: Router = AgentEndpoint::new(says::<()>()).into_router("/agent");
    let status = send(&silent, "GET", "/agent/capabilities", "").await.status();
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn routes_nest_and_merge() {
    let inner = Router::new().route_agui("/one", says::<()>());
    let other = Router::new().route_agui("/two", says::<()>());
    let app = Router::new().nest("/v1", inner).merge(other);
    for path in ["/v1/one", "/two"] {
        whole(&text(send(&app, "POST", path, INPUT).await).await);
    }
}

#[tokio::test]
async fn every_run_gets_transformers_of_its_own() {
    use std::sync::{Arc, Mutex};

    /// Lines of one run.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let logs: Arc<Mutex<BTreeMap<String, Lines>>> = Arc::default();
    let made = Arc::clone(&logs);
    let endpoint = AgentEndpoint::new(says::<()>()).transformer(move |input| {
        let lines = Lines::default();
        made.lock().unwrap().insert(input.run_id.to_string(), lines.clone());
        EventLog::new(lines)
    });
    let app: Router = Router::new().route("/agent", endpoint.into_route());
    for run in ["r-1", "r-2"] {
        let input = INPUT.replace(r#""r""#, &format!("{run:?}"));
        text(send(&app, "POST", "/agent", input).await).await;
    }
    for (run, lines) in logs.lock().unwrap().iter() {
        let log = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert_eq!(log.lines().count(), 5, "{log}");
        assert!(log.contains(&format!(r#""runId":"{run}""#)), "{log}");
    }
    assert_eq!(logs.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn a_small_body_of_very_many_values_is_refused() {
    let endpoint = AgentEndpoint::new(says::<()>()).value_limit(100);
    let app: Router = Router::new().route("/agent", endpoint.into_route());
    let with_state = |state: &str| INPUT.replace("}", &format!(r#","state":{state}}}"#));
    let response =
        send(&app, "POST", "/agent", with_state(&format!("[{}0]", "0,".repeat(100)))).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let body = text(response).await;
    assert!(body.contains(r#""code":"TOO_MANY_VALUES""#), "{body}");
    // Text is one value, whatever is in it.
    let quoted = format!("{:?}", "[{,\\\",".repeat(200));
    assert_eq!(send(&app, "POST", "/agent", with_state(&quoted)).await.status(), StatusCode::OK);
}

fn secured(shutdown: &CancellationToken) -> Router {
    let users = Users::new(BTreeMap::from([("tea-time", User { name: "Ada" })]));
    secured_agents::app(users, shutdown)
}

#[tokio::test]
async fn only_who_has_a_token_gets_a_run() {
    let app = secured(&CancellationToken::new());
    let ask = |path: &'static str, token: &'static str| {
        let request = Request::post(path).header(header::AUTHORIZATION, token);
        app.clone().oneshot(request.body(Body::from(INPUT)).unwrap())
    };
    for token in ["", "tea-time", "Bearer coffee"] {
        let response = ask("/agents/greeter", token).await.unwrap();
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{token:?}");
    }
    let stream = text(ask("/personal", "Bearer tea-time").await.unwrap()).await;
    whole(&stream);
    assert!(stream.contains("Hello, Ada."), "{stream}");
    whole(&text(ask("/agents/greeter", "Bearer tea-time").await.unwrap()).await);
}

#[tokio::test]
async fn a_page_of_another_origin_may_ask() {
    let request = Request::builder()
        .method("OPTIONS")
        .uri("/agents/greeter")
        .header(header::ORIGIN, "https://example.org")
        .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST");
    let app = secured(&CancellationToken::new());
    let response = app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
}

#[tokio::test]
async fn a_shutdown_ends_open_streams_with_their_terminal_event() {
    let endless = agent_fn(async |context: &mut RunContext<()>| {
        let mut message = context.assistant_message()?;
        message.delta("wait")?;
        std::future::pending().await
    });
    let shutdown = CancellationToken::new();
    let endpoint = AgentEndpoint::new(endless).cancellation(&shutdown);
    let app: Router = Router::new().route("/agent", endpoint.into_route());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stopped = shutdown.cancelled();
    let server =
        tokio::spawn(axum::serve(listener, app).with_graceful_shutdown(stopped).into_future());

    let mut open = Vec::new();
    for _ in 0..10 {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /agent HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{INPUT}",
            INPUT.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut started = Vec::new();
        while !String::from_utf8_lossy(&started).contains("wait") {
            assert!(stream.read_buf(&mut started).await.unwrap() > 0);
        }
        open.push((stream, started));
    }
    shutdown.cancel();
    let all = async {
        for (mut stream, mut bytes) in open {
            stream.read_to_end(&mut bytes).await.unwrap();
            let answer = String::from_utf8(bytes).unwrap();
            let Some(Event::RunFinished(finished)) = whole(&answer).pop() else {
                panic!("{answer}")
            };
            assert_eq!(finished.outcome, Some(RunOutcome::cancelled()));
        }
        server.await.unwrap().unwrap();
    };
    tokio::time::timeout(Duration::from_secs(20), all).await.expect("the server ends");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_runs_at_once_are_each_whole() {
    let agent = agent_fn(async |context: &mut RunContext<Vec<u32>>| {
        let mut step = context.step("count")?;
        for turn in 0..5 {
            let mut message = step.assistant_message()?;
            for word in ["one ", "two ", "three"] {
                message.delta(word)?;
                tokio::task::yield_now().await;
            }
            message.update_state(|turns| turns.push(turn))?;
            drop(message);
            step.tool_call("look")?.result("done")?;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        step.finish();
        Ok(RunOutcome::success())
    });
    let app = Router::new().route_agui("/agent", agent);
    let start = std::sync::Arc::new(tokio::sync::Barrier::new(1_000));
    let runs: Vec<_> = (0..1_000)
        .map(|run| {
            let (app, start) = (app.clone(), std::sync::Arc::clone(&start));
            tokio::spawn(async move {
                let input = INPUT.replace(r#""r""#, &format!(r#""run-{run}""#));
                let response = send(&app, "POST", "/agent", input).await;
                // All are open before the first is read.
                start.wait().await;
                let events = whole(&text(response).await);
                let Some(Event::RunFinished(finished)) = events.last() else {
                    panic!("{events:?}")
                };
                assert_eq!(finished.run_id, format!("run-{run}").as_str());
                events.len()
            })
        })
        .collect();
    let all = async {
        for run in runs {
            assert_eq!(run.await.unwrap(), 2 + 2 + 5 * (3 + 2 + 1 + 3));
        }
    };
    tokio::time::timeout(Duration::from_secs(60), all).await.expect("all runs end in time");
}

//! Agents behind HTTP.

mod body;
mod builder;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use self::body::{Body, FirstFrame};
pub use self::builder::{
    DEFAULT_BODY_LIMIT, DEFAULT_CONNECT_TIMEOUT, DEFAULT_IDLE_TIMEOUT, HttpTransportBuilder,
};
use super::error::BoxError;
use super::transport::{Connecting, Frames, Transport};
use super::{Error, Result};
use crate::RunAgentInput;
use crate::encode::to_json;
use crate::wire::excerpt::cut;

/// Characters of a body that is no event stream which errors show.
const EXCERPT: usize = 2_048;

/// Longest pause that a server can ask for before the next attempt.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

type Headers = Pin<Box<dyn Future<Output = Result<HeaderMap, BoxError>> + Send>>;
type Authenticate = Arc<dyn Fn() -> Headers + Send + Sync>;

/// An agent behind a URL, reached by POST, that answers in server-sent events.
///
/// It needs the runtime of tokio. Dropping the run closes the connection, which tells the agent to
/// stop.
///
/// ```no_run
/// use ag_ui::client::{HttpTransport, Session};
///
/// # async fn example() -> ag_ui::client::Result<()> {
/// let agent = HttpTransport::new("http://localhost:3000/agent")?;
/// let mut session = Session::new(agent, "t-1");
/// session.send("Hello").finish().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HttpTransport(Arc<Settings>);

struct Settings {
    client: Client,
    url: Url,
    headers: HeaderMap,
    authenticate: Option<Authenticate>,
    timeout: Option<Duration>,
    idle_timeout: Option<Duration>,
    connect_timeout: Option<Duration>,
    retries: u32,
    pause: Duration,
    frame_limit: usize,
    body_limit: u64,
}

impl HttpTransport {
    /// A transport to that URL with default settings.
    ///
    /// # Errors
    /// When it is no HTTP URL.
    pub fn new(url: impl AsRef<str>) -> Result<Self> {
        Self::builder(url).build()
    }

    /// Settings of a transport.
    pub fn builder(url: impl AsRef<str>) -> HttpTransportBuilder {
        HttpTransportBuilder::new(url.as_ref())
    }

    /// The URL.
    #[must_use]
    pub fn url(&self) -> &str {
        self.0.url.as_str()
    }
}

impl Transport for HttpTransport {
    fn run(&self, input: RunAgentInput) -> Connecting {
        let settings = self.0.clone();
        Box::pin(async move {
            let json = to_json(&input);
            let Some(limit) = settings.timeout else {
                return settings.connect(json, None).await;
            };
            let deadline = Instant::now() + limit;
            let connected = timeout_at(deadline, settings.connect(json, Some(deadline))).await;
            connected.unwrap_or_else(|_| Err(whole_run(limit)))
        })
    }
}

impl Settings {
    async fn connect(&self, json: String, deadline: Option<Instant>) -> Result<Frames> {
        let mut attempt = 0;
        loop {
            let failed = match self.attempt(json.clone(), deadline).await {
                Ok(frames) => return Ok(Box::pin(frames)),
                Err(failed) => failed,
            };
            let Some(asked) = failed.retry.filter(|_| attempt < self.retries) else {
                return Err(failed.error);
            };
            sleep(asked.unwrap_or(self.pause * 2_u32.saturating_pow(attempt))).await;
            attempt += 1;
        }
    }

    /// One attempt, up to the first event: from then on the agent may have done something.
    async fn attempt(&self, json: String, deadline: Option<Instant>) -> Result<FirstFrame, Failed> {
        let response = self.request(json).await?;
        let response = self.check(response).await?;
        let limits = body::Limits {
            frame: self.frame_limit,
            body: self.body_limit,
            idle: self.idle_timeout,
            deadline: deadline.zip(self.timeout),
        };
        let first = Body::new(response, limits).first().await;
        first.map_err(|error| Failed {
            retry: matches!(error, Error::Transport(_)).then_some(None),
            error,
        })
    }

    async fn request(&self, json: String) -> Result<Response, Failed> {
        let mut headers = self.headers.clone();
        if let Some(authenticate) = &self.authenticate {
            let more = authenticate().await;
            headers.extend(more.map_err(|error| Failed::at_once(Error::Transport(error)))?);
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        let request = self.client.post(self.url.clone()).headers(headers).body(json);
        let sent = self.within_idle(request.send()).await.map_err(Failed::at_once)?;
        sent.map_err(|error| {
            let is_connect = error.is_connect();
            match self.connect_timeout {
                Some(limit) if is_connect && error.is_timeout() => Failed::again(Error::Timeout {
                    what: "connecting",
                    setting: "connect_timeout",
                    limit,
                }),
                _ => Failed {
                    retry: is_connect.then_some(None),
                    error: Error::transport(described(&error)),
                },
            }
        })
    }

    async fn within_idle<F: Future>(&self, work: F) -> Result<F::Output> {
        match self.idle_timeout {
            Some(limit) => timeout(limit, work).await.map_err(|_| body::silence(limit)),
            None => Ok(work.await),
        }
    }

    async fn check(&self, response: Response) -> Result<Response, Failed> {
        let status = response.status();
        let content_type = response.headers().get(CONTENT_TYPE);
        let content_type =
            content_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        if !status.is_success() {
            let asked = pause_asked_for(response.headers());
            let body = self.excerpt(response).await;
            let error = Error::Status { status: status.as_u16(), body };
            return Err(Failed { error, retry: is_temporary(status).then_some(asked) });
        }
        if content_type.as_deref().is_some_and(is_event_stream) {
            return Ok(response);
        }
        let body = self.excerpt(response).await;
        Err(Failed::at_once(Error::ContentType { content_type, body }))
    }

    /// The beginning of a body, as far as it comes.
    async fn excerpt(&self, mut response: Response) -> String {
        let mut bytes = Vec::new();
        while bytes.len() < 4 * EXCERPT {
            match self.within_idle(response.chunk()).await {
                Ok(Ok(Some(chunk))) => bytes.extend_from_slice(&chunk),
                _ => break,
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        cut(&text, EXCERPT).0.to_owned()
    }
}

/// Why an attempt failed, and whether another one may succeed: at once, or after a pause.
struct Failed {
    error: Error,
    retry: Option<Option<Duration>>,
}

impl Failed {
    fn at_once(error: Error) -> Self {
        Self { error, retry: None }
    }

    fn again(error: Error) -> Self {
        Self { error, retry: Some(None) }
    }
}

fn is_temporary(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT
    )
}

fn pause_asked_for(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(LONGEST_PAUSE))
}

fn is_event_stream(content_type: &str) -> bool {
    let media_type = content_type.split(';').next().unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("text/event-stream")
}

fn whole_run(limit: Duration) -> Error {
    Error::Timeout { what: "the run", setting: "timeout", limit }
}

/// An error with what caused it: reqwest itself says only that something failed.
fn described(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

impl fmt::Debug for HttpTransport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the headers, which may hold secrets.
        formatter.debug_struct("HttpTransport").field("url", &self.url()).finish_non_exhaustive()
    }
}

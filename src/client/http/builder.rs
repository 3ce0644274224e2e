//! Settings of a transport over HTTP.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};

use super::{Authenticate, HttpTransport, Settings};
use crate::client::error::BoxError;
use crate::client::{Error, Result};
use crate::encode::DEFAULT_FRAME_LIMIT;
use crate::wire::excerpt::Excerpt;

/// How long connecting may take unless set: 10 s.
pub const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an agent may be silent unless set: 5 min. Comments that keep the connection alive end
/// the silence.
pub const DEFAULT_IDLE_TIMEOUT: Duration = Duration::from_secs(300);

/// Bytes that an answer may have unless set: 1 GiB.
pub const DEFAULT_BODY_LIMIT: u64 = 1024 * 1024 * 1024;

/// Redirects that are followed.
const REDIRECTS: usize = 5;

/// Settings of an [`HttpTransport`], checked when it is built.
///
/// ```
/// use std::time::Duration;
/// use ag_ui::client::HttpTransport;
///
/// let transport = HttpTransport::builder("http://localhost:3000/agent")
///     .header("x-team", "board")
///     .idle_timeout(Duration::from_secs(60))
///     .retries(2)
///     .build()?;
/// assert_eq!(transport.url(), "http://localhost:3000/agent");
/// assert!(HttpTransport::new("localhost:3000").is_err());
/// # Ok::<(), ag_ui::client::Error>(())
/// ```
#[must_use = "settings do nothing until `build`"]
pub struct HttpTransportBuilder {
    url: String,
    client: Option<Client>,
    headers: Result<HeaderMap>,
    authenticate: Option<Authenticate>,
    timeout: Option<Duration>,
    idle_timeout: Option<Duration>,
    connect_timeout: Option<Duration>,
    retries: u32,
    pause: Duration,
    frame_limit: usize,
    body_limit: u64,
}

impl HttpTransportBuilder {
    pub(super) fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            client: None,
            headers: Ok(HeaderMap::new()),
            authenticate: None,
            timeout: None,
            idle_timeout: Some(DEFAULT_IDLE_TIMEOUT),
            connect_timeout: Some(DEFAULT_CONNECT_TIMEOUT),
            retries: 0,
            pause: Duration::from_millis(500),
            frame_limit: DEFAULT_FRAME_LIMIT,
            body_limit: DEFAULT_BODY_LIMIT,
        }
    }

    /// Sends a header with every request; it replaces one of the same name. `Content-Type` and
    /// `Accept` are set by the transport.
    pub fn header(mut self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        self.headers = self.headers.and_then(|mut headers| {
            let (name, value) = (name.as_ref(), value.as_ref());
            let bad = |what| Error::Config(format!("{} is no header {what}", Excerpt(name)));
            let key = HeaderName::try_from(name).map_err(|_| bad("name"))?;
            // The value may be a secret, and is not shown.
            let value = HeaderValue::try_from(value)
                .map_err(|_| bad("with a value that HTTP can carry"))?;
            headers.insert(key, value);
            Ok(headers)
        });
        self
    }

    /// Asks for further headers before every request: a token that expires, for example. What it
    /// gives replaces headers of the same names.
    ///
    /// ```
    /// use ag_ui::client::HttpTransport;
    /// use reqwest::header::{AUTHORIZATION, HeaderMap};
    ///
    /// let transport = HttpTransport::builder("http://localhost:3000/agent").auth(async || {
    ///     let token = "fetched from somewhere";
    ///     let value = format!("Bearer {token}").parse()?;
    ///     Ok(HeaderMap::from_iter([(AUTHORIZATION, value)]))
    /// });
    /// # transport.build().unwrap();
    /// ```
    pub fn auth<F>(mut self, authenticate: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<HeaderMap, BoxError>> + Send + 'static,
    {
        self.authenticate = Some(Arc::new(move || Box::pin(authenticate())));
        self
    }

    /// Sets how long a run may take, attempts and all. By default as long as it likes.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets how long the agent may be silent, before its answer and within it; `None` for ever. By
    /// default [`DEFAULT_IDLE_TIMEOUT`].
    pub fn idle_timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.idle_timeout = timeout.into();
        self
    }

    /// Sets how long connecting may take; `None` for ever. By default
    /// [`DEFAULT_CONNECT_TIMEOUT`]. A [client](Self::client) of the caller's has its own.
    pub fn connect_timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.connect_timeout = timeout.into();
        self
    }

    /// Sets how often a run is tried again when it cannot be begun: there is no connection, it is
    /// lost before the first event, or the status is 429, 502, 503 or 504. By default never: the
    /// agent may have begun to work.
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets the pause before the second attempt; it doubles with each further one. A server that
    /// asks for another by `Retry-After` gets it, up to a minute. By default 500 ms.
    pub fn retry_pause(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// Sets how large an event may be, in bytes. By default [`DEFAULT_FRAME_LIMIT`].
    pub fn frame_limit(mut self, limit: usize) -> Self {
        self.frame_limit = limit;
        self
    }

    /// Sets how large an answer may be, in bytes. By default [`DEFAULT_BODY_LIMIT`].
    pub fn body_limit(mut self, limit: u64) -> Self {
        self.body_limit = limit;
        self
    }

    /// Uses a client of the caller's, with its proxies, certificates, and redirects.
    pub fn client(mut self, client: Client) -> Self {
        self.client = Some(client);
        self
    }

    /// The transport. Nothing is sent.
    ///
    /// # Errors
    /// [`Error::Config`] when the URL is none of HTTP, a header is malformed, or TLS cannot be set up.
    pub fn build(self) -> Result<HttpTransport> {
        let url = http_url(&self.url)?;
        let (client, connect_timeout) = match self.client {
            Some(client) => (client, None),
            None => (client(self.connect_timeout)?, self.connect_timeout),
        };
        Ok(HttpTransport(Arc::new(Settings {
            client,
            url,
            headers: self.headers?,
            authenticate: self.authenticate,
            timeout: self.timeout,
            idle_timeout: self.idle_timeout,
            connect_timeout,
            retries: self.retries,
            pause: self.pause,
            frame_limit: self.frame_limit,
            body_limit: self.body_limit,
        })))
    }
}

fn http_url(text: &str) -> Result<Url> {
    let bad = |why: &str| Error::Config(format!("{} is no URL of an agent: {why}", Excerpt(text)));
    let url = Url::parse(text).map_err(|error| bad(&error.to_string()))?;
    match url.scheme() {
        "http" => Ok(url),
        "https" if cfg!(any(feature = "http", feature = "http-native-tls")) => Ok(url),
        "https" => Err(bad("TLS needs the feature `http` or `http-native-tls`")),
        _ => Err(bad("it has to begin with http:// or https://")),
    }
}

fn client(connect_timeout: Option<Duration>) -> Result<Client> {
    let mut builder = Client::builder()
        .user_agent(concat!("ag-ui-rust/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::custom(|attempt| {
            // Headers of the caller's may be secrets that are meant for this server alone.
            let origin = attempt.previous().first().map(Url::origin);
            let is_same = origin == Some(attempt.url().origin());
            if is_same && attempt.previous().len() <= REDIRECTS {
                attempt.follow()
            } else {
                attempt.stop()
            }
        }));
    if let Some(timeout) = connect_timeout {
        builder = builder.connect_timeout(timeout);
    }
    builder.build().map_err(|error| Error::Config(format!("no HTTP client: {error}")))
}

impl fmt::Debug for HttpTransportBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the headers, which may hold secrets.
        formatter
            .debug_struct("HttpTransportBuilder")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

//! The response stream.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_core::Stream;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use tokio::time::{Sleep, sleep};

use super::rejection::Rejection;
use crate::Event;
use crate::encode::{MediaType, encode_into, negotiate};
use crate::server::{Result, Run};

/// How long a stream may be silent before a comment keeps its connection open: 15 seconds.
pub const DEFAULT_KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Events that are ready at once share a chunk of about this size at most.
const CHUNK: usize = 16 * 1024;

/// The answer that streams a run.
///
/// ```
/// use ag_ui::axum::{Rejection, RunInput, SseResponse};
/// use ag_ui::server::{BoxAgent, Runner};
/// use http::HeaderMap;
/// # use std::sync::Arc;
///
/// async fn handler(
///     headers: HeaderMap,
///     axum::extract::State(agent): axum::extract::State<Arc<BoxAgent<()>>>,
///     RunInput(input): RunInput,
/// ) -> Result<SseResponse, Rejection> {
///     Ok(SseResponse::negotiate(&headers, Runner::new(agent).run(input))?)
/// }
/// # let router: axum::Router<Arc<BoxAgent<()>>> =
/// #     axum::Router::new().route("/agent", axum::routing::post(handler));
/// ```
#[derive(Debug)]
#[must_use = "a response does nothing unless it is returned"]
pub struct SseResponse {
    run: Run,
    keep_alive: Option<Duration>,
}

impl SseResponse {
    /// Streams a run, whatever the client said it accepts.
    pub fn new(run: Run) -> Self {
        Self { run, keep_alive: Some(DEFAULT_KEEP_ALIVE) }
    }

    /// Streams a run in a form that the client accepts.
    ///
    /// # Errors
    /// When the client accepts nothing that can be produced.
    pub fn negotiate(headers: &HeaderMap, run: Run) -> Result<Self, Rejection> {
        check_accept(headers)?;
        Ok(Self::new(run))
    }

    /// Sets how long the stream may be silent before a comment is sent; `None` and zero send none.
    pub fn keep_alive(mut self, interval: Option<Duration>) -> Self {
        self.keep_alive = interval;
        self
    }
}

/// A JSON answer.
pub(super) fn json(value: &impl serde_core::Serialize) -> Response {
    let Ok(text) = serde_json::to_string(value) else {
        return http::StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let content_type = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, content_type)], Body::from(text)).into_response()
}

/// Several headers of the name are one list.
pub(super) fn check_accept(headers: &HeaderMap) -> Result<(), Rejection> {
    let values = headers.get_all(header::ACCEPT).iter();
    let values: Vec<_> =
        values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect();
    negotiate((!values.is_empty()).then(|| values.join(",")).as_deref())?;
    Ok(())
}

impl IntoResponse for SseResponse {
    fn into_response(self) -> Response {
        let body = Frames {
            run: Some(self.run),
            keep_alive: self.keep_alive.and_then(KeepAlive::new),
            buffer: Vec::new(),
        };
        let headers = [
            (header::CONTENT_TYPE, MediaType::EventStream.as_str()),
            (header::CACHE_CONTROL, "no-cache, no-store, no-transform"),
            (header::VARY, "accept"),
            // Keeps nginx and its like from collecting the stream before they pass it on.
            (HeaderName::from_static("x-accel-buffering"), "no"),
        ];
        let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
        (headers, Body::from_stream(body)).into_response()
    }
}

/// The bytes of a run. Dropping them drops the run.
struct Frames {
    run: Option<Run>,
    keep_alive: Option<KeepAlive>,
    buffer: Vec<u8>,
}

impl Frames {
    /// Encodes what is ready. The run is let go with its last event.
    fn collect(&mut self, context: &mut Context<'_>) -> Result<()> {
        while let Some(run) = &mut self.run {
            if self.buffer.len() >= CHUNK {
                break;
            }
            match Pin::new(run).poll_next(context) {
                Poll::Ready(Some(event)) => self.encode(&event?),
                Poll::Ready(None) => self.run = None,
                Poll::Pending => break,
            }
        }
        Ok(())
    }

    fn encode(&mut self, event: &Event) {
        encode_into(event, &mut self.buffer);
    }
}

impl Stream for Frames {
    type Item = Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Err(error) = self.collect(context) {
            self.run = None;
            return Poll::Ready(Some(Err(error)));
        }
        if !self.buffer.is_empty() {
            if let Some(keep_alive) = &mut self.keep_alive {
                keep_alive.reset();
            }
            return Poll::Ready(Some(Ok(std::mem::take(&mut self.buffer).into())));
        }
        if self.run.is_none() {
            return Poll::Ready(None);
        }
        let silent = self.keep_alive.as_mut().map(|keep_alive| keep_alive.poll(context));
        match silent {
            Some(Poll::Ready(())) => Poll::Ready(Some(Ok(Bytes::from_static(KeepAlive::COMMENT)))),
            _ => Poll::Pending,
        }
    }
}

struct KeepAlive {
    interval: Duration,
    sleep: Pin<Box<Sleep>>,
}

impl KeepAlive {
    const COMMENT: &'static [u8] = b": keep-alive\n\n";

    /// `None` for no time at all, after which comments would follow each other without end.
    fn new(interval: Duration) -> Option<Self> {
        if interval.is_zero() {
            return None;
        }
        Some(Self { interval, sleep: Box::pin(sleep(interval)) })
    }

    fn reset(&mut self) {
        self.sleep.set(sleep(self.interval));
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let elapsed = self.sleep.as_mut().poll(context);
        if elapsed.is_ready() {
            self.reset();
        }
        elapsed
    }
}

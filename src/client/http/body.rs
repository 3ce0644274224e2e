//! The body of an answer as it comes in.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use futures_core::Stream;
use http_body::Body as _;
use reqwest::Response;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::{described, whole_run};
use crate::client::transport::Frame;
use crate::client::{Error, Result};
use crate::encode::{SseEnd, SseReader};

/// Bounds on a body.
pub(super) struct Limits {
    pub(super) frame: usize,
    pub(super) body: u64,
    pub(super) idle: Option<Duration>,
    pub(super) deadline: Option<(Instant, Duration)>,
}

/// The frames of a body.
pub(super) struct Body {
    body: reqwest::Body,
    reader: SseReader,
    /// What has arrived and was not read yet.
    chunk: Bytes,
    received: u64,
    limits: Limits,
    idle: Option<Pin<Box<Sleep>>>,
    deadline: Option<Pin<Box<Sleep>>>,
    is_over: bool,
}

impl Body {
    pub(super) fn new(response: Response, limits: Limits) -> Self {
        Self {
            body: http::Response::from(response).into_body(),
            reader: SseReader::with_frame_limit(limits.frame),
            chunk: Bytes::new(),
            received: 0,
            idle: limits.idle.map(|limit| Box::pin(sleep(limit))),
            deadline: limits.deadline.map(|(deadline, _)| Box::pin(sleep_until(deadline))),
            limits,
            is_over: false,
        }
    }

    /// Waits for the first frame.
    pub(super) async fn first(mut self) -> Result<FirstFrame> {
        let first = poll_fn(|context| self.poll(context)).await.transpose()?;
        Ok(FirstFrame { first, rest: self })
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame>>> {
        loop {
            if let Some(frame) = self.read_chunk().transpose() {
                return Poll::Ready(Some(frame));
            }
            if self.is_over {
                return Poll::Ready(None);
            }
            match ready!(self.poll_chunk(context)) {
                Ok(true) => {}
                Ok(false) => {
                    self.is_over = true;
                    return Poll::Ready(self.last().transpose());
                }
                Err(error) => {
                    self.is_over = true;
                    return Poll::Ready(Some(Err(error)));
                }
            }
        }
    }

    /// The next frame of what has arrived.
    fn read_chunk(&mut self) -> Result<Option<Frame>> {
        if self.chunk.is_empty() {
            return Ok(None);
        }
        let mut rest = &self.chunk[..];
        let before = rest.len();
        let frame = self.reader.next_frame(&mut rest);
        let taken = before - rest.len();
        let frame = frame.map(|frame| frame.map(|frame| Frame::Json(frame.data().to_owned())));
        self.chunk.advance(taken);
        Ok(frame?)
    }

    /// Waits for more; `false` says that there is no more.
    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Result<bool>> {
        if let (Some(deadline), Some((_, limit))) = (&mut self.deadline, self.limits.deadline)
            && deadline.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(whole_run(limit)));
        }
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                let Ok(data) = frame.into_data() else { return Poll::Ready(Ok(true)) };
                Poll::Ready(self.arrived(data).map(|()| true))
            }
            Poll::Ready(Some(Err(error))) => Poll::Ready(Err(Error::transport(described(&error)))),
            Poll::Ready(None) => Poll::Ready(Ok(false)),
            Poll::Pending => match (&mut self.idle, self.limits.idle) {
                (Some(idle), Some(limit)) => {
                    ready!(idle.as_mut().poll(context));
                    Poll::Ready(Err(silence(limit)))
                }
                _ => Poll::Pending,
            },
        }
    }

    fn arrived(&mut self, data: Bytes) -> Result<()> {
        self.received += data.len() as u64;
        if self.received > self.limits.body {
            return Err(Error::TooLarge { limit: self.limits.body });
        }
        if let (Some(idle), Some(limit)) = (&mut self.idle, self.limits.idle) {
            idle.as_mut().reset(Instant::now() + limit);
        }
        self.chunk = data;
        Ok(())
    }

    /// What the stream ended on. Half an event is none: the pipeline sees that the end is missing.
    fn last(&mut self) -> Result<Option<Frame>> {
        let frame = match self.reader.finish()? {
            SseEnd::MissingBlankLine(frame) => Some(frame),
            SseEnd::InsideLine(frame) => frame.filter(|frame| is_whole(frame.data())),
            SseEnd::Complete => None,
        };
        Ok(frame.map(|frame| Frame::Json(frame.data().to_owned())))
    }
}

fn is_whole(json: &str) -> bool {
    serde_json::from_str::<serde_core::de::IgnoredAny>(json).is_ok()
}

pub(super) fn silence(limit: Duration) -> Error {
    Error::Timeout { what: "the silence of the agent", setting: "idle_timeout", limit }
}

/// The frames of a body, of which the first has come.
pub(super) struct FirstFrame {
    first: Option<Frame>,
    rest: Body,
}

impl Stream for FirstFrame {
    type Item = Result<Frame>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => self.rest.poll(context),
        }
    }
}

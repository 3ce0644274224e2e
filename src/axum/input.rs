//! The request body.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, BodyDataStream};
use axum::extract::{FromRequest, Request};
use futures_core::Stream;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};

use super::rejection::Rejection;
use crate::{RunAgentInput, decode};

/// Bytes that a request body may have unless an endpoint says otherwise: 10 MiB.
pub const DEFAULT_BODY_LIMIT: usize = 10 * 1024 * 1024;

/// JSON values of which a request body may consist unless an endpoint says otherwise: 500,000.
///
/// Small values take far more memory when they are read than in a body: about a hundred bytes each.
/// So this bounds what a request can take where [`DEFAULT_BODY_LIMIT`] does not.
pub const DEFAULT_VALUE_LIMIT: usize = 500_000;

/// How much a body may hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyLimits {
    pub(super) bytes: usize,
    pub(super) values: usize,
}

impl Default for BodyLimits {
    fn default() -> Self {
        Self { bytes: DEFAULT_BODY_LIMIT, values: DEFAULT_VALUE_LIMIT }
    }
}

/// Extracts the input of a run from a request.
///
/// A missing content type is taken for JSON; one that is not JSON is refused. What the protocol
/// does not describe is left out of the input, as it asks of a receiver. The body may have
/// [`DEFAULT_BODY_LIMIT`] bytes and [`DEFAULT_VALUE_LIMIT`] values.
#[derive(Debug, Clone)]
pub struct RunInput(pub RunAgentInput);

impl<S: Send + Sync> FromRequest<S> for RunInput {
    type Rejection = Rejection;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Rejection> {
        let (parts, body) = request.into_parts();
        read_input(&parts.headers, body, BodyLimits::default()).await.map(Self)
    }
}

pub(super) async fn read_input(
    headers: &HeaderMap,
    body: Body,
    limits: BodyLimits,
) -> Result<RunAgentInput, Rejection> {
    check_content_type(headers)?;
    check_encoding(headers)?;
    check_length(headers, limits.bytes)?;
    let bytes = read_body(body.into_data_stream(), limits.bytes).await?;
    check_values(&bytes, limits.values)?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| Rejection::NotUtf8 { offset: error.valid_up_to() })?;
    decode::decode(text).map_err(Rejection::InvalidInput)
}

fn check_content_type(headers: &HeaderMap) -> Result<(), Rejection> {
    let Some(content_type) = headers.get(CONTENT_TYPE) else { return Ok(()) };
    let content_type = String::from_utf8_lossy(content_type.as_bytes());
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json = essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"));
    if is_json {
        return Ok(());
    }
    Err(Rejection::UnsupportedMediaType { content_type: content_type.into_owned() })
}

fn check_encoding(headers: &HeaderMap) -> Result<(), Rejection> {
    let Some(encoding) = headers.get(CONTENT_ENCODING) else { return Ok(()) };
    let encoding = String::from_utf8_lossy(encoding.as_bytes()).into_owned();
    if encoding.is_empty() || encoding.eq_ignore_ascii_case("identity") {
        return Ok(());
    }
    Err(Rejection::UnsupportedEncoding { encoding })
}

/// A body that is declared to be too large need not be sent.
fn check_length(headers: &HeaderMap, limit: usize) -> Result<(), Rejection> {
    let declared = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    match declared.and_then(|length| length.parse::<u64>().ok()) {
        Some(length) if length > limit as u64 => Err(Rejection::BodyTooLarge { limit }),
        _ => Ok(()),
    }
}

/// Counts the values without reading them. Of text that is no JSON it counts something, and the
/// reading finds what is wrong.
fn check_values(json: &[u8], limit: usize) -> Result<(), Rejection> {
    let (mut values, mut quoted, mut escaped) = (1_usize, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b',' | b'[' | b'{' if !quoted => values += 1,
            _ => {}
        }
    }
    if values > limit { Err(Rejection::TooManyValues { limit }) } else { Ok(()) }
}

/// Stops at the limit: what a client declares about its body is not believed.
async fn read_body(mut body: BodyDataStream, limit: usize) -> Result<Vec<u8>, Rejection> {
    let mut bytes = Vec::new();
    while let Some(chunk) = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await {
        let chunk = chunk.map_err(Rejection::IncompleteBody)?;
        if bytes.len() + chunk.len() > limit {
            return Err(Rejection::BodyTooLarge { limit });
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

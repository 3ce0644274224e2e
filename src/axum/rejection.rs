//! Requests that cannot become a run.

use axum::response::{IntoResponse, Response};
use http::StatusCode;

use super::response::json;
use crate::DecodeError;
use crate::encode::NotAcceptable;
use crate::wire::excerpt::Excerpt;

/// Why a request did not become a run.
///
/// Its answer is JSON: `{"code": …, "message": …}`. Codes are stable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    /// The body is no run input: 400, `INVALID_INPUT`.
    #[error("the body is not a run input: {0}")]
    InvalidInput(#[source] DecodeError),
    /// The body is not UTF-8: 400, `INVALID_INPUT`.
    #[error("the body is not UTF-8 at byte {offset}")]
    #[non_exhaustive]
    NotUtf8 {
        /// First byte that is not.
        offset: usize,
    },
    /// The body could not be read to its end: 400, `INCOMPLETE_BODY`.
    #[error("the body could not be read: {0}")]
    IncompleteBody(#[source] axum::Error),
    /// The body is larger than allowed: 413, `BODY_TOO_LARGE`.
    #[error("the body is larger than {limit} bytes")]
    #[non_exhaustive]
    BodyTooLarge {
        /// Largest allowed size in bytes.
        limit: usize,
    },
    /// The body consists of more values than allowed: 413, `TOO_MANY_VALUES`.
    #[error("the body consists of more than {limit} JSON values")]
    #[non_exhaustive]
    TooManyValues {
        /// Largest allowed number of values.
        limit: usize,
    },
    /// No agent of that name is registered: 404, `UNKNOWN_AGENT`.
    #[error("there is no agent {}", Excerpt(.name))]
    #[non_exhaustive]
    UnknownAgent {
        /// The name in the path.
        name: String,
    },
    /// The body is declared as something else than JSON: 415, `UNSUPPORTED_MEDIA_TYPE`.
    #[error("the body is declared as {}; send `application/json`", Excerpt(.content_type))]
    #[non_exhaustive]
    UnsupportedMediaType {
        /// The declared type.
        content_type: String,
    },
    /// The body is compressed, which is not undone here: 415, `UNSUPPORTED_ENCODING`.
    #[error("the body is encoded as {}; send it as it is", Excerpt(.encoding))]
    #[non_exhaustive]
    UnsupportedEncoding {
        /// The declared encoding.
        encoding: String,
    },
    /// The client accepts nothing that can be produced: 406, `NOT_ACCEPTABLE`.
    #[error(transparent)]
    NotAcceptable(#[from] NotAcceptable),
}

impl Rejection {
    /// The status of the answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::InvalidInput(_) | Self::NotUtf8 { .. } | Self::IncompleteBody(_) => {
                StatusCode::BAD_REQUEST
            }
            Self::BodyTooLarge { .. } | Self::TooManyValues { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnknownAgent { .. } => StatusCode::NOT_FOUND,
            Self::UnsupportedMediaType { .. } | Self::UnsupportedEncoding { .. } => {
                StatusCode::UNSUPPORTED_MEDIA_TYPE
            }
            Self::NotAcceptable(_) => StatusCode::NOT_ACCEPTABLE,
        }
    }

    /// The code of the answer.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidInput(_) | Self::NotUtf8 { .. } => "INVALID_INPUT",
            Self::IncompleteBody(_) => "INCOMPLETE_BODY",
            Self::BodyTooLarge { .. } => "BODY_TOO_LARGE",
            Self::TooManyValues { .. } => "TOO_MANY_VALUES",
            Self::UnknownAgent { .. } => "UNKNOWN_AGENT",
            Self::UnsupportedMediaType { .. } => "UNSUPPORTED_MEDIA_TYPE",
            Self::UnsupportedEncoding { .. } => "UNSUPPORTED_ENCODING",
            Self::NotAcceptable(_) => "NOT_ACCEPTABLE",
        }
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        let body = serde_json::json!({ "code": self.code(), "message": self.to_string() });
        (self.status(), json(&body)).into_response()
    }
}

//! The streams that a server sent, byte for byte.

use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::TryStreamExt;
use serde_json::json;

use crate::support::{installed, validate};

/// What was sent so far, a stream for each answer.
#[derive(Clone, Default)]
pub(crate) struct Recording(Arc<Mutex<Vec<Vec<u8>>>>);

impl Recording {
    pub(crate) fn streams(&self) -> Vec<Vec<u8>> {
        self.0.lock().unwrap().clone()
    }

    /// Asserts that an independent judge finds nothing wrong with any stream but those that were
    /// cut by the client.
    pub(crate) fn assert_clean(&self, name: &str, whole: usize, cut: usize) {
        let is_whole = |stream: &Vec<u8>| String::from_utf8_lossy(stream).contains("RUN_FINISHED");
        let (streams, others): (Vec<_>, Vec<_>) = self.streams().into_iter().partition(is_whole);
        assert_eq!((streams.len(), others.len()), (whole, cut), "a stream for each run");
        if !installed(".venv") {
            return;
        }
        for (index, stream) in streams.iter().enumerate() {
            let report = validate(&format!("{name}-{index}"), stream);
            let frames = stream.windows(6).filter(|window| window == b"data: ").count();
            assert_eq!(report["eventCount"], frames, "{report:#}");
            assert_eq!(report["summary"]["errors"], 0, "{report:#}");
            assert_eq!(report["summary"]["warnings"], 0, "{report:#}");
            assert_eq!(report["internalErrors"], json!([]), "{report:#}");
        }
    }
}

/// Middleware that keeps a copy of each body as it passes.
pub(crate) async fn record(
    State(recording): State<Recording>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = next.run(request).await.into_parts();
    let index = {
        let mut streams = recording.0.lock().unwrap();
        streams.push(Vec::new());
        streams.len() - 1
    };
    let body = body.into_data_stream().inspect_ok(move |bytes| {
        recording.0.lock().unwrap()[index].extend_from_slice(bytes);
    });
    Response::from_parts(parts, Body::from_stream(body))
}

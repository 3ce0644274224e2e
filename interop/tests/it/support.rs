//! A server with the example agent, and the programs of others.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;

use ag_ui::axum::RouterExt;
use axum::Router;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::agent::BoardAgent;

/// An agent behind a port of its own, until it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    _runtime: Runtime,
}

impl Server {
    /// The example `first_agent`.
    pub(crate) fn start(pause: Duration) -> Self {
        Self::serve(Router::new().route_agui("/agent", BoardAgent { pause }))
    }

    pub(crate) fn serve(app: Router) -> Self {
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(axum::serve(listener, app).into_future());
        Self { address, _runtime: runtime }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/agent", self.address)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

pub(crate) fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Whether `install.sh` has run. Where it must have, a missing installation fails the test.
pub(crate) fn installed(what: &str) -> bool {
    let there = directory().join(what).exists();
    let required = std::env::var_os("AG_UI_REQUIRE_SUITES").is_some_and(|value| value == "1");
    assert!(there || !required, "{what} is missing; run interop/install.sh");
    if !there {
        eprintln!("skipped: {what} is missing; run interop/install.sh");
    }
    there
}

/// Asks `ag-ui-validate` about a stream.
pub(crate) fn validate(name: &str, stream: &[u8]) -> Value {
    let path = std::env::temp_dir().join(format!("ag-ui-{name}-{}.sse", std::process::id()));
    std::fs::write(&path, stream).unwrap();
    let report = json("./validate.sh", &[path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    report
}

/// Runs a program of this directory.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).current_dir(directory()).output().unwrap()
}

/// Runs a program that prints one JSON document.
pub(crate) fn json(program: &str, arguments: &[&str]) -> Value {
    let output = run(program, arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "{error}\n{}\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

//! Agents behind bearer tokens: a registry, a layer that knows who asks, a handler of one's own that
//! uses it, CORS for pages of another origin, and a shutdown that ends open streams.
//!
//! ```sh
//! cargo run --example secured_agents --features axum
//! curl -N localhost:3001/agents/greeter -H 'authorization: Bearer tea-time' \
//!   -d '{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]}'
//! ```

mod app;

use std::collections::BTreeMap;

use ag_ui::server::CancellationToken;

use crate::app::{User, Users};

#[tokio::main]
#[expect(clippy::print_stdout, reason = "says where it listens")]
async fn main() -> std::io::Result<()> {
    let users = Users::new(BTreeMap::from([("tea-time", User { name: "Ada" })]));
    let shutdown = CancellationToken::new();
    let app = app::app(users, &shutdown);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 3001)).await?;
    println!("The agents are at http://{}/agents", listener.local_addr()?);
    let stopped = async move {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without a signal handler, Ctrl-C ends the process by itself.
            std::future::pending::<()>().await;
        }
        shutdown.cancel();
    };
    axum::serve(listener, app).with_graceful_shutdown(stopped).await
}

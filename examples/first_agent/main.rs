//! An agent on localhost, and a page that shows its runs as they stream.
//!
//! ```sh
//! cargo run --example first_agent --features axum
//! ```
//!
//! Then open <http://127.0.0.1:3000>. The variable `PORT` chooses another port.

mod agent;

use std::time::Duration;

use ag_ui::axum::RouterExt;
use axum::Router;
use axum::response::Html;
use axum::routing::get;
use tokio::net::TcpListener;

const PAGE: &str = include_str!("page.html");

#[tokio::main]
#[expect(clippy::print_stdout, reason = "says where it listens")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port: u16 = match std::env::var("PORT") {
        Ok(port) => port.parse().map_err(|_| format!("PORT is `{port}`, which is no port"))?,
        Err(_) => 3000,
    };
    let agent = agent::BoardAgent { pause: Duration::from_millis(60) };
    let app = Router::new().route("/", get(Html(PAGE))).route_agui("/agent", agent);
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("The board is at http://{}", listener.local_addr()?);
    axum::serve(listener, app).with_graceful_shutdown(stopped()).await?;
    Ok(())
}

/// Waits for Ctrl-C. Open runs are finished before the server ends.
async fn stopped() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

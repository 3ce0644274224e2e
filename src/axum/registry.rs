//! Several agents behind one path.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::endpoint::{AgentEndpoint, Respond};
use super::rejection::Rejection;
use super::response::json;
use crate::AgentCapabilities;
use crate::server::Agent;

/// Agents by name, each with a state and settings of its own.
///
/// | request | answer |
/// | --- | --- |
/// | `POST {path}/{name}` | a run of the agent of that name |
/// | `GET {path}` | the names in order, `{"agents": [{"name": …}, …]}` |
/// | `GET {path}/{name}/capabilities` | what the agent declares, or `{}` |
///
/// A name that is not registered is answered with 404 and the code `UNKNOWN_AGENT`; the names that
/// are registered are no secret. Whom they are not for is the business of a layer.
///
/// ```
/// use ag_ui::axum::{AgentEndpoint, AgentRegistry};
/// # fn planner() -> ag_ui::server::BoxAgent<()> { unimplemented!() }
/// # fn writer() -> ag_ui::server::BoxAgent<Vec<String>> { unimplemented!() }
///
/// # fn example() {
/// let registry = AgentRegistry::new()
///     .agent("planner", planner())
///     .endpoint("writer", AgentEndpoint::new(writer()).body_limit(64 * 1024));
/// let app: axum::Router = registry.into_router("/agents");
/// # }
/// ```
#[derive(Default)]
#[must_use = "a registry does nothing unless it becomes a router"]
pub struct AgentRegistry {
    agents: BTreeMap<String, Entry>,
}

struct Entry {
    respond: Respond,
    capabilities: Option<AgentCapabilities>,
}

impl AgentRegistry {
    /// A registry without agents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an agent with default settings. One of the same name is replaced.
    pub fn agent<A: Agent + 'static>(self, name: impl Into<String>, agent: A) -> Self {
        self.endpoint(name, AgentEndpoint::new(agent))
    }

    /// Adds an agent with settings. One of the same name is replaced.
    pub fn endpoint<A: Agent + 'static>(
        mut self,
        name: impl Into<String>,
        endpoint: AgentEndpoint<A>,
    ) -> Self {
        let (respond, capabilities) = endpoint.erase();
        self.agents.insert(name.into(), Entry { respond, capabilities });
        self
    }

    /// The router of the agents, under that path, for an application of any state.
    ///
    /// # Panics
    /// When the path is not one that axum routes.
    pub fn into_router<S: Clone + Send + Sync + 'static>(self, path: &str) -> Router<S> {
        let path = path.trim_end_matches('/');
        let agents = Arc::new(self.agents);
        let (listed, described) = (Arc::clone(&agents), Arc::clone(&agents));
        let list = move || async move { json(&names(&listed)) };
        let run = move |Path(name): Path<String>, request: Request| async move {
            match agents.get(&name) {
                Some(entry) => (entry.respond)(request).await,
                None => Rejection::UnknownAgent { name }.into_response(),
            }
        };
        let describe =
            move |Path(name): Path<String>| async move { capabilities(&described, name) };
        Router::new()
            .route(if path.is_empty() { "/" } else { path }, get(list))
            .route(&format!("{path}/{{name}}"), post(run))
            .route(&format!("{path}/{{name}}/capabilities"), get(describe))
    }
}

fn names(agents: &BTreeMap<String, Entry>) -> serde_json::Value {
    let names = agents.keys().map(|name| serde_json::json!({ "name": name }));
    serde_json::json!({ "agents": names.collect::<Vec<_>>() })
}

fn capabilities(agents: &BTreeMap<String, Entry>, name: String) -> Response {
    match agents.get(&name) {
        Some(Entry { capabilities: Some(capabilities), .. }) => json(capabilities),
        Some(_) => json(&serde_json::json!({})),
        None => Rejection::UnknownAgent { name }.into_response(),
    }
}

impl std::fmt::Debug for AgentRegistry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.agents.keys()).finish()
    }
}

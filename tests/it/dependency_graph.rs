//! Nobody builds what they did not ask for.

use std::collections::BTreeSet;
use std::process::Command;

/// Crates that run things: none may come without the feature that names it.
const RUNTIMES: &[&str] = &["tokio", "axum", "axum-core", "hyper", "reqwest", "tower"];

/// Names of the crates that a user with these features builds.
fn crates(edges: &str, features: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--prefix", "none", "--format", "{p}"])
        .args(["--edges", edges, "--no-default-features", "--features", features])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn only_axum_and_http_bring_a_runtime() {
    let without = [
        "",
        "sse",
        "verify",
        "server",
        "client",
        "schemars",
        "jsonschema",
        "sse,verify,server,client,schemars,jsonschema",
    ];
    for features in without {
        let crates = crates("normal", features);
        assert!(crates.contains("serde_json"), "{crates:?}");
        for runtime in RUNTIMES {
            assert!(!crates.contains(*runtime), "`{features}` brings {runtime}");
        }
    }
    assert!(crates("normal", "axum").contains("axum"));
    assert!(crates("normal", "http").contains("reqwest"));
}

#[test]
fn a_build_never_meets_the_upstream_parser() {
    for crate_name in crates("normal,build", "axum,schemars") {
        assert!(!crate_name.starts_with("oxc"), "{crate_name}");
        assert_ne!(crate_name, "prettyplease");
    }
}

/// An agent is the boundary to models: no client of one comes along, and no kind of id is imposed.
#[test]
fn no_model_and_no_id_scheme_comes_along() {
    for crate_name in crates("normal,build", "axum,schemars,verify,http") {
        for unwanted in ["openai", "anthropic", "genai", "rig", "ollama", "llm", "uuid", "ulid"] {
            assert!(!crate_name.split(['-', '_']).any(|part| part == unwanted), "{crate_name}");
        }
    }
}

/// TLS is a choice: rustls, what the system has, or none.
#[test]
fn http_brings_the_tls_that_is_asked_for() {
    for (features, rustls, native) in
        [("http", true, false), ("http-native-tls", false, true), ("http-plain", false, false)]
    {
        let crates = crates("normal", features);
        assert_eq!(crates.contains("rustls"), rustls, "{features}");
        assert_eq!(crates.contains("native-tls"), native, "{features}");
        assert!(!crates.contains("axum"), "{features}");
    }
}

/// The figure in the bench notes; a new dependency is to be weighed, not slipped in.
#[test]
fn a_default_build_stays_small() {
    let crates = crates("normal,build", "sse,verify");
    assert!(crates.len() <= 15, "{} crates: {crates:?}", crates.len());
}

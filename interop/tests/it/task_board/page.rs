//! The page, used in a browser as a person would use it.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::served::Served;
use crate::support::{installed, json};

const BROWSER: &str = "/usr/bin/chromium";

fn has_browser() -> bool {
    let named = std::env::var("CHROMIUM").unwrap_or_else(|_| BROWSER.to_owned());
    installed(&named)
}

/// Screenshots of the last use, under the target directory.
fn screenshots() -> &'static str {
    env!("CARGO_TARGET_TMPDIR")
}

fn titles(seen: &Value) -> Vec<&str> {
    let columns = seen["board"].as_object().unwrap().values();
    let titles = columns.flat_map(|tasks| tasks.as_array().unwrap());
    titles.map(|title| title.as_str().unwrap()).collect()
}

#[test]
fn a_person_can_use_the_page() {
    if !installed("node_modules") || !has_browser() {
        return;
    }
    let served = Served::start(Duration::from_millis(25));
    let url = format!("http://{}/", served.server.address());
    let seen = json("node", &["js/task_board_page.mjs", &url, screenshots()]);
    let desktop = &seen["desktop"];
    assert_eq!(titles(&desktop["welcome"]).len(), 3);

    assert_eq!(desktop["statusWhenAdded"], "running", "the board moves while the run goes on");
    assert_eq!(
        desktop["added"]["board"],
        json!({
            "To do": ["Water the plants", "Call the dentist", "buy milk"],
            "Doing": ["Write the invitation"],
            "Done": [],
        })
    );
    assert_eq!(desktop["added"]["said"], "Task 4 is “buy milk”.");
    assert_eq!(desktop["added"]["calls"], json!(["add_task"]));
    assert_eq!(desktop["added"]["openDetails"], 0, "reasoning and calls are folded");

    assert_eq!(titles(&desktop["planned"]).len(), 7);
    assert_eq!(desktop["plan"].as_array().unwrap().len(), 3, "the plan is ticked off");
    assert_eq!(desktop["by"], json!(["planner", "planner", "planner", "planner"]));

    assert_eq!(desktop["question"], "May I take all 7 tasks off the board?");
    assert_eq!(titles(&desktop["asked"]).len(), 7, "nothing happens before the answer");
    assert_eq!(titles(&desktop["declined"]).len(), 7);
    assert_eq!(desktop["declined"]["said"], "The board stays as it is: clearing was declined.");
    assert_eq!(titles(&desktop["approved"]), [""; 0]);
    assert_eq!(desktop["approved"]["said"], "The board is clear: 7 tasks are gone.");
    assert_eq!(desktop["questionGone"], true);

    assert_eq!(desktop["stopped"]["status"], "Stopped");
    let stopped = served.ends.try_iter().filter(|end| !end.returned);
    assert_eq!(stopped.count(), 1, "the button stops the agent itself");
    assert_eq!(titles(&desktop["afterStop"]).last(), Some(&"buy milk"), "the thread goes on");
    assert_eq!(titles(&desktop["startedOver"]).len(), 3);
    assert_eq!(desktop["problems"], json!([]), "errors, and requests of other origins");

    let phone = &seen["phone"];
    assert_eq!(titles(phone).len(), 4);
    assert_eq!(phone["overflow"], 0, "it fits the width of a phone");
    for violations in [&desktop["asked"]["violations"], &phone["violations"]] {
        assert_eq!(*violations, json!([]), "accessibility");
    }
    assert_eq!(
        seen["failure"],
        json!([
            "The run failed: The server answered 413\n\n{\"code\":\"BODY_TOO_LARGE\",\"message\":\"too much\"}",
            "The run failed: The stream ended before the run did",
            "no model today\n\nAGENT_ERROR",
        ])
    );
    served.recording.assert_clean("page", 13, 1);
    for name in ["desktop", "question", "cleared", "phone"] {
        let path = Path::new(screenshots()).join(format!("task_board-{name}.png"));
        assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"), "{}", path.display());
    }
}

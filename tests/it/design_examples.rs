//! Examples from the design notes of the crate, as printed there.

mod ids_are_strings {
    use ag_ui::{RunId, ThreadId};

    #[test]
    fn main() {
        let thread = ThreadId::new("thread-abc");
        let run = RunId::new("42");

        assert_eq!(thread.as_str(), "thread-abc");
        assert_eq!(run.as_str(), "42");

        assert_eq!(serde_json::to_string(&thread).unwrap(), r#""thread-abc""#);
    }
}

#[cfg(feature = "client")]
mod a_run_ends_in_one_of_three_ways {
    use ag_ui::client::RunEnd;

    fn on_end(end: &RunEnd) -> String {
        match end {
            RunEnd::Success { .. } => "done".to_owned(),
            RunEnd::Interrupted { interrupts } => {
                format!("waiting on {} interrupt(s)", interrupts.len())
            }
            RunEnd::Failed { message, .. } => format!("failed: {message}"),
        }
    }

    #[test]
    fn main() {
        let end = RunEnd::Failed {
            message: "the weather service is down".to_owned(),
            code: Some("AGENT_ERROR".to_owned()),
        };
        assert_eq!(on_end(&end), "failed: the weather service is down");
    }
}

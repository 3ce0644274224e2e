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

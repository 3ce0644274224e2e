//! Conveniences on messages, their content, and tool calls.

use std::collections::HashMap;

use ag_ui::decode::{Wire, decode, decode_strict};
use ag_ui::encode::to_json;
use ag_ui::{
    AssistantMessage, ContentPart, DocumentPart, ImagePart, Message, MessageContent, MessageId,
    Metadata, PartSource, Role, ToolCall,
};
use serde_json::{Value, json};

fn document<T: Wire>(value: &T) -> Value {
    let json = to_json(value);
    decode_strict::<T>(&json).unwrap();
    json.parse().unwrap()
}

#[test]
fn each_role_has_its_constructor() {
    let activity = Metadata::from_iter([("done".to_owned(), json!(3))]);
    let call = ToolCall::function("c", "search", "{}");
    for (message, role, text, expected) in [
        (
            Message::user("m", "Hi"),
            Role::User,
            Some("Hi"),
            json!({ "role": "user", "id": "m", "content": "Hi" }),
        ),
        (
            Message::assistant("m", "Hello"),
            Role::Assistant,
            Some("Hello"),
            json!({ "role": "assistant", "id": "m", "content": "Hello" }),
        ),
        (
            Message::tool_calls("m", vec![call]),
            Role::Assistant,
            None,
            json!({ "role": "assistant", "id": "m", "toolCalls": [
                { "id": "c", "type": "function", "function": { "name": "search", "arguments": "{}" } },
            ] }),
        ),
        (
            Message::system("m", "Be brief."),
            Role::System,
            Some("Be brief."),
            json!({ "role": "system", "id": "m", "content": "Be brief." }),
        ),
        (
            Message::developer("m", "Be kind."),
            Role::Developer,
            Some("Be kind."),
            json!({ "role": "developer", "id": "m", "content": "Be kind." }),
        ),
        (
            Message::tool("m", "c", "found"),
            Role::Tool,
            Some("found"),
            json!({ "role": "tool", "id": "m", "toolCallId": "c", "content": "found" }),
        ),
        (
            Message::reasoning("m", "Hm."),
            Role::Reasoning,
            Some("Hm."),
            json!({ "role": "reasoning", "id": "m", "content": "Hm." }),
        ),
        (
            Message::activity("m", "plan", activity),
            Role::Activity,
            None,
            json!({ "role": "activity", "id": "m", "activityType": "plan", "content": { "done": 3 } }),
        ),
    ] {
        assert_eq!(message.role(), role);
        assert_eq!(message.text().as_deref(), text);
        assert_eq!(message.id(), &MessageId::new("m"));
        assert_eq!((message.metadata(), message.subagent_run_id()), (None, None));
        assert_eq!(document(&message), expected);
        assert_eq!(decode::<Message>(&expected.to_string()).unwrap(), message);
    }
}

#[test]
fn common_fields_are_read_on_every_role() {
    for (role, rest) in [
        ("user", r#""content":"""#),
        ("assistant", r#""toolCalls":[]"#),
        ("system", r#""content":"""#),
        ("developer", r#""content":"""#),
        ("tool", r#""content":"","toolCallId":"c""#),
        ("reasoning", r#""content":"""#),
        ("activity", r#""content":{},"activityType":"a""#),
    ] {
        let json = format!(
            r#"{{"role":"{role}","id":"m","subagentRunId":"s","metadata":{{"a":null}},{rest}}}"#
        );
        let message: Message = decode_strict(&json).unwrap();
        assert_eq!(message.role().as_str(), role);
        assert_eq!(message.subagent_run_id().unwrap(), "s");
        assert_eq!(message.metadata().unwrap()["a"], Value::Null);
    }
}

#[test]
fn text_of_parts_is_joined_and_media_are_passed_over() {
    let image = || ContentPart::from(ImagePart::new(PartSource::url("https://a.example/b.png")));
    for (parts, text) in [
        (vec![], ""),
        (vec![image()], ""),
        (vec![ContentPart::text("one")], "one"),
        (
            vec![ContentPart::text("a "), image(), ContentPart::text(""), ContentPart::text("b")],
            "a b",
        ),
    ] {
        assert_eq!(Message::user("m", parts.clone()).text().unwrap(), text);
        assert_eq!(Message::tool("m", "c", parts.clone()).text().unwrap(), text);
        assert_eq!(MessageContent::from(parts).text(), text);
    }
    assert_eq!(ContentPart::text("a").as_text(), Some("a"));
    assert_eq!(image().as_text(), None);
    assert_eq!(MessageContent::from(String::from("a")).text(), "a");
    assert_eq!(Message::from(AssistantMessage::new("m")).text(), None);
}

#[test]
fn sources_say_where_the_bytes_are() {
    for (source, expected) in [
        (
            PartSource::data("aGk=", "text/plain"),
            json!({ "type": "data", "value": "aGk=", "mimeType": "text/plain" }),
        ),
        (PartSource::url("s3://a/b"), json!({ "type": "url", "value": "s3://a/b" })),
        (PartSource::file("file-7"), json!({ "type": "file", "value": "file-7" })),
    ] {
        assert_eq!(document(&source), expected);
        let part = ContentPart::from(DocumentPart::new(source).with_id("p").with_metadata(7));
        let part = document(&part);
        assert_eq!(
            part,
            json!({ "type": "document", "id": "p", "source": expected, "metadata": 7 })
        );
    }
}

#[test]
fn arguments_of_a_call_are_read_as_a_type() {
    let call = ToolCall::function("c", "add", r#"{"title":"Tea","count":2}"#);
    let arguments: HashMap<String, Value> = call.parse_arguments().unwrap();
    assert_eq!(arguments["count"], 2);
    assert!(call.parse_arguments::<Vec<String>>().is_err());
    for broken in ["", "{", "{}{}"] {
        assert!(ToolCall::function("c", "add", broken).parse_arguments::<Value>().is_err());
    }
}

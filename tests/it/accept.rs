//! Which `Accept` headers are answered, and with what.

use ag_ui::encode::{MediaType, negotiate};

#[test]
fn server_sent_events_answer_whatever_covers_them() {
    let table = [
        "",
        "  ",
        ", ,",
        "*/*",
        "text/*",
        "text/event-stream",
        "Text/Event-STREAM",
        "TEXT/*",
        " text/event-stream ",
        "text/event-stream;q=0.001",
        "text/event-stream ; Q=0.5",
        "text/event-stream;charset=utf-8",
        "text/event-stream; charset=\"UTF-8\"; q=0.3",
        "text/event-stream;q=1;level=2",
        "text/event-stream;;q=1",
        "text/html, application/xhtml+xml, */*;q=0.8",
        "application/json, text/event-stream",
        "application/json,,text/event-stream,",
        "application/vnd.ag-ui.event+proto, text/event-stream;q=0.1",
        "application/vnd.ag-ui.event+proto, */*;q=0.1",
        "application/vnd.ag-ui.event+proto;q=0, */*",
        "text/*;q=0, text/event-stream",
        "*/*;q=0, text/*;q=0.1",
        "*/*;q=bad, text/event-stream",
        "application/json;note=\"a, b;q=0\", text/event-stream",
        "application/json;note=\"\\\", text/html\", text/event-stream",
        "text/event-stream;q=0, text/event-stream",
        "text/event-stream, text/event-stream;q=0",
        "text/event-stream;version=*",
        "text/event-stream;q=0, text/event-stream;charset=utf-8",
        "nonsense, text/event-stream",
    ];
    assert_eq!(negotiate(None), Ok(MediaType::EventStream));
    for accept in table {
        assert_eq!(negotiate(Some(accept)), Ok(MediaType::EventStream), "{accept:?}");
    }
}

#[test]
fn what_does_not_cover_them_is_not_acceptable() {
    let table = [
        "application/json",
        "application/*",
        "application/vnd.ag-ui.event+proto",
        "text/html",
        "text/event-streams",
        "text/event-stream/x",
        "*/event-stream",
        "nonsense",
        "*",
        "text/",
        "/",
        "text/event-stream;q=0",
        "text/event-stream;q=0.000",
        "text/event-stream;q",
        "text/event-stream;q=",
        "text/event-stream;q=high",
        "text/event-stream;q=1.5",
        "text/event-stream;q=-1",
        "text/event-stream;q=0, */*",
        "text/event-stream;q=bad, */*;q=1",
        "text/*;q=0, */*",
        "*/*;q=0",
        "text/event-stream;charset=latin-1",
        "text/event-stream;version=2",
        "text/event-stream;charset=utf-8;q=0, text/event-stream",
        "text/html;note=\"text/event-stream",
        "text/html;note=\", text/event-stream\"",
    ];
    for accept in table {
        let error = negotiate(Some(accept)).expect_err(accept);
        assert_eq!(error.accept(), accept);
    }
}

#[test]
fn the_error_lists_what_can_be_produced() {
    let error = negotiate(Some("application/vnd.ag-ui.event+proto, x/\"y\"")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no media type of the Accept header `application/vnd.ag-ui.event+proto, x/\\\"y\\\"` can \
         be produced; ask for text/event-stream"
    );
}

#[test]
fn media_types_have_their_registered_names() {
    assert_eq!(MediaType::EventStream.as_str(), "text/event-stream");
    assert_eq!(MediaType::EventProtobuf.to_string(), "application/vnd.ag-ui.event+proto");
    assert_eq!(MediaType::PRODUCED, [MediaType::EventStream]);
}

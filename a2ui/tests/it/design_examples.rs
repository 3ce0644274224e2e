//! The examples of the validation design, as printed there.

#[test]
fn example_1() {
    use ag_ui_a2ui::validate::{ErrorCode, Validator};
    use ag_ui_a2ui::{Catalog, Component};
    use serde_json::json;

    let report = Validator::new(&Catalog::basic())
        .validate(&[Component::new("root", "Card").with("child", json!("greeting"))]);

    assert_eq!(report.errors[0].code, ErrorCode::UnresolvedChild);
    assert_eq!(report.errors[0].path, "components[0].child");
}

#[test]
fn example_2() {
    use ag_ui_a2ui::Catalog;
    use ag_ui_a2ui::validate::{ErrorCode, Validator};
    use serde_json::json;

    let messages = vec![json!({
        "version": "v1.0",
        "updateComponents": {"surfaceId": "cart"}
    })];

    let report = Validator::new(&Catalog::basic()).validate_json_messages(&messages);
    let codes: Vec<ErrorCode> = report.errors.iter().map(|e| e.code).collect();
    assert!(codes.contains(&ErrorCode::InvalidValue));
    assert!(codes.contains(&ErrorCode::MissingField));
}

#[test]
fn example_3() {
    use ag_ui_a2ui::validate::{ErrorCode, Validator};
    use ag_ui_a2ui::{Catalog, Component};
    use serde_json::json;

    let catalog = Catalog::basic();
    let patch = [Component::new("heading", "Text").with("text", json!("Updated"))];
    let strict = Validator::new(&catalog).validate(&patch);
    assert!(strict.errors.iter().any(|e| e.code == ErrorCode::NoRoot));
    assert!(Validator::incremental(&catalog).validate(&patch).is_valid());
}

#[test]
fn example_4() {
    use ag_ui_a2ui::{Catalog, Component, Validator};
    use serde_json::json;

    let report = Validator::new(&Catalog::basic()).validate(&[
        Component::new("root", "Text").with("text", json!("Hello")),
        Component::new("stray", "Text").with("text", json!("Nobody points at me")),
    ]);

    assert!(report.is_valid());
    assert_eq!(report.unreachable, vec!["stray".to_string()]);
}

#[test]
fn example_5() {
    use ag_ui_a2ui::{Catalog, Component, Error, Validator};
    use serde_json::json;

    let report = Validator::new(&Catalog::basic())
        .validate(&[Component::new("root", "Card").with("child", json!("missing"))]);

    let Err(Error::Validation { errors }) = report.into_result() else {
        panic!("this surface does not validate");
    };

    assert!(errors.to_string().starts_with("[unresolved_child] components[0].child:"));
}

#[test]
fn example_6() {
    use ag_ui_a2ui::validate::{ErrorCode, Validator};
    use ag_ui_a2ui::{Catalog, Component};
    use serde_json::json;

    let catalog = Catalog::from_schema(&json!({
        "catalogId": "https://example.com/design-system.json",
        "components": {
            "Chart": {
                "type": "object",
                "properties": {
                    "columns": {"type": "integer"},
                    "series": {"type": "array"}
                },
                "required": ["series"]
            }
        }
    }))
    .unwrap();

    let report = Validator::new(&catalog).validate(&[
        Component::new("root", "Chart")
            .with("columns", json!("three"))
            .with("series", json!([1, 2])),
        Component::new("legend", "Sparkline"),
    ]);

    let codes: Vec<ErrorCode> = report.errors.iter().map(|e| e.code).collect();
    assert!(codes.contains(&ErrorCode::TypeMismatch));
    assert!(codes.contains(&ErrorCode::UnknownComponent));
}

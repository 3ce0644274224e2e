//! What values come to.

use ag_ui_a2ui::DataModel;
use ag_ui_a2ui::evaluate::{EvaluateError, Evaluator, Outcome};
use proptest::prelude::*;
use serde_json::{Value, json};

fn data() -> DataModel {
    DataModel::from(json!({
        "name": "Ada", "count": 3, "price": 1234.5, "done": true, "nothing": null, "list": [1, "a"],
        "when": "2026-03-09T17:04:05Z", "items": [{"title": "tea"}, {"title": "milk"}],
    }))
}

fn value(call: &Value) -> Result<Value, EvaluateError> {
    match Evaluator::new(&data()).evaluate(call)? {
        Outcome::Value(value) => Ok(value),
        effect => panic!("{effect:?}"),
    }
}

fn call(name: &str, args: &Value) -> Value {
    json!({"call": name, "args": args})
}

#[test]
fn literals_stay_and_bindings_are_looked_up() {
    assert_eq!(value(&json!("plain ${/name}")), Ok(json!("plain ${/name}")));
    assert_eq!(value(&json!({"path": "/name"})), Ok(json!("Ada")));
    assert_eq!(value(&json!({"path": "/nowhere"})), Ok(json!(null)));
    let data = data();
    let item = Evaluator::new(&data).for_item("/items", 1).unwrap();
    assert_eq!(item.evaluate(&json!({"path": "title"})), Ok(Outcome::Value(json!("milk"))));
    assert_eq!(item.evaluate(&json!({"path": "/name"})), Ok(Outcome::Value(json!("Ada"))));
    assert!(Evaluator::new(&data).for_item("/items", 2).is_none());
}

#[test]
fn functions_of_the_basic_catalog() {
    let table = [
        ("required", json!({"value": 0}), json!(true)),
        ("required", json!({"value": false}), json!(true)),
        ("required", json!({"value": ""}), json!(false)),
        ("required", json!({"value": []}), json!(false)),
        ("required", json!({"value": {"path": "/nowhere"}}), json!(false)),
        ("regex", json!({"value": "abc", "pattern": "b"}), json!(true)),
        ("regex", json!({"value": "abc", "pattern": "^b"}), json!(false)),
        ("length", json!({"value": "abc", "min": 3}), json!(true)),
        ("length", json!({"value": "abc", "max": 2}), json!(false)),
        ("length", json!({"value": {"path": "/list"}, "min": 2, "max": 2}), json!(true)),
        ("numeric", json!({"value": {"path": "/count"}, "min": 3, "max": 3}), json!(true)),
        ("numeric", json!({"value": "x", "min": 3}), json!(false)),
        ("email", json!({"value": "ada@example.com"}), json!(true)),
        ("email", json!({"value": "ada@example"}), json!(false)),
        ("email", json!({"value": "a b@example.com"}), json!(false)),
        ("and", json!({"values": [true, {"path": "/done"}]}), json!(true)),
        ("and", json!({"values": [true, "no"]}), json!(false)),
        ("or", json!({"values": [false, 1]}), json!(true)),
        ("not", json!({"value": {"path": "/nothing"}}), json!(true)),
        ("formatNumber", json!({"value": 1_234_567.891}), json!("1,234,567.891")),
        (
            "formatNumber",
            json!({"value": 1234.5, "decimals": 2, "grouping": false}),
            json!("1234.50"),
        ),
        ("formatNumber", json!({"value": -0.4, "decimals": 0}), json!("0")),
        (
            "formatCurrency",
            json!({"value": {"path": "/price"}, "currency": "USD"}),
            json!("$1,234.50"),
        ),
        ("formatCurrency", json!({"value": -3, "currency": "eur", "decimals": 0}), json!("-€3")),
        ("formatCurrency", json!({"value": 5, "currency": "CHF"}), json!("CHF\u{a0}5.00")),
        ("formatCurrency", json!({"value": 5, "currency": "JPY"}), json!("¥5")),
        (
            "formatDate",
            json!({"value": {"path": "/when"}, "format": "EEEE, MMMM d, yyyy 'at' h:mm a"}),
            json!("Monday, March 9, 2026 at 5:04 PM"),
        ),
        (
            "formatDate",
            json!({"value": "2026-03-09", "format": "dd/MM/yy E"}),
            json!("09/03/26 Mon"),
        ),
        ("formatDate", json!({"value": "09:05", "format": "HH:mm:ss"}), json!("09:05:00")),
        ("formatDate", json!({"value": 0, "format": "yyyy-MM-dd"}), json!("1970-01-01")),
        ("formatDate", json!({"value": "someday", "format": "yyyy"}), json!("")),
        ("pluralize", json!({"value": 1, "one": "one", "other": "many"}), json!("one")),
        ("pluralize", json!({"value": 0, "one": "one", "other": "many"}), json!("many")),
        ("pluralize", json!({"value": 0, "zero": "none", "other": "many"}), json!("none")),
    ];
    for (name, args, expected) in table {
        assert_eq!(value(&call(name, &args)), Ok(expected), "{name} {args}");
    }
}

#[test]
fn places_in_a_text_are_filled() {
    let table = [
        ("Hello ${/name}!", "Hello Ada!"),
        (r"\${/name}", "${/name}"),
        ("${ /name }${}", "Ada"),
        ("${/nothing}|${/nowhere}|${null}", "||"),
        ("${/list}", "[1,\"a\"]"),
        ("${'a\\'}b'}", "a'}b"),
        ("${\"x\\ty\"}", "x\ty"),
        ("${1.5} ${-2} ${true}", "1.5 -2 true"),
        ("${formatNumber(value: /price, decimals: 1)}", "1,234.5"),
        (
            "${pluralize(value: /count, one: 'task', other: formatString(value: '${/count} tasks'))}",
            "3 tasks",
        ),
        ("${${/name}}", "Ada"),
        ("no places", "no places"),
        ("$ { } $x", "$ { } $x"),
    ];
    for (template, expected) in table {
        let call = call("formatString", &json!({"value": template}));
        assert_eq!(value(&call), Ok(json!(expected)), "{template}");
    }
    let data = data();
    let item = Evaluator::new(&data).for_item("/items", 1).unwrap();
    let call = call("formatString", &json!({"value": "${@index(offset: 1)}. ${title}"}));
    assert_eq!(item.evaluate(&call), Ok(Outcome::Value(json!("2. milk"))));
}

#[test]
fn what_cannot_be_worked_out_says_why() {
    let table = [
        (call("nothing", &json!({})), "there is no function `nothing`"),
        (call("regex", &json!({"value": "a"})), "`regex` needs the argument `pattern`"),
        (call("regex", &json!({"value": "a", "pattern": "("})), "`(` is no pattern"),
        (call("length", &json!({"value": "a"})), "it needs `min` or `max`"),
        (call("and", &json!({"values": 1})), "`values` has to be a list"),
        (
            call("not", &json!({"value": {"call": "openUrl", "args": {"url": "x"}}})),
            "it gives nothing",
        ),
        (
            call("formatString", &json!({"value": "${/name"})),
            "at character 7 of the text: the place for a value has no end",
        ),
        (call("formatString", &json!({"value": "${/a b}"})), "something follows the value"),
        (call("formatString", &json!({"value": "${f(1)}"})), "an argument is written as"),
        (call("formatString", &json!({"value": "${'x}"})), "a text in quotes has no end"),
        (
            call("formatString", &json!({"value": "${@index(offset: 1)}"})),
            "it has a meaning in a list only",
        ),
    ];
    for (call, expected) in table {
        let error = value(&call).unwrap_err().to_string();
        assert!(error.contains(expected), "{call}: {error}");
    }
}

#[test]
fn effects_are_told_and_not_done() {
    let call = call("openUrl", &json!({"url": {"path": "/name"}}));
    let Ok(Outcome::Effect { name, args, .. }) = Evaluator::new(&data()).evaluate(&call) else {
        panic!()
    };
    assert_eq!((name.as_str(), &args["url"]), ("openUrl", &json!("Ada")));
}

#[test]
fn nesting_has_an_end() {
    let nested = (0..200).fold(json!(true), |value, _| call("not", &json!({"value": value})));
    assert_eq!(value(&nested), Err(EvaluateError::TooDeep));
    let template = format!("{}/name{}", "${".repeat(200), "}".repeat(200));
    assert!(value(&call("formatString", &json!({"value": template}))).is_err());
    let many = "${1}".repeat(2_000);
    assert!(value(&call("formatString", &json!({"value": many}))).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_text_is_filled_or_refused(template in "[a$ {}()'\"\\\\/:,.0-9@-]{0,40}") {
        let _ = value(&call("formatString", &json!({"value": template})));
    }
}

use super::*;
use proptest::prelude::*;

fn text(value: &str) -> Value<'_> {
    Value::Text(value.into())
}

#[test]
fn a_python_literal_is_read_like_the_json_it_stands_for() {
    let python = parse(r#"[{'content': 'it\'s "done"', 'ok': True, 'n': None, 'x': 1.5,},]"#);
    let json = parse(r#"[{"content":"it's \"done\"","ok":true,"n":null,"x":1.5}]"#);
    assert_eq!(python, json);
    assert!(json.is_ok());
}

#[test]
fn a_number_keeps_the_text_it_is_written_as() {
    for number in ["0", "-0", "1e999", "1.50", "123456789012345678901234567890"] {
        assert_eq!(parse(number), Ok(Value::Number(number)));
    }
}

#[test]
fn of_equal_keys_the_last_one_counts() {
    let value = parse(r#"{"a":1,"a":2}"#).unwrap();
    assert_eq!(value.get("a"), Some(&Value::Number("2")));
}

#[test]
fn a_null_is_as_good_as_absent() {
    let value = parse(r#"{"content":null,"title":"x"}"#).unwrap();
    assert_eq!(
        value.first_of(&["content", "title"]),
        Some(("title", &text("x")))
    );
}

#[test]
fn what_is_not_a_value_is_refused_where_it_goes_wrong() {
    for (broken, at) in [
        ("", 0),
        ("{", 1),
        ("[1 2]", 3),
        ("[,]", 1),
        ("{\"a\" 1}", 5),
        ("{a:1}", 1),
        ("[1]x", 3),
        ("\"abc", 4),
        ("nul", 0),
        ("1.", 2),
        ("-", 1),
        ("\"\\", 2),
        ("eval('1')", 0),
    ] {
        assert_eq!(parse(broken), Err(Fault::Syntax(at)), "{broken}");
    }
}

#[test]
fn nesting_is_bounded_and_its_cost_too() {
    let at_limit = "[".repeat(48) + &"]".repeat(48);
    assert!(parse(&at_limit).is_ok());
    assert_eq!(parse(&"[".repeat(1 << 20)), Err(Fault::TooDeep));
    assert_eq!(parse(&r#"{"a":"#.repeat(1 << 18)), Err(Fault::TooDeep));
}

fn as_ours(value: &serde_json::Value) -> Value<'static> {
    use serde_json::Value as Theirs;
    match value {
        Theirs::Null => Value::Null,
        Theirs::Bool(b) => Value::Bool(*b),
        Theirs::Number(n) => Value::Number(n.to_string().leak()),
        Theirs::String(s) => Value::Text(s.clone().into()),
        Theirs::Array(list) => Value::List(list.iter().map(as_ours).collect()),
        Theirs::Object(map) => Value::Object(
            map.iter()
                .map(|(k, v)| (k.clone().into(), as_ours(v)))
                .collect(),
        ),
    }
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_json_text_is_read_as_serde_json_reads_it(value in any_json(), pretty: bool) {
        let json = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let json = json.unwrap();
        prop_assert_eq!(parse(&json), Ok(as_ours(&value)));
    }

    #[test]
    fn any_text_at_all_is_read_or_refused(text in "[\\[\\]{}:,'\"\\\\u0-9truefalsenN .eE+-]{0,40}") {
        let _ = parse(&text);
    }

    #[test]
    fn what_serde_json_takes_is_never_refused(text in "[\\[\\]{}:,\"0-9a .eE+-]{0,16}") {
        if serde_json::from_str::<serde_json::Value>(&text).is_ok() {
            prop_assert!(parse(&text).is_ok());
        }
    }
}

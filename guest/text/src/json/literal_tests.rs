use super::*;
use proptest::prelude::*;
use std::fmt::Write;

/// The values of a text, each with its key and how deep it lies.
fn values(text: &str) -> Result<String, Fault> {
    fn write(key: &str, value: Value<'_>, depth: usize, out: &mut String) {
        let _ = write!(out, "{}{key:?}: ", " ".repeat(depth));
        match value {
            Value::List(values) | Value::Object(values) => {
                let _ = writeln!(out, "{}", value.kind());
                values
                    .iter()
                    .for_each(|(key, value)| write(key, value, depth + 1, out));
            }
            scalar => {
                let _ = writeln!(out, "{scalar:?}");
            }
        }
    }
    let mut out = String::new();
    write("", parse(text)?.root(), 0, &mut out);
    Ok(out)
}

fn fault(text: &str) -> Option<Fault> {
    parse(text).err()
}

#[test]
fn a_python_literal_is_read_like_the_json_it_stands_for() {
    let python = values(r#"[{'content': 'it\'s "done"', 'ok': True, 'n': None, 'x': 1.5,},]"#);
    let json = values(r#"[{"content":"it's \"done\"","ok":true,"n":null,"x":1.5}]"#);
    assert_eq!(python, json);
    assert!(json.is_ok());
}

#[test]
fn a_number_keeps_the_text_it_is_written_as() {
    for number in ["0", "-0", "1e999", "1.50", "123456789012345678901234567890"] {
        assert_eq!(parse(number).unwrap().root(), Value::Number(number));
    }
}

#[test]
fn of_equal_keys_the_last_one_counts() {
    let value = parse(r#"{"a":1,"a":2}"#).unwrap();
    assert_eq!(value.root().get("a"), Some(Value::Number("2")));
}

#[test]
fn a_null_is_as_good_as_absent() {
    let value = parse(r#"{"content":null,"title":"x"}"#).unwrap();
    assert_eq!(
        value.root().first_of(&["content", "title"]),
        Some(("title", Value::Text("x")))
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
        assert_eq!(fault(broken), Some(Fault::Syntax(at)), "{broken}");
    }
}

#[test]
fn nesting_is_bounded_and_its_cost_too() {
    let at_limit = "[".repeat(48) + &"]".repeat(48);
    assert!(parse(&at_limit).is_ok());
    assert_eq!(fault(&"[".repeat(1 << 20)), Some(Fault::TooDeep));
    assert_eq!(fault(&r#"{"a":"#.repeat(1 << 18)), Some(Fault::TooDeep));
}

fn is_same(ours: Value<'_>, theirs: &serde_json::Value) -> bool {
    use serde_json::Value as Theirs;
    match (ours, theirs) {
        (Value::Null, Theirs::Null) => true,
        (Value::Bool(ours), Theirs::Bool(theirs)) => ours == *theirs,
        (Value::Number(ours), Theirs::Number(theirs)) => ours == theirs.to_string(),
        (Value::Text(ours), Theirs::String(theirs)) => ours == theirs,
        (Value::List(ours), Theirs::Array(theirs)) => {
            let same =
                |((key, ours), theirs): ((&str, _), _)| key.is_empty() && is_same(ours, theirs);
            ours.iter().count() == theirs.len() && ours.iter().zip(theirs).all(same)
        }
        (Value::Object(held), Theirs::Object(theirs)) => {
            let same = |(key, value)| theirs.get(key).is_some_and(|theirs| is_same(value, theirs));
            held.iter().count() == theirs.len() && held.iter().all(same)
        }
        _ => false,
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
        prop_assert!(is_same(parse(&json).unwrap().root(), &value));
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

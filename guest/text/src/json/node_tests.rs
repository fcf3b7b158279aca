use super::*;
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Enter,
    Raw,
}

fn names(key: &str) -> Option<(Key, Keep)> {
    match key {
        "enter" => Some((Key::Enter, Keep::Enter)),
        "raw" => Some((Key::Raw, Keep::Raw)),
        _ => None,
    }
}

fn read(text: &str) -> Result<Tree<'_, Key>, Stop> {
    let mut tree = Tree::default();
    Scanner::new(text).tree(names, &mut tree).map(|()| tree)
}

#[test]
fn only_named_keys_are_kept_and_only_entered_ones_are_built() {
    let tree =
        read(r#"{"other":{"raw":1},"raw":{"enter":[1]},"enter":[{"raw":"a\"b"},null]}"#).unwrap();
    let node = tree.root();
    assert!(node.has_entries());
    assert_eq!(node.list().count(), 0);
    assert_eq!(node.get(Key::Raw).unwrap().raw, r#"{"enter":[1]}"#);
    assert!(!node.get(Key::Raw).unwrap().has_entries());
    let list = node.get(Key::Enter).unwrap();
    assert!(!list.has_entries());
    assert_eq!(list.list().count(), 2);
    let inner = list.list().next().unwrap();
    assert_eq!(inner.get(Key::Raw).unwrap().text().unwrap(), "a\"b");
}

#[test]
fn of_equal_keys_the_last_one_counts_and_a_tree_holds_one_text_at_a_time() {
    let mut tree = Tree::default();
    for (text, last) in [(r#"{"raw":1,"raw":2}"#, "2"), (r#"[{"raw":3}]"#, "3")] {
        Scanner::new(text).tree(names, &mut tree).unwrap();
        let node = tree.root();
        let node = node.list().next().unwrap_or(node);
        assert_eq!(node.get(Key::Raw).unwrap().raw, last);
    }
}

#[test]
fn a_null_is_there_and_yet_nothing() {
    let tree = read(r#"{"raw":null}"#).unwrap();
    let node = tree.root();
    assert!(node.has(Key::Raw));
    assert_eq!(node.get(Key::Raw), None);
}

#[test]
fn a_text_that_ends_too_early_is_torn_and_not_wrong() {
    for torn in [
        "",
        "{",
        r#"{"a"#,
        r#"{"a":"#,
        r#"{"a":[1,{"b":"x\"#,
        "[1,",
        r#"{"raw":"x"#,
        "[tru",
    ] {
        assert_eq!(read(torn).err(), Some(Stop::Torn), "{torn}");
    }
    for wrong in [
        "}",
        "{1}",
        r#"{"a" 1}"#,
        r#"{"a":1 2}"#,
        "[1 2]",
        "?",
        r#"{"a":?}"#,
        "[abc",
        "[nil]",
        "[truer]",
    ] {
        assert_eq!(read(wrong).err(), Some(Stop::Syntax), "{wrong}");
    }
}

#[test]
fn no_nesting_is_too_deep() {
    let deep = format!("{}{}", "[".repeat(1 << 20), "]".repeat(1 << 20));
    assert_eq!(read(&deep).unwrap().root().raw.len(), deep.len());
}

proptest! {
    #[test]
    fn every_json_text_is_taken_as_a_whole(values in prop::collection::vec(any::<(String, i64, bool)>(), 0..5)) {
        let json = serde_json::json!({"enter": values, "x": {"y": values}, "raw": values}).to_string();
        let text = format!(" {json} tail");
        let mut scanner = Scanner::new(&text);
        let mut tree = Tree::default();
        scanner.tree(names, &mut tree).unwrap();
        prop_assert_eq!(tree.root().raw, &json);
        prop_assert_eq!(scanner.rest(), " tail");
        let mut scanner = Scanner::new(&text);
        scanner.skip().unwrap();
        prop_assert_eq!(scanner.rest(), " tail");
    }
}

#[test]
fn what_is_kept_as_text_is_not_built() {
    let tree = read(r#"{"raw":[{"raw":1},2]}"#).unwrap();
    let raw = tree.root().get(Key::Raw).unwrap();
    assert_eq!(raw.raw, r#"[{"raw":1},2]"#);
    assert!(raw.list().is_empty());
}

#[test]
fn no_nesting_of_what_is_entered_is_too_deep() {
    let deep = format!("{}1{}", r#"{"enter":"#.repeat(1 << 17), "}".repeat(1 << 17));
    assert_eq!(read(&deep).unwrap().root().raw.len(), deep.len());
    let deep = format!(
        "{}1{}",
        r#"[{"enter":"#.repeat(1 << 17),
        "}]".repeat(1 << 17)
    );
    assert_eq!(read(&deep).unwrap().root().raw.len(), deep.len());
}

#[test]
fn a_value_that_is_missing_is_wrong() {
    for wrong in ["[,1]", "[:1]", r#"{"a":,1}"#, r#"{"raw"::1}"#, r#"{"a":}"#] {
        assert_eq!(read(wrong).err(), Some(Stop::Syntax), "{wrong}");
    }
}

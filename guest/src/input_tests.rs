use super::*;

/// The contents of the items that are read.
fn contents(input: &str) -> Result<Vec<String>, ToolError> {
    let owned = |entries: Vec<Entry<'_>>| {
        let contents = entries.into_iter().map(|entry| entry.content.into_owned());
        Ok(contents.collect())
    };
    with_value(input, |value| {
        with_entries(value, &Policy::default(), owned)
    })
}

/// What is said of an input, up to what is legal.
fn said_of(input: &str) -> String {
    let refused = contents(input).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidInput);
    let (problem, legal) = refused.message.split_once("; ").unwrap();
    assert!(legal.starts_with("legal: "), "{}", refused.message);
    problem.to_owned()
}

#[test]
fn an_input_that_is_no_list_is_told_what_it_is_and_where_it_breaks() {
    for (input, problem) in [
        ("", "Error: the input is empty"),
        (" \n\u{200b}", "Error: the input is empty"),
        ("[\"a\"", "Error: the input is JSON that breaks off"),
        (
            "[\"é\", oops]",
            "Error: the input is not JSON at character 7, \"oops]\"",
        ),
        ("7", "Error: the input is a number"),
        ("true", "Error: the input is a boolean"),
        ("{}", "Error: the input has no \"todos\""),
        ("{\"todos\":null}", "Error: the input has no \"todos\""),
        ("{\"todos\":7}", "Error: \"todos\" is a number"),
        ("{\"plan\":{}}", "Error: \"plan\" is an object"),
        (
            "{\"todos\":\"{}\"}",
            "Error: \"todos\" is a string that holds an object",
        ),
        (
            "{\"todos\":\"[\"}",
            "Error: \"todos\" is a string that is JSON that breaks off",
        ),
        ("\"\\\"a\\\"\"", "Error: the input is a string"),
        ("[7]", "Error: item 1 is a number"),
        ("[\"a\",[]]", "Error: item 2 is an array"),
        (
            "[{\"content\":\"a\",\"status\":\"almost\"}]",
            "Error: item 1, \"status\": found \"almost\"",
        ),
        (
            "[{\"content\":\"a\",\"status\":7}]",
            "Error: item 1, \"status\": found the number 7",
        ),
        (
            "[{\"content\":\"a\",\"status\":\" \"}]",
            "Error: item 1, \"status\": found a blank text",
        ),
        (
            "[{\"content\":\"a\",\"id\":{}}]",
            "Error: item 1, \"id\": found an object",
        ),
        (
            "[{\"step\":\" \"}]",
            "Error: item 1, \"step\": found a blank text",
        ),
        (
            "[{\"id\":\"1\"}]",
            "Error: item 1, \"content\": found nothing",
        ),
    ] {
        assert_eq!(said_of(input), problem, "{input:?}");
    }
}

#[test]
fn every_word_for_a_status_is_read_in_any_case_and_with_any_separator() {
    let text = |word: &str| mark(Value::Text(word));
    let words: [(&[&str], Mark); 9] = [
        (
            &["pending", "todo", "open", "not started", "queued", "to-do"],
            Mark::Status(Status::Pending),
        ),
        (
            &[
                "in_progress",
                "In Progress",
                "in-progress",
                "inprogress",
                "ACTIVE",
                "doing",
                "running",
                "started",
                "current",
            ],
            Mark::Status(Status::InProgress),
        ),
        (
            &["completed", "done", "Complete", "finished", " closed "],
            Mark::Status(Status::Completed),
        ),
        (&["cancelled"], Mark::Dropped("cancelled")),
        (&["canceled"], Mark::Dropped("canceled")),
        (&["deleted", "DELETED"], Mark::Dropped("deleted")),
        (&["removed"], Mark::Dropped("removed")),
        (&["blocked"], Mark::Parked("blocked")),
        (&["on hold", "on-hold"], Mark::Parked("on_hold")),
    ];
    for (words, expected) in words {
        for word in words {
            assert_eq!(text(word), Some(expected), "{word}");
        }
    }
    for word in ["failed", "paused"] {
        assert!(matches!(text(word), Some(Mark::Parked(_))), "{word}");
    }
    for word in ["", "pend", "pendings", "in progress now"] {
        assert_eq!(text(word), None, "{word}");
    }
    assert_eq!(mark(Value::Bool(true)), None);
}

#[test]
fn the_schema_s_own_name_of_a_field_goes_before_its_synonyms() {
    let read = |input: &str| contents(input).unwrap();
    let items = read(r#"{"plan":["b"],"todos":["a"]}"#);
    assert_eq!(items, ["a"]);
    let items = read(
        r#"[{"description":"d","title":"t","content":"c"},{"text":"x","step":"s"},{"content":null,"task":"k"}]"#,
    );
    assert_eq!(items, ["c", "s", "k"]);
    for key in LIST_KEYS {
        assert_eq!(read(&format!("{{\"{key}\":[\"a\"]}}")).len(), 1, "{key}");
    }
    for key in CONTENT_KEYS {
        assert_eq!(read(&format!("[{{\"{key}\":\"a\"}}]")), ["a"], "{key}");
    }
}

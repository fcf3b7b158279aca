//! What the other commands give.

use agent_todo_host::COMPONENT;

use super::*;

#[test]
fn the_component_comes_out_as_it_was_built() {
    let file = folder("component").join("agent-todo.wasm");
    assert!(
        run(&["component", "--out", file.to_str().unwrap()])
            .status
            .success()
    );
    assert!(fs::read(&file).unwrap() == COMPONENT);
    assert!(run(&["component", "--out", "-"]).stdout == COMPONENT);
}

#[test]
fn the_tools_come_out_as_each_provider_wants_them() {
    let tools = |format: &str| -> Value {
        let output = run(&["tools", "--tool-set", "both", "--format", format]);
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let cases = [
        ("anthropic", "", "/name", "/input_schema"),
        ("openai", "", "/function/name", "/function/parameters"),
        ("openai-responses", "", "/name", "/parameters"),
        ("mcp", "/tools", "/name", "/inputSchema"),
    ];
    for (format, list, name, schema) in cases {
        let printed = tools(format);
        let list = printed.pointer(list).and_then(Value::as_array).unwrap();
        let names: Vec<&str> = list
            .iter()
            .map(|tool| tool.pointer(name).unwrap().as_str().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "todo_write",
                "TaskCreate",
                "TaskUpdate",
                "TaskGet",
                "TaskList"
            ],
            "{format}"
        );
        for tool in list {
            assert_eq!(tool.pointer(schema).unwrap()["type"], "object", "{format}");
        }
    }
    assert_eq!(tools("openai")[0]["function"]["strict"], true);
}

#[test]
fn every_command_has_a_help_text() {
    for arguments in [
        &["help"][..],
        &["--help"],
        &["replay", "--help"],
        &["tools", "--help"],
        &["component", "-h"],
    ] {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments:?}");
        assert!(
            stdout(&output).contains("Usage: agent-todo"),
            "{arguments:?}"
        );
    }
}

//! Limits: hostile texts trap nothing, work and memory grow with the text and
//! no faster, and a long session takes no more than a short one.

use serde_json::json;

use crate::guest::{Cost, Cut, Guest, Policy, ToolSet};
use crate::script::{Step, make, policy};

/// A guest that takes long inputs and long lists.
fn roomy() -> Guest {
    let mut guest = Guest::new();
    let wide = Policy {
        tool_set: Some(ToolSet::Both),
        max_todos: Some(1_000),
        max_input: Some(16 << 20),
        adopt_snapshot: Some(true),
        ..policy()
    };
    configure(&mut guest, wide);
    guest
}

fn configure(guest: &mut Guest, policy: Policy) {
    let call = guest.call(Cut::Never, |exports, store| {
        exports.agent_todo_session().call_configure(store, policy)
    });
    call.unwrap().0.unwrap();
}

fn call_tool(guest: &mut Guest, name: &str, input: &str) -> (Result<String, String>, Cost) {
    let call = guest.call(Cut::Never, |exports, store| {
        exports
            .agent_todo_session()
            .call_call_tool(store, name, input)
    });
    let (answer, cost) = call.unwrap();
    (
        answer
            .map(|output| output.text)
            .map_err(|error| error.message),
        cost,
    )
}

fn restore(guest: &mut Guest, history: &str) -> Cost {
    let call = guest.call(Cut::Never, |exports, store| {
        exports.agent_todo_session().call_restore(store, history)
    });
    call.unwrap().1
}

fn load_state(guest: &mut Guest, state: &str) -> Cost {
    let call = guest.call(Cut::Never, |exports, store| {
        exports.agent_todo_session().call_load_state(store, state)
    });
    call.unwrap().1
}

/// Texts that bring down readers: deep, broken, endless.
fn hostile(length: usize) -> Vec<String> {
    let mib = |piece: &str| piece.repeat(length / piece.len() + 1);
    vec![
        mib("["),
        mib("{\"todos\":"),
        mib("{\"content\":["),
        format!("{{\"todos\":[{{\"content\":{}", mib("[")),
        format!(
            "[{{\"role\":\"assistant\",\"content\":{}",
            mib("[{\"content\":")
        ),
        format!(
            "[{{\"role\":\"user\",\"content\":[{}]}}]",
            mib("{\"content\":[],\"type\":\"text\"},")
        ),
        format!(
            "[{{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":{}",
            mib("\"[\\\"")
        ),
        mib("\\ud800"),
        format!("[\"{}\"]", mib("\\ud800\\u0000\\udc00")),
        format!(
            "{{\"todos\":[{{\"id\":1e999,\"content\":-{}}}]}}",
            "9".repeat(length)
        ),
        format!("{{{}\"todos\":[]}}", mib("\"todos\":7,")),
        format!("[\"{}\"]", mib("<system-reminder ")),
        format!("[\"{}\"]", mib("< \u{200b}")),
        format!("\"{}\"", mib("\\\\\\\"")),
        mib("\u{feff}"),
        mib("'"),
        mib("1,"),
        mib("\n{}"),
        mib("\n[{\"role\":\"model\"},"),
        format!("{{\"agent_todo\":1,\"state\":{}", mib("{\"policy\":")),
    ]
}

#[test]
fn no_hostile_text_traps_any_function_that_takes_one() {
    let brackets = "[".repeat(1 << 20);
    for text in hostile(1 << 17).into_iter().chain([brackets]) {
        let start = &text[..text.floor_char_boundary(30)];
        println!("{start}");
        let mut guest = roomy();
        for name in [
            "todo_write",
            "TaskCreate",
            "TaskUpdate",
            "TaskGet",
            "TaskList",
            &text,
        ] {
            let (answer, _) = call_tool(&mut guest, name, &text);
            let message = answer.unwrap_or_else(|message| message);
            assert!(
                message.len() < 64 << 10,
                "{} bytes for {start}",
                message.len()
            );
        }
        restore(&mut guest, &text);
        load_state(&mut guest, &text);
        make(&Step::SaveState, "", &mut guest, Cut::Never).unwrap();
    }
}

/// What `size` units of something cost: fuel, and pages in the end.
type Measured = fn(usize) -> (u64, usize);

fn measured(mut guest: Guest, cost: Cost) -> (u64, usize) {
    guest
        .call(Cut::Never, |exports, store| {
            exports.agent_todo_session().call_on_request(store)
        })
        .unwrap();
    (cost.fuel, guest.pages())
}

fn written(input: &str) -> (u64, usize) {
    let mut guest = roomy();
    let (_, cost) = call_tool(&mut guest, "todo_write", input);
    measured(guest, cost)
}

fn read(history: &str) -> (u64, usize) {
    let mut guest = roomy();
    let cost = restore(&mut guest, history);
    measured(guest, cost)
}

fn items(count: usize, item: impl Fn(usize) -> String) -> String {
    let items: Vec<String> = (0..count).map(item).collect();
    format!("[{}]", items.join(","))
}

fn chat(calls: usize, call: impl Fn(usize) -> String, result: impl Fn(usize) -> String) -> String {
    let turn = |at: usize| {
        let function = json!({"name": "todo_write", "arguments": call(at)});
        let call = json!({"role": "assistant", "tool_calls": [{"id": at.to_string(), "function": function}]});
        format!(
            "{call},{}",
            json!({"role": "tool", "tool_call_id": at.to_string(), "content": result(at)})
        )
    };
    items(calls, turn)
}

/// Everything that is measured at a size and at a thousand times that.
const GROWING: [(&str, usize, Measured); 15] = [
    ("characters of a content", 1_000, |size| {
        written(&format!("[\"{}\"]", "x".repeat(size)))
    }),
    ("characters of a content with tags", 100, |size| {
        written(&format!("[\"{}\"]", "<system-".repeat(size)))
    }),
    ("brackets", 1_000, |size| written(&"[".repeat(size))),
    ("opening brackets and blanks", 300, |size| {
        written(&format!("[\"{}\"]", "< ".repeat(size)))
    }),
    ("escapes", 100, |size| {
        written(&format!("[\"{}\"]", "\\u00e9".repeat(size)))
    }),
    ("items", 1, |size| {
        written(&items(size, |at| format!("\"item {at}\"")))
    }),
    ("items with one content", 1, |size| {
        written(&items(size, |_| "\"same\"".to_owned()))
    }),
    ("items with one id", 1, |size| {
        written(&items(size, |at| {
            format!("{{\"id\":\"7\",\"content\":\"{at}\"}}")
        }))
    }),
    ("messages", 10, |size| {
        read(&items(size, |_| {
            json!({"role": "user", "content": "Nothing."}).to_string()
        }))
    }),
    ("lines", 10, |size| {
        read(&"{\"role\":\"assistant\",\"content\":\"Nothing.\"}\n".repeat(size))
    }),
    ("calls", 10, |size| {
        read(&chat(
            size,
            |at| format!("[\"item {at}\"]"),
            |_| "[ ] 1. item".to_owned(),
        ))
    }),
    ("refused calls", 10, |size| {
        read(&chat(size, |_| "7".to_owned(), |_| "Error: no".to_owned()))
    }),
    ("calls of one message", 10, |size| {
        let call = |at| {
            json!({"type": "tool_use", "id": format!("c{at}"), "name": "todo_write", "input": []})
                .to_string()
        };
        read(&format!(
            "[{{\"role\":\"assistant\",\"content\":{}}}]",
            items(size, call)
        ))
    }),
    ("calls of one message without ids", 10, |size| {
        let part = |key: &str, field: &str| {
            format!("{{\"{key}\":{{\"name\":\"todo_write\",\"{field}\":{{\"todos\":[]}}}}}}")
        };
        let calls = items(size, |_| part("functionCall", "args"));
        let results = items(size, |_| part("functionResponse", "response"));
        read(&format!(
            "[{{\"role\":\"model\",\"parts\":{calls}}},{{\"role\":\"user\",\"parts\":{results}}}]"
        ))
    }),
    ("items of a carry-over with one id", 1, |size| {
        let lines = "[pending] 7. Read\n".repeat(size);
        let text = format!(
            "<system-reminder>\nThese todo items were open when the history was compacted. The list is empty now: \
             write those that still apply with todo_write.\n{lines}</system-reminder>"
        );
        read(&json!([{"role": "user", "content": text}]).to_string())
    }),
];

#[test]
fn work_and_memory_grow_with_the_text_and_no_faster() {
    for (what, size, measure) in GROWING {
        let (fuel, pages) = measure(size);
        let (more_fuel, more_pages) = measure(1_000 * size);
        println!("{what}: {fuel} -> {more_fuel} fuel, {pages} -> {more_pages} pages");
        // Sorting takes a logarithm, which is 10 for a factor of a thousand.
        assert!(
            more_fuel <= 1_000 * fuel * 4,
            "{what}: {fuel} units of fuel became {more_fuel}"
        );
        assert!(
            more_pages <= 1_000 * pages,
            "{what}: {pages} pages became {more_pages}"
        );
    }
}

#[test]
fn ten_thousand_calls_leave_the_memory_as_a_hundred_did() {
    let mut guest = roomy();
    let mut pages = 0;
    for round in 0..2_000 {
        for content in ["one", "another"] {
            let task = json!({"subject": content, "description": "x".repeat(300)});
            call_tool(&mut guest, "TaskCreate", &task.to_string())
                .0
                .unwrap();
        }
        let (list, _) = call_tool(&mut guest, "TaskList", "");
        let id = list
            .unwrap()
            .split(' ')
            .nth(2)
            .unwrap()
            .trim_end_matches('.')
            .to_owned();
        let deletion = json!({"taskId": id, "status": "deleted"});
        call_tool(&mut guest, "TaskUpdate", &deletion.to_string())
            .0
            .unwrap();
        call_tool(
            &mut guest,
            "todo_write",
            &json!([format!("round {round}"), "7", "again"]).to_string(),
        )
        .0
        .unwrap();
        guest
            .call(Cut::Never, |exports, store| {
                exports.agent_todo_session().call_on_request(store)
            })
            .unwrap();
        make(&Step::PendingHistoryAppends, "", &mut guest, Cut::Never).unwrap();
        if round == 20 {
            pages = guest.pages();
        }
    }
    assert_eq!(guest.pages(), pages);
}

#[test]
fn a_session_of_an_ordinary_length_lives_inside_1_mib() {
    let mut guest = Guest::new();
    let contents: Vec<String> = (0..20)
        .map(|at| {
            format!(
                "{at:02} {}",
                "fifty characters, more or less, of work to do x"
            )
        })
        .collect();
    let mut history = Vec::new();
    for round in 0..200 {
        let todos: Vec<_> = contents
            .iter()
            .enumerate()
            .map(|(at, content)| json!({"id": at.to_string(), "content": content, "status": if at < round % 20 { "completed" } else { "pending" }}))
            .collect();
        let input = json!({ "todos": todos }).to_string();
        let (answer, cost) = call_tool(&mut guest, "todo_write", &input);
        assert!(cost.fuel < 1_000_000, "{} units of fuel", cost.fuel);
        history.push(json!({"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "todo_write", "input": {"todos": todos}}]}));
        history.push(json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": answer.unwrap()}]}));
        let (_, request) = make(&Step::OnRequest, "", &mut guest, Cut::Never).unwrap();
        assert!(request.fuel < 1_000, "{} units of fuel", request.fuel);
        make(&Step::SaveState, "", &mut guest, Cut::Never).unwrap();
        make(&Step::CompactSnapshot, "", &mut guest, Cut::Never).unwrap();
    }
    assert!(guest.pages() <= 16, "{} pages", guest.pages());
    // In pieces, as a host with little memory passes a long history.
    for piece in history.chunks(20) {
        restore(&mut guest, &json!(piece).to_string());
    }
    assert!(guest.pages() <= 16, "{} pages", guest.pages());
}

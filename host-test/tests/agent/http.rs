//! The clients of model endpoints, against a server that speaks the real wire
//! formats on the loopback interface.

use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

use crate::server::{Answer, Server, chat_events, message_events};
use agent_todo_host::Policy;
use agent_todo_host::agent::endpoint::chat::Chat;
use agent_todo_host::agent::endpoint::failure::Patience;
use agent_todo_host::agent::endpoint::http::Endpoint;
use agent_todo_host::agent::endpoint::messages::{Messages, VERSION};
use agent_todo_host::agent::history::{Head, Tool};
use agent_todo_host::agent::item::{Item, Role};
use agent_todo_host::agent::model::{Model, Request, Response};
use agent_todo_host::agent::observer::Observer;
use serde_json::json;

const KEY: &str = "sk-very-secret";

thread_local! {
    static WAITS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Waiting is written down instead of done.
fn patience() -> Patience {
    let pause = |wait: Duration| WAITS.with_borrow_mut(|waits| waits.push(wait.as_secs()));
    Patience {
        pause,
        max_bytes: 1024 * 1024,
        ..Patience::default()
    }
}

fn waits() -> Vec<u64> {
    WAITS.take()
}

#[derive(Default)]
struct Screen {
    text: String,
    notes: Vec<String>,
}

impl Observer for Screen {
    fn text(&mut self, piece: &str) {
        self.text.push_str(piece);
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }
}

fn chat(server: &Server, patience: Patience) -> Chat {
    let endpoint =
        Endpoint::new(&server.base, patience)
            .unwrap()
            .key("authorization", "Bearer ", KEY);
    Chat {
        endpoint,
        model: "small".into(),
        system_messages: true,
    }
}

fn messages(server: &Server, patience: Patience) -> Messages {
    let endpoint = Endpoint::new(&server.base, patience).unwrap();
    let endpoint = endpoint
        .header(VERSION.0, VERSION.1)
        .key("x-api-key", "", KEY);
    Messages {
        endpoint,
        model: "large".into(),
        max_tokens: 100,
    }
}

fn ask(model: &mut dyn Model) -> (Result<Response, String>, Screen) {
    let tool = Tool {
        name: "todo_write".into(),
        description: "d".into(),
        input_schema: json!({"type": "object"}),
    };
    let head = Head::new(
        "s",
        Path::new("/"),
        "Be brief.".into(),
        vec![tool],
        Policy::default(),
    );
    let items = [Item::text(Role::User, "Hello")];
    let mut screen = Screen::default();
    let request = Request {
        head: &head,
        items: &items,
        tools: true,
    };
    let answer = model
        .respond(&request, &mut screen)
        .map_err(|error| error.to_string());
    (answer, screen)
}

/// Asks a chat server that gives these answers.
fn ask_chat(
    answers: impl IntoIterator<Item = Answer>,
) -> (Result<Response, String>, Screen, Server) {
    let server = Server::new(answers);
    let (answer, screen) = ask(&mut chat(&server, patience()));
    (answer, screen, server)
}

fn hello() -> Answer {
    Answer::Stream(chat_events(
        &[
            r#"{"role":"assistant","content":""}"#,
            r#"{"content":"Héllo"}"#,
        ],
        "stop",
    ))
}

#[test]
fn chat_text_is_shown_as_it_comes_and_the_request_is_complete() {
    let (answer, screen, server) = ask_chat([hello()]);
    assert_eq!(
        answer.unwrap(),
        Response {
            text: "Héllo".into(),
            tokens: Some(42),
            ..Response::default()
        }
    );
    assert_eq!(screen.text, "Héllo");
    let seen = server.seen();
    assert_eq!(seen.path, "/v1/chat/completions");
    assert!(
        seen.headers
            .contains(&format!("authorization: bearer {KEY}\r\n"))
    );
    assert_eq!(
        seen.body["messages"],
        json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello"},
        ])
    );
    assert_eq!(seen.body["tools"][0]["function"]["name"], "todo_write");
    assert_eq!(seen.body["stream"], true);
}

#[test]
fn chat_calls_are_put_together_from_pieces_also_in_parallel() {
    let deltas = [
        r#"{"content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"todo_write","arguments":""}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"todos\":"}}]}"#,
        r#"{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"read_file","arguments":"{\"path\""}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"[]}"}},{"index":1,"function":{"arguments":":\"x\"}"}}]}"#,
    ];
    let (answer, ..) = ask_chat([Answer::Stream(chat_events(&deltas, "tool_calls"))]);
    let call = |name: &str, input: &str| (name.to_owned(), input.to_owned());
    assert_eq!(
        answer.unwrap().calls,
        [
            call("todo_write", r#"{"todos":[]}"#),
            call("read_file", r#"{"path":"x"}"#)
        ]
    );
}

#[test]
fn chat_calls_that_share_an_index_or_have_none_stay_apart() {
    let numbered = [
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":"{}"}}]}"#,
        r#"{"tool_calls":[{"index":0,"id":"b","function":{"name":"two","arguments":"{}"}}]}"#,
    ];
    let bare = [
        r#"{"tool_calls":[{"function":{"name":"one","arguments":"{}"}},{"function":{"name":"two","arguments":"{}"}}]}"#,
    ];
    for deltas in [&numbered[..], &bare[..]] {
        let (answer, ..) = ask_chat([Answer::Stream(chat_events(deltas, "tool_calls"))]);
        let calls = answer.unwrap().calls;
        assert_eq!(
            calls
                .iter()
                .map(|(name, _)| name.as_str())
                .collect::<Vec<_>>(),
            ["one", "two"]
        );
    }
}

#[test]
fn chat_answers_of_a_server_that_does_not_stream_are_taken() {
    let body = json!({
        "choices": [{"message": {"content": "Hi", "tool_calls": [{"id": "a", "function": {"name": "one", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}],
        "usage": {"total_tokens": 7},
    });
    let (answer, screen, _) = ask_chat([Answer::Plain(
        200,
        "content-type: application/json\r\n",
        body.to_string(),
    )]);
    let expected = Response {
        text: "Hi".into(),
        calls: vec![("one".into(), "{}".into())],
        tokens: Some(7),
        cut: false,
    };
    assert_eq!((answer.unwrap(), screen.text.as_str()), (expected, "Hi"));
}

#[test]
fn an_answer_cut_at_the_token_limit_says_so() {
    let (answer, ..) = ask_chat([Answer::Stream(chat_events(
        &[r#"{"content":"a"}"#],
        "length",
    ))]);
    assert!(answer.unwrap().cut);
    let server = Server::new([Answer::Stream(message_events(&[], "max_tokens"))]);
    assert!(ask(&mut messages(&server, patience())).0.unwrap().cut);
}

#[test]
fn messages_text_and_calls_are_put_together_from_pieces() {
    let events = [
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I pl"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"an."}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"todo_write","input":{}}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"todos\""}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":": []}"}}"#,
        r#"{"type":"content_block_stop","index":2}"#,
        r#"{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t2","name":"list_files","input":{}}}"#,
        r#"{"type":"content_block_stop","index":3}"#,
    ];
    let server = Server::new([Answer::Stream(message_events(&events, "tool_use"))]);
    let (answer, screen) = ask(&mut messages(&server, patience()));
    let calls = vec![
        ("todo_write".into(), r#"{"todos": []}"#.into()),
        ("list_files".into(), String::new()),
    ];
    assert_eq!(
        answer.unwrap(),
        Response {
            text: "I plan.".into(),
            calls,
            tokens: Some(42),
            cut: false
        }
    );
    assert_eq!(screen.text, "I plan.");
    let seen = server.seen();
    assert_eq!(seen.path, "/v1/messages");
    assert!(seen.headers.contains(&format!("x-api-key: {KEY}\r\n")));
    assert!(seen.headers.contains("anthropic-version: 2023-06-01\r\n"));
    assert_eq!(seen.body["system"], "Be brief.");
    assert_eq!(
        seen.body["tools"][0]["input_schema"],
        json!({"type": "object"})
    );
}

#[test]
fn an_overloaded_messages_stream_is_asked_again_while_nothing_was_shown() {
    let error = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let server = Server::new([
        Answer::Stream(error.into()),
        Answer::Stream(message_events(&[], "end_turn")),
    ]);
    let (answer, screen) = ask(&mut messages(&server, patience()));
    assert!(answer.is_ok());
    assert_eq!(
        screen.notes,
        ["the endpoint broke off: Overloaded; asking again in 1 s"]
    );
}

#[test]
fn a_server_that_asks_to_wait_is_given_the_time_it_asks_for() {
    let busy = Answer::Plain(
        429,
        "retry-after: 7\r\n",
        r#"{"error":{"message":"slow down"}}"#.into(),
    );
    let (answer, screen, _) = ask_chat([busy, hello()]);
    assert_eq!(answer.unwrap().text, "Héllo");
    assert_eq!(waits(), [7]);
    assert_eq!(
        screen.notes,
        ["the endpoint answered 429 Too Many Requests: slow down; asking again in 7 s"]
    );
}

#[test]
fn a_server_that_asks_to_wait_for_hours_is_not_waited_for() {
    let (answer, ..) = ask_chat([Answer::Plain(429, "retry-after: 7200\r\n", String::new())]);
    assert!(
        answer
            .unwrap_err()
            .ends_with("429 Too Many Requests: (no text) (it asks to wait 7200 s)")
    );
    assert!(waits().is_empty());
}

#[test]
fn a_used_up_quota_is_not_waited_for() {
    let body = r#"{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}"#;
    let (answer, ..) = ask_chat([Answer::Plain(429, "", body.into())]);
    assert!(
        answer
            .unwrap_err()
            .ends_with("429 Too Many Requests: You exceeded your quota")
    );
}

#[test]
fn a_server_that_fails_is_asked_five_times_with_doubled_waits() {
    let (answer, ..) = ask_chat((0..5).map(|_| Answer::Plain(503, "", "<html>\n down".into())));
    assert!(
        answer
            .unwrap_err()
            .ends_with("503 Service Unavailable: <html> down (after 5 attempts)")
    );
    assert_eq!(waits(), [1, 2, 4, 8]);
}

#[test]
fn a_connection_dropped_before_anything_was_shown_is_made_again() {
    let begun = Answer::Broken(
        "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\ndata: {\"ch".into(),
    );
    let (answer, screen, _) = ask_chat([Answer::Nothing, begun, hello()]);
    assert_eq!(
        (answer.unwrap().text, screen.text),
        ("Héllo".into(), "Héllo".into())
    );
    assert_eq!(waits(), [1, 2]);
}

#[test]
fn a_connection_dropped_inside_a_shown_answer_is_an_error() {
    let begun = "data: {\"choices\":[{\"delta\":{\"content\":\"Half an\"}}]}\n\n";
    for answer in [Answer::Broken(begun.into()), Answer::Stream(begun.into())] {
        let (answer, screen, server) = ask_chat([answer, hello()]);
        assert!(answer.unwrap_err().contains("the connection was dropped"));
        assert_eq!(screen.text, "Half an");
        let _ = server.seen();
        assert!(server.is_quiet());
    }
}

#[test]
fn an_event_that_is_not_json_is_an_error_that_quotes_it() {
    let (answer, ..) = ask_chat([Answer::Stream("data: {\"choices\": oops\n\n".into())]);
    assert!(
        answer
            .unwrap_err()
            .ends_with(r#"expected JSON, found "{\"choices\": oops""#)
    );
    let (answer, ..) = ask_chat([Answer::Plain(
        200,
        "content-type: text/html\r\n",
        "<html>".into(),
    )]);
    assert!(
        answer
            .unwrap_err()
            .ends_with(r#"expected JSON, found "<html>""#)
    );
}

#[test]
fn an_endless_answer_is_cut() {
    for piece in [
        "data: {\"choices\":[{\"delta\":{\"content\":\"on and on \"}}]}\n\n",
        ": still here\n",
        "data: never a line break ",
    ] {
        let (answer, ..) = ask_chat([Answer::Endless(piece)]);
        assert!(
            answer
                .unwrap_err()
                .ends_with("the answer was cut: it is longer than 1048576 bytes")
        );
    }
}

#[test]
fn a_silent_server_is_given_up() {
    let server = Server::new([Answer::Silence]);
    let patience = Patience {
        idle: Duration::from_millis(200),
        ..patience()
    };
    let (answer, _) = ask(&mut chat(&server, patience));
    assert!(answer.unwrap_err().ends_with("nothing came for 0.2 s"));
}

#[test]
fn no_message_shows_the_key() {
    let body = format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}."}}}}"#);
    let (answer, ..) = ask_chat([Answer::Plain(401, "", body.clone())]);
    assert!(
        answer
            .unwrap_err()
            .ends_with("401 Unauthorized: Incorrect API key provided: [key].")
    );
    let (_, screen, _) = ask_chat([Answer::Plain(500, "", body), hello()]);
    assert!(!screen.notes.concat().contains(KEY));
}

#[test]
fn a_redirect_is_not_followed_so_the_key_stays_with_the_endpoint() {
    let server = Server::new([hello()]);
    let location: &str = format!("location: {}\r\n", server.base).leak();
    let (answer, ..) = ask_chat([Answer::Plain(307, location, String::new())]);
    assert!(answer.unwrap_err().contains("307 Temporary Redirect"));
    assert!(server.is_quiet());
}

#[test]
fn a_server_that_is_not_there_is_one_clear_line() {
    let base = {
        std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
    };
    let endpoint = Endpoint::new(&format!("http://{base}/v1/"), patience()).unwrap();
    let (answer, _) = ask(&mut Chat {
        endpoint,
        model: "m".into(),
        system_messages: true,
    });
    assert_eq!(
        answer.unwrap_err(),
        format!("http://{base}/v1: connection refused; is the model server running?")
    );
}

#[test]
fn a_base_url_that_is_none_or_holds_a_password_is_refused() {
    for base in [
        "localhost:11434",
        "ftp://localhost/v1",
        "/v1",
        "",
        "http://me:word@localhost/v1",
        "http://a b/",
    ] {
        let error = Endpoint::new(base, patience()).err().unwrap().to_string();
        assert!(
            error.contains("base URL") && !error.contains("word@"),
            "{error}"
        );
    }
}

#[test]
fn the_models_of_an_endpoint_can_be_asked_for() {
    let server = Server::new([Answer::Plain(
        200,
        "",
        r#"{"object":"list","data":[{"id":"a"},{"id":"b"}]}"#.into(),
    )]);
    assert_eq!(
        chat(&server, patience()).endpoint.models().unwrap(),
        ["a", "b"]
    );
    assert_eq!(server.seen().path, "/v1/models");
}

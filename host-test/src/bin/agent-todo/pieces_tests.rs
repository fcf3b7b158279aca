//! A log must read the same whole and in pieces.

use std::io::{Cursor, Read};

use agent_todo::history::{Event, Reader};

use super::*;

/// Gives a few bytes at a time, so that every boundary is met.
struct Drip<R>(R, usize);

impl<R: Read> Read for Drip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}

const SMALL: Sizes = Sizes {
    piece: 10_000,
    object: 100_000,
};

fn pieces(log: &str) -> (Vec<String>, bool) {
    let mut pieces = Pieces::sized(Drip(Cursor::new(log.to_owned()), 997), SMALL);
    let mut all = Vec::new();
    while let Some(piece) = pieces.next_piece().unwrap() {
        all.push(piece);
    }
    assert_eq!(pieces.taken(), log.len() as u64);
    (all, pieces.is_torn())
}

fn events(pieces: &[String]) -> Vec<Event> {
    let mut reader = Reader::default();
    for piece in pieces {
        reader.read(piece).unwrap();
    }
    reader.end();
    std::iter::from_fn(|| reader.next_event()).collect()
}

/// A message with a call, and one with its result; texts of every width of
/// UTF-8, with brackets and quotes, so that a cut in the wrong place shows.
fn exchange(number: usize) -> [String; 2] {
    let padding = r#"]}\"[{é漢🦀\\"#.repeat(10);
    [
        format!(
            r#"{{"role":"assistant","content":[{{"type":"text","text":"{padding}"}},{{"type":"tool_use","id":"t{number}","name":"todo_write","input":{{"todos":[{{"content":"Step {number}"}}]}}}}]}}"#
        ),
        format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{number}","content":"{padding}"}}]}}"#
        ),
    ]
}

/// About 90 KB of messages, joined as one of the forms that a log has.
fn messages() -> Vec<String> {
    (0..100).flat_map(exchange).collect()
}

fn expected() -> Vec<Event> {
    let events = events(&[messages().join("\n")]);
    assert_eq!(events.len(), 200, "a request and a call of each exchange");
    events
}

fn pretty(messages: &[String]) -> String {
    let values: Vec<serde_json::Value> = messages
        .iter()
        .map(|message| serde_json::from_str(message).unwrap())
        .collect();
    serde_json::to_string_pretty(&values).unwrap()
}

#[test]
fn json_lines_read_the_same_in_pieces() {
    let (pieces, torn) = pieces(&messages().join("\n"));
    assert!(pieces.len() > 2 && !torn);
    assert!(events(&pieces) == expected());
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_change_nothing() {
    let (pieces, torn) = pieces(&format!("\u{feff}{}\r\n", messages().join("\r\n")));
    assert!(!torn);
    assert!(events(&pieces) == expected());
}

#[test]
fn an_array_reads_the_same_in_pieces() {
    let (pieces, torn) = pieces(&format!("[{}]\n", messages().join(",")));
    assert!(pieces.len() > 2 && !torn);
    assert!(events(&pieces) == expected());
}

#[test]
fn a_pretty_printed_array_reads_the_same_in_pieces() {
    let log = pretty(&messages());
    let (pieces, torn) = pieces(&log);
    assert!(pieces.len() > 2 && !torn);
    assert!(events(&pieces) == events(&[log]));
}

#[test]
fn the_array_inside_a_large_object_is_read_in_pieces() {
    let messages: Vec<String> = (0..400).flat_map(exchange).collect();
    let log = format!(
        r#"{{"title":"a [b] {{c}}","usage":{{"tokens":[1,2]}},"messages":[{}],"tools":[]}}"#,
        messages.join(",")
    );
    assert!(log.len() > SMALL.object);
    let (pieces, torn) = pieces(&log);
    assert!(pieces.len() > 8 && !torn);
    assert!(pieces.iter().all(|piece| piece.len() < 2 * SMALL.piece));
    assert!(events(&pieces) == events(&[messages.join("\n")]));
}

#[test]
fn a_smaller_object_stays_whole() {
    let log = format!(r#"{{"messages":[{}]}}"#, messages().join(","));
    assert!(log.len() > SMALL.piece);
    let (pieces, torn) = pieces(&log);
    assert!(pieces == [log] && !torn);
}

#[test]
fn objects_over_several_lines_are_a_piece_each() {
    let object = "{\n  \"role\": \"assistant\",\n  \"content\": []\n}\n";
    let (pieces, torn) = pieces(&object.repeat(3_000));
    assert_eq!((pieces.len(), torn), (3_000, false));
    assert_eq!(events(&pieces), [Event::Requests(3_000)]);
}

#[test]
fn a_torn_last_line_is_told_and_costs_only_itself() {
    let whole = messages().join("\n");
    let (pieces, torn) = pieces(&format!(
        "{whole}\n{{\"role\":\"assistant\",\"content\":\"Le"
    ));
    assert!(torn);
    assert!(events(&pieces) == expected());
}

#[test]
fn a_torn_first_line_does_not_make_a_document_of_a_log() {
    let (pieces, torn) = pieces(&format!("{{\"role\":\"us\n{}", messages().join("\n")));
    assert!(!torn);
    assert!(events(&pieces) == expected());
}

#[test]
fn of_a_cut_off_array_the_whole_elements_are_read() {
    let (pieces, torn) = pieces(&format!("[{},{{\"role\":\"assist", messages().join(",")));
    assert!(torn);
    assert!(events(&pieces) == expected());
}

#[test]
fn a_long_line_of_a_shape_that_is_not_known_is_not_taken_for_a_document() {
    let inner = exchange(0).join(",").repeat(100);
    let log = format!(
        "{{\"type\":\"aside\",\"list\":[{inner}]}}\n{}",
        messages().join("\n")
    );
    let (pieces, torn) = pieces(&log);
    assert!(!torn);
    assert!(events(&pieces) == expected());
}

#[test]
fn a_short_log_is_one_piece_as_it_is() {
    for log in ["{}", "[1, 2", "{\"a\":1}\n{\"a\":2}\n"] {
        assert_eq!(pieces(log).0, [log]);
    }
    for blank in ["", "\u{feff}", " \n"] {
        assert!(pieces(blank).0.is_empty());
    }
}

#[test]
fn the_end_of_a_short_log_is_told_torn_only_if_it_is() {
    for whole in [
        "{\"a\":1}",
        "[\n  1,\n  2\n]",
        "{\"a\":1}\n{\"a\":2}\n",
        "{\"a\"\n{\"a\":2}",
    ] {
        assert!(!pieces(whole).1, "{whole}");
    }
    for torn in ["{\"a\":", "[{\"a\":1},", "{\"a\":1}\n{\"a\"", "[\n  1,\n"] {
        assert!(pieces(torn).1, "{torn}");
    }
}

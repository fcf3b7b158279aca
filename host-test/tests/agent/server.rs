//! A model endpoint on the loopback interface that answers as it is told.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

/// No test waits longer for the other side.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the server does with one request.
pub enum Answer {
    /// A status with headers and a body.
    Plain(u16, &'static str, String),
    /// A stream of events, each line of text cut into pieces of a few bytes,
    /// and then the end of the connection.
    Stream(String),
    /// A stream that breaks off: no last chunk.
    Broken(String),
    /// The connection is closed without an answer.
    Nothing,
    /// The same piece of a stream again and again, until the client leaves.
    Endless(&'static str),
    /// The beginning of a stream, and then silence.
    Silence,
}

/// One request as it came.
pub struct Seen {
    pub path: String,
    pub headers: String,
    pub body: Value,
}

/// Answers a list of requests, one connection each, and then is gone.
pub struct Server {
    pub base: String,
    seen: Receiver<Seen>,
}

impl Server {
    pub fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let mut answers: VecDeque<Answer> = answers.into_iter().collect();
        let (sender, seen) = channel();
        std::thread::spawn(move || {
            while let Some(answer) = answers.pop_front() {
                let (stream, _) = listener.accept().unwrap();
                let request = read(&stream);
                if sender.send(request).is_err() {
                    return;
                }
                // The client may leave in the middle; that is its right.
                let _ = reply(stream, answer);
            }
        });
        Self { base, seen }
    }

    /// The next request that came.
    pub fn seen(&self) -> Seen {
        self.seen.recv_timeout(PATIENCE).unwrap()
    }

    /// Whether no further request came.
    pub fn is_quiet(&self) -> bool {
        self.seen.try_recv().is_err()
    }
}

fn read(stream: &TcpStream) -> Seen {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    let mut input = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(
            input.read_line(&mut head).unwrap(),
            0,
            "a request without end"
        );
    }
    let head = head.to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    input.read_exact(&mut body).unwrap();
    let path = head.split(' ').nth(1).unwrap().to_owned();
    let body = if body.is_empty() {
        Value::Null
    } else {
        serde_json::from_slice(&body).unwrap()
    };
    Seen {
        path,
        headers: head,
        body,
    }
}

const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\
                      transfer-encoding: chunked\r\nconnection: close\r\n\r\n";

fn reply(mut stream: TcpStream, answer: Answer) -> std::io::Result<()> {
    match answer {
        Answer::Plain(status, headers, body) => write!(
            stream,
            "HTTP/1.1 {status} Status\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        ),
        Answer::Stream(text) => {
            stream.write_all(STREAM.as_bytes())?;
            chunks(&mut stream, &text)?;
            stream.write_all(b"0\r\n\r\n")
        }
        Answer::Broken(text) => {
            stream.write_all(STREAM.as_bytes())?;
            chunks(&mut stream, &text)
        }
        Answer::Nothing => Ok(()),
        Answer::Endless(piece) => {
            stream.write_all(STREAM.as_bytes())?;
            // Bounded all the same: 64 MiB are more than any client may take.
            for _ in 0..64 * 1024 * 1024 / piece.len() {
                write!(stream, "{:x}\r\n{piece}\r\n", piece.len())?;
            }
            Ok(())
        }
        Answer::Silence => {
            stream.write_all(STREAM.as_bytes())?;
            chunks(&mut stream, ": hello\n\n")?;
            // Until the client hangs up.
            stream.read(&mut [0]).map(drop)
        }
    }
}

/// Cuts a text where no reader expects it: every 7 bytes, also inside a
/// character.
fn chunks(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    for piece in text.as_bytes().chunks(7) {
        write!(stream, "{:x}\r\n", piece.len())?;
        stream.write_all(piece)?;
        stream.write_all(b"\r\n")?;
    }
    stream.flush()
}

/// Events of Chat Completions: each text is the JSON of a choice's delta, the
/// last event names the reason and is followed by the usage.
pub fn chat_events(deltas: &[&str], reason: &str) -> String {
    let event = |choice: String| {
        format!(
            "data: {{\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"choices\":[{choice}]}}\n\n"
        )
    };
    let mut text: String = deltas
        .iter()
        .map(|delta| {
            event(format!(
                "{{\"index\":0,\"delta\":{delta},\"finish_reason\":null}}"
            ))
        })
        .collect();
    text += &event(format!(
        "{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"{reason}\"}}"
    ));
    text + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":40,\"completion_tokens\":2,\"total_tokens\":42}}\n\ndata: [DONE]\n\n"
}

/// Events of Messages: the ones given, between the usual first and last.
pub fn message_events(events: &[&str], reason: &str) -> String {
    let first = r#"{"type":"message_start","message":{"id":"m1","role":"assistant","content":[],"usage":{"input_tokens":30,"cache_read_input_tokens":10,"output_tokens":1}}}"#;
    let last = format!(
        r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}"}},"usage":{{"output_tokens":2}}}}"#
    );
    let all = std::iter::once(first)
        .chain(events.iter().copied())
        .chain([last.as_str(), r#"{"type":"message_stop"}"#]);
    all.map(|event| {
        let name = serde_json::from_str::<Value>(event).unwrap();
        format!(
            "event: {}\ndata: {event}\n\n",
            name["type"].as_str().unwrap()
        )
    })
    .collect()
}

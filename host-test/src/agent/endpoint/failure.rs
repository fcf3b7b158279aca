//! What can go wrong at an endpoint, in one line each, and whether asking again
//! may help.

use std::time::Duration;

use serde_json::Value;
use ureq::Timeout;
use ureq::http::StatusCode;

/// How long an endpoint may take, how much it may say, how often it is asked.
#[derive(Clone, Debug)]
pub struct Patience {
    /// To connect. Default 10 seconds.
    pub connect: Duration,
    /// Between two reads, so also for the first byte. Default 5 minutes: a
    /// model on the own machine reads a long prompt for minutes.
    pub idle: Duration,
    /// For a whole answer. Default 30 minutes.
    pub total: Duration,
    /// Bytes of an answer. Default 8 MiB.
    pub max_bytes: u64,
    /// How often a request is sent. Default 5.
    pub attempts: u32,
    /// The wait before the second attempt; it doubles with each. Default 1 second.
    pub backoff: Duration,
    /// The longest wait that an endpoint may ask for. Default 60 seconds.
    pub longest_wait: Duration,
    /// How to wait.
    pub pause: fn(Duration),
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(5 * 60),
            total: Duration::from_secs(30 * 60),
            max_bytes: 8 * 1024 * 1024,
            attempts: 5,
            backoff: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
            pause: std::thread::sleep,
        }
    }
}

/// Why an attempt failed, and whether another may help.
#[derive(Debug)]
pub struct Failure {
    /// What the endpoint did, on one line.
    pub message: String,
    /// Whether to ask again.
    pub retry: Retry,
}

/// Whether to ask again.
#[derive(Debug, PartialEq)]
pub enum Retry {
    /// It would give the same.
    No,
    /// After a wait of the host's choosing.
    Backoff,
    /// After the wait that the endpoint asked for.
    After(Duration),
}

impl Failure {
    /// Asking again gives the same.
    pub fn lasting(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            retry: Retry::No,
        }
    }

    /// Asking again may help.
    pub fn passing(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            retry: Retry::Backoff,
        }
    }

    /// An answer whose status is not one of success.
    #[must_use]
    pub fn status(status: StatusCode, body: &str, after: Option<Duration>) -> Self {
        // A used-up quota is told as 429 too, and no waiting brings it back.
        let passing = match status.as_u16() {
            429 => !body.contains("insufficient_quota"),
            code => code == 408 || status.is_server_error(),
        };
        let retry = match after {
            _ if !passing => Retry::No,
            Some(wait) => Retry::After(wait),
            None => Retry::Backoff,
        };
        Self {
            message: format!("the endpoint answered {status}: {}", told(body)),
            retry,
        }
    }

    /// What went wrong below the answer.
    #[must_use]
    pub fn transport(error: &ureq::Error, patience: &Patience) -> Self {
        use std::io::ErrorKind::{ConnectionRefused, InvalidData};
        match error {
            ureq::Error::BodyExceedsLimit(limit) => Failure::lasting(format!(
                "the answer was cut: it is longer than {limit} bytes"
            )),
            ureq::Error::Timeout(Timeout::Connect) => Failure::lasting(format!(
                "no connection within {} s",
                patience.connect.as_secs_f32()
            )),
            ureq::Error::Timeout(Timeout::Global) => Failure::lasting(format!(
                "no complete answer within {} s",
                patience.total.as_secs_f32()
            )),
            ureq::Error::Timeout(_) => Failure::lasting(format!(
                "nothing came for {} s",
                patience.idle.as_secs_f32()
            )),
            ureq::Error::Io(error) if error.kind() == ConnectionRefused => {
                Failure::lasting("connection refused; is the model server running?")
            }
            ureq::Error::Io(error) if error.kind() == InvalidData => {
                Failure::lasting(error.to_string())
            }
            ureq::Error::Io(error) => {
                Failure::passing(format!("the connection was dropped ({error})"))
            }
            ureq::Error::Protocol(error) => {
                Failure::passing(format!("the connection was dropped ({error})"))
            }
            error => Failure::lasting(error.to_string()),
        }
    }
}

/// A text that should have been JSON.
pub fn not_json(text: &str) -> Failure {
    Failure::lasting(format!("expected JSON, found {:?}", one_line(text)))
}

/// What the body of an error says: its message, if it is JSON.
fn told(body: &str) -> String {
    let json: Option<Value> = serde_json::from_str(body).ok();
    let message = json.as_ref().and_then(|json| match json.get("error")? {
        Value::String(message) => Some(message.as_str()),
        error => error.get("message")?.as_str(),
    });
    one_line(message.unwrap_or(body))
}

/// The first 300 characters, on one line.
fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None if words.is_empty() => "(no text)".to_owned(),
        None => words,
    }
}

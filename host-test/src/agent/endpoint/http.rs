//! Talking to a model endpoint over HTTP: one POST, a streamed answer, and
//! what to do when it goes wrong.
//!
//! A request is sent again on 429, on 5xx and on a dropped connection, as long
//! as nothing of the answer was shown. Everything else is one clear line.

use std::io::{BufReader, Read};
use std::time::Duration;

use serde_json::Value;
use ureq::http::Response as HttpResponse;
use ureq::{Agent, Body, RequestBuilder};

use super::failure::{Failure, Patience, Retry, not_json};
use super::sse::Events;
use crate::Error;
use crate::agent::model::Response;
use crate::agent::observer::Observer;

/// Puts the events of one answer together.
pub trait Decoder: Default {
    /// Takes the data of one event. `true` when the answer is complete and
    /// nothing more has to be read.
    ///
    /// # Errors
    ///
    /// When the event is none of this endpoint, or tells of an error.
    fn event(&mut self, data: &str, observer: &mut dyn Observer) -> Result<bool, Failure>;

    /// Takes the answer of a server that does not stream.
    ///
    /// # Errors
    ///
    /// When it is no answer of this endpoint.
    fn whole(&mut self, body: &str, observer: &mut dyn Observer) -> Result<(), Failure>;

    /// The answer; `None` while its end was not seen.
    fn response(self) -> Option<Response>;

    /// Whether something of the answer was shown.
    fn shown(&self) -> bool;
}

/// An endpoint, without the form of its messages.
pub struct Endpoint {
    agent: Agent,
    base: String,
    local: bool,
    headers: Vec<(&'static str, String)>,
    key: Option<String>,
    patience: Patience,
}

impl Endpoint {
    /// An endpoint below `base`, such as `http://localhost:11434/v1`.
    ///
    /// # Errors
    ///
    /// When `base` is no address of HTTP, or holds a user name or password.
    pub fn new(base: &str, patience: Patience) -> Result<Self, Error> {
        let base = base.trim_end_matches('/');
        let uri: ureq::http::Uri = base.parse().map_err(|error| {
            Error::Agent(format!(
                "the base URL {base:?}: {error}; expected http://HOST/v1 or https://HOST/v1"
            ))
        })?;
        let host = uri.host().unwrap_or_default();
        if uri
            .authority()
            .is_some_and(|authority| authority.as_str().contains('@'))
        {
            return Err(Error::Agent(
                "the base URL holds a user name or password; a key comes from the environment"
                    .into(),
            ));
        }
        if host.is_empty() || !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(Error::Agent(format!(
                "the base URL {base:?} is not one of http:// or https://"
            )));
        }
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(patience.connect))
            .timeout_per_read(Some(patience.idle))
            .timeout_global(Some(patience.total))
            .user_agent(concat!("agent-todo/", env!("CARGO_PKG_VERSION")));
        let local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        if local {
            config = config.proxy(None);
        }
        Ok(Self {
            agent: config.build().new_agent(),
            base: base.to_owned(),
            local,
            headers: Vec::new(),
            key: None,
            patience,
        })
    }

    /// Sends this header with every request.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// Sends the key in this header. No message of this endpoint shows it.
    #[must_use]
    pub fn key(mut self, name: &'static str, prefix: &str, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self.header(name, &format!("{prefix}{key}"))
    }

    /// Whether it is on this machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.local
    }

    /// The names of the models that the endpoint offers.
    ///
    /// # Errors
    ///
    /// When it does not say.
    pub fn models(&self) -> Result<Vec<String>, Error> {
        let read = || {
            let request = self.with_headers(self.agent.get(format!("{}/models", self.base)));
            let response = request.call().map_err(|error| self.transport(error))?;
            let body = self.body(response)?;
            let list: Value = serde_json::from_str(&body).map_err(|_| not_json(&body))?;
            let names = list
                .get("data")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            Ok(names
                .filter_map(|model| model.get("id")?.as_str().map(str::to_owned))
                .collect())
        };
        read().map_err(|failure| self.error(failure))
    }

    /// Posts a request and puts its streamed answer together.
    ///
    /// # Errors
    ///
    /// One line that says what the endpoint did.
    pub fn ask<D: Decoder>(
        &self,
        path: &str,
        body: &Value,
        observer: &mut dyn Observer,
    ) -> Result<Response, Error> {
        let mut wait = self.patience.backoff;
        let mut attempt = 1;
        loop {
            let failure = match self.attempt::<D>(path, body, observer) {
                Ok(response) => return Ok(response),
                Err(failure) => failure,
            };
            let pause = match failure.retry {
                Retry::No => return Err(self.error(failure)),
                Retry::Backoff => wait,
                Retry::After(asked) => asked,
            };
            let given_up = attempt >= self.patience.attempts;
            if given_up || pause > self.patience.longest_wait {
                let why = if given_up {
                    format!("after {attempt} attempts")
                } else {
                    format!("it asks to wait {} s", pause.as_secs())
                };
                return Err(self.error(Failure::lasting(format!("{} ({why})", failure.message))));
            }
            observer.note(&format!(
                "{}; asking again in {} s",
                self.redacted(&failure.message),
                pause.as_secs_f32()
            ));
            (self.patience.pause)(pause);
            wait = wait.saturating_mul(2);
            attempt += 1;
        }
    }

    fn attempt<D: Decoder>(
        &self,
        path: &str,
        body: &Value,
        observer: &mut dyn Observer,
    ) -> Result<Response, Failure> {
        let request = self.with_headers(self.agent.post(format!("{}{path}", self.base)));
        let request = request.header("content-type", "application/json");
        let response = request
            .send(body.to_string())
            .map_err(|error| self.transport(error))?;
        let streams = header(&response, "content-type")
            .is_some_and(|kind| kind.starts_with("text/event-stream"));
        let mut decoder = D::default();
        if !streams || !response.status().is_success() {
            decoder.whole(&self.body(response)?, observer)?;
            return decoder
                .response()
                .ok_or_else(|| Failure::lasting("the answer holds no message"));
        }
        let mut events = Events::new(BufReader::new(self.reader(response)));
        let outcome = loop {
            match events.next_data() {
                Ok(None) => {
                    break Err(Failure::passing(
                        "the connection was dropped in the middle of the answer",
                    ));
                }
                Ok(Some(data)) => match decoder.event(&data, observer) {
                    Ok(true) => break Ok(()),
                    Ok(false) => {}
                    Err(failure) => break Err(failure),
                },
                Err(error) => break Err(self.transport(error.into())),
            }
        };
        let shown = decoder.shown();
        match (outcome, decoder.response()) {
            (_, Some(response)) => Ok(response),
            (Err(failure), None) if shown => Err(Failure::lasting(failure.message)),
            (Err(failure), None) => Err(failure),
            (Ok(()), None) => Err(Failure::lasting("the answer ends without its end")),
        }
    }

    fn with_headers<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        self.headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, value)
        })
    }

    fn reader(&self, response: HttpResponse<Body>) -> impl Read {
        response
            .into_body()
            .into_with_config()
            .limit(self.patience.max_bytes)
            .reader()
    }

    /// The whole body of an answer that does not stream; a failure if its
    /// status is one.
    fn body(&self, response: HttpResponse<Body>) -> Result<String, Failure> {
        let status = response.status();
        let after = header(&response, "retry-after")
            .and_then(|seconds| seconds.trim().parse().ok())
            .map(Duration::from_secs);
        let mut bytes = Vec::new();
        let read = self.reader(response).read_to_end(&mut bytes);
        if !status.is_success() {
            return Err(Failure::status(
                status,
                &String::from_utf8_lossy(&bytes),
                after,
            ));
        }
        read.map_err(|error| self.transport(error.into()))?;
        String::from_utf8(bytes).map_err(|_| Failure::lasting("the answer is not UTF-8"))
    }

    fn transport(&self, error: ureq::Error) -> Failure {
        Failure::transport(&error, &self.patience)
    }

    fn error(&self, failure: Failure) -> Error {
        Error::Model(format!(
            "{}: {}",
            self.base,
            self.redacted(&failure.message)
        ))
    }

    fn redacted(&self, message: &str) -> String {
        match &self.key {
            Some(key) if !key.is_empty() => message.replace(key.as_str(), "[key]"),
            _ => message.to_owned(),
        }
    }
}

fn header<'a>(response: &'a HttpResponse<Body>, name: &str) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

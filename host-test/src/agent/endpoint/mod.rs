//! Model endpoints over HTTP, and which of them answers: chosen by options and
//! environment.

pub mod chat;
pub mod failure;
pub mod http;
pub mod messages;
pub mod sse;

use std::env;
use std::path::PathBuf;

use super::model::{Model, Script};
use super::observer::Observer;
use crate::Error;
use chat::Chat;
use failure::Patience;
use http::Endpoint;
use messages::Messages;

/// The kind of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// Chat Completions, as OpenAI and most model servers speak it.
    OpenAi,
    /// Anthropic's Messages.
    Anthropic,
}

/// A model server on the own machine, where Ollama listens.
const LOCAL: &str = "http://localhost:11434/v1";

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Follow this script and ask nobody.
    pub script: Option<PathBuf>,
    /// The kind. Default: that of the key in the environment, and OpenAI's for
    /// a base URL that was given and for the server on the own machine.
    pub provider: Option<Provider>,
    /// Up to and with `/v1`. Default: the provider's own; without a provider
    /// and a key, `http://localhost:11434/v1`.
    pub base_url: Option<String>,
    /// The model's name. Default: the first that a server on the own machine
    /// offers.
    pub model: Option<String>,
    /// The longest answer of a Messages endpoint, in tokens. Default 8,192.
    pub max_tokens: Option<u32>,
    /// Send reminders as the user's messages.
    pub user_reminders: bool,
}

impl Choice {
    /// Makes the model.
    ///
    /// # Errors
    ///
    /// When the script can't be read, a key is missing, or no model was named
    /// where one has to be.
    pub fn model(&self, observer: &mut dyn Observer) -> Result<Box<dyn Model>, Error> {
        if let Some(script) = &self.script {
            return Ok(Box::new(Script::read(script)?));
        }
        let (provider, base) = self.place();
        let endpoint = Endpoint::new(&base, Patience::default())?;
        let endpoint = match (provider, key(provider)) {
            (Provider::OpenAi, Some(key)) => endpoint.key("authorization", "Bearer ", &key),
            (Provider::Anthropic, Some(key)) => endpoint.key("x-api-key", "", &key),
            (_, None) if base == default_base(provider) => {
                return Err(Error::Agent(format!(
                    "{} is not set; {base} asks for a key",
                    variable(provider)
                )));
            }
            (_, None) => endpoint,
        };
        let endpoint = match provider {
            Provider::OpenAi => endpoint,
            Provider::Anthropic => endpoint.header(messages::VERSION.0, messages::VERSION.1),
        };
        let model = match &self.model {
            Some(model) => model.clone(),
            None => first_model(&endpoint, observer)?,
        };
        Ok(match provider {
            Provider::OpenAi => Box::new(Chat {
                endpoint,
                model,
                system_messages: !self.user_reminders,
            }),
            Provider::Anthropic => Box::new(Messages {
                endpoint,
                model,
                max_tokens: self.max_tokens.unwrap_or(8192),
            }),
        })
    }

    fn place(&self) -> (Provider, String) {
        let found = || {
            [Provider::OpenAi, Provider::Anthropic]
                .into_iter()
                .find(|&provider| key(provider).is_some())
        };
        match (&self.base_url, self.provider) {
            (Some(base), provider) => (
                provider.unwrap_or(Provider::OpenAi),
                base.trim_end_matches('/').to_owned(),
            ),
            (None, Some(provider)) => (provider, default_base(provider).to_owned()),
            (None, None) => match found() {
                Some(provider) => (provider, default_base(provider).to_owned()),
                None => (Provider::OpenAi, LOCAL.to_owned()),
            },
        }
    }
}

fn default_base(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi => "https://api.openai.com/v1",
        Provider::Anthropic => "https://api.anthropic.com/v1",
    }
}

fn variable(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi => "OPENAI_API_KEY",
        Provider::Anthropic => "ANTHROPIC_API_KEY",
    }
}

fn key(provider: Provider) -> Option<String> {
    let key = env::var(variable(provider)).ok()?.trim().to_owned();
    (!key.is_empty()).then_some(key)
}

/// A server on the own machine offers what its owner installed, so the first
/// will do; elsewhere the choice costs money and is left to the user.
fn first_model(endpoint: &Endpoint, observer: &mut dyn Observer) -> Result<String, Error> {
    let offered = endpoint.models()?;
    match offered.first() {
        Some(first) if endpoint.is_local() => {
            observer.note(&format!(
                "model {first}, the first that the server offers; --model names another"
            ));
            Ok(first.clone())
        }
        Some(_) => {
            let names: Vec<&str> = offered.iter().take(20).map(String::as_str).collect();
            Err(Error::Agent(format!(
                "which model? --model NAME; the endpoint offers {}",
                names.join(", ")
            )))
        }
        None => Err(Error::Agent(
            "which model? --model NAME; the endpoint names none".into(),
        )),
    }
}

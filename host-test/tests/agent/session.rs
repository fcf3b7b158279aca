//! Sessions of the reference host in a folder of their own, with a model that
//! answers by the place in the session and checks what it is asked.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::LazyLock;

use agent_todo_host::agent::base_tools::BaseTools;
use agent_todo_host::agent::command;
use agent_todo_host::agent::compaction;
use agent_todo_host::agent::history::{self, History};
use agent_todo_host::agent::hooks::{Hooks, NoHooks};
use agent_todo_host::agent::item::Item;
use agent_todo_host::agent::model::{Model, Request, Response};
use agent_todo_host::agent::observer::{Observer, Silent};
use agent_todo_host::agent::turn::{Agent, Budget, Host};
use agent_todo_host::{Error, Plugin, Policy, Status};
use serde_json::Value;
use tempfile::TempDir;

/// Compiled once for all tests of a file.
pub static PLUGIN: LazyLock<Plugin> =
    LazyLock::new(|| Plugin::bundled(agent_todo_host::Limits::default()).unwrap());

/// A response that calls tools.
pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> Response {
    let calls = calls
        .into_iter()
        .map(|(name, input)| (name.to_owned(), input.to_string()));
    Response {
        calls: calls.collect(),
        ..Response::default()
    }
}

/// A response that ends a turn.
pub fn says(text: &str) -> Response {
    Response {
        text: text.to_owned(),
        ..Response::default()
    }
}

/// A response that does something other than todo work.
pub fn looks() -> Response {
    calls([("list_files", serde_json::json!({"path": "."}))])
}

/// Everything that a request was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub items: Vec<Item>,
    pub tools: bool,
}

/// Answers by the place in the session. Every request must be what the file
/// says at that moment: nothing is added, and everything is on the disk.
pub struct ByPlace {
    pub responses: Vec<Response>,
    pub summaries: Vec<String>,
    pub folder: PathBuf,
    pub asked: Rc<RefCell<Vec<Asked>>>,
}

impl Model for ByPlace {
    fn respond(
        &mut self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Response, Error> {
        let (head, items) = history::read(&self.folder.join(format!("{}.jsonl", request.head.id)))?;
        assert_eq!(&head, request.head);
        let asked = Asked {
            items: request.items.to_vec(),
            tools: request.tools,
        };
        self.asked.borrow_mut().push(asked);
        if !request.tools {
            let text = request.items[0].joined_text();
            assert!(
                text.contains(&history::lines(&items)?),
                "the whole history is in the request"
            );
            return Ok(says(&self.summaries[head.generation]));
        }
        assert_eq!(items, request.items);
        let response = self.responses.get(request.position()).cloned();
        let response = response
            .ok_or_else(|| Error::Model(format!("no response number {}", request.position())))?;
        observer.text(&response.text);
        Ok(response)
    }
}

/// A folder with a working folder and the histories of one session.
pub struct Place {
    folder: TempDir,
    pub plugin: Plugin,
    pub model: ByPlace,
    pub policy: Policy,
    pub budget: Budget,
    pub shell: bool,
}

impl Place {
    pub fn new(responses: impl IntoIterator<Item = Response>) -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        let model = ByPlace {
            responses: responses.into_iter().collect(),
            summaries: Vec::new(),
            folder: folder.path().join("sessions"),
            asked: Rc::default(),
        };
        Self {
            folder,
            plugin: PLUGIN.clone(),
            model,
            policy: Policy::default(),
            budget: Budget::default(),
            shell: false,
        }
    }

    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The file of the session, or of its last successor.
    pub fn file(&self) -> PathBuf {
        compaction::newest(&self.first_file()).unwrap()
    }

    pub fn first_file(&self) -> PathBuf {
        self.model.folder.join("s.jsonl")
    }

    /// What the history holds.
    pub fn items(&self) -> Vec<Item> {
        history::read(&self.file()).unwrap().1
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.model.asked.borrow().clone()
    }

    /// Opens the session, new or old, and does something with it.
    pub fn with<T>(&mut self, act: impl FnOnce(&mut Agent<'_>) -> T) -> T {
        self.with_hooks(&mut NoHooks, &mut Silent, act)
    }

    pub fn with_hooks<T>(
        &mut self,
        hooks: &mut dyn Hooks,
        observer: &mut dyn Observer,
        act: impl FnOnce(&mut Agent<'_>) -> T,
    ) -> T {
        let tools = BaseTools::new(&self.work(), Some(&self.model.folder), self.shell).unwrap();
        let history = match self.first_file().exists() {
            true => History::open(&self.file()).unwrap().0,
            false => {
                let mut session = self.plugin.session(&self.policy).unwrap();
                let head = command::head("s", &tools, &mut session, &self.policy).unwrap();
                History::create(&self.first_file(), head, Vec::new()).unwrap()
            }
        };
        let budget = self.budget.clone();
        let host = Host {
            plugin: &self.plugin,
            model: &mut self.model,
            hooks,
            observer,
            tools,
            budget,
        };
        act(&mut Agent::open(host, history).unwrap())
    }

    /// One turn.
    pub fn turn(&mut self, prompt: &str) -> String {
        self.with(|agent| {
            agent.prompt(prompt).unwrap();
            agent.run().unwrap()
        })
    }

    /// What the plugin holds after a resume.
    pub fn state(&mut self) -> String {
        self.with(|agent| agent.session().save_state().unwrap())
    }

    /// The list after a resume, one text an item.
    pub fn todos(&mut self) -> Vec<String> {
        let todos = self.with(|agent| agent.session().todos().unwrap());
        todos
            .iter()
            .map(|todo| format!("{} {}", mark(todo.status), todo.content))
            .collect()
    }
}

fn mark(status: Status) -> &'static str {
    match status {
        Status::Completed => "[x]",
        Status::InProgress => "[>]",
        Status::Pending => "[ ]",
    }
}

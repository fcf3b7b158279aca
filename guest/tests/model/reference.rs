//! The session as the contract tells it: plain lists, searched from the start.

use super::recording::calls::{Call, Content, Id, Item, Task, Word};
use super::words::{Wish, blank, cut, id, number, shown, tidy, wish};
use agent_todo::{InProgressLimit, Policy, Status, Todo, ToolSet};
use std::collections::BTreeSet;

/// The answer of a call, as far as the contract fixes it.
#[derive(Debug)]
pub enum Answer {
    Accepted {
        text: String,
        changed: bool,
        notes: Vec<Note>,
    },
    Refused {
        code: &'static str,
        names: Vec<String>,
    },
    /// The reference can't read this input.
    Unknown,
}

/// What a note has to hold.
#[derive(Debug)]
pub struct Note(Vec<String>);

impl Note {
    pub fn is_in(&self, line: &str) -> bool {
        self.0.iter().all(|part| line.contains(part.as_str()))
    }
}

fn note(parts: &[&str]) -> Note {
    Note(parts.iter().map(|part| (*part).to_owned()).collect())
}

fn refused(code: &'static str, names: &[&str]) -> Answer {
    Answer::Refused {
        code,
        names: names.iter().map(|name| (*name).to_owned()).collect(),
    }
}

/// One item of a whole list, read.
struct Entry {
    id: Option<String>,
    content: String,
    wish: Wish,
}

pub struct Reference {
    policy: Policy,
    todos: Vec<Todo>,
    greatest: u64,
    deleted: BTreeSet<u64>,
    since_write: u32,
    since_reminder: Option<u32>,
    reminded_since_write: bool,
    reminded_since_request: bool,
}

impl Reference {
    pub fn new(policy: Policy) -> Reference {
        Reference {
            policy,
            todos: Vec::new(),
            greatest: 0,
            deleted: BTreeSet::new(),
            since_write: 0,
            since_reminder: None,
            reminded_since_write: false,
            reminded_since_request: false,
        }
    }

    pub fn todos(&self) -> &[Todo] {
        &self.todos
    }

    pub fn counters(&self) -> (u32, Option<u32>) {
        (self.since_write, self.since_reminder)
    }

    pub fn progress(&self) -> (u32, u32, u32) {
        let count = |status| {
            self.todos
                .iter()
                .filter(|todo| todo.status == status)
                .count() as u32
        };
        (
            count(Status::Pending),
            count(Status::InProgress),
            count(Status::Completed),
        )
    }

    pub fn on_request(&mut self) {
        self.since_write += 1;
        self.since_reminder = self.since_reminder.map(|since| since + 1);
        self.reminded_since_request = false;
    }

    pub fn reminder(&mut self) -> Option<String> {
        let rested = match self.since_reminder {
            None => true,
            Some(_) if self.policy.remind_once => !self.reminded_since_write,
            Some(since) => since >= self.policy.remind_cooldown,
        };
        let open: Vec<&Todo> = self
            .todos
            .iter()
            .filter(|todo| todo.status != Status::Completed)
            .collect();
        let due = self.policy.remind
            && !open.is_empty()
            && self.since_write >= self.policy.remind_after
            && rested
            && !self.reminded_since_request;
        if !due {
            return None;
        }
        let tool = if self.policy.tool_set == ToolSet::Task {
            "TaskUpdate"
        } else {
            "todo_write"
        };
        let text = (0..=open.len().min(20))
            .rev()
            .map(|count| reminder(tool, &open, count))
            .find(|text| text.len() < 4_096);
        self.since_reminder = Some(0);
        self.reminded_since_write = true;
        self.reminded_since_request = true;
        text
    }

    /// Takes the list over after an input that the reference does not read.
    pub fn follow(&mut self, todos: &[Todo], accepted: bool) {
        assert!(
            accepted || self.todos == todos,
            "a refused call changes nothing"
        );
        self.hold(todos.to_vec());
    }

    pub fn call(&mut self, call: &Call) -> Answer {
        let name = call.name();
        if matches!(name, "todo_write" | "TaskCreate" | "TaskUpdate") {
            self.since_write = 0;
            self.reminded_since_write = false;
        }
        let is_on = match name {
            "todo_write" => self.policy.tool_set != ToolSet::Task,
            "TaskCreate" | "TaskUpdate" | "TaskGet" | "TaskList" => {
                self.policy.tool_set != ToolSet::Todo
            }
            _ => false,
        };
        if !is_on {
            return refused("unknown-tool", &[]);
        }
        if call.input().len() > self.policy.max_input as usize {
            return refused("too-large", &[&self.policy.max_input.to_string()]);
        }
        match call {
            Call::Write(_, items) => self.write(items),
            Call::Create(task) => self.create(task),
            Call::Update(task) => self.update(task),
            Call::Get(task) => match self.find(task) {
                Ok(at) => Answer::Accepted {
                    text: full(&self.todos[at]),
                    changed: false,
                    notes: Vec::new(),
                },
                Err(answer) => answer,
            },
            Call::List => Answer::Accepted {
                text: self.list(),
                changed: false,
                notes: Vec::new(),
            },
            Call::Unreadable(..) | Call::Other(..) => Answer::Unknown,
        }
    }

    fn hold(&mut self, todos: Vec<Todo>) {
        for number in todos.iter().filter_map(|todo| number(&todo.id)) {
            if number <= 999_999_999 {
                self.greatest = self.greatest.max(number);
            }
        }
        self.todos = todos;
    }

    fn list(&self) -> String {
        let mut text: String = self.todos.iter().map(|todo| line(todo) + "\n").collect();
        if !self.todos.is_empty() {
            text.push('\n');
        }
        text + &format!("({}/{} completed)", self.progress().2, self.todos.len())
    }

    fn write(&mut self, items: &[Item]) -> Answer {
        if items.len() > self.policy.max_todos as usize {
            return refused(
                "too-many",
                &[&items.len().to_string(), &self.policy.max_todos.to_string()],
            );
        }
        let mut notes = Vec::new();
        let mut entries: Vec<Entry> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let position = format!("item {}", at + 1);
            match self.read(item, &position, &mut notes) {
                Some(entry) => entries.push(entry),
                None => return refused("invalid-input", &[&position]),
            }
        }
        let mut merged: Vec<Entry> = Vec::new();
        for entry in entries {
            let same = |other: &&mut Entry| entry.id.is_some() && other.id == entry.id;
            match merged.iter_mut().find(same) {
                Some(other) => {
                    notes.push(note(&["twice"]));
                    *other = entry;
                }
                None => merged.push(entry),
            }
        }
        let lost = |todo: &&Todo| {
            todo.status != Status::Completed
                && !merged.iter().any(|entry| {
                    entry.id.as_ref() == Some(&todo.id) || entry.content == todo.content
                })
        };
        let lost: Vec<String> = self
            .todos
            .iter()
            .filter(lost)
            .map(|todo| format!("{}. ", shown(&todo.id)))
            .collect();
        if !lost.is_empty() {
            let parts: Vec<&str> = lost.iter().map(String::as_str).collect();
            notes.push(note(&parts));
        }
        merged.retain(|entry| entry.wish != Wish::Drop);
        let running = merged
            .iter()
            .filter(|entry| entry.wish == Wish::Be(Status::InProgress))
            .count();
        if running > 1 {
            match self.policy.in_progress_limit {
                InProgressLimit::Allow => {}
                InProgressLimit::Note => notes.push(note(&[&running.to_string(), "in_progress"])),
                InProgressLimit::Refuse => {
                    return refused("invalid-input", &[&running.to_string(), "in_progress"]);
                }
            }
        }
        let todos = self.fill(merged);
        let changed = todos != self.todos;
        self.hold(todos);
        Answer::Accepted {
            text: self.list(),
            changed,
            notes,
        }
    }

    /// `None` for an item that is refused.
    fn read(&self, item: &Item, position: &str, notes: &mut Vec<Note>) -> Option<Entry> {
        let (sent, content, word) = match item {
            Item::Bare(content) => (&Id::Absent, Content::Text(content.clone()), &Word::Absent),
            Item::Wrong => return None,
            Item::Object {
                id,
                content,
                status,
                ..
            } => (id, content.clone(), status),
        };
        let content = match content {
            Content::Text(text) => text,
            Content::Number(digits) => digits.to_owned(),
            Content::Absent | Content::Wrong => return None,
        };
        if blank(&content) {
            return None;
        }
        let (content, was_cut) = cut(&tidy(&content), self.policy.max_content as usize);
        let id = match sent {
            Id::Absent | Id::Null => None,
            Id::Text(text) => id(text),
            Id::Number(digits) => id(digits),
            Id::Wrong => return None,
        };
        let wish = match word {
            Word::Absent | Word::Null => Wish::Be(Status::Pending),
            Word::Text(word) => wish(word),
            Word::Wrong => Wish::Unknown,
        };
        if was_cut {
            notes.push(note(&[position, "cut"]));
        }
        match (wish, word) {
            (Wish::Unknown, _) => return None,
            (Wish::Park | Wish::Drop, Word::Text(word)) => notes.push(note(&[position, word])),
            _ => {}
        }
        Some(Entry { id, content, wish })
    }

    /// Explicit ids first, then ids by same content, then free numbers.
    fn fill(&self, entries: Vec<Entry>) -> Vec<Todo> {
        let mut ids: Vec<Option<String>> = entries.iter().map(|entry| entry.id.clone()).collect();
        for at in 0..ids.len() {
            if ids[at].is_none() {
                let free = |todo: &&Todo| {
                    todo.content == entries[at].content && !ids.contains(&Some(todo.id.clone()))
                };
                ids[at] = self.todos.iter().find(free).map(|todo| todo.id.clone());
            }
        }
        for at in 0..ids.len() {
            if ids[at].is_none() {
                let free = |number: &u64| {
                    !ids.contains(&Some(number.to_string())) && !self.deleted.contains(number)
                };
                ids[at] = (1..).find(free).map(|number| number.to_string());
            }
        }
        let todo = |(entry, id): (Entry, Option<String>)| {
            let id = id.unwrap();
            let old = self.todos.iter().find(|todo| todo.id == id);
            Todo {
                description: old.and_then(|todo| todo.description.clone()),
                id,
                content: entry.content,
                status: match entry.wish {
                    Wish::Be(status) => status,
                    _ => Status::Pending,
                },
            }
        };
        entries.into_iter().zip(ids).map(todo).collect()
    }

    /// A text field of a task: `Err` if it is refused, `None` if it is not given.
    fn field(
        &self,
        content: &Content,
        name: &str,
        notes: &mut Vec<Note>,
    ) -> Result<Option<String>, Answer> {
        let text = match content {
            Content::Absent => return Ok(None),
            Content::Wrong => return Err(refused("invalid-input", &[name])),
            Content::Text(text) => tidy(text),
            Content::Number(digits) => (*digits).to_owned(),
        };
        let (text, was_cut) = cut(&text, self.policy.max_content as usize);
        if was_cut {
            notes.push(note(&[name, "cut"]));
        }
        Ok(Some(text))
    }

    fn create(&mut self, task: &Task) -> Answer {
        let mut notes = Vec::new();
        let subject = match self.field(&task.subject, "subject", &mut notes) {
            Ok(Some(subject)) if !blank(&subject) => subject,
            Ok(_) => return refused("invalid-input", &["subject"]),
            Err(answer) => return answer,
        };
        let description = match self.field(&task.description, "description", &mut notes) {
            Ok(description) => description.filter(|text| !blank(text)),
            Err(answer) => return answer,
        };
        if self.todos.len() >= self.policy.max_todos as usize {
            return refused("too-many", &[&self.policy.max_todos.to_string()]);
        }
        if task.owner {
            notes.push(note(&["owner"]));
        }
        let mut number = self.greatest + 1;
        while self.todos.iter().any(|todo| todo.id == number.to_string()) {
            number += 1;
        }
        self.greatest = number;
        let text = format!("Task #{number} created: {}", shown(&subject));
        self.todos.push(Todo {
            id: number.to_string(),
            content: subject,
            status: Status::Pending,
            description,
        });
        Answer::Accepted {
            text,
            changed: true,
            notes,
        }
    }

    fn find(&self, task: &Task) -> Result<usize, Answer> {
        let sent = match &task.id {
            Id::Text(text) => id(text),
            Id::Number(digits) => id(digits),
            Id::Absent | Id::Null | Id::Wrong => None,
        };
        let Some(sent) = sent else {
            let name = if matches!(task.id, Id::Absent | Id::Null) {
                "taskId"
            } else {
                task.id_key
            };
            return Err(refused("invalid-input", &[name]));
        };
        let at = |id: &str| self.todos.iter().position(|todo| todo.id == id);
        let found = at(&sent).or_else(|| at(sent.strip_prefix('#')?));
        found.ok_or_else(|| {
            let ids: Vec<String> = self.todos.iter().map(|todo| shown(&todo.id)).collect();
            Answer::Refused {
                code: "not-found",
                names: ids,
            }
        })
    }

    fn update(&mut self, task: &Task) -> Answer {
        let at = match self.find(task) {
            Ok(at) => at,
            Err(answer) => return answer,
        };
        let old = self.todos[at].clone();
        let mut new = old.clone();
        let mut notes = Vec::new();
        match self.field(&task.subject, "subject", &mut notes) {
            Ok(Some(subject)) if blank(&subject) => return refused("invalid-input", &["subject"]),
            Ok(Some(subject)) => new.content = subject,
            Ok(None) => {}
            Err(answer) => return answer,
        }
        match self.field(&task.description, "description", &mut notes) {
            Ok(Some(text)) => new.description = Some(text).filter(|text| !blank(text)),
            Ok(None) => {}
            Err(answer) => return answer,
        }
        let wish = match task.status {
            Word::Absent | Word::Null => Wish::Be(old.status),
            Word::Text(word) => wish(word),
            Word::Wrong => Wish::Unknown,
        };
        match (wish, &task.status) {
            (Wish::Unknown, _) => return refused("invalid-input", &["status"]),
            (Wish::Drop, _) => {
                self.deleted.extend(number(&old.id));
                self.todos.remove(at);
                let text = format!("Task #{} deleted: {}", shown(&old.id), shown(&old.content));
                return Answer::Accepted {
                    text,
                    changed: true,
                    notes: Vec::new(),
                };
            }
            (Wish::Park, Word::Text(word)) => {
                notes.push(note(&[word]));
                new.status = Status::Pending;
            }
            (Wish::Be(status), _) => new.status = status,
            (Wish::Park, _) => {}
        }
        let others = self
            .todos
            .iter()
            .filter(|todo| todo.id != new.id && todo.status == Status::InProgress)
            .count();
        if new.status == Status::InProgress && others > 0 {
            match self.policy.in_progress_limit {
                InProgressLimit::Refuse if old.status != Status::InProgress => {
                    return refused("invalid-input", &["in_progress"]);
                }
                InProgressLimit::Note => notes.push(note(&["in_progress"])),
                _ => {}
            }
        }
        if task.owner {
            notes.push(note(&["owner"]));
        }
        let changed = new != old;
        let what = if changed { "updated" } else { "is unchanged" };
        let text = format!("Task #{} {what}: {}", shown(&new.id), line(&new));
        self.todos[at] = new;
        Answer::Accepted {
            text,
            changed,
            notes,
        }
    }
}

fn line(todo: &Todo) -> String {
    let mark = match todo.status {
        Status::Pending => "[ ]",
        Status::InProgress => "[>]",
        Status::Completed => "[x]",
    };
    format!("{mark} {}. {}", shown(&todo.id), shown(&todo.content))
}

fn full(todo: &Todo) -> String {
    match &todo.description {
        Some(description) => format!("{}\nDescription: {}", line(todo), shown(description)),
        None => line(todo),
    }
}

fn reminder(tool: &str, open: &[&Todo], count: usize) -> String {
    let mut text = format!(
        "<system-reminder>\n{tool} has not been called for a while and these items are open. If the list is out of \
         date, update it; if not, carry on.\n"
    );
    for todo in &open[..count] {
        let word = if todo.status == Status::Pending {
            "pending"
        } else {
            "in_progress"
        };
        let (content, _) = cut(&shown(&todo.content), 120);
        text += &format!("[{word}] {}. {content}\n", shown(&todo.id));
    }
    if count < open.len() {
        text += &format!("… and {} more\n", open.len() - count);
    }
    text + "</system-reminder>"
}

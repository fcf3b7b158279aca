//! The list: items, where they stand, and which ids are taken.

use crate::places::Places;
use serde::{Deserialize, Serialize};

/// Characters of an id.
pub const MAX_ID: usize = 64;

/// The greatest integer id that the numbering of tasks goes on from; a greater
/// one that a model makes up is an id like any other text.
const MAX_NUMBERED: u32 = 999_999_999;

/// Where an item stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not begun.
    #[default]
    Pending,
    /// Being worked on.
    InProgress,
    /// Done.
    Completed,
}

impl Status {
    /// The status of this word, spelt as in the schema.
    pub fn of_word(word: &str) -> Option<Status> {
        match word {
            "pending" => Some(Status::Pending),
            "in_progress" => Some(Status::InProgress),
            "completed" => Some(Status::Completed),
            _ => None,
        }
    }

    /// The word in JSON and in texts.
    pub fn word(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
        }
    }

    /// Whether work is left.
    pub fn is_open(self) -> bool {
        self != Status::Completed
    }
}

/// One item. All its texts are tidy (see [`crate::text::tidy`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Todo {
    /// Unique in the list, never blank, at most [`MAX_ID`] characters.
    pub id: String,
    /// One line, never blank, at most `max-content` characters.
    pub content: String,
    /// Where it stands.
    pub status: Status,
    /// The longer text of a task; one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A list, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Items not begun.
    pub pending: u32,
    /// Items being worked on.
    pub in_progress: u32,
    /// Items done.
    pub completed: u32,
}

/// The items, and the numbers that ids may no longer have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    todos: Vec<Todo>,
    /// The greatest integer id ever held, 0 at first.
    greatest: u32,
    /// Numbers of deleted tasks, as ranges that are sorted and do not touch, so
    /// that a long session of short-lived tasks takes no more room.
    deleted: Vec<(u32, u32)>,
}

impl List {
    /// The list of these parts, which [`List::is_sound`] judges.
    pub(crate) fn from_parts(todos: Vec<Todo>, greatest: u32, deleted: Vec<(u32, u32)>) -> List {
        List {
            todos,
            greatest,
            deleted,
        }
    }

    /// All that a list holds: the items, the greatest integer id ever held, and
    /// the ranges of numbers of deleted tasks.
    pub(crate) fn parts(&self) -> (&[Todo], u32, &[(u32, u32)]) {
        (&self.todos, self.greatest, &self.deleted)
    }

    /// The items, in order.
    pub fn todos(&self) -> &[Todo] {
        &self.todos
    }

    /// The items that are not completed, in order.
    pub fn open(&self) -> impl Iterator<Item = &Todo> {
        self.todos.iter().filter(|todo| todo.status.is_open())
    }

    /// The list, counted.
    pub fn progress(&self) -> Progress {
        let mut progress = Progress::default();
        for todo in &self.todos {
            match todo.status {
                Status::Pending => progress.pending += 1,
                Status::InProgress => progress.in_progress += 1,
                Status::Completed => progress.completed += 1,
            }
        }
        progress
    }

    /// The item with this id.
    pub fn find(&self, id: &str) -> Option<&Todo> {
        self.todos.iter().find(|todo| todo.id == id)
    }

    /// Gives the items these statuses, in order; says whether one is another.
    pub fn set_statuses(&mut self, statuses: impl Iterator<Item = Status>) -> bool {
        let mut changed = false;
        for (todo, status) in self.todos.iter_mut().zip(statuses) {
            changed |= todo.status != status;
            todo.status = status;
        }
        changed
    }

    /// Puts `todos` in the place of all items. Their ids must be unique.
    pub fn replace(&mut self, todos: Vec<Todo>) {
        for todo in &todos {
            self.note_number(&todo.id);
        }
        self.todos = todos;
    }

    /// The number of the next task: one more than the greatest integer id ever
    /// held, so that none is used twice in a session.
    pub fn next_number(&self) -> u32 {
        let mut number = self.greatest.saturating_add(1);
        while !self.is_free(number) {
            number = number.saturating_add(1);
        }
        number
    }

    /// Whether no item has this number for its id. Above the greatest one there
    /// is nothing to look through.
    fn is_free(&self, number: u32) -> bool {
        let beyond = number > self.greatest && number <= MAX_NUMBERED;
        beyond || self.find(&number.to_string()).is_none()
    }

    /// Appends a task under [`List::next_number`], or under the number that a
    /// recorded result names. Returns the number.
    pub fn create(
        &mut self,
        recorded: Option<u32>,
        content: String,
        description: Option<String>,
    ) -> u32 {
        let next = self.next_number();
        let free = recorded.filter(|number| self.is_free(*number));
        let number = free.unwrap_or(next);
        if number == next || number <= MAX_NUMBERED {
            self.greatest = self.greatest.max(number);
        }
        let id = number.to_string();
        self.todos.push(Todo {
            id,
            content,
            status: Status::Pending,
            description,
        });
        number
    }

    /// Changes the item that has the id of `todo` to `todo`.
    pub fn update(&mut self, todo: Todo) {
        if let Some(old) = self.todos.iter_mut().find(|old| old.id == todo.id) {
            *old = todo;
        }
    }

    /// Removes a task for good: its number is never given again.
    pub fn delete(&mut self, id: &str) {
        self.todos.retain(|todo| todo.id != id);
        if let Some(number) = number(id).filter(|number| *number <= MAX_NUMBERED) {
            self.mark_deleted(number);
        }
    }

    /// The positive integers that no deleted task had, from 1 on.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        let ends = self.deleted.iter().map(|&(_, to)| to + 1);
        let starts = self.deleted.iter().map(|&(from, _)| from);
        // Range by range: numbers inside one are passed over at once.
        std::iter::once(1)
            .chain(ends)
            .zip(starts.chain(std::iter::once(u32::MAX)))
            .flat_map(|(from, end)| from..end)
    }

    /// Whether this is a list that the functions above can make.
    pub fn is_sound(&self) -> bool {
        let ids = Places::new(self.todos.iter().map(|todo| Some(todo.id.as_str())));
        let unique = ids.all_differ();
        let numbers = self.todos.iter().filter_map(|todo| number(&todo.id));
        let counted = numbers
            .filter(|n| *n <= MAX_NUMBERED)
            .all(|n| n <= self.greatest);
        let mut before = None;
        let ordered = self.deleted.iter().all(|&(from, to)| {
            let apart = before.is_none_or(|end: u32| from > end.saturating_add(1));
            before = Some(to);
            apart && 0 < from && from <= to && to <= MAX_NUMBERED.min(self.greatest)
        });
        // Counted one by one from there on, in no session as far as that.
        let reached = self.greatest <= 2 * MAX_NUMBERED;
        unique && counted && ordered && reached
    }

    fn note_number(&mut self, id: &str) {
        if let Some(number) = number(id).filter(|number| *number <= MAX_NUMBERED) {
            self.greatest = self.greatest.max(number);
        }
    }

    fn mark_deleted(&mut self, number: u32) {
        let after = self.deleted.partition_point(|&(from, _)| from <= number);
        let joins_left = after > 0
            && self
                .deleted
                .get(after - 1)
                .is_some_and(|&(_, to)| to + 1 >= number);
        let joins_right = self
            .deleted
            .get(after)
            .is_some_and(|&(from, _)| from == number + 1);
        let right_end = self.deleted.get(after).map(|&(_, to)| to);
        if joins_right {
            self.deleted.remove(after);
        }
        let end = right_end.filter(|_| joins_right).unwrap_or(number);
        match after
            .checked_sub(1)
            .and_then(|left| self.deleted.get_mut(left))
        {
            Some(range) if joins_left => range.1 = range.1.max(end),
            _ => self.deleted.insert(after, (number, end)),
        }
    }
}

/// The positive integer that an id spells out in digits.
pub fn number(id: &str) -> Option<u32> {
    if id.is_empty() || !id.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    id.parse().ok().filter(|number| *number > 0)
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;

//! What a call changed in the list.

use agent_todo_host::Todo;

/// A difference between two lists.
#[derive(Debug, PartialEq)]
pub enum Change<'a> {
    /// An item that was not there.
    New(&'a Todo),
    /// An item whose status is another.
    Moved(&'a Todo),
    /// An item whose content is another, and the item it was.
    Renamed(&'a Todo, &'a Todo),
    /// An item that is there no longer.
    Gone(&'a Todo),
    /// The same items, in another order.
    Reordered,
}

/// The differences, in the order of the list after, then those that are gone.
pub fn changes<'a>(before: &'a [Todo], after: &'a [Todo]) -> Vec<Change<'a>> {
    // The model's own ids tie items together, and so does content, for models
    // that send no ids.
    let same = |one: &Todo, other: &Todo| one.content == other.content;
    let counterpart = |todo: &Todo, list: &'a [Todo], other: &'a [Todo]| {
        let by_content = list.iter().find(|old| same(old, todo));
        by_content.or_else(|| {
            let by_id = list.iter().find(|old| old.id == todo.id)?;
            // One that still stands there by its content is not renamed.
            (!other.iter().any(|new| same(new, by_id))).then_some(by_id)
        })
    };
    let mut changes = Vec::new();
    for todo in after {
        match counterpart(todo, before, after) {
            None => changes.push(Change::New(todo)),
            Some(old) if !same(old, todo) => changes.push(Change::Renamed(todo, old)),
            Some(old) if old.status != todo.status => changes.push(Change::Moved(todo)),
            Some(_) => {}
        }
    }
    for todo in before {
        if counterpart(todo, after, before).is_none() {
            changes.push(Change::Gone(todo));
        }
    }
    let order = |list: &[Todo]| {
        list.iter()
            .map(|todo| todo.content.clone())
            .collect::<Vec<_>>()
    };
    if changes.is_empty() && order(before) != order(after) {
        changes.push(Change::Reordered);
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_todo_host::Status::{self, *};

    fn list(items: &[(&str, &str, Status)]) -> Vec<Todo> {
        let todo = |&(id, content, status): &(&str, &str, Status)| Todo {
            id: id.to_owned(),
            content: content.to_owned(),
            status,
            description: None,
        };
        items.iter().map(todo).collect()
    }

    #[test]
    fn an_item_that_only_moved_on_is_no_new_one() {
        let before = list(&[("1", "Read", InProgress), ("2", "Write", Pending)]);
        let after = list(&[("1", "Read", Completed), ("2", "Write", Pending)]);
        assert_eq!(changes(&before, &after), [Change::Moved(&after[0])]);
    }

    #[test]
    fn an_id_with_new_content_is_a_new_wording() {
        let before = list(&[("1", "Read", Pending)]);
        let after = list(&[("1", "Read it all", Pending)]);
        assert_eq!(
            changes(&before, &after),
            [Change::Renamed(&after[0], &before[0])]
        );
    }

    #[test]
    fn an_id_that_another_item_took_over_makes_neither_of_them_a_new_wording() {
        let before = list(&[("1", "Read", Pending), ("2", "Write", Pending)]);
        let after = list(&[("1", "Write", Pending)]);
        assert_eq!(changes(&before, &after), [Change::Gone(&before[0])]);
    }

    #[test]
    fn a_list_in_another_order_is_a_change() {
        let before = list(&[("1", "Read", Pending), ("2", "Write", Pending)]);
        let after = list(&[("2", "Write", Pending), ("1", "Read", Pending)]);
        assert_eq!(changes(&before, &after), [Change::Reordered]);
    }
}

//! A file that is a tree: an entry names its parent, and the history is the
//! branch that ends in the last entry.

use super::ledger::{Fact, Ledger};
use std::collections::{BTreeMap, VecDeque};

/// The entries of a tree so far, and what each of them says.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Where the entries with an id are; the last one is meant.
    places: BTreeMap<String, VecDeque<usize>>,
    /// For each entry the place of its parent, which always stands before it.
    parents: Vec<Option<usize>>,
    facts: Vec<(usize, Fact)>,
    /// Keys of the todo calls on all branches.
    calls: BTreeMap<String, VecDeque<usize>>,
}

impl Tree {
    /// The next entry begins.
    pub fn enter(&mut self, id: String, parent: Option<&str>) {
        let parent = parent
            .and_then(|parent| self.places.get(parent)?.back())
            .copied();
        self.places
            .entry(id)
            .or_default()
            .push_back(self.parents.len());
        self.parents.push(parent);
    }

    /// The entry says this.
    pub fn add(&mut self, fact: Fact) {
        if let Fact::Call(key, _) = &fact {
            self.calls.entry(key.clone()).or_default();
        }
        self.facts
            .push((self.parents.len().saturating_sub(1), fact));
    }

    /// Whether a todo call with this key stands on any branch.
    pub fn knows(&self, key: &str) -> bool {
        self.calls.contains_key(key)
    }

    /// What the branch that ends in the last entry says.
    pub fn branch(&self) -> Ledger {
        let mut on_branch = vec![false; self.parents.len()];
        let mut at = self.parents.len().checked_sub(1);
        while let Some(place) = at {
            if let Some(mark) = on_branch.get_mut(place) {
                *mark = true;
            }
            at = self.parents.get(place).copied().flatten();
        }
        let mut ledger = Ledger::default();
        let taken = self
            .facts
            .iter()
            .filter(|(place, _)| on_branch.get(*place) == Some(&true));
        for (_, fact) in taken {
            ledger.add(fact.clone());
        }
        ledger
    }
}

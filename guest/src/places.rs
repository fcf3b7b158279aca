//! Where texts stand in a list: a lookup that is made once and searched often.

use crate::text::are_same;
use std::collections::BinaryHeap;

/// The places of texts, sorted by text.
///
/// A sorted vector, because it is made anew in each call: for the lists that
/// models write it is a few comparisons, for a thousand items still linear but
/// for a logarithm. Short texts come first, so that numbers that count up are
/// sorted already.
#[derive(Debug)]
pub struct Places<'t> {
    sorted: Vec<Place<'t>>,
    /// For each entry of `sorted`, how many of the same text are taken: only
    /// that of the first of a text counts.
    taken: Vec<usize>,
}

/// The length of a text, the text, and where it stands.
type Place<'t> = (usize, &'t str, usize);

impl<'t> Places<'t> {
    /// The places of the texts that are there.
    pub fn new(texts: impl Iterator<Item = Option<&'t str>>) -> Places<'t> {
        let mut sorted: Vec<Place<'_>> = Vec::with_capacity(texts.size_hint().0);
        for (at, text) in texts.enumerate() {
            sorted.extend(text.map(|text| (text.len(), text, at)));
        }
        // By a heap, because sorting a slice takes 4 KB more of the component.
        if !sorted.is_sorted() {
            sorted = BinaryHeap::from(sorted).into_sorted_vec();
        }
        Places {
            sorted,
            taken: Vec::new(),
        }
    }

    /// Whether no text is there twice.
    pub fn all_differ(&self) -> bool {
        let mut pairs = self.sorted.iter().zip(self.sorted.iter().skip(1));
        pairs.all(|((_, one, _), (_, next, _))| !are_same(one, next))
    }

    /// The first place of `text`.
    pub fn first(&self, text: &str) -> Option<usize> {
        self.place(self.start(text), text)
    }

    /// The first place of `text` that was not taken before.
    pub fn take_first(&mut self, text: &str) -> Option<usize> {
        let start = self.start(text);
        self.taken.resize(self.sorted.len(), 0);
        let taken = self.taken.get(start).copied().unwrap_or_default();
        let place = self.place(start + taken, text)?;
        if let Some(taken) = self.taken.get_mut(start) {
            *taken += 1;
        }
        Some(place)
    }

    fn start(&self, text: &str) -> usize {
        self.sorted
            .partition_point(|place| *place < (text.len(), text, 0))
    }

    fn place(&self, at: usize, text: &str) -> Option<usize> {
        let (_, other, place) = self.sorted.get(at)?;
        are_same(other, text).then_some(*place)
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn a_text_is_found_at_its_first_place_and_taken_place_by_place() {
        let mut places = Places::new([Some("b"), None, Some("a"), Some("b"), Some("")].into_iter());
        assert!(!places.all_differ());
        assert_eq!(places.first("b"), Some(0));
        assert_eq!(places.first("a"), Some(2));
        assert_eq!(places.first("c"), None);
        assert_eq!(places.first("aa"), None);
        assert_eq!(
            places.take_first("aa"),
            None,
            "and takes nothing of its neighbour"
        );
        assert_eq!(places.take_first("b"), Some(0));
        assert_eq!(places.take_first("b"), Some(3));
        assert_eq!(places.take_first("b"), None);
        assert_eq!(places.take_first("a"), Some(2));
        assert_eq!(places.take_first("zz"), None);
    }
}

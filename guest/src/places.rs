//! Where texts stand in a list: a lookup that is made once and searched often.

/// The places of texts, sorted by text.
///
/// A sorted vector, because it is made anew in each call: for the lists that
/// models write it is a few comparisons, for a thousand items still linear but
/// for a logarithm. Short texts come first, so that numbers that count up are
/// sorted already.
#[derive(Debug)]
pub struct Places<'t> {
    sorted: Vec<(&'t str, usize)>,
    /// For each entry of `sorted`, how many of the same text are taken: only
    /// that of the first of a text counts.
    taken: Vec<usize>,
}

impl<'t> Places<'t> {
    /// The places of the texts that are there.
    pub fn new(texts: impl Iterator<Item = Option<&'t str>>) -> Places<'t> {
        let there = texts.enumerate().filter_map(|(at, text)| Some((text?, at)));
        let mut sorted: Vec<_> = there.collect();
        sorted.sort_unstable_by_key(|&(text, at)| (text.len(), text, at));
        Places {
            sorted,
            taken: Vec::new(),
        }
    }

    /// Whether no text is there twice.
    pub fn all_differ(&self) -> bool {
        let mut pairs = self.sorted.iter().zip(self.sorted.iter().skip(1));
        pairs.all(|((one, _), (next, _))| one != next)
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
            .partition_point(|&(other, _)| (other.len(), other) < (text.len(), text))
    }

    fn place(&self, at: usize, text: &str) -> Option<usize> {
        self.sorted
            .get(at)
            .filter(|(other, _)| *other == text)
            .map(|(_, place)| *place)
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

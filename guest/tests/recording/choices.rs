//! Bytes as a source of choices: what a property test shrinks and a fuzzer
//! mutates is a vector of bytes, and every vector is a session.

/// Choices, each read from the next byte. After the last byte every choice is
/// the first one, so that a session ends and a shorter vector is a simpler one.
pub struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
}

impl<'b> Choices<'b> {
    pub fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices {
            bytes: bytes.iter(),
        }
    }

    /// Whether there is anything left to choose from.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == 0
    }

    /// A number below `count`, which is at most 256.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0)) % count
    }

    /// One of `options`.
    pub fn one_of<T: Clone>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())].clone()
    }

    /// True once in `count` times, and never when the bytes are used up.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    /// Up to `max` of the bytes themselves.
    pub fn bytes(&mut self, max: usize) -> Vec<u8> {
        let count = self.below(max.min(255) + 1);
        self.bytes.by_ref().take(count).copied().collect()
    }
}

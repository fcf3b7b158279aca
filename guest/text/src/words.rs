//! Eight bytes at a time, as one number: what a short text is looked through
//! with. A loop over bytes would need a vectoriser, and the component is built
//! for size, without one.

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = ONES << 7;

/// Not zero if one of the eight bytes is `byte`; the lowest bit that is set is
/// the top bit of the first of them.
#[inline]
pub(crate) fn equal(word: u64, byte: u8) -> u64 {
    let zero = word ^ (ONES * u64::from(byte));
    zero.wrapping_sub(ONES) & !zero & TOPS
}

/// Not zero if one of the eight bytes is no ASCII, or below `byte`, itself
/// ASCII.
#[inline]
pub(crate) fn not_ascii_from(word: u64, byte: u8) -> u64 {
    (word | word.wrapping_sub(ONES * u64::from(byte))) & TOPS
}

/// Not zero if one of the eight bytes is below `byte`, itself ASCII.
#[inline]
pub(crate) fn below(word: u64, byte: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(byte)) & !word & TOPS
}

/// Whether `holds` of all bytes, eight by eight. The last eight overlap those
/// before them; fewer than eight are filled up with their like.
#[inline]
pub(crate) fn all_chunks(bytes: &[u8], holds: impl Fn(u64) -> bool) -> bool {
    let holds = |chunk: &[u8; 8]| holds(u64::from_le_bytes(*chunk));
    match bytes.last_chunk() {
        Some(last) => bytes.as_chunks().0.iter().all(&holds) && holds(last),
        None => bytes.iter().all(|byte| holds(&[*byte; 8])),
    }
}

/// Whether two texts are the same. The comparison of the standard library is
/// compiled for size where a component has no C library: byte by byte.
#[inline]
pub(crate) fn are_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    // As numbers: arrays would be compared by the standard library again.
    let same =
        |(one, other): (&[u8; 8], &[u8; 8])| u64::from_le_bytes(*one) == u64::from_le_bytes(*other);
    match (one.last_chunk(), other.last_chunk()) {
        (Some(one_end), Some(other_end)) => {
            let mut chunks = one.as_chunks().0.iter().zip(other.as_chunks().0);
            chunks.all(same) && same((one_end, other_end))
        }
        _ => one.iter().eq(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_same_if_every_byte_is() {
        let text = "a text of more than three times eight bytes";
        for length in 0..=text.len() {
            let one = &text.as_bytes()[..length];
            let copy = one.to_vec();
            assert!(are_same(one, &copy));
            assert!(!are_same(
                one,
                &text.as_bytes()[..(length + 1) % text.len()]
            ));
            for at in 0..length {
                let mut other = one.to_vec();
                other[at] = b'_';
                assert!(!are_same(one, &other));
                assert!(!are_same(&other, one));
            }
        }
    }

    #[test]
    fn one_byte_among_eight_is_found_wherever_it_stands() {
        for at in 0..8 {
            for byte in 0..=u8::MAX {
                let mut bytes = *b"abcdefgh";
                bytes[at] = byte;
                let word = u64::from_le_bytes(bytes);
                assert_eq!(equal(word, b'"') != 0, byte == b'"');
                let found = equal(word, byte).trailing_zeros() as usize / 8;
                assert_eq!(Some(found), bytes.iter().position(|b| *b == byte));
                let printable = byte >= b' ' && byte.is_ascii();
                assert_eq!(not_ascii_from(word, b' ') == 0, printable, "{byte}");
                assert_eq!(below(word, b' ') != 0, byte < b' ');
            }
        }
    }
}

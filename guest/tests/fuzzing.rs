//! The oracles of the fuzz targets, held to the kept corpus and to random
//! bytes: what `cargo fuzz` looks for at length, in a second or two and on the
//! stable compiler.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]
#![allow(missing_docs)]

mod oracles;
mod recording;

use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

type Oracle = fn(&[u8]);

/// The fuzz targets: the folder of the corpus, and the oracle.
const TARGETS: [(&str, Oracle); 6] = [
    ("tool_input", oracles::tool_input),
    ("near_valid_input", oracles::near_valid_input),
    ("item_text", oracles::item_text),
    ("history", oracles::history),
    ("saved_state", oracles::saved_state),
    ("session", oracles::session),
];

/// The inputs that are kept for a target.
fn kept(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let entries = fs::read_dir(&folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn every_kept_input_of_the_fuzz_targets_keeps_the_promises() {
    for (target, oracle) in TARGETS {
        let inputs = kept(target);
        assert!(!inputs.is_empty(), "{target} has no inputs");
        for input in inputs {
            oracle(&fs::read(input).unwrap());
        }
    }
}

fn config() -> ProptestConfig {
    let asked = std::env::var("AGENT_TODO_CASES")
        .ok()
        .and_then(|number| number.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(16),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn random_bytes_break_no_promise(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for (_, oracle) in TARGETS {
            oracle(&bytes);
        }
    }

    #[test]
    fn random_text_breaks_no_promise(text in "\\PC{0,80}", spaced in "[< /sSyYsStTeEmM\u{200b}\u{ad}\u{1bca0}\u{202e}>-]{0,40}") {
        oracles::item_text(text.as_bytes());
        oracles::item_text(spaced.as_bytes());
        oracles::item_text(format!("{spaced}<system-reminder{spaced}>{text}</sys{spaced}tem-reminder>").as_bytes());
    }
}

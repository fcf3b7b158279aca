//! The page for host authors quotes the reference host as it is.

use std::fs;
use std::path::Path;

fn trimmed(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect()
}

#[test]
fn every_line_that_the_page_for_host_authors_quotes_is_in_the_source() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("HOSTS.md")).unwrap();
    let mut quotes = 0;
    for block in page.split("```rust ").skip(1) {
        let (path, rest) = block.split_once('\n').unwrap();
        let (quote, _) = rest.split_once("```").unwrap();
        let source = fs::read_to_string(root.join(path)).unwrap();
        let (source, quote) = (trimmed(&source), trimmed(quote));
        assert!(
            source.windows(quote.len()).any(|lines| lines == quote),
            "not in {path}:\n{}",
            quote.join("\n")
        );
        quotes += 1;
    }
    assert!(quotes >= 5, "one for each of the five things");
}

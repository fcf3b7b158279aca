//! From text to elements: what is JSON Lines, what is one document, and what
//! of a torn text is still whole.

use super::Element;
use super::key::name;
use crate::json::node::{Scanner, Stop};
use memchr::memchr;

/// Objects inside one another in which an array of messages is looked for.
const MAX_WRAPPERS: u32 = 3;

/// What becomes of each element.
type Sink<'s> = dyn FnMut(&Element<'_>) -> bool + 's;

/// Gives every element of `text` to `element`, which says whether it knew it.
/// Returns whether the text is a history at all: it holds an object or array,
/// complete or cut off, or nothing but white space.
pub fn read(text: &str, element: &mut Sink<'_>) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    if text.is_empty() {
        return true;
    }
    let end = memchr(b'\n', text.as_bytes()).unwrap_or(text.len());
    let (line, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    // A first line that is a whole value, and more after it: JSON Lines, each
    // line for itself, so that a torn one costs nothing but itself.
    if !rest.trim_start().is_empty() && is_whole(line) {
        return lines(text, element);
    }
    let mut known = false;
    let is_document = document(text, &mut |node| {
        let knew = element(node);
        known |= knew;
        knew
    });
    // Only the first line may have been torn.
    (!known && lines(rest, element)) || is_document
}

fn is_whole(line: &str) -> bool {
    let mut scanner = Scanner::new(line);
    scanner.skip().is_ok() && scanner.peek().is_none()
}

/// Reads line by line; a line that is no object or array is passed over.
fn lines(text: &str, element: &mut Sink<'_>) -> bool {
    let mut found = false;
    let mut rest = text;
    while !rest.is_empty() {
        let end = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let mut seen = false;
        let read = value(&mut Scanner::new(line), &mut |node| {
            seen = true;
            element(node)
        });
        // Of a line that is torn or broken the elements before count all the same.
        found |= seen || read.is_ok();
        rest = after;
    }
    found
}

/// Reads a text that is one value, or several that go over more than one line.
fn document(text: &str, element: &mut Sink<'_>) -> bool {
    let mut scanner = Scanner::new(text);
    let mut seen = false;
    let mut known = false;
    let read = value(&mut scanner, &mut |node| {
        seen = true;
        known = element(node);
        known
    });
    let is_object = text.starts_with('{');
    let is_one = scanner.peek().is_none();
    if is_object && is_one && !known && read != Err(Stop::Syntax) {
        let _ = unwrap(text, element, MAX_WRAPPERS);
    }
    if read.is_ok() {
        while scanner.peek().is_some() && value(&mut scanner, element).is_ok() {}
    }
    seen || read != Err(Stop::Syntax)
}

/// Reads one value: an object is an element, an array holds elements.
fn value(scanner: &mut Scanner<'_>, element: &mut Sink<'_>) -> Result<(), Stop> {
    match scanner.peek() {
        Some(b'{') => {
            element(&scanner.node(name, 0)?);
            Ok(())
        }
        Some(b'[') => array(scanner, element),
        _ => Err(Stop::Syntax),
    }
}

/// Reads the elements of an array up to its end, or to where it is torn.
fn array(scanner: &mut Scanner<'_>, element: &mut Sink<'_>) -> Result<(), Stop> {
    scanner.take(b'[');
    while !scanner.take(b']') {
        let node = scanner.node(name, 0)?;
        if node.raw.starts_with('{') {
            element(&node);
        }
        scanner.next_or(b']')?;
    }
    Ok(())
}

/// Reads the arrays that an object holds, at any key, up to a few objects deep.
fn unwrap(text: &str, element: &mut Sink<'_>, depth: u32) -> Result<(), Stop> {
    let mut scanner = Scanner::new(text);
    scanner.take(b'{');
    while !scanner.take(b'}') {
        scanner.key()?;
        match scanner.peek() {
            Some(b'[') => array(&mut scanner, element)?,
            Some(b'{') if depth > 1 => {
                let inner = scanner.rest();
                let whole = scanner.skip();
                let length = inner.len() - scanner.rest().len();
                unwrap(inner.get(..length).unwrap_or_default(), element, depth - 1)?;
                whole?;
            }
            _ => scanner.skip()?,
        }
        scanner.next_or(b'}')?;
    }
    Ok(())
}

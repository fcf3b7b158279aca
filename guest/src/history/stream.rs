//! From text to elements: what is JSON Lines, what is one document, and what
//! of a torn text is still whole.

use super::Element;
use super::key::{Key, name};
use crate::json::node::Tree;
use crate::json::scanner::{Scanner, Stop};
use memchr::memchr;

/// Objects inside one another in which an array of messages is looked for.
const MAX_WRAPPERS: u32 = 3;

/// Gives every element of `text` to `read`, which says whether it knew it.
/// Returns whether the text is a history at all: it holds an object or array,
/// complete or cut off, or nothing but white space.
pub fn read(text: &str, read: &mut dyn FnMut(Element<'_>) -> bool) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    if text.is_empty() {
        return true;
    }
    let mut elements = Elements {
        read,
        tree: Tree::default(),
        seen: false,
        known: false,
    };
    let end = memchr(b'\n', text.as_bytes()).unwrap_or(text.len());
    let (line, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    // A first line that is a whole value, and more after it: JSON Lines, each
    // line for itself, so that a torn one costs nothing but itself.
    if !rest.trim_start().is_empty() && is_whole(line) {
        return elements.lines(text);
    }
    let is_document = elements.document(text);
    // Only the first line may have been torn.
    (!elements.known && elements.lines(rest)) || is_document
}

fn is_whole(line: &str) -> bool {
    let mut scanner = Scanner::new(line);
    scanner.skip().is_ok() && scanner.peek().is_none()
}

/// The elements of one text on their way to who reads them.
struct Elements<'a, 's> {
    read: &'s mut dyn FnMut(Element<'_>) -> bool,
    /// The room in which each element is taken apart.
    tree: Tree<'a, Key>,
    /// Whether there was any element.
    seen: bool,
    /// Whether one was known.
    known: bool,
}

impl<'a> Elements<'a, '_> {
    /// Reads line by line; a line that is no object or array is passed over.
    /// Says whether there is any other.
    fn lines(&mut self, text: &'a str) -> bool {
        let mut found = false;
        let mut rest = text;
        while !rest.is_empty() {
            let end = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
            let (line, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            self.seen = false;
            let read = self.value(&mut Scanner::new(line));
            // Of a line that is torn or broken the elements before count all the same.
            found |= self.seen || read.is_ok();
            rest = after;
        }
        found
    }

    /// Reads a text that is one value, or several that go over more than one line.
    fn document(&mut self, text: &'a str) -> bool {
        let mut scanner = Scanner::new(text);
        let read = self.value(&mut scanner);
        let is_object = text.starts_with('{');
        let is_one = scanner.peek().is_none();
        let is_history = self.seen || read != Err(Stop::Syntax);
        if is_object && is_one && !self.known && read != Err(Stop::Syntax) {
            let _ = self.unwrap(text, MAX_WRAPPERS);
        }
        if read.is_ok() {
            while scanner.peek().is_some() && self.value(&mut scanner).is_ok() {}
        }
        is_history
    }

    /// Reads one value: an object is an element, an array holds elements.
    fn value(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Stop> {
        match scanner.peek() {
            Some(b'{') => self.element(scanner),
            Some(b'[') => self.array(scanner),
            _ => Err(Stop::Syntax),
        }
    }

    fn element(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Stop> {
        scanner.tree(name, &mut self.tree)?;
        self.seen = true;
        self.known |= (self.read)(self.tree.root());
        Ok(())
    }

    /// Reads the elements of an array up to its end, or to where it is torn.
    fn array(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Stop> {
        scanner.take(b'[');
        while !scanner.take(b']') {
            match scanner.peek() {
                Some(b'{') => self.element(scanner)?,
                _ => scanner.skip()?,
            }
            scanner.next_or(b']')?;
        }
        Ok(())
    }

    /// Reads the arrays that an object holds, at any key, up to a few objects deep.
    fn unwrap(&mut self, text: &'a str, depth: u32) -> Result<(), Stop> {
        let mut scanner = Scanner::new(text);
        scanner.take(b'{');
        while !scanner.take(b'}') {
            scanner.key()?;
            match scanner.peek() {
                Some(b'[') => self.array(&mut scanner)?,
                Some(b'{') if depth > 1 => {
                    let inner = scanner.rest();
                    let whole = scanner.skip();
                    let length = inner.len() - scanner.rest().len();
                    self.unwrap(inner.get(..length).unwrap_or_default(), depth - 1)?;
                    whole?;
                }
                _ => scanner.skip()?,
            }
            scanner.next_or(b'}')?;
        }
        Ok(())
    }
}

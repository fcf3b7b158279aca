//! Server-sent events, as far as model endpoints use them: the data of each
//! event, in order.

use std::io::{self, BufRead, Read};

/// The longest event that is taken, in bytes.
const MAX_EVENT: usize = 4 * 1024 * 1024;

/// Reads the data of events from a stream.
pub struct Events<R> {
    input: R,
    line: Vec<u8>,
}

impl<R: BufRead> Events<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
        }
    }

    /// The data of the next event that has any; `None` at the end. An event
    /// that the end cuts off is dropped, as the format asks.
    ///
    /// # Errors
    ///
    /// Those of the stream, and `InvalidData` for an event of more than 4 MiB
    /// or one that is not UTF-8.
    pub fn next_data(&mut self) -> io::Result<Option<String>> {
        let mut data: Option<String> = None;
        while self.next_line()? {
            let line = std::str::from_utf8(&self.line)
                .map_err(|_| invalid("an event that is not UTF-8"))?;
            if line.is_empty() {
                if data.is_some() {
                    return Ok(data);
                }
            } else if let Some(value) = field(line, "data") {
                let data = data.get_or_insert_default();
                if !data.is_empty() {
                    data.push('\n');
                }
                data.push_str(value);
                if data.len() > MAX_EVENT {
                    return Err(invalid("an event of more than 4 MiB"));
                }
            }
        }
        Ok(None)
    }

    /// Reads a line, without its break; false at the end of the stream.
    fn next_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let limit = MAX_EVENT as u64 + 1;
        self.input
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut self.line)?;
        if self.line.len() > MAX_EVENT {
            return Err(invalid("an event of more than 4 MiB"));
        }
        if self.line.pop_if(|byte| *byte == b'\n').is_none() {
            return Ok(false);
        }
        let _ = self.line.pop_if(|byte| *byte == b'\r');
        Ok(true)
    }
}

/// The value of a line if it is of this field; one space after the colon is
/// not part of it.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let value = line.strip_prefix(name)?.strip_prefix(':')?;
    Some(value.strip_prefix(' ').unwrap_or(value))
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::Events;

    fn events(text: &str) -> Vec<String> {
        let mut events = Events::new(text.as_bytes());
        std::iter::from_fn(|| events.next_data().ok().flatten()).collect()
    }

    #[test]
    fn comments_names_and_empty_events_are_passed_over() {
        assert_eq!(
            events(": hi\n\nevent: a\ndata: 1\n\n\nid: 3\n\ndata:2\n\n"),
            ["1", "2"]
        );
    }

    #[test]
    fn lines_of_one_event_are_joined_and_may_end_with_carriage_returns() {
        assert_eq!(events("data: a\r\ndata:  b\r\n\r\n"), ["a\n b"]);
    }

    #[test]
    fn an_event_that_the_end_cuts_off_is_dropped() {
        assert_eq!(events("data: 1\n\ndata: 2\n"), ["1"]);
        assert_eq!(events("data: 1\n\ndata: 2"), ["1"]);
    }

    #[test]
    fn a_line_without_end_is_an_error() {
        let endless = std::io::BufReader::new(std::io::repeat(b'a'));
        assert!(Events::new(endless).next_data().is_err());
    }
}

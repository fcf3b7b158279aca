//! Tables, as Markdown.

use std::fmt::{self, Display, Formatter};

/// Rows of cells under a heading.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<const N: usize>(heading: [&str; N]) -> Table {
        let heading = heading.map(str::to_owned).to_vec();
        Table {
            rows: vec![heading],
        }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, row) in self.rows.iter().enumerate() {
            for (column, cell) in row.iter().enumerate() {
                write!(f, "| {cell:width$} ", width = self.width(column))?;
            }
            writeln!(f, "|")?;
            if at == 0 {
                for column in 0..row.len() {
                    write!(f, "| {} ", "-".repeat(self.width(column)))?;
                }
                writeln!(f, "|")?;
            }
        }
        Ok(())
    }
}

/// A time of `nanoseconds`, in the unit that suits it.
pub fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e5 => format!("{:.1} µs", n / 1e3),
        n if n < 1e6 => format!("{:.0} µs", n / 1e3),
        n if n < 1e8 => format!("{:.1} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}

/// A whole number, with commas.
pub fn count(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

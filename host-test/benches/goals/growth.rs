//! How cost grows with what is put in.

use crate::measure::{alone, once, resident_kib};
use crate::table::{Table, time};
use crate::{Result, goals, input, log};
use agent_todo_host::{Limits, Plugin, Policy};

/// Lists, texts and histories of growing size.
pub fn measure() -> Result<String> {
    let plugin = Plugin::bundled(Limits::default())?;
    let mut table = Table::new(["what", "size", "time", "each", "memory"]);
    for count in [1, 10, 100] {
        let time = write(&plugin, count, 50)?;
        table.row(row(
            "todo-write, items of 50 characters",
            format!("{count}"),
            time,
            count,
            "item",
        ));
    }
    for length in [10, 100, 500, 2_000] {
        let time = write(&plugin, 20, length)?;
        table.row(row(
            "todo-write, 20 items of … characters",
            format!("{length}"),
            time,
            20 * length,
            "character",
        ));
    }
    let longest = log::generated(100_000_000);
    for (size, length) in [
        ("1 KB", 1_000),
        ("10 KB", 10_000),
        ("100 KB", 100_000),
        ("1 MB", 1_000_000),
        ("10 MB", 10_000_000),
        ("100 MB", 100_000_000),
    ] {
        let text = log::pieces(&longest, length).next().unwrap_or_default();
        let before = resident_kib();
        let mut session = plugin.session(&Policy::default())?;
        let time = once(|| goals::restore(&mut session, text, goals::PIECE))?;
        let memory = resident_kib()
            .zip(before)
            .map(|(after, before)| after - before);
        let [what, size, time, each, _] = row(
            "restore of a log, in pieces",
            size.to_owned(),
            time,
            text.len(),
            "byte",
        );
        table.row([
            what,
            size,
            time,
            each,
            memory.map_or_else(String::new, |kib| format!("{kib:.0} KiB")),
        ]);
    }
    Ok(format!("Growth\n\n{table}"))
}

/// Nanoseconds of a write of the usual kind.
fn write(plugin: &Plugin, count: usize, length: usize) -> Result<f64> {
    let mut session = plugin.session(&Policy::default())?;
    let inputs = [0, 1].map(|done| input::write(count, length, done));
    let mut turn = inputs.iter().cycle();
    alone(|| {
        let input = turn.next().map_or("", String::as_str);
        session.todo_write(input)?.map_err(|e| e.message)?;
        Ok(())
    })
}

fn row(what: &str, size: String, total: f64, parts: usize, part: &str) -> [String; 5] {
    let each = total / parts as f64;
    let each = if each < 10.0 {
        format!("{each:.2} ns a {part}")
    } else {
        format!("{} a {part}", time(each))
    };
    [what.to_owned(), size, time(total), each, String::new()]
}

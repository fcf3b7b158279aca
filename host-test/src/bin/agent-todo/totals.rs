//! The numbers at the end of a replay.

use std::io::{self, Write};

use crate::entry::Summary;
use crate::paint::{Ink, Paint};

/// Writes the totals.
pub fn write(out: &mut impl Write, paint: Paint, summary: &Summary<'_>) -> io::Result<()> {
    let totals = summary.totals;
    let mut calls = vec![format!("{} applied", totals.applied)];
    if totals.refused > 0 {
        calls.push(format!("{} refused", totals.refused));
    }
    if totals.skipped > 0 {
        calls.push(format!("{} skipped", totals.skipped));
    }
    let recorded = match totals.recorded_reminders {
        0 => String::new(),
        count => format!(" (the log holds {count})"),
    };
    let compactions = match totals.compactions {
        0 => String::new(),
        count => format!(", {}", counted(count, "compaction")),
    };
    writeln!(out, "\n{}", paint.ink(Ink::Bold, "Totals"))?;
    writeln!(
        out,
        "  {} ({}), {}: {}, {}{recorded}{compactions}",
        counted(totals.requests, "request"),
        summary.format,
        counted(totals.calls, "todo call"),
        calls.join(", "),
        counted(totals.reminders, "reminder"),
    )?;
    let rows = [
        (
            "tool definitions",
            summary.added.definitions,
            "  in every request, the same bytes: cached",
        ),
        ("instructions", summary.added.instructions, "  likewise"),
        ("results", totals.result_bytes, ""),
        ("reminders", totals.reminder_bytes, ""),
    ];
    writeln!(
        out,
        "  Added to the model's context (a token is taken as 4 bytes):"
    )?;
    for (name, bytes, remark) in rows {
        let remark = paint.ink(Ink::Dim, remark);
        let tokens = bytes.div_ceil(4);
        writeln!(
            out,
            "    {name:<17}{bytes:>8} bytes {tokens:>7} tokens{remark}"
        )?;
    }
    Ok(())
}

/// `1 request`, `3 requests`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

//! The goals, one row each.

use crate::measure::{Pair, in_turns, once, once_short, pair};
use crate::table::{Table, count, time};
use crate::{Result, empty, input, log};
use agent_todo_host::{COMPONENT, Limits, Plugin, Policy, Session};
use std::fmt::{self, Display, Formatter};
use std::hint::black_box;
use std::time::Instant;

/// Bytes of a log that `restore` gets at a time: the log then needs no more
/// memory than that, and the memory stays in the processor's cache.
pub const PIECE: usize = 64 << 10;

/// Bytes that `gzip` puts around the compressed ones.
const GZIP_FRAME: usize = 18;

/// The goals as a table, and how many are met.
pub struct Goals {
    table: Table,
    met: usize,
    missed: usize,
}

/// Measures everything. `kib_each` is the memory of a live session.
pub fn measure(kib_each: Option<f64>) -> Result<Goals> {
    let mut goals = Goals {
        table: Table::new(["what", "measured", "against", "", "value", "goal", ""]),
        met: 0,
        missed: 0,
    };
    let plugin = Plugin::bundled(Limits::default())?;
    calls(&mut goals, &plugin)?;
    sessions(&mut goals)?;
    goals.value("resident memory of a live session, KiB", kib_each, 40.0);
    restores(&mut goals, &plugin)?;
    sizes(&mut goals)?;
    fuel(&mut goals)?;
    first_output(&mut goals)?;
    goals.left_out("first command on a fresh clone", "see SCALE.md");
    Ok(goals)
}

/// Calls of a live session.
fn calls(goals: &mut Goals, plugin: &Plugin) -> Result<()> {
    let inputs = input::usual();
    let mut wasm = plugin.session(&Policy::default())?;
    let mut native = agent_todo::Session::default();
    let (mut turn, mut native_turn) = (inputs.iter().cycle(), inputs.iter().cycle());
    let writes = pair(
        || write(&mut wasm, turn.next()),
        || {
            let input = native_turn.next().map_or("", String::as_str);
            black_box(native.todo_write(input).map_err(|e| e.message)?);
            Ok(())
        },
    )?;
    goals.ratio("todo-write, 20 items", writes, "native library", 1.3);

    let mut nothing =
        Plugin::from_bytes(&empty::component()?, Limits::default())?.session(&Policy::default())?;
    let on_request = pair(
        || wasm.on_request().map_err(Into::into),
        || nothing.on_request().map_err(Into::into),
    )?;
    goals.ratio("on-request", on_request, "empty function", 1.3);

    write_once(&mut wasm, &inputs)?;
    let idle = pair(|| appends(&mut wasm), || appends(&mut nothing))?;
    goals.ratio(
        "pending-history-appends, not due",
        idle,
        "empty function",
        1.3,
    );

    goals.ratio(
        "pending-history-appends, due, 20 open",
        reminder(plugin)?,
        "native library",
        1.5,
    );

    let mut other = plugin.session(&Policy::default())?;
    write_once(&mut other, &inputs)?;
    let mut turn = inputs.iter().cycle();
    let state = pair(
        || {
            let state = other.save_state()?;
            Ok(other.load_state(&state)?.map_err(|e| e.message)?)
        },
        || write(&mut wasm, turn.next()),
    )?;
    goals.ratio(
        "save-state + load-state, 20 items",
        state,
        "todo-write",
        1.0,
    );
    Ok(())
}

fn write(session: &mut Session, input: Option<&String>) -> Result<()> {
    let input = input.map_or("", String::as_str);
    black_box(session.todo_write(input)?.map_err(|e| e.message)?);
    Ok(())
}

fn appends(session: &mut Session) -> Result<()> {
    black_box(session.pending_history_appends()?);
    Ok(())
}

fn write_once(session: &mut Session, inputs: &[String]) -> Result<()> {
    write(session, inputs.first())
}

/// A reminder before each request: each needs a request before it, which is not
/// timed.
fn reminder(plugin: &Plugin) -> Result<Pair> {
    const CALLS: u32 = 20;
    let open = input::write(20, 50, 0);
    let policy = Policy {
        remind_after: Some(0),
        remind_cooldown: Some(1),
        ..Policy::default()
    };
    let mut wasm = plugin.session(&policy)?;
    write(&mut wasm, Some(&open))?;
    let mut native = agent_todo::Session::default();
    let policy = agent_todo::Policy {
        remind_after: 0,
        remind_cooldown: 1,
        ..Default::default()
    };
    native.configure(policy).map_err(|e| e.message)?;
    native.todo_write(&open).map_err(|e| e.message)?;
    let middle = |call: &mut dyn FnMut() -> Result<f64>| -> Result<f64> {
        let times: Result<Vec<f64>> = (0..CALLS).map(|_| call()).collect();
        Ok(crate::measure::median(&mut times?))
    };
    in_turns(
        || {
            middle(&mut || {
                wasm.on_request()?;
                once_short(|| match black_box(wasm.pending_history_appends()?).len() {
                    1 => Ok(()),
                    _ => Err("no reminder was due".into()),
                })
            })
        },
        || {
            middle(&mut || {
                native.on_request();
                once_short(|| match black_box(native.pending_history_appends()) {
                    Some(_) => Ok(()),
                    None => Err("no reminder was due".into()),
                })
            })
        },
    )
}

/// A new session: store, instance, policy; made and dropped.
fn sessions(goals: &mut Goals) -> Result<()> {
    let limits = Limits {
        pool: Some(10),
        ..Limits::default()
    };
    let plugin = Plugin::from_bytes(COMPONENT, limits.clone())?;
    let empty = Plugin::from_bytes(&empty::component()?, limits)?;
    let policy = Policy::default();
    let new = pair(
        || plugin.session(&policy).map(drop).map_err(Into::into),
        || empty.session(&policy).map(drop).map_err(Into::into),
    )?;
    goals.ratio("new session, pooled", new, "empty instance", 1.5);
    Ok(())
}

/// `restore` in a new session, against passing over the same text.
fn restores(goals: &mut Goals, plugin: &Plugin) -> Result<()> {
    for log in log::all()? {
        let megabytes = log.text.len() as f64 / 1e6;
        for (how, length) in [("in pieces", PIECE), ("in one call", usize::MAX)] {
            let restore = in_turns(
                || {
                    let mut session = plugin.session(&Policy::default())?;
                    once(|| restore(&mut session, &log.text, length))
                },
                || once(|| skip(&log.text)),
            )?;
            let what = format!("restore of {} ({megabytes:.1} MB) {how}", log.name);
            goals.ratio(&what, restore, "serde_json skipping it", 2.0);
        }
    }
    Ok(())
}

/// Restores `log` in pieces of at most `length` bytes.
pub fn restore(session: &mut Session, log: &str, length: usize) -> Result<()> {
    for piece in log::pieces(log, length) {
        black_box(session.restore(piece)?.map_err(|e| e.message)?);
    }
    Ok(())
}

fn skip(log: &str) -> Result<()> {
    let lines = serde_json::Deserializer::from_str(log).into_iter::<serde::de::IgnoredAny>();
    for line in lines {
        black_box(line?);
    }
    Ok(())
}

fn sizes(goals: &mut Goals) -> Result<()> {
    let gzip = miniz_oxide::deflate::compress_to_vec(COMPONENT, 10).len() + GZIP_FRAME;
    goals.value("component, bytes", Some(COMPONENT.len() as f64), 120_000.0);
    goals.value("component, gzip, bytes", Some(gzip as f64), 50_000.0);
    Ok(())
}

fn fuel(goals: &mut Goals) -> Result<()> {
    let limits = Limits {
        fuel: Some(1_000_000_000),
        ..Limits::default()
    };
    let mut session = Plugin::bundled(limits)?.session(&Policy::default())?;
    for input in &input::usual() {
        write(&mut session, Some(input))?;
    }
    goals.value("fuel of todo-write, 20 items", used(&session), 150_000.0);
    session.on_request()?;
    goals.value("fuel of on-request", used(&session), 100.0);
    session.pending_history_appends()?;
    goals.value(
        "fuel of pending-history-appends, not due",
        used(&session),
        300.0,
    );
    Ok(())
}

fn used(session: &Session) -> Option<f64> {
    session.fuel_used().map(|units| units as f64)
}

/// From the start of the built runner to its first output.
fn first_output(goals: &mut Goals) -> Result<()> {
    let mut times = Vec::new();
    for _ in 0..10 {
        let start = Instant::now();
        let mut runner = std::process::Command::new(env!("CARGO_BIN_EXE_agent-todo"))
            .stdout(std::process::Stdio::piped())
            .spawn()?;
        let mut first = [0];
        if let Some(output) = &mut runner.stdout {
            std::io::Read::read_exact(output, &mut first)?;
        }
        times.push(start.elapsed().as_secs_f64() * 1e3);
        runner.kill()?;
        runner.wait()?;
    }
    let median = crate::measure::median(&mut times);
    goals.value(
        "start of the runner to first output, ms",
        Some(median),
        50.0,
    );
    Ok(())
}

impl Goals {
    /// At most `goal` times as long.
    fn ratio(&mut self, what: &str, pair: Pair, other: &str, goal: f64) {
        let met = self.judge(pair.ratio <= goal);
        self.table.row([
            what.to_owned(),
            time(pair.ours),
            other.to_owned(),
            time(pair.other),
            format!("{:.2} ×", pair.ratio),
            format!("{goal:.1} ×"),
            met,
        ]);
    }

    /// At most `goal`.
    fn value(&mut self, what: &str, value: Option<f64>, goal: f64) {
        let Some(value) = value else {
            return self.left_out(what, "this system does not say");
        };
        let met = self.judge(value <= goal);
        let [empty, other] = [String::new(), String::new()];
        let what = what.to_owned();
        self.table.row([
            what,
            count(value),
            other,
            empty,
            count(value),
            count(goal),
            met,
        ]);
    }

    fn left_out(&mut self, what: &str, why: &str) {
        let [a, b, c, d] = [const { String::new() }; 4];
        let why = format!("not measured: {why}");
        self.table
            .row([what.to_owned(), a, b, c, d, why, "-".to_owned()]);
    }

    fn judge(&mut self, met: bool) -> String {
        if met {
            self.met += 1;
            "met".to_owned()
        } else {
            self.missed += 1;
            "NOT MET".to_owned()
        }
    }
}

impl Display for Goals {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "Goals, each at most\n\n{}", self.table)?;
        writeln!(f, "{} met, {} not met", self.met, self.missed)
    }
}

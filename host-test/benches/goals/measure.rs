//! Times on a machine that does other things too: processor time of the thread,
//! which goes on when something else runs.

use crate::Result;
use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// How long one pair is measured.
const BUDGET: Duration = Duration::from_millis(1_500);
/// How long one turn lasts, about: short enough that most turns are not
/// interrupted, long enough for the clock.
const TURN: f64 = 100_000.0;

/// Two things timed in turns. Nanoseconds a call, medians over the turns.
#[derive(Clone, Copy)]
pub struct Pair {
    pub ours: f64,
    pub other: f64,
    /// The median of the turns' ratios.
    pub ratio: f64,
}

/// Times `ours` and `other` in turns, many calls a turn.
pub fn pair(
    mut ours: impl FnMut() -> Result<()>,
    mut other: impl FnMut() -> Result<()>,
) -> Result<Pair> {
    let (calls, other_calls) = (calls_a_turn(&mut ours)?, calls_a_turn(&mut other)?);
    in_turns(|| turn(calls, &mut ours), || turn(other_calls, &mut other))
}

/// The same for what times itself, in nanoseconds.
pub fn in_turns(
    mut ours: impl FnMut() -> Result<f64>,
    mut other: impl FnMut() -> Result<f64>,
) -> Result<Pair> {
    let (mut all_ours, mut all_other, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let start = Instant::now();
    while ratios.len() < 9 || start.elapsed() < BUDGET {
        let (a, b) = (ours()?, other()?);
        all_ours.push(a);
        all_other.push(b);
        ratios.push(a / b);
    }
    Ok(Pair {
        ours: median(&mut all_ours),
        other: median(&mut all_other),
        ratio: median(&mut ratios),
    })
}

/// Nanoseconds a call of one thing alone, the median.
pub fn alone(mut call: impl FnMut() -> Result<()>) -> Result<f64> {
    let calls = calls_a_turn(&mut call)?;
    let mut turns = Vec::new();
    let start = Instant::now();
    while turns.len() < 5 || start.elapsed() < BUDGET / 5 {
        turns.push(turn(calls, &mut call)?);
    }
    Ok(median(&mut turns))
}

/// Nanoseconds that one call takes.
pub fn once(call: impl FnOnce() -> Result<()>) -> Result<f64> {
    let start = ThreadTime::try_now()?;
    call()?;
    Ok(start.try_elapsed()?.as_secs_f64() * 1e9)
}

/// The same by the clock on the wall, which takes no time to read: for what is
/// too short to be interrupted often.
pub fn once_short(call: impl FnOnce() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    call()?;
    Ok(start.elapsed().as_secs_f64() * 1e9)
}

fn turn(calls: u32, call: &mut impl FnMut() -> Result<()>) -> Result<f64> {
    once(|| (0..calls).try_for_each(|_| call())).map(|all| all / f64::from(calls))
}

fn calls_a_turn(call: &mut impl FnMut() -> Result<()>) -> Result<u32> {
    let mut fastest = f64::INFINITY;
    for _ in 0..5 {
        fastest = fastest.min(turn(1, call)?);
    }
    Ok((TURN / fastest).ceil().clamp(1.0, 10_000.0) as u32)
}

pub fn median(values: &mut [f64]) -> f64 {
    quantile(values, 0.5)
}

/// The value below which a part of the values lie; 0 of none.
pub fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let at = (values.len() as f64 * part) as usize;
    let at = at.min(values.len().saturating_sub(1));
    values.get(at).copied().unwrap_or_default()
}

/// KiB of memory that this process takes up; what it shares with others, or maps
/// more than once, counts in part. `None` where the system does not say.
pub fn resident_kib() -> Option<f64> {
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

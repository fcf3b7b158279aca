//! Ten thousand sessions in one process, two threads: all of them live, and
//! most of them put away as saved state.

use crate::measure::{once, quantile, resident_kib};
use crate::table::{Table, count, time};
use crate::{Result, input};
use agent_todo_host::{Limits, Plugin, Policy, Recovery, Session};
use cpu_time::ThreadTime;
use std::collections::VecDeque;
use std::fmt::{self, Display, Formatter};
use std::hint::black_box;
use std::time::{Duration, Instant};

const SESSIONS: usize = 10_000;
/// How many of them stay live where the others are put away.
const LIVE: usize = 500;
const THREADS: usize = 2;
/// How long each load runs.
const TIME: Duration = Duration::from_secs(3);

/// What was measured.
pub struct Scale {
    all_live: Load,
    evicting: Load,
}

/// One kind of host under load.
struct Load {
    /// Sessions made and turns served, each for a second of processor time on
    /// both threads.
    made: f64,
    turns: f64,
    latency: [f64; 3],
    kib_each: Option<f64>,
}

/// What one thread saw.
struct Thread<H> {
    host: H,
    making: Duration,
    serving: Duration,
    turns: Vec<f64>,
}

/// Who holds the sessions of a thread.
trait Host: Sized + Send {
    fn new(plugin: Plugin, sessions: usize) -> Result<Self>;
    fn session(&mut self, at: usize) -> Result<&mut Session>;
}

impl Scale {
    /// KiB of resident memory of each live session.
    pub fn kib_each(&self) -> Option<f64> {
        self.all_live.kib_each
    }
}

/// Runs both hosts, the one with little memory first.
pub fn measure() -> Result<Scale> {
    let evicting = load::<Evicting>(LIVE + THREADS)?;
    let all_live = load::<AllLive>(SESSIONS)?;
    Ok(Scale { all_live, evicting })
}

fn load<H: Host>(places: usize) -> Result<Load> {
    let limits = Limits {
        memory: 1 << 20,
        pool: Some(u32::try_from(places)?),
        ..Limits::default()
    };
    let plugin = Plugin::bundled(limits)?;
    let before = resident_kib();
    let made: Vec<Thread<H>> = in_threads((0..THREADS).collect(), |_| make(&plugin))?;
    let making: Duration = made.iter().map(|t| t.making).sum();
    let grown = resident_kib()
        .zip(before)
        .map(|(after, before)| after - before);

    let done = in_threads(made.into_iter().enumerate().collect(), |(seed, thread)| {
        serve(thread, seed as u64 + 1)
    })?;
    let serving: Duration = done.iter().map(|t| t.serving).sum();
    let mut turns: Vec<f64> = done.into_iter().flat_map(|t| t.turns).collect();
    let a_second = |number: usize, time: Duration| (number * THREADS) as f64 / time.as_secs_f64();
    Ok(Load {
        made: a_second(SESSIONS, making),
        turns: a_second(turns.len(), serving),
        latency: [0.5, 0.99, 1.0].map(|part| quantile(&mut turns, part)),
        kib_each: grown.map(|kib| kib / SESSIONS as f64),
    })
}

fn in_threads<I: Send, T: Send>(
    work: Vec<I>,
    run: impl Fn(I) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let run = &run;
    std::thread::scope(|scope| {
        let threads: Vec<_> = work
            .into_iter()
            .map(|item| scope.spawn(move || run(item).map_err(|error| error.to_string())))
            .collect();
        let results = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result.map_err(Into::into),
            Err(_) => Err("a thread of the bench panicked".into()),
        });
        results.collect()
    })
}

/// Makes a thread's share of the sessions, each with a list of 20 items.
fn make<H: Host>(plugin: &Plugin) -> Result<Thread<H>> {
    let list = input::write(20, 50, 0);
    let start = ThreadTime::try_now()?;
    let mut host = H::new(plugin.clone(), SESSIONS / THREADS)?;
    for at in 0..SESSIONS / THREADS {
        write(host.session(at)?, &list)?;
    }
    Ok(Thread {
        host,
        making: start.try_elapsed()?,
        serving: Duration::ZERO,
        turns: Vec::new(),
    })
}

/// Calls of sessions at random: of ten, seven are the two before a request,
/// two a write of 20 items, one a saved state. Each is timed with what it takes
/// to have the session.
fn serve<H: Host>(mut thread: Thread<H>, seed: u64) -> Result<Thread<H>> {
    let inputs = input::usual();
    let mut random = seed;
    let (start, begin) = (ThreadTime::try_now()?, Instant::now());
    while begin.elapsed() < TIME {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let at = (random >> 33) as usize % (SESSIONS / THREADS);
        let host = &mut thread.host;
        thread.turns.push(once(|| {
            let session = host.session(at)?;
            match (random >> 60) % 10 {
                0..7 => {
                    black_box(session.pending_history_appends()?);
                    session.on_request()?;
                }
                7 => write(session, inputs.first().map_or("", String::as_str))?,
                8 => write(session, inputs.last().map_or("", String::as_str))?,
                _ => drop(black_box(session.save_state()?)),
            }
            Ok(())
        })?);
    }
    thread.serving = start.try_elapsed()?;
    Ok(thread)
}

fn write(session: &mut Session, input: &str) -> Result<()> {
    black_box(session.todo_write(input)?.map_err(|e| e.message)?);
    Ok(())
}

/// Holds every session in memory.
struct AllLive {
    plugin: Plugin,
    sessions: Vec<Session>,
}

impl Host for AllLive {
    fn new(plugin: Plugin, sessions: usize) -> Result<AllLive> {
        Ok(AllLive {
            plugin,
            sessions: Vec::with_capacity(sessions),
        })
    }

    fn session(&mut self, at: usize) -> Result<&mut Session> {
        if at == self.sessions.len() {
            self.sessions.push(self.plugin.session(&Policy::default())?);
        }
        Ok(self.sessions.get_mut(at).ok_or("no such session")?)
    }
}

/// Holds the sessions that were called last, and the saved state of the others,
/// as a service would in a store that all its machines share.
struct Evicting {
    plugin: Plugin,
    places: Vec<Place>,
    /// The live ones, the first that came first.
    live: VecDeque<usize>,
}

enum Place {
    New,
    Live(Box<Session>),
    Away(String),
}

impl Host for Evicting {
    fn new(plugin: Plugin, sessions: usize) -> Result<Evicting> {
        Ok(Evicting {
            plugin,
            places: (0..sessions).map(|_| Place::New).collect(),
            live: VecDeque::new(),
        })
    }

    fn session(&mut self, at: usize) -> Result<&mut Session> {
        if !matches!(self.places.get(at), Some(Place::Live(_))) {
            if self.live.len() == LIVE / THREADS {
                self.put_away()?;
            }
            let place = self.places.get_mut(at).ok_or("no such session")?;
            let policy = Policy::default();
            *place = Place::Live(Box::new(match place {
                Place::Away(state) => self.plugin.revive(&policy, Recovery::State(state))?,
                _ => self.plugin.session(&policy)?,
            }));
            self.live.push_back(at);
        }
        match self.places.get_mut(at) {
            Some(Place::Live(session)) => Ok(session),
            _ => Err("no such session".into()),
        }
    }
}

impl Evicting {
    /// Puts away the session that has been live longest.
    fn put_away(&mut self) -> Result<()> {
        let oldest = self.live.pop_front().ok_or("no session is live")?;
        let place = self.places.get_mut(oldest).ok_or("no such session")?;
        if let Place::Live(session) = place {
            *place = Place::Away(session.save_state()?);
        }
        Ok(())
    }
}

impl Display for Scale {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut table = Table::new([
            "10,000 sessions of 20 items, 2 threads",
            "made a second",
            "turns a second",
            "median",
            "99 %",
            "worst",
            "memory each",
        ]);
        for (what, load) in [
            ("all live", &self.all_live),
            ("500 live, the others saved state", &self.evicting),
        ] {
            let [median, most, worst] = load.latency.map(time);
            let memory = load
                .kib_each
                .map_or("-".to_owned(), |kib| format!("{kib:.1} KiB"));
            let (made, turns) = (count(load.made), count(load.turns));
            table.row([what.to_owned(), made, turns, median, most, worst, memory]);
        }
        write!(f, "Scale\n\n{table}")
    }
}

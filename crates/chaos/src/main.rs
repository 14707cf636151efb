//! `chaos`: runs lives of every system until a number of faults was simulated. `cargo xtask chaos` calls it.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it talks to the developer")]

use forebay_chaos::{Coverage, Life, SYSTEMS, System, system};
use forebay_clock::{Clock as _, MonotonicClock};
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

const USAGE: &str = "usage: chaos [--seed N] [--faults N] [--system NAME [--lives N]]
  --seed N       the seed of the first life; the others follow (1)
  --faults N     how many faults are simulated at least, in rounds of all systems (1,000,000)
  --system NAME  this one alone
  --lives N      so many lives of it; without --faults one, which repeats a seed";

/// The time between lines about progress.
const EVERY: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(asked) = Asked::read(&words) else {
        let names: Vec<&str> = SYSTEMS.iter().map(|system| system.name).collect();
        eprintln!("{USAGE}\nsystems: {}", names.join(", "));
        return ExitCode::from(2);
    };
    match asked.run() {
        Ok(seen) => {
            report(&seen);
            ExitCode::SUCCESS
        }
        Err(Broken { system, seed }) => {
            eprintln!("{system} breaks a promise; repeat it with `cargo xtask chaos --system {system} --seed {seed}`");
            ExitCode::FAILURE
        }
    }
}

/// The options of the command line.
struct Asked {
    seed: u64,
    faults: u64,
    systems: Vec<&'static System>,
    lives: Option<u64>,
}

/// A system that broke a promise in the life of a seed.
struct Broken {
    system: &'static str,
    seed: u64,
}

/// The coverage of a system.
struct Seen {
    system: &'static System,
    lives: u64,
    coverage: Coverage,
}

impl Asked {
    fn read(words: &[String]) -> Option<Self> {
        let mut asked = Self { seed: 1, faults: 1_000_000, systems: SYSTEMS.iter().collect(), lives: None };
        let mut words = words.iter();
        let (mut faults, mut is_one) = (false, false);
        while let Some(word) = words.next() {
            let value = words.next()?;
            match word.as_str() {
                "--seed" => asked.seed = value.parse().ok()?,
                "--faults" => (asked.faults, faults) = (value.parse().ok()?, true),
                "--lives" => asked.lives = Some(value.parse().ok()?),
                "--system" => {
                    SYSTEMS.iter().find(|system| system.name == value)?;
                    (asked.systems, is_one) = (vec![system(value)], true);
                }
                _ => return None,
            }
        }
        if is_one && !faults {
            asked.lives = asked.lives.or(Some(1));
        }
        Some(asked)
    }

    /// Runs rounds of all systems.
    fn run(&self) -> Result<Vec<Seen>, Broken> {
        let clock = MonotonicClock::start();
        let mut seen: Vec<Seen> =
            self.systems.iter().map(|&system| Seen { system, lives: 0, coverage: Coverage::default() }).collect();
        let mut said = clock.now();
        loop {
            for own in &mut seen {
                let lives = self.lives.unwrap_or(own.system.lives);
                own.coverage.add(&self.lives(own.system, self.seed + own.lives, lives)?);
                own.lives += lives;
            }
            let faults: u64 = seen.iter().map(|own| own.coverage.faults()).sum();
            if self.lives.is_some() || faults >= self.faults {
                return Ok(seen);
            }
            if clock.now() >= said + EVERY {
                said = clock.now();
                eprintln!("{faults} of {} faults after {} s", self.faults, said.as_secs());
            }
        }
    }

    /// Runs lives of a system, on all cores.
    fn lives(&self, system: &'static System, first: u64, lives: u64) -> Result<Coverage, Broken> {
        let (next, is_broken) = (AtomicU64::new(first), AtomicBool::new(false));
        let all = Mutex::new((Coverage::default(), None));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut coverage = Coverage::default();
                    while !is_broken.load(Ordering::SeqCst) {
                        let seed = next.fetch_add(1, Ordering::SeqCst);
                        if seed >= first + lives {
                            break;
                        }
                        let Ok(own) = catch_unwind(|| system.live(&Life { seed, planted: None })) else {
                            is_broken.store(true, Ordering::SeqCst);
                            lock(&all).1 = Some(seed);
                            return;
                        };
                        coverage.add(&own);
                    }
                    lock(&all).0.add(&coverage);
                });
            }
        });
        let (coverage, broken) = all.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        broken.map_or(Ok(coverage), |seed| Err(Broken { system: system.name, seed }))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Prints a line for each system and each site.
fn report(seen: &[Seen]) {
    for Seen { system, lives, coverage } in seen {
        let (reachable, missed) = (coverage.reachable(), coverage.missed().count());
        println!(
            "{}: {} faults in {lives} lives; {} of {reachable} pairs of a call and a fault",
            system.name,
            coverage.faults(),
            reachable - missed
        );
        coverage.by_site().iter().for_each(|(site, times)| println!("  {times:9} {site}"));
        coverage.missed().for_each(|(site, fault)| println!("  never: {site}: {fault}"));
    }
    let all: u64 = seen.iter().map(|own| own.coverage.faults()).sum();
    println!("{all} faults, and every promise held");
}

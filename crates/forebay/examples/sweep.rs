//! Runs a sweep on two threads, shows its progress, and cancels it after a time.
//!
//! `cargo run --release -p forebay --example sweep -- docs/studies/web-search.toml 10`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use forebay::{Changes, Observer, Question, Session, Unit};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Prints each whole percent, and stops the run at a moment.
struct Watch {
    stop_at: Instant,
    total: AtomicU64,
    shown: AtomicU64,
}

impl Observer for Watch {
    fn goes_on(&self) -> bool {
        Instant::now() < self.stop_at
    }

    fn begin(&self, _: Unit, total: Option<u64>) {
        self.total.store(total.unwrap_or(0), Relaxed);
    }

    fn advance(&self, done: u64) {
        let percent = 100 * done / self.total.load(Relaxed).max(1);
        if self.shown.fetch_max(percent, Relaxed) < percent {
            eprintln!("{percent} %");
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [scenario, seconds] = &std::env::args().skip(1).collect::<Vec<_>>()[..] else {
        return Err("usage: sweep SCENARIO SECONDS".into());
    };
    let stop_at = Instant::now() + Duration::from_secs(seconds.parse()?);
    let watch = Watch { stop_at, total: AtomicU64::new(0), shown: AtomicU64::new(0) };
    let question = Question::read(Path::new(scenario), &Changes::default())?;
    let answer = question.run(&Session::watched_by(&watch).threads(NonZeroU16::MIN.saturating_add(1)))?;
    println!("{}", answer.table());
    Ok(())
}

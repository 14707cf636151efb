//! Runs a sweep on two threads, shows its progress, and cancels it after some seconds.
//!
//! `cargo run --release -p forebay --example sweep -- docs/studies/web-search.toml 10`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use forebay::{Changes, Observer, Question, Session, Unit};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Shows how much of the work is done, and stops the run at a moment.
struct Watch {
    stop_at: Instant,
    total: AtomicU64,
}

impl Observer for Watch {
    fn goes_on(&self) -> bool {
        Instant::now() < self.stop_at
    }

    fn begin(&self, _: Unit, total: Option<u64>) {
        self.total.store(total.unwrap_or(u64::MAX), Relaxed);
    }

    fn advance(&self, done: u64) {
        eprint!("\r{:3.0} %", 100.0 * done as f64 / self.total.load(Relaxed) as f64);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [scenario, seconds] = &std::env::args().skip(1).collect::<Vec<_>>()[..] else {
        return Err("usage: sweep SCENARIO SECONDS".into());
    };
    let watch = Watch { stop_at: Instant::now() + Duration::from_secs(seconds.parse()?), total: AtomicU64::new(0) };
    let question = Question::read(scenario.as_ref(), &Changes::default())?;
    let answer = question.run(&Session::watched_by(&watch).threads(2_u16.try_into()?))?;
    println!("\n{}", answer.table());
    Ok(())
}

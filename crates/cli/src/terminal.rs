//! The terminal as an observer: Ctrl-C stops a run, a bar shows how far it is, warnings go to standard error.

use crate::{interrupt, memory, note, warn};
use forebay::{Observer, Unit};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The terminal of this process.
pub(crate) static TERMINAL: Terminal = Terminal { bar: Mutex::new(None), lines: Mutex::new(None) };

/// Shows one piece of work at a time.
pub(crate) struct Terminal {
    bar: Mutex<Option<ProgressBar>>,
    /// Lines in place of the bar, if standard error is no terminal.
    lines: Mutex<Option<Lines>>,
}

/// Lines that report the progress of a piece of work now and then.
struct Lines {
    unit: Unit,
    total: Option<u64>,
    began: Instant,
    said: Instant,
}

/// Time between two lines.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

impl Lines {
    /// The line to print now, if it is time for one.
    fn line(&mut self, done: u64) -> Option<String> {
        if self.said.elapsed() < BETWEEN_LINES {
            return None;
        }
        self.said = Instant::now();
        let what = match self.unit {
            Unit::Packets => "of the packets",
            Unit::Requests => "of the requests",
            Unit::SimulatedNanoseconds => "of the simulated time",
            Unit::Steps => "of the steps",
        };
        let elapsed = self.began.elapsed().as_secs_f64();
        Some(match self.total.filter(|total| *total > 0) {
            Some(total) => {
                let share = done as f64 / total as f64;
                let left =
                    if share > 0.0 { format!(", {:.0} s left", elapsed * (1.0 / share - 1.0)) } else { String::new() };
                format!("after {elapsed:.0} s: {:.0} % {what}{left}", share * 100.0)
            }
            None => format!("after {elapsed:.0} s: {done} {}", what.trim_start_matches("of the ")),
        })
    }
}

impl Terminal {
    fn bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Terminal {
    fn goes_on(&self) -> bool {
        !interrupt::requested() && !memory::is_exceeded()
    }

    fn begin(&self, unit: Unit, total: Option<u64>) {
        if !std::io::stderr().is_terminal() {
            let now = Instant::now();
            *self.lines.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(Lines { unit, total, began: now, said: now });
        }
        let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let style = ProgressStyle::with_template(template(unit));
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_draw_target(ProgressDrawTarget::stderr());
        *self.bar() = Some(bar);
    }

    fn advance(&self, done: u64) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines.as_mut().and_then(|lines| lines.line(done)) {
            note(&line);
        }
        drop(lines);
        if let Some(bar) = &*self.bar() {
            bar.set_position(done);
        }
    }

    fn describe(&self, what: &str) {
        if let Some(bar) = &*self.bar() {
            bar.set_message(what.to_owned());
        }
    }

    fn end(&self) {
        *self.lines.lock().unwrap_or_else(PoisonError::into_inner) = None;
        if let Some(bar) = self.bar().take() {
            bar.finish_and_clear();
        }
    }

    fn note(&self, text: &str) {
        note(text);
    }

    fn warn(&self, warning: &str) {
        warn(warning);
    }
}

/// The template of the bar for a piece of work.
fn template(unit: Unit) -> &'static str {
    match unit {
        Unit::Packets => "{wide_bar} {human_pos} of {human_len} packets, {eta} left",
        Unit::Requests => "{spinner} {human_pos} requests, {per_sec}",
        Unit::SimulatedNanoseconds => "{wide_bar} {percent} % of the simulated time, {eta} left",
        Unit::Steps => "{bar:20} {pos}/{len}, {eta} left; {wide_msg}",
    }
}

//! The terminal as an observer: Ctrl-C stops a run, a bar shows how far it is, warnings go to standard error.

use crate::{interrupt, note, warn};
use forebay::{Observer, Unit};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The terminal of this process.
pub(crate) static TERMINAL: Terminal = Terminal { bar: Mutex::new(None) };

/// Shows one piece of work at a time.
pub(crate) struct Terminal {
    bar: Mutex<Option<ProgressBar>>,
}

impl Terminal {
    fn bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Terminal {
    fn goes_on(&self) -> bool {
        !interrupt::requested()
    }

    fn begin(&self, unit: Unit, total: Option<u64>) {
        let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let style = ProgressStyle::with_template(template(unit));
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_draw_target(ProgressDrawTarget::stderr());
        *self.bar() = Some(bar);
    }

    fn advance(&self, done: u64) {
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

/// What the bar of a piece of work shows.
fn template(unit: Unit) -> &'static str {
    match unit {
        Unit::Packets => "{wide_bar} {human_pos} of {human_len} packets, {eta} left",
        Unit::Requests => "{spinner} {human_pos} requests, {per_sec}",
        Unit::SimulatedNanoseconds => "{wide_bar} {percent} % of the simulated time, {eta} left",
        Unit::Steps => "{bar:20} {pos}/{len}, {eta} left; {wide_msg}",
    }
}

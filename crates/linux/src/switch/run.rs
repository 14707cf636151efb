//! Runs a switch until it is asked to stop.

use crate::switch::Switch;
use crate::switch::control::Control;
use crate::switch::interface::News;
use crate::switch::stats::Stats;
use forebay_clock::Clock;
use forebay_core::{Duration, Time};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io;

/// The longest time between two checks of whether the switch should stop.
const LOOK_EVERY: Duration = Duration::from_ms(50);

/// The time between two checks of the interfaces.
const LOOK_AT_LINKS_EVERY: Duration = Duration::from_ms(100);

/// When and how the switch stops.
pub struct Stopping<'a> {
    /// Returns whether the switch should stop.
    pub asked: &'a dyn Fn() -> bool,
    /// How long queued packets may still be sent after that.
    pub drain_for: Duration,
}

/// The final state of a switch that has stopped.
#[derive(Debug)]
pub struct Ended {
    /// The number of frames that were queued when the switch was asked to stop.
    pub waited: usize,
    /// All counters.
    pub stats: Stats,
    /// Why the recording of sent frames ended early, if it did.
    pub tap_error: Option<String>,
}

/// The messages of a running switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The interface of this port has changed.
    Link(String, News),
    /// The switch begins to stop, while this number of frames is queued.
    Stops(usize),
}

/// Runs a switch, and reports events to `said`.
///
/// # Errors
/// If the system cannot wait for events.
pub fn run(
    switch: &mut Switch,
    mut control: Option<Control>,
    clock: &impl Clock,
    stopping: &Stopping<'_>,
    said: &mut dyn FnMut(Event),
) -> io::Result<Ended> {
    let now = || Time::from_ns(clock.nanoseconds());
    let mut is_asked = false;
    let mut look_at = Time::ZERO;
    while !is_asked && !(stopping.asked)() {
        if now() >= look_at {
            switch.look().into_iter().for_each(|(port, news)| said(Event::Link(port, news)));
            look_at = now() + LOOK_AT_LINKS_EVERY;
        }
        let more = switch.receive(now());
        switch.send(now());
        let is_busy = more || control.as_ref().is_some_and(|control| control.has_requests(now()));
        let left = if is_busy { Duration::ZERO } else { time_left(switch, now()) };
        if wait(switch, control.as_ref(), left, &now)?
            && let Some(control) = &mut control
        {
            is_asked = control.serve(switch, now());
        }
    }
    if let Some(control) = &mut control {
        control.give_up(now());
    }
    let waited = switch.waiting();
    said(Event::Stops(waited));
    let end = now() + stopping.drain_for;
    while switch.waiting() > 0 && now() < end {
        switch.send(now());
        let left = time_left(switch, now()).min(end.since(now()));
        sleep(&mut [], left)?;
    }
    switch.stop();
    let tap_error = switch.flush().map(str::to_owned);
    Ok(Ended { waited, stats: switch.stats(), tap_error })
}

/// Returns the time in which the switch can only receive.
fn time_left(switch: &Switch, now: Time) -> Duration {
    switch.next_wakeup().map_or(LOOK_EVERY, |time| time.since(now)).min(LOOK_EVERY)
}

/// Waits for frames and clients. Returns whether the control socket has work.
fn wait(switch: &mut Switch, control: Option<&Control>, left: Duration, now: &impl Fn() -> Time) -> io::Result<bool> {
    let wakers = switch.wakers();
    let ports = wakers.len();
    let mut all: Vec<PollFd<'_>> = wakers.iter().map(|waker| PollFd::new(waker, PollFlags::IN)).collect();
    if let Some(control) = control {
        control.wakers(&mut all);
    }
    sleep(&mut all, left)?;
    let trouble = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
    let is_troubled = all[..ports].iter().any(|waker| waker.revents().intersects(trouble));
    let has_clients = all[ports..].iter().any(|waker| !waker.revents().is_empty())
        || control.is_some_and(|control| control.has_requests(now()));
    drop(all);
    drop(wakers);
    if is_troubled {
        switch.clear_trouble();
    }
    Ok(has_clients)
}

fn sleep(all: &mut [PollFd<'_>], left: Duration) -> io::Result<()> {
    let ns = i64::try_from(left.as_ns()).expect("64 bits of picoseconds are fewer nanoseconds");
    let left = Timespec { tv_sec: ns / 1_000_000_000, tv_nsec: ns % 1_000_000_000 };
    match poll(all, Some(&left)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

//! Limit of the program's memory: `--memory`, or the spare memory of the machine at the start. A run that surely needs
//! more is rejected. The program also watches its memory during a run, and ends the run before the machine has none
//! left.

use crate::interrupt;
use forebay::error::UserError;
use forebay::run::readable_bytes;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// Time between two checks of the program's memory.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Time that a run has to stop by itself after it exceeded the limit.
const TIME_TO_STOP: Duration = Duration::from_secs(3);
/// Factor by which the program may exceed the limit meanwhile.
const MOST_OVER: f64 = 1.1;

/// In bytes; the greatest number until the limit is known.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static EXCEEDED: OnceLock<Exceeded> = OnceLock::new();

/// The moment at which the program held too much.
#[derive(Debug, Clone, Copy)]
struct Exceeded {
    held: u64,
    after: Duration,
}

/// The limit in bytes, if it is known.
pub(crate) fn limit() -> Option<u64> {
    Some(LIMIT.load(Ordering::Relaxed)).filter(|limit| *limit < u64::MAX)
}

/// Sets the limit in bytes.
pub(crate) fn allow(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Whether the program exceeded the limit, so that the run should stop.
pub(crate) fn is_exceeded() -> bool {
    EXCEEDED.get().is_some()
}

/// The error for the user, if the program exceeded the limit.
pub(crate) fn error() -> Option<UserError> {
    let Exceeded { held, after } = EXCEEDED.get()?;
    let limit = limit().unwrap_or_default();
    Some(UserError::argument(
        "memory",
        format!(
            "after {:.0} s the program held {} of memory, and may hold {}: make the input smaller or use fewer `--threads`; with \
             `--out`, runs that were finished are kept",
            after.as_secs_f64(),
            readable_bytes(*held as f64),
            readable_bytes(limit as f64)
        ),
    ))
}

/// Watches the program's memory from now on. The limit is the spare memory of the machine now, unless [`allow`] sets
/// another one. If the system does not report the program's memory, nothing is watched.
pub(crate) fn watch() {
    let start = Instant::now();
    let (Ok(mut system), Ok(own)) = (System::new(), get_current_pid()) else { return };
    if let Some(spare) = spare(&mut system) {
        allow(spare);
    }
    let look = move || {
        loop {
            std::thread::sleep(LOOK_EVERY);
            let held = held(&mut system, own);
            let limit = LIMIT.load(Ordering::Relaxed);
            if held > limit {
                EXCEEDED.get_or_init(|| Exceeded { held, after: start.elapsed() });
            }
            let Some(first) = EXCEEDED.get() else { continue };
            if start.elapsed() > first.after + TIME_TO_STOP || held as f64 > limit as f64 * MOST_OVER {
                end();
            }
        }
    };
    // If no thread can be started, the run goes on unwatched.
    let _unwatched = std::thread::Builder::new().name("memory".to_owned()).spawn(look);
}

/// Ends the program, since the run does not stop by itself.
fn end() -> ! {
    if let Some(error) = error() {
        crate::say_error(&error);
    }
    interrupt::end(crate::WRONG)
}

/// The spare memory of the machine or of the container.
fn spare(system: &mut System) -> Option<u64> {
    system.refresh_memory();
    let of_machine = system.available_memory();
    let of_container = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    Some(of_machine.min(of_container)).filter(|bytes| *bytes > 0)
}

/// The memory that the program holds now.
fn held(system: &mut System, own: Pid) -> u64 {
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[own]),
        false,
        ProcessRefreshKind::nothing().with_memory(),
    );
    system.process(own).map_or(0, sysinfo::Process::memory)
}

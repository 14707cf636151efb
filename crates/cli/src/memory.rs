//! How much memory the program may hold: `--memory`, or what the machine has to spare when it starts. A run is refused if it surely
//! needs more; what only shows on the way is watched, and ends the run before the machine has nothing left.

use crate::interrupt;
use forebay::error::UserError;
use forebay::run::readable_bytes;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// How often the program looks at what it holds.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long a run has, after it went over the limit, to stop by itself.
const TIME_TO_STOP: Duration = Duration::from_secs(3);
/// How far it may go over the limit meanwhile.
const MOST_OVER: f64 = 1.1;

/// In bytes; as many as there can be until something is known.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static EXCEEDED: OnceLock<Exceeded> = OnceLock::new();

/// The moment at which the program held too much.
#[derive(Debug, Clone, Copy)]
struct Exceeded {
    held: u64,
    after: Duration,
}

/// What the program may hold, if that is known.
pub(crate) fn limit() -> Option<u64> {
    Some(LIMIT.load(Ordering::Relaxed)).filter(|limit| *limit < u64::MAX)
}

/// The program may hold so many bytes.
pub(crate) fn allow(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Whether the program held more than it may, so that what runs is to stop.
pub(crate) fn is_exceeded() -> bool {
    EXCEEDED.get().is_some()
}

/// What to tell whoever asked for more than there is.
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

/// Watches from now on that the program holds no more than it may: what the machine has to spare now, unless it is
/// [allowed](allow) something else. Where the system does not say what it holds, nobody watches.
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
    // Without a thread to spare nobody watches, and the run goes on.
    let _unwatched = std::thread::Builder::new().name("memory".to_owned()).spawn(look);
}

/// Ends the program, since what runs does not stop by itself.
fn end() -> ! {
    if let Some(error) = error() {
        crate::say_error(&error);
    }
    interrupt::end(crate::WRONG)
}

/// What the machine, or the container, has to spare.
fn spare(system: &mut System) -> Option<u64> {
    system.refresh_memory();
    let of_machine = system.available_memory();
    let of_container = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    Some(of_machine.min(of_container)).filter(|bytes| *bytes > 0)
}

/// What the program holds now.
fn held(system: &mut System, own: Pid) -> u64 {
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[own]),
        false,
        ProcessRefreshKind::nothing().with_memory(),
    );
    system.process(own).map_or(0, sysinfo::Process::memory)
}

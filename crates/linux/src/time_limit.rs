//! A time limit for a system call.
//!
//! The kernel's verifier gives up when its thread receives a signal, and libbpf retries a few times. So the thread is sent signals until
//! its call has ended.

#![expect(unsafe_code, reason = "a signal that interrupts a system call needs a handler")]

use nix::sys::pthread::{pthread_kill, pthread_self};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The signal; by default it does nothing.
const SIGNAL: Signal = Signal::SIGURG;

/// The time between signals after the limit.
const AGAIN: Duration = Duration::from_millis(10);

/// The lock for one thread at a time: the signal handler belongs to the process.
static ALONE: Mutex<()> = Mutex::new(());

extern "C" fn nothing(_: libc::c_int) {}

/// Runs `work`. Returns its result, and whether its system calls were interrupted since it exceeded the limit.
pub(crate) fn within<T>(limit: Duration, work: impl FnOnce() -> T) -> (T, bool) {
    let _alone = ALONE.lock();
    let action = SigAction::new(SigHandler::Handler(nothing), SaFlags::empty(), SigSet::empty());
    // SAFETY: the handler does nothing, so it may interrupt anything.
    let before = unsafe { sigaction(SIGNAL, &action) };
    let thread = pthread_self();
    let (ended, has_ended) = channel::<()>();
    let interrupted = AtomicBool::new(false);
    let was = &interrupted;
    let result = std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut wait = limit;
            while has_ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                was.store(true, Ordering::Relaxed);
                // The thread waits for this one, so it is there.
                let _ = pthread_kill(thread, SIGNAL);
                wait = AGAIN;
            }
        });
        let result = work();
        drop(ended);
        result
    });
    if let Ok(before) = before {
        // SAFETY: what was there before is put back.
        let _ = unsafe { sigaction(SIGNAL, &before) };
    }
    (result, interrupted.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::errno::Errno;
    use nix::poll::{PollTimeout, poll};

    #[test]
    fn a_call_that_takes_too_long_is_interrupted_and_no_other() {
        let wait = |milliseconds: u16| move || poll(&mut [], PollTimeout::from(milliseconds));
        assert_eq!(within(Duration::from_mins(1), wait(20)), (Ok(0), false));
        // It would be 60 s.
        assert_eq!(within(Duration::from_millis(20), wait(60_000)), (Err(Errno::EINTR), true));
        assert_eq!(within(Duration::from_mins(1), wait(20)), (Ok(0), false));
    }
}

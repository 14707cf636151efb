//! The CPU time of a thread.

use std::time::Duration;

/// The CPU time that the calling thread has used so far. A system call.
#[cfg(any(unix, windows))]
#[must_use]
pub fn thread_cpu() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}

/// The CPU time of the calling thread, or `None` if the system does not count it, as on WebAssembly.
#[must_use]
pub fn thread_cpu_if_counted() -> Option<Duration> {
    #[cfg(any(unix, windows))]
    return Some(thread_cpu());
    #[cfg(not(any(unix, windows)))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn work_takes_time_and_sleep_does_not() {
        let begin = thread_cpu();
        while thread_cpu() < begin + Duration::from_millis(2) {
            black_box(0);
        }
        let worked = thread_cpu();
        std::thread::sleep(Duration::from_millis(200));
        assert!(thread_cpu() - worked < Duration::from_millis(100));
    }
}

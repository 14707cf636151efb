//! What a thread has cost.

use cpu_time::ThreadTime;
use std::time::Duration;

/// The CPU time that the calling thread has used so far. A system call.
#[must_use]
pub fn thread_cpu() -> Duration {
    ThreadTime::now().as_duration()
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

//! The thread that runs jobs, one at a time, so that frames do not wait for a job.

use super::job::{Done, Job};
use forebay_core::{Duration, Time};
use rustix::event::{EventfdFlags, eventfd};
use rustix::process::setpriority_process;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// The longest time of a job. A job that takes longer is abandoned: the client gets an error, and the switch does not change.
pub const MOST_TIME: Duration = Duration::from_ms(8_000);
/// The niceness of the thread: the forwarding thread is preferred if both want a processor.
const NICENESS: i32 = 10;

/// Runs jobs on a thread.
pub(super) struct Preparing {
    /// A descriptor that becomes readable when a job is done.
    waker: Arc<OwnedFd>,
    running: Option<Running>,
}

/// A running job.
struct Running {
    /// The client that requested the job; `None` if the job was abandoned.
    client: Option<u64>,
    since: Time,
    given_up: Arc<AtomicBool>,
    done: Receiver<Done>,
}

/// The outcome of a job.
pub(super) enum JobOutcome {
    Done(Done),
    /// The job took too long.
    GivenUp,
    /// The job's thread panicked.
    Failed,
}

/// Wakes the switch when the thread ends, also by a panic.
struct Waking(Arc<OwnedFd>);

impl Drop for Waking {
    fn drop(&mut self) {
        // The counter cannot overflow: one job, one count.
        let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }
}

impl Preparing {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { waker: Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?), running: None })
    }

    pub(super) fn waker(&self) -> BorrowedFd<'_> {
        self.waker.as_fd()
    }

    /// Returns why no job can begin now; `None` if a job can begin.
    pub(super) fn is_busy(&self) -> Option<&'static str> {
        match self.running.as_ref()?.client {
            Some(_) => Some("another policy is being checked; try again when that request is answered"),
            None => Some("an earlier check took too long and has not ended yet; try again later"),
        }
    }

    /// Begins a job for a client. No job may be running.
    pub(super) fn begin(&mut self, now: Time, client: u64, job: Box<Job>) -> io::Result<()> {
        let (sender, done) = channel();
        let given_up = Arc::new(AtomicBool::new(false));
        let (is_given_up, waking) = (Arc::clone(&given_up), Waking(Arc::clone(&self.waker)));
        let work = move || {
            let _waking = waking;
            // Without it, the job only takes more of what the other thread wants.
            let _ = setpriority_process(None, NICENESS);
            let done = job.run();
            if !is_given_up.load(Ordering::Relaxed) {
                // If there is no receiver any more, the switch has ended.
                let _ = sender.send(done);
            }
        };
        std::thread::Builder::new().name("policy".to_owned()).spawn(work)?;
        self.running = Some(Running { client: Some(client), since: now, given_up, done });
        Ok(())
    }

    /// Whether the job has exceeded its time.
    pub(super) fn is_late(&self, now: Time) -> bool {
        self.running.as_ref().is_some_and(|running| running.client.is_some() && now.since(running.since) > MOST_TIME)
    }

    /// Returns the outcome of the job, if a client waits for it and the job has ended.
    pub(super) fn outcome(&mut self, now: Time) -> Option<(u64, JobOutcome)> {
        let late = self.is_late(now);
        let running = self.running.as_mut()?;
        let outcome = match running.done.try_recv() {
            Ok(done) => JobOutcome::Done(done),
            Err(TryRecvError::Disconnected) => JobOutcome::Failed,
            Err(TryRecvError::Empty) if late => {
                running.given_up.store(true, Ordering::Relaxed);
                return Some((running.client.take()?, JobOutcome::GivenUp));
            }
            Err(TryRecvError::Empty) => return None,
        };
        let client = running.client;
        self.running = None;
        // If it is not read, the next look finds nothing to do.
        let _ = rustix::io::read(&self.waker, &mut [0; 8]);
        Some((client?, outcome))
    }
}

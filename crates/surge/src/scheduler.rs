//! The scheduler behind its handles: the line of jobs, its lock, and the threads that wait for jobs.
//!
//! No code from outside runs while the lock is held, not even to drop a job: jobs that leave the line are returned to the caller. So the
//! code under the lock does not panic with half-changed state.

use crate::error::{PullError, Reason};
use crate::line::{Admission, Facts, Line, Waiting};
use crate::metrics::{Count, Counted, Metrics};
use crate::sync::{Condvar, Mutex, MutexGuard, lock, wait, wait_for};
use std::time::Duration;

/// The state that all handles of a scheduler share.
pub(crate) struct Scheduler<J> {
    state: Mutex<State<J>>,
    /// Signals that a job may start, or that no more jobs will arrive.
    ready: Condvar,
    /// Signals that no job waits and none is in service.
    idle: Condvar,
}

struct State<J> {
    line: Line<J>,
    closed: bool,
    in_service: usize,
    /// The number of threads that sleep until a job may start.
    pulling: usize,
    /// The number of threads that sleep until no job waits and none is in service.
    idling: usize,
    counted: Counted,
}

/// The facts about the end of a job's turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) end: End,
    /// The time spent in this turn.
    pub(crate) spent: Duration,
    /// The time from the submission to the last pull.
    pub(crate) waited: Duration,
    /// The time from the submission to the end.
    pub(crate) latency: Duration,
}

/// The reason why a turn ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The job is done.
    Done,
    /// Its worker panicked.
    Panicked,
    /// The job was given up, mostly before it was begun, since its result is no longer wanted.
    Cancelled,
}

impl<J> Scheduler<J> {
    pub(crate) fn new(line: Line<J>) -> Self {
        let state = State { line, closed: false, in_service: 0, pulling: 0, idling: 0, counted: Counted::default() };
        Self { state: Mutex::new(state), ready: Condvar::new(), idle: Condvar::new() }
    }

    /// Submits a new job.
    pub(crate) fn submit(&self, waiting: Waiting<J>) -> Admission<J> {
        let size = waiting.facts.size_bytes;
        let mut state = lock(&self.state);
        state.counted.submitted.add(size);
        let admission = if state.closed { Err((waiting, Reason::Closed)) } else { state.line.admit(waiting) };
        if admission.is_err() {
            state.counted.refused.add(size);
        }
        self.admitted(state, &admission);
        admission
    }

    /// Gives a job in service back unfinished. The limits hold for it as for other jobs, but it may return even after the scheduler was
    /// closed.
    pub(crate) fn requeue(&self, waiting: Waiting<J>, spent: Duration) -> Admission<J> {
        let size = waiting.facts.size_bytes;
        let mut state = lock(&self.state);
        state.counted.requeued += 1;
        state.counted.work_spent = state.counted.work_spent.saturating_add(spent);
        state.in_service -= 1;
        let admission = state.line.put_back(waiting);
        if admission.is_err() {
            state.counted.evicted.add(size);
        }
        self.admitted(state, &admission);
        admission
    }

    fn admitted(&self, mut state: MutexGuard<'_, State<J>>, admission: &Admission<J>) {
        if let Ok(victims) = admission {
            for victim in victims {
                state.counted.evicted.add(victim.facts.size_bytes);
            }
        }
        self.wake_one(&state);
        self.wake_idle(&state);
    }

    fn wake_one(&self, state: &State<J>) {
        if state.pulling > 0 && state.line.may_start() {
            self.ready.notify_one();
        }
    }

    /// Wakes the threads that pull if no more jobs will arrive, and the threads that wait for the end if all jobs have ended.
    fn wake_idle(&self, state: &State<J>) {
        if state.line.len() == 0 {
            if state.closed && state.pulling > 0 {
                self.ready.notify_all();
            }
            if state.in_service == 0 && state.idling > 0 {
                self.idle.notify_all();
            }
        }
    }

    /// Removes and returns the best job that may start, if fewer than `most` are in service.
    pub(crate) fn try_take(&self, most: usize) -> Result<Waiting<J>, PullError> {
        let mut state = lock(&self.state);
        if state.in_service >= most {
            return Err(PullError::Empty);
        }
        self.take_from(&mut state)
    }

    fn take_from(&self, state: &mut State<J>) -> Result<Waiting<J>, PullError> {
        match state.line.take() {
            Some(waiting) => {
                state.in_service += 1;
                self.wake_idle(state);
                Ok(waiting)
            }
            None if state.closed && state.line.len() == 0 => Err(PullError::Closed),
            None => Err(PullError::Empty),
        }
    }

    /// Removes and returns the best job; sleeps until there is one.
    pub(crate) fn take(&self) -> Option<Waiting<J>> {
        let mut state = lock(&self.state);
        loop {
            match self.take_from(&mut state) {
                Ok(waiting) => return Some(waiting),
                Err(PullError::Closed) => return None,
                Err(PullError::Empty) => {
                    state.pulling += 1;
                    state = wait(&self.ready, state);
                    state.pulling -= 1;
                }
            }
        }
    }

    /// Removes and returns the best job; sleeps until there is one, but at most for the time that `left` returns.
    pub(crate) fn take_within(&self, left: impl Fn() -> Option<Duration>) -> Result<Waiting<J>, PullError> {
        let mut state = lock(&self.state);
        loop {
            let found = self.take_from(&mut state);
            if !matches!(found, Err(PullError::Empty)) {
                return found;
            }
            let Some(left) = left() else { return found };
            state.pulling += 1;
            state = wait_for(&self.ready, state, left);
            state.pulling -= 1;
        }
    }

    /// Ends the turn of a job in service, and the job itself.
    pub(crate) fn finish(&self, facts: &Facts, turn: &Turn) {
        let mut state = lock(&self.state);
        state.in_service -= 1;
        state.counted.end(facts, turn);
        state.line.release(facts.flow);
        self.wake_one(&state);
        self.wake_idle(&state);
    }

    /// Admits no more jobs.
    pub(crate) fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        self.wake_idle(&state);
    }

    /// Removes and returns all waiting jobs.
    pub(crate) fn drain(&self) -> Vec<Waiting<J>> {
        let mut state = lock(&self.state);
        let drained = state.line.drain();
        for waiting in &drained {
            state.counted.drained.add(waiting.facts.size_bytes);
        }
        self.wake_idle(&state);
        drained
    }

    /// Sleeps until no job waits and none is in service.
    pub(crate) fn wait_idle(&self) {
        let mut state = lock(&self.state);
        while state.line.len() > 0 || state.in_service > 0 {
            state.idling += 1;
            state = wait(&self.idle, state);
            state.idling -= 1;
        }
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.state).line.len()
    }

    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.state).closed
    }

    pub(crate) fn metrics(&self) -> Metrics {
        let state = lock(&self.state);
        let counted = state.counted.clone();
        let queued = Count { jobs: state.line.len() as u64, bytes: state.line.bytes() };
        let in_service = state.in_service as u64;
        drop(state);
        counted.metrics(queued, in_service)
    }
}

#[cfg(test)]
mod tests;

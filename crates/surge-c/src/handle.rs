//! A scheduler of a program in C: jobs are addresses that only the program looks at.

use crate::records::{Counts, SchedulerOptions, Served};
use crate::status::Status;
use forebay_core::convert;
use forebay_surge::{
    MeanPerByte, Measure, MedianPerByte, Policy, PullError, Reason, Refused, Surge, Task, Ticket, WorstPerByte,
};
use std::collections::{HashMap, VecDeque};
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A job: the program's name for it, and the features that tell its cost.
#[derive(Debug)]
pub(crate) struct Job {
    /// An address of C, which nothing here looks at.
    address: usize,
    features: Vec<u32>,
}

impl Job {
    pub(crate) fn new(address: *mut c_void, features: Vec<u32>) -> Self {
        Self { address: address.expose_provenance(), features }
    }

    fn address(&self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.address)
    }
}

/// Jobs in service, by the numbers of their tickets.
#[derive(Default)]
struct InService {
    last: u64,
    tickets: HashMap<u64, (Job, Ticket<Job>)>,
}

/// A scheduler.
pub(crate) struct Handle {
    surge: Surge<Job>,
    in_service: Mutex<InService>,
    /// Jobs that were dropped for better ones, which the program has not taken yet.
    dropped: Mutex<VecDeque<Job>>,
}

/// How a job ends.
#[derive(Debug, Clone)]
pub(crate) enum End {
    /// It is done; without a time, the cost is the measured one.
    Done(Option<Duration>),
    /// It is done, and single features have cost this.
    Parts(Vec<(u32, Duration)>),
    /// Its result is no longer wanted.
    Cancelled,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn features(job: &Job, features: &mut Vec<u32>) {
    features.extend_from_slice(&job.features);
}

fn nanoseconds(time: Duration) -> u64 {
    convert::saturate(time.as_nanos())
}

impl Handle {
    /// A scheduler with these options.
    pub(crate) fn new(options: &SchedulerOptions) -> Result<Self, Status> {
        if options.struct_bytes as usize != size_of::<SchedulerOptions>() {
            return Err(Status::Invalid);
        }
        let jobs = usize::try_from(options.jobs).map_err(|_| Status::Invalid)?;
        let mut builder = Surge::builder(jobs);
        builder = match options.policy {
            0 => builder.policy(Policy::Wsjf),
            1 => builder.policy(Policy::Sjf),
            2 => builder.policy(Policy::Fcfs),
            _ => return Err(Status::Invalid),
        };
        builder = match options.estimator {
            0 => builder,
            1 => builder.estimator(WorstPerByte::new(features)),
            2 => builder.estimator(MedianPerByte::new(features)),
            3 => builder.estimator(MeanPerByte::new(features)),
            _ => return Err(Status::Invalid),
        };
        builder = match options.measure {
            0 => builder.measure(Measure::ThreadCpu),
            1 => builder.measure(Measure::Wall),
            _ => return Err(Status::Invalid),
        };
        if options.bytes > 0 {
            builder = builder.bytes(options.bytes);
        }
        if options.in_order > 0 {
            builder = builder.in_order(usize::try_from(options.in_order).map_err(|_| Status::Invalid)?);
        }
        let surge = builder.build().map_err(|_| Status::Invalid)?;
        Ok(Self { surge, in_service: Mutex::default(), dropped: Mutex::default() })
    }

    /// Hands in a job. Returns how many are dropped for it, or why it is not admitted.
    pub(crate) fn submit(&self, job: Job, flow: u64, size_bytes: u64, estimate: Duration) -> Result<u64, Status> {
        self.admitted(self.surge.submit(job, flow, size_bytes, estimate))
    }

    fn admitted(&self, admission: Result<Vec<Job>, Refused<Job>>) -> Result<u64, Status> {
        match admission {
            Ok(victims) => {
                let count = victims.len() as u64;
                if count > 0 {
                    lock(&self.dropped).extend(victims);
                }
                Ok(count)
            }
            Err(Refused { reason: Reason::Worst, .. }) => Err(Status::Worst),
            Err(Refused { reason: Reason::TooLarge, .. }) => Err(Status::TooLarge),
            Err(Refused { reason: Reason::Closed, .. }) => Err(Status::Closed),
        }
    }

    /// A job that was dropped for a better one.
    pub(crate) fn take_dropped(&self) -> Result<*mut c_void, Status> {
        lock(&self.dropped).pop_front().map(|job| job.address()).ok_or(Status::Empty)
    }

    /// Takes the best job: at once, within a time, or `None`: however long that takes.
    pub(crate) fn pull(&self, within: Option<Duration>) -> Result<Served, Status> {
        let task = match within {
            None => self.surge.pull().ok_or(PullError::Closed),
            Some(Duration::ZERO) => self.surge.try_pull(),
            Some(time) => self.surge.pull_timeout(time),
        };
        match task {
            Ok(task) => Ok(self.serve(task)),
            Err(PullError::Empty) => Err(Status::Empty),
            Err(PullError::Closed) => Err(Status::Closed),
        }
    }

    fn serve(&self, Task { job, ticket }: Task<Job>) -> Served {
        let mut in_service = lock(&self.in_service);
        in_service.last += 1;
        let served = Served {
            job: job.address(),
            ticket: in_service.last,
            flow: ticket.flow(),
            size_bytes: ticket.size_bytes(),
            estimate_ns: nanoseconds(ticket.estimate()),
            spent_before_ns: nanoseconds(ticket.spent_before()),
        };
        in_service.tickets.insert(served.ticket, (job, ticket));
        served
    }

    fn ticket(&self, number: u64) -> Result<(Job, Ticket<Job>), Status> {
        lock(&self.in_service).tickets.remove(&number).ok_or(Status::NoTicket)
    }

    /// A job in service ends.
    pub(crate) fn end(&self, ticket: u64, end: End) -> Result<(), Status> {
        let (_, ticket) = self.ticket(ticket)?;
        match end {
            End::Done(None) => ticket.finish(),
            End::Done(Some(spent)) => ticket.finish_with(spent),
            End::Parts(parts) => ticket.finish_parts(&parts),
            End::Cancelled => ticket.cancel(),
        }
        Ok(())
    }

    /// A job in service goes back unfinished. Returns how many are dropped for it, or why it is dropped itself.
    pub(crate) fn requeue(&self, ticket: u64, spent: Option<Duration>) -> Result<u64, Status> {
        let (job, ticket) = self.ticket(ticket)?;
        self.admitted(match spent {
            None => ticket.requeue(job),
            Some(spent) => ticket.requeue_with(job, spent),
        })
    }

    pub(crate) fn close(&self) {
        self.surge.close();
    }

    /// Takes out all waiting jobs, which can then be taken as dropped ones. Returns their number.
    pub(crate) fn drain(&self) -> u64 {
        let drained = self.surge.drain();
        let count = drained.len() as u64;
        lock(&self.dropped).extend(drained);
        count
    }

    /// Whether the program still has to take or end jobs.
    pub(crate) fn is_busy(&self) -> bool {
        !self.surge.is_empty() || !lock(&self.in_service).tickets.is_empty() || !lock(&self.dropped).is_empty()
    }

    pub(crate) fn counts(&self) -> Counts {
        let all = self.surge.metrics();
        Counts {
            submitted: all.submitted.jobs,
            refused: all.refused.jobs,
            evicted: all.evicted.jobs,
            drained: all.drained.jobs,
            done: all.done.jobs,
            cancelled: all.cancelled.jobs,
            queued: all.queued.jobs,
            in_service: all.in_service,
            requeued: all.requeued,
            submitted_bytes: all.submitted.bytes,
            done_bytes: all.done.bytes,
            work_spent_ns: nanoseconds(all.work_spent),
            worst_underestimate_ns: nanoseconds(all.worst_underestimate),
            latency_p99_ns: nanoseconds(all.latencies.p99),
        }
    }
}

//! The structs that C and Rust share.

use std::ffi::c_void;

/// The settings of a scheduler. `struct forebay_surge_options` in C.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct SchedulerOptions {
    /// The bytes of this struct, so that a later form can be told apart.
    pub struct_bytes: u32,
    /// The order in which jobs leave: 0 least work per byte, 1 least work, 2 first come.
    pub policy: u32,
    /// The estimator of a job's cost. 0: the submitter. Otherwise, the cost per byte of jobs with the same features: 1
    /// at worst, 2 in the median, 3 on average.
    pub estimator: u32,
    /// How cost is measured: 0 the CPU time of the thread, 1 the clock's.
    pub measure: u32,
    /// Jobs that may wait, 1 to 67,108,864.
    pub jobs: u64,
    /// Bytes of jobs that may wait; 0: no limit.
    pub bytes: u64,
    /// Jobs of a flow stay in order, and at most this many jobs are in service; 0: no order within flows.
    pub in_order: u64,
}

/// A job in service. `struct forebay_surge_served` in C.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Served {
    /// As it was submitted.
    pub job: *mut c_void,
    /// Its number until it ends.
    pub ticket: u64,
    /// Its flow.
    pub flow: u64,
    /// Its size, at least 1.
    pub size_bytes: u64,
    /// Its estimated work, in nanoseconds.
    pub estimate_ns: u64,
    /// Its cost in earlier turns, in nanoseconds.
    pub spent_before_ns: u64,
}

/// The counts of a scheduler: `submitted` is the sum of `refused` to `in_service`. `struct forebay_surge_counts` in C.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Jobs that were submitted.
    pub submitted: u64,
    /// Jobs that were not admitted.
    pub refused: u64,
    /// Jobs that were dropped after they had been admitted.
    pub evicted: u64,
    /// Jobs that were drained.
    pub drained: u64,
    /// Jobs that are done.
    pub done: u64,
    /// Jobs that were cancelled.
    pub cancelled: u64,
    /// Jobs that wait.
    pub queued: u64,
    /// Jobs that were pulled and have not ended.
    pub in_service: u64,
    /// How often a job went back unfinished.
    pub requeued: u64,
    /// Bytes submitted.
    pub submitted_bytes: u64,
    /// Bytes of jobs that are done.
    pub done_bytes: u64,
    /// The work that was spent, in nanoseconds.
    pub work_spent_ns: u64,
    /// The greatest cost of a job beyond its estimate, in nanoseconds.
    pub worst_underestimate_ns: u64,
    /// 99 % of the jobs that ended were not longer in the scheduler and in service, in nanoseconds.
    pub latency_p99_ns: u64,
}

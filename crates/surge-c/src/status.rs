//! The status that calls return.

/// The status of a call: 0 or above is a result, below 0 a mistake of the caller. `forebay_surge_status` in C.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// No job may start now, or there is no dropped job to take.
    Empty = 1,
    /// The scheduler is closed and no job waits.
    Closed = 2,
    /// The job is not admitted: there is no room, and all waiting jobs are better.
    Worst = 3,
    /// The job is not admitted: it alone has more bytes than may wait.
    TooLarge = 4,
    /// A pointer is null that must not be.
    NullPointer = -1,
    /// No scheduler has this number.
    NoScheduler = -2,
    /// No job in service has this number.
    NoTicket = -3,
    /// An option is out of its range.
    Invalid = -4,
    /// Jobs wait, are in service, or were dropped and not taken yet.
    Busy = -5,
    /// The library has a bug; the call may have been done in part.
    Panicked = -6,
}

impl Status {
    /// Every status, with its text for people.
    pub(crate) const TEXTS: [(Self, &'static std::ffi::CStr); 11] = [
        (Self::Ok, c"done"),
        (Self::Empty, c"there is no such job now"),
        (Self::Closed, c"the scheduler is closed and nothing waits"),
        (Self::Worst, c"there is no room, and all waiting jobs are better"),
        (Self::TooLarge, c"the job has more bytes than may wait"),
        (Self::NullPointer, c"a pointer is null; give an address"),
        (Self::NoScheduler, c"no scheduler has this number; it was never created, or is destroyed"),
        (Self::NoTicket, c"no job in service has this number; it was never pulled, or has ended"),
        (
            Self::Invalid,
            c"an option is out of its range, or the struct has another size; begin with FOREBAY_SURGE_OPTIONS",
        ),
        (Self::Busy, c"jobs wait, are in service, or were dropped and not taken; drain, finish and take them first"),
        (Self::Panicked, c"the library has a bug; please report it"),
    ];
}

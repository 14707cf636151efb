//! The functions that C calls. Each returns a [`Status`], and changes nothing if that is below 0.

#![expect(unsafe_code, reason = "C calls these functions, and says where its structs are")]

use crate::guard::guarded;
use crate::handle::{End, Handle, Job};
use crate::pointers::{read, read_all, writable, write};
use crate::records::{Counts, SchedulerOptions, Served};
use crate::registry::Registry;
use crate::status::Status;
use std::ffi::{c_char, c_void};
use std::time::Duration;

static SCHEDULERS: Registry<Handle> = Registry::new(Status::NoScheduler);

/// A time that is not given: for ever, or the measured time.
const NOT_GIVEN: u64 = u64::MAX;

fn given(nanoseconds: u64) -> Option<Duration> {
    (nanoseconds != NOT_GIVEN).then(|| Duration::from_nanos(nanoseconds))
}

/// Makes a scheduler, and writes its number.
///
/// # Safety
/// Each address that is not null is that of such a struct or number, which no other thread uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn forebay_surge_create(options: *const SchedulerOptions, scheduler: *mut u64) -> i32 {
    guarded(|| {
        writable(scheduler)?;
        // SAFETY: as the caller of this function vouches.
        let options = unsafe { read(options) }?;
        let number = SCHEDULERS.add(Handle::new(&options)?);
        // SAFETY: as the caller of this function vouches; it is not null.
        unsafe { write(scheduler, number) };
        Ok(Status::Ok)
    })
}

/// Forgets a scheduler that has no jobs any more. Its number is not used again.
#[unsafe(no_mangle)]
pub extern "C" fn forebay_surge_destroy(scheduler: u64) -> i32 {
    guarded(|| {
        let handle = SCHEDULERS.get(scheduler)?;
        if handle.is_busy() {
            return Err(Status::Busy);
        }
        handle.close();
        // Another thread may have handed in a job before it was closed.
        if handle.is_busy() {
            return Err(Status::Busy);
        }
        SCHEDULERS.remove(scheduler)?;
        Ok(Status::Ok)
    })
}

/// Hands in a job, and writes how many were dropped for it: take them with `forebay_surge_take_dropped`.
///
/// # Safety
/// Each address that is not null is that of such a number, or of so many features, which no other thread writes meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn forebay_surge_submit(
    scheduler: u64,
    job: *mut c_void,
    flow: u64,
    size_bytes: u64,
    estimate_ns: u64,
    features: *const u32,
    feature_count: usize,
    dropped: *mut u64,
) -> i32 {
    guarded(|| {
        writable(dropped)?;
        let handle = SCHEDULERS.get(scheduler)?;
        // SAFETY: as the caller of this function vouches.
        let features = unsafe { read_all(features, feature_count) }?;
        let job = Job::new(job, features);
        let admitted = handle.submit(job, flow, size_bytes, Duration::from_nanos(estimate_ns));
        // SAFETY: as the caller of this function vouches; it is not null.
        unsafe { write(dropped, admitted.unwrap_or(0)) };
        admitted.map(|_| Status::Ok)
    })
}

/// Takes a job that was dropped or drained.
///
/// # Safety
/// An address that is not null is that of a pointer, which no other thread uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn forebay_surge_take_dropped(scheduler: u64, job: *mut *mut c_void) -> i32 {
    guarded(|| {
        writable(job)?;
        let address = SCHEDULERS.get(scheduler)?.take_dropped()?;
        // SAFETY: as the caller of this function vouches; it is not null.
        unsafe { write(job, address) };
        Ok(Status::Ok)
    })
}

/// Takes the best job, and sleeps up to this time until there is one: 0 not at all, `UINT64_MAX` for ever.
///
/// # Safety
/// An address that is not null is that of such a struct, which no other thread uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn forebay_surge_pull(scheduler: u64, timeout_ns: u64, served: *mut Served) -> i32 {
    guarded(|| {
        writable(served)?;
        let found = SCHEDULERS.get(scheduler)?.pull(given(timeout_ns))?;
        // SAFETY: as the caller of this function vouches; it is not null.
        unsafe { write(served, found) };
        Ok(Status::Ok)
    })
}

/// A job in service is done, and has cost this; `UINT64_MAX`: the time since the pull.
#[unsafe(no_mangle)]
pub extern "C" fn forebay_surge_finish(scheduler: u64, ticket: u64, spent_ns: u64) -> i32 {
    guarded(|| {
        SCHEDULERS.get(scheduler)?.end(ticket, End::Done(given(spent_ns)))?;
        Ok(Status::Ok)
    })
}

/// A job in service is done, and these features of it have cost these times each.
///
/// # Safety
/// Each address that is not null is that of so many numbers, which no other thread writes meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn forebay_surge_finish_parts(
    scheduler: u64,
    ticket: u64,
    features: *const u32,
    costs_ns: *const u64,
    count: usize,
) -> i32 {
    guarded(|| {
        let handle = SCHEDULERS.get(scheduler)?;
        // SAFETY: as the caller of this function vouches.
        let (features, costs) = unsafe { (read_all(features, count)?, read_all(costs_ns, count)?) };
        let costs = costs.into_iter().map(Duration::from_nanos);
        handle.end(ticket, End::Parts(features.into_iter().zip(costs).collect()))?;
        Ok(Status::Ok)
    })
}

/// A job in service goes back unfinished, and has cost this in its turn; `UINT64_MAX`: the measured time. Writes how
/// many were dropped for it. If it is dropped itself, the status says so.
///
/// # Safety
/// An address that is not null is that of a number, which no other thread uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn forebay_surge_requeue(scheduler: u64, ticket: u64, spent_ns: u64, dropped: *mut u64) -> i32 {
    guarded(|| {
        writable(dropped)?;
        let admitted = SCHEDULERS.get(scheduler)?.requeue(ticket, given(spent_ns));
        // SAFETY: as the caller of this function vouches; it is not null.
        unsafe { write(dropped, admitted.unwrap_or(0)) };
        admitted.map(|_| Status::Ok)
    })
}

/// The result of a job in service is no longer wanted.
#[unsafe(no_mangle)]
pub extern "C" fn forebay_surge_cancel(scheduler: u64, ticket: u64) -> i32 {
    guarded(|| {
        SCHEDULERS.get(scheduler)?.end(ticket, End::Cancelled)?;
        Ok(Status::Ok)
    })
}

/// Takes no more jobs. Those that wait can be pulled; threads that sleep for one wake up.
#[unsafe(no_mangle)]
pub extern "C" fn forebay_surge_close(scheduler: u64) -> i32 {
    guarded(|| {
        SCHEDULERS.get(scheduler)?.close();
        Ok(Status::Ok)
    })
}

/// Takes out all jobs that wait, and writes how many: take them with `forebay_surge_take_dropped`.
///
/// # Safety
/// An address that is not null is that of a number, which no other thread uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn forebay_surge_drain(scheduler: u64, drained: *mut u64) -> i32 {
    guarded(|| {
        writable(drained)?;
        let count = SCHEDULERS.get(scheduler)?.drain();
        // SAFETY: as the caller of this function vouches; it is not null.
        unsafe { write(drained, count) };
        Ok(Status::Ok)
    })
}

/// Writes the counts, all of one moment.
///
/// # Safety
/// An address that is not null is that of such a struct, which no other thread uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn forebay_surge_count(scheduler: u64, counts: *mut Counts) -> i32 {
    guarded(|| {
        writable(counts)?;
        let found = SCHEDULERS.get(scheduler)?.counts();
        // SAFETY: as the caller of this function vouches; it is not null.
        unsafe { write(counts, found) };
        Ok(Status::Ok)
    })
}

/// The meaning of a status, in English, as a text that stays valid.
#[unsafe(no_mangle)]
pub extern "C" fn forebay_surge_text(status: i32) -> *const c_char {
    let known = Status::TEXTS.iter().find(|(known, _)| *known as i32 == status);
    known.map_or(c"no such status", |(_, text)| *text).as_ptr()
}

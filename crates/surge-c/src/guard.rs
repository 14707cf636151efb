//! No panic goes from here to C.

use crate::status::Status;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a call. A panic becomes a status: the state that it leaves half done is behind the scheduler's lock, which no
/// panic crosses.
pub(crate) fn guarded(call: impl FnOnce() -> Result<Status, Status>) -> i32 {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(status) | Err(status)) => status as i32,
        Err(panic) => {
            // The payload of a panic may panic as it is dropped.
            std::mem::forget(panic);
            Status::Panicked as i32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status() {
        let index = std::hint::black_box(7);
        assert_eq!(guarded(|| if [0; 3].get(index).is_none() { panic!("a bug") } else { Ok(Status::Ok) }), -6);
        assert_eq!(guarded(|| Ok(Status::Empty)), 1);
        assert_eq!(guarded(|| Err(Status::NoTicket)), -3);
    }
}

//! Tests of the estimator: by hand, and against all that was ever seen.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod by_hand;
mod history;

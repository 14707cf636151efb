//! Policies in a real kernel, in a virtual machine of their own. `make kernel-test` runs these.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say why it skips"
)]

mod busy;
mod classified;
mod conform;
mod cost;
mod encapsulated;
mod errors;
mod figure;
mod guest;
mod kills;
mod limit;
mod live;
mod notified;
mod older;
mod pace;
mod random;
mod removed;
mod replaced;
mod time;

/// The machine, or the end of the test with the reason why there is none.
macro_rules! guest_or_skip {
    ($policies:expr) => {
        match crate::guest::Guest::new($policies) {
            Ok(guest) => guest,
            Err(reason) => {
                println!("skipped: {reason}");
                return;
            }
        }
    };
}
use guest_or_skip;

//! The C ABI: the header matches the library, and programs in C use it.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod c;
mod header;
mod wrong_calls;

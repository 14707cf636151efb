//! Request traces of every format, good and bad, and TCP segments.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may stop, and say why it skips")]

mod damaged;
mod foreign;
mod formats;
mod generators;
mod logs;
mod shared_data;
mod statistics;
mod support;
mod tcp_segments;

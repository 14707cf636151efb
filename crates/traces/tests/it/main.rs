//! Request traces of every format, good and bad, and TCP segments.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may stop, and say why it skips")]

mod batches;
mod binary_formats;
mod byte_order;
mod chains;
mod columns;
mod damaged;
mod detection;
mod foreign;
mod formats;
mod generators;
mod independent;
mod json_lines;
mod logs;
mod mutations;
mod named_formats;
mod named_samples;
mod recordings;
mod shared_data;
mod statistics;
mod support;
mod tcp_segments;

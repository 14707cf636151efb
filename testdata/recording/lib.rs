//! The recording that `forebay demo` plays. `README.md` says how it was made.

/// A recording (pcap) of real TCP and UDP traffic in five classes.
pub const MIXED: &[u8] = include_bytes!("mixed.pcap");

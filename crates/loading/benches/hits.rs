//! Hits per second.
fn main() {}

//! Jobs per second, beside a channel and a locked queue.

fn main() {}

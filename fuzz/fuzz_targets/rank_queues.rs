//! Fuzzes `rank_queues`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzzing::run("rank_queues", data));

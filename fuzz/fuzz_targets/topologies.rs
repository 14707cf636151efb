//! Fuzzes `topologies`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzzing::run("topologies", data));

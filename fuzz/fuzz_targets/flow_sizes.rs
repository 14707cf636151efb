//! Fuzzes `flow_sizes`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzzing::run("flow_sizes", data));

//! Fuzzes `op_streams`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzzing::run("op_streams", data));

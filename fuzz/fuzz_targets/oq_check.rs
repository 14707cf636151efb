//! Fuzzes `oq_check`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzzing::run("oq_check", data));

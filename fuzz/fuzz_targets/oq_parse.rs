//! Fuzzes `oq_parse`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzzing::run("oq_parse", data));

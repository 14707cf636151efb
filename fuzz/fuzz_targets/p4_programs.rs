//! Fuzzes `p4_programs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzzing::run("p4_programs", data));

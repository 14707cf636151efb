//! Fuzzes `fibonacci-heap`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzz::compare("fibonacci-heap", data));

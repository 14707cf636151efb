//! Fuzzes `bmw-tree`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzz::compare("bmw-tree", data));

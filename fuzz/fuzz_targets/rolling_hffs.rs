//! Fuzzes `rolling-hffs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzz::compare("rolling-hffs", data));

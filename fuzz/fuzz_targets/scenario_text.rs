//! Fuzzes `scenario_text`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| forebay_fuzzing::run("scenario_text", data));

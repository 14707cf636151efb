//! Every target takes its kept files and some thousands of mutations of them, with stable Rust and without libFuzzer.

mod fuzz_targets;
mod mutations;

//! Asks cargo to build the crate again after a change of an experiment. The macro that includes the folder does not.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

fn main() {
    println!("cargo::rerun-if-changed=.");
}

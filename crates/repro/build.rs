//! Experiments are part of the program: a changed one makes it be built again, which
//! the macro that takes the folder in does not do by itself.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

fn main() {
    println!("cargo:rerun-if-changed=../../experiments");
}

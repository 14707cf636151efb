//! Policies where Linux moves packets.
//!
//! [`kernel`] loads a policy into the running kernel and plays packets against it. [`machine`] is a virtual machine in which
//! programs for the kernel are tried. [`switch`] is a software switch with a policy at each egress.

pub mod kernel;
pub mod machine;
pub mod switch;

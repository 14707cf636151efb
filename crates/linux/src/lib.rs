//! Policies where Linux moves packets.
//!
//! [`kernel`] loads a policy into the running kernel and plays packets against it. [`machine`] is a virtual machine that tests programs for
//! the kernel. [`switch`] is a software switch with a policy at each egress.
//!
//! On other systems the crate builds and is empty.

#![cfg(target_os = "linux")]

pub mod kernel;
pub mod machine;
pub mod switch;
#[cfg(feature = "load")]
mod time_limit;

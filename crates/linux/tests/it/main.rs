//! The software switch from outside, and what the kernel checks of policies.

#![cfg(target_os = "linux")]

mod switch;
#[cfg(feature = "load")]
mod verified;

//! The software switch from outside.

#![cfg(target_os = "linux")]

mod switch;

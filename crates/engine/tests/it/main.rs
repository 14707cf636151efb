//! Tests of the engines.

mod admission;
mod build;
mod classify;
mod drops;
mod orders;
mod service;

//! Each policy against its paper, written down with vectors.

mod frequency;
mod harness;
mod history;
mod queues;
mod segments;
mod sizes;

//! The front end of OpenQueue from outside.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod any_text;
mod blow_up;
mod cases;
mod documents;
mod egress;
mod formatting;
mod includes;
mod interval;
mod keys;
mod live;
mod lowering;
mod lsp;
mod messages;
mod mistakes;
mod numbers_at_edges;
mod objects;
mod occupancy;
mod order;
mod overrides;
mod policies;
mod shown;
mod stages;
mod symbols;
mod tree;

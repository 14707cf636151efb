//! Attacks on the disciplines of forebay.

mod search;

//! The software switch from outside.

mod switch;

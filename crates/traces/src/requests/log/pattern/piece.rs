//! The parts of a pattern, before they become fields.

use super::role::Role;
use crate::requests::log::Stamp;

/// A part of a pattern.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Field(Role),
    /// The moment at which the time that follows is taken.
    Stamp(Stamp),
}

//! The properties of the packets that a policy gets.

use super::traffic;
use forebay_core::{Field, Fields};
use forebay_traces::RankPattern;
use std::collections::BTreeSet;

/// The properties of packets that a policy can rely on.
#[derive(Debug, Clone)]
pub struct Offered {
    /// The optional fields that packets have.
    pub fields: Fields,
    /// The classes of the packets.
    pub classes: BTreeSet<u8>,
    /// The pattern of the packets' ranks, if they all have a drawn one.
    pub ranks: Option<RankPattern>,
    /// The advice for getting packets with another field.
    pub how_to_get: fn(Field) -> &'static str,
}

impl Offered {
    /// Returns packets of class 0 with these fields.
    pub fn with(fields: Fields) -> Self {
        Self { fields, classes: BTreeSet::from([0]), ranks: None, how_to_get: traffic::how_to_get }
    }
}

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
    /// Their classes.
    pub classes: BTreeSet<u8>,
    /// How their ranks are drawn, if they all have one that is.
    pub ranks: Option<RankPattern>,
    /// The advice for getting packets with another field.
    pub how_to_get: fn(Field) -> &'static str,
}

impl Offered {
    /// Packets of class 0 with these fields.
    pub fn with(fields: Fields) -> Self {
        Self { fields, classes: BTreeSet::from([0]), ranks: None, how_to_get: traffic::how_to_get }
    }
}

//! How much of an attack is worked on.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Share of the attack's bits that were worked on",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[metric(
        "attack_served",
        Unit::Share,
        "Share of the attack's bits that were worked on",
        &[Of::Attack(|attacked| attacked.served)],
    )],
};

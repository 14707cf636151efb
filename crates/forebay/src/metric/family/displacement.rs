//! Innocent traffic that an attacker displaces.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Innocent bits that are lost for each bit that the attacker sends: the same packets with and without the attack",
    better: Better::Lower,
    cost: FREE,
    source: Some("SurgeProtector (thesis), section 3.3.3"),
    metrics: &[metric(
        "displacement",
        Unit::Ratio,
        "Innocent goodput lost to an attack over the rate of the attack",
        &[Of::Attack(|attacked| Some(attacked.displacement()))],
    )],
};

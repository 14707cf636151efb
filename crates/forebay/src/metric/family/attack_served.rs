//! Share of an attack that is served.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Service that the attack gets: the share of its bits that are served, and its share of all work",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "attack_served",
            Unit::Share,
            "Share of the attack's bits that were served",
            &[Of::Attack(|attacked| attacked.served)],
        ),
        metric(
            "attack_work_share",
            Unit::Share,
            "Share of the work that the attack's packets took",
            &[Of::Attack(|attacked| attacked.work_share)],
        ),
    ],
};

//! The displacement that the source proves or predicts.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Displacement according to the source: shortest job first and weighted shortest job first have a bound \
                 (theorems 2 and 3); for first come, first served and fair queueing, the source states the harm of the \
                 largest jobs (claims 3 and 4)",
    better: Better::Lower,
    cost: FREE,
    source: Some("SurgeProtector (thesis): `bound`, sections 3.4.3 and 3.4.4; `predicted`, sections 3.4.1 and 3.4.2"),
    metrics: &[
        metric(
            "bound",
            Unit::Ratio,
            "Largest displacement that is possible, where the source proves one",
            &[Of::Attack(|attacked| attacked.bound)],
        ),
        metric(
            "predicted",
            Unit::Ratio,
            "Displacement by the largest jobs, for policies without a bound",
            &[Of::Attack(|attacked| attacked.predicted)],
        ),
    ],
};

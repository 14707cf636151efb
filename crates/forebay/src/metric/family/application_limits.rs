//! The effect of an attacked application's limits on innocents, and its memory.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Limits of an application that works live: innocent flows that it resets to keep its own limits, and \
                 the memory that it holds for packets that were served",
    better: Better::Lower,
    cost: FREE,
    source: Some("SurgeProtector (thesis), sections 3.2.2 (price of patches) and 3.7 (memory)"),
    metrics: &[
        metric(
            "innocent_flows_reset",
            Unit::Counted("flows"),
            "Innocent flows that the application reset under attack; a flow that is reset twice counts twice",
            &[Of::Attack(|attacked| attacked.application.map(|[attacked, _]| attacked.innocent_flows_reset as f64))],
        ),
        metric(
            "innocent_flows_reset_baseline",
            Unit::Counted("flows"),
            "Innocent flows that the application reset without an attack: the price of its limits",
            &[Of::Attack(|attacked| attacked.application.map(|[_, without]| without.innocent_flows_reset as f64))],
        ),
        metric(
            "application_bytes",
            Unit::Counted("bytes"),
            "Most bytes that the application held under attack; 0 where its memory is not modelled",
            &[Of::Attack(|attacked| attacked.application.map(|[attacked, _]| attacked.held_bytes as f64))],
        ),
    ],
};

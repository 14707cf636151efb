//! Memory that notifications need.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Maximum number of notifications (Seer's FPMs) that a queue or list held at a time, in the whole run: \
                 the memory that it needs",
    better: Better::Lower,
    cost: FREE,
    source: Some("Seer, NSDI'24, section 3.3"),
    metrics: &[
        metric(
            "max_fpms_waiting",
            Unit::Counted("notifications"),
            "Most notifications that waited at one port at a time",
            &[Of::States(|state| Some(state.told?.max_fpms_waiting as f64))],
        ),
        metric(
            "max_fpms_expected",
            Unit::Counted("packets"),
            "Most packets that a cache expected on one port at a time",
            &[Of::States(|state| Some(state.told?.max_fpms_expected as f64))],
        ),
    ],
};

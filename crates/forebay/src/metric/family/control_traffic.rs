//! Load of links by notifications.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Cost of notifications for the links that carry them",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "control_packets",
            Unit::Counted("packets"),
            "Packets that carried notifications",
            &[Of::States(|state| Some(state.told?.control_packets as f64))],
        ),
        metric(
            "control_share",
            Unit::Share,
            "Share of the time of notifying links that control packets took",
            &[Of::States(|state| state.told?.control_share())],
        ),
        metric(
            "fpm_bps",
            Unit::BitsPerSecond,
            "Bits of notifications per second of a notifying link",
            &[Of::States(|state| state.told?.fpm_bps())],
        )
        .in_table("fpm")
        .at_axis("rate of notifications"),
    ],
};

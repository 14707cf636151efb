//! Notifications, by how they ended.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Notifications of packets that are on their way (Seer's FPMs), by outcome",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "fpms_made",
            Unit::Counted("notifications"),
            "Notifications made for packets at ports that notify",
            &[Of::States(|state| Some(state.told?.fpms_made as f64))],
        )
        .better(Better::Neither),
        metric(
            "fpms_sent",
            Unit::Counted("notifications"),
            "Notifications that were sent",
            &[Of::States(|state| Some(state.told?.fpms_sent as f64))],
        )
        .better(Better::Neither),
        metric(
            "fpms_dropped",
            Unit::Counted("notifications"),
            "Notifications without room at a port or in the list of a cache",
            &[Of::States(|state| Some(state.told?.fpms_dropped as f64))],
        ),
        metric(
            "fpms_stale",
            Unit::Counted("notifications"),
            "Notifications that were obsolete before they were sent",
            &[Of::States(|state| Some(state.told?.fpms_stale as f64))],
        ),
        metric(
            "fpms_lost",
            Unit::Counted("notifications"),
            "Notifications lost by chance or as links failed",
            &[Of::States(|state| Some(state.told?.fpms_lost as f64))],
        ),
        metric(
            "fpms_corrections",
            Unit::Counted("notifications"),
            "Of those made, corrections of earlier notifications: for packets that overtake others, or were pushed out",
            &[Of::States(|state| Some(state.told?.fpms_corrections as f64))],
        )
        .better(Better::Neither),
        metric(
            "fpms_cancelled",
            Unit::Counted("notifications"),
            "Notifications whose packets were pushed out, as a correction said",
            &[Of::States(|state| Some(state.told?.fpms_cancelled as f64))],
        ),
        metric(
            "fpms_used",
            Unit::Counted("notifications"),
            "Notifications whose packets arrived",
            &[Of::States(|state| Some(state.told?.fpms_used as f64))],
        )
        .better(Better::Higher),
        metric(
            "fpms_expired",
            Unit::Counted("notifications"),
            "Notifications that were given up",
            &[Of::States(|state| Some(state.told?.fpms_expired as f64))],
        ),
        metric(
            "fpms_ended",
            Unit::Counted("notifications"),
            "Notifications that reached a node whose cache does not need them",
            &[Of::States(|state| Some(state.told?.fpms_ended as f64))],
        )
        .better(Better::Neither),
    ],
};

//! Utilisation of links.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Share of the time in which a link was sending, including retransmitted bits",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "utilisation",
            Unit::Share,
            "Bits sent over the bits that the link could have sent",
            &[Of::PortRun(|run| Some(run.utilisation))],
        ),
        metric(
            "switch_utilisation",
            Unit::Share,
            "Share of the time in which a link of a switch was sending, mean over links",
            &[Of::Network(|run| run.switches.utilisation)],
        ),
        metric(
            "card_utilisation",
            Unit::Share,
            "Share of the time in which a link of a host was sending, mean over links",
            &[Of::Network(|run| run.cards.utilisation)],
        ),
        metric(
            "busiest_utilisation",
            Unit::Share,
            "Share of the time in which the busiest link of a switch was sending",
            &[Of::Network(|run| run.busiest.as_ref().map(|busiest| busiest.utilisation))],
        ),
    ],
};

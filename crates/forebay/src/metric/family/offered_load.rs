//! Load that was offered to links.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Bits that arrived, or that flows need on the wire with nothing sent twice, over the bits that links could have sent",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[metric(
        "offered_load",
        Unit::Share,
        "Bits that arrived, or that flows need on the wire, over the bits that links could have sent",
        &[Of::PortRun(|run| Some(run.offered_load)), Of::Network(|run| run.offered_load)],
    )],
};

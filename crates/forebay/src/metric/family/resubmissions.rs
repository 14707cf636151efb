//! Packets that pass a switch's pipeline twice.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Packets that a switch resubmits to lower bounds in a second pass: queue sp-pifo with second_pass",
    better: Better::Lower,
    cost: FREE,
    source: Some("Alcoz, Dietmüller and Vanbever: SP-PIFO, NSDI'20, section 5"),
    metrics: &[metric(
        "resubmissions_per_packet",
        Unit::Share,
        "Packets that were resubmitted over packets that arrived",
        &[Of::PortRun(|run| {
            let resubmits = run.parts.queue == "sp-pifo" && run.parts.parameters.contains_key("second_pass");
            // Counters that are zero are left out.
            let resubmissions = run.counters.get("resubmissions").copied().unwrap_or(0);
            (resubmits && run.counts.packets_in > 0).then(|| resubmissions as f64 / run.counts.packets_in as f64)
        })],
    )],
};

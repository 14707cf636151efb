//! Backlog at ports.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Packets or bytes that wait at a port, over time",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "mean_queue_packets",
            Unit::Counted("packets"),
            "Packets that waited, mean over time",
            &[Of::PortRun(|run| Some(run.mean_queue_packets))],
        ),
        metric(
            "max_queue_packets",
            Unit::Counted("packets"),
            "Most packets that waited at a time",
            &[Of::PortRun(|run| Some(run.max_queue_packets as f64))],
        ),
        metric(
            "mean_queue_bytes",
            Unit::Counted("bytes"),
            "Mean backlog over time and ports of switches",
            &[Of::Network(|run| run.switches.mean_queue_bytes)],
        ),
        metric(
            "max_queue_bytes",
            Unit::Counted("bytes"),
            "Largest backlog at a port of a switch in the whole run",
            &[Of::Network(|run| run.longest_queue.as_ref().map(|longest| longest.bytes as f64))],
        ),
    ],
};

//! Causes of inversions in SP-PIFO, and costs of its packets at enqueue.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};
use crate::port::RunResult;

pub(crate) const ENTRY: Family = Family {
    definition: "Inversions by the queue that holds the packet which a PIFO would have sent, and the distance of ranks from the highest in \
                 their queue. They are counted for the queues sp-pifo and sp-pifo-highest with sources = true; in a tree those of all \
                 its nodes together",
    better: Better::Lower,
    cost: FREE,
    source: Some("Alcoz, Dietmüller and Vanbever: SP-PIFO, NSDI'20, section 4.1"),
    metrics: &[
        metric(
            "inversions_in_first_queue",
            Unit::Counted("packets"),
            "Inversions whose better packet arrived below all bounds, and waits in the same queue: the first",
            &[Of::PortRun(|run| counter(run, "inversions_in_first_queue"))],
        ),
        metric(
            "inversions_behind_sunk_bounds",
            Unit::Counted("packets"),
            "Inversions whose better packet reached its bound, and waits in the same queue: the bound had sunk below a rank there",
            &[Of::PortRun(|run| counter(run, "inversions_behind_sunk_bounds"))],
        ),
        metric(
            "inversions_between_queues",
            Unit::Counted("packets"),
            "Inversions whose better packet waits in a queue of lower priority: ranks of queues overlap",
            &[Of::PortRun(|run| counter(run, "inversions_between_queues"))],
        ),
        metric(
            "cost_at_enqueue",
            Unit::Counted("ranks"),
            "Highest rank in the queue minus that of the packet that enters it, itself included (equation 8): mean of accepted packets",
            &[Of::PortRun(|run| {
                let accepted = run.counts.packets_in - run.counts.packets_dropped;
                (accepted > 0).then(|| counter(run, "cost_at_enqueue").map(|cost| cost / accepted as f64))?
            })],
        ),
    ],
};

/// A counter of queues that count sources: of all of a tree together. Counters that are zero are left out.
fn counter(run: &RunResult, name: &str) -> Option<f64> {
    // Of a node's own queue the name of the parameter has the node in front.
    let is_sources = |param: &str| param == "sources" || param.ends_with(".sources");
    let counts = run.parts.parameters.iter().any(|(param, value)| is_sources(param) && *value == true);
    counts.then(|| run.counters.get(name).copied().unwrap_or(0) as f64)
}

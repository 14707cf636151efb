//! Caches of states in switches and hosts.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Number of caches of states in switches and hosts, their capacity, and the states that pass them",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "nodes",
            Unit::Counted("nodes"),
            "Switches and hosts that have a cache of states",
            &[Of::States(|state| Some(state.nodes as f64))],
        ),
        metric(
            "states",
            Unit::Counted("states"),
            "States of packets that pass these nodes if nothing fails",
            &[Of::States(|state| Some(state.states as f64))],
        ),
        metric(
            "entries",
            Unit::Counted("entries"),
            "Entries that caches can hold",
            &[Of::States(|state| Some(state.entries as f64))],
        ),
    ],
};

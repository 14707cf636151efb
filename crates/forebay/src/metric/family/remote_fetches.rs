//! Fetches of states that travel over the network.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Fetches of states from a store in a host of the network, in the whole run",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "mean_fetch_ns",
            Unit::Nanoseconds,
            "Mean time from a request for a state to its answer, over the network",
            &[Of::States(|state| state.travelled?.mean_latency_ns())],
        )
        .in_table("mean_fetch"),
        metric(
            "remote_fetches",
            Unit::Counted("fetches"),
            "Fetches that travelled over the network",
            &[Of::States(|state| Some(state.travelled?.begun as f64))],
        )
        .better(Better::Neither),
        metric(
            "requests_repeated",
            Unit::Counted("requests"),
            "Requests for states that were sent again, as no answer came in time",
            &[Of::States(|state| Some(state.travelled?.repeated as f64))],
        ),
    ],
};

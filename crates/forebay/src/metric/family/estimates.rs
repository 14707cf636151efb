//! Quality of the estimates that a MAD form makes of future aggregate delays.

use crate::metric::{Better, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Two aggregate delays for each request whose object is requested again: a MAD form estimates one from the \
                 object's past, and the next request has the other if it misses. No cache is involved",
    better: Better::Higher,
    cost: "`estimates = true` in `[cache]`: the whole trace is kept, 40 bytes a request",
    source: Some("thesis, section 2.5.2: a Pearson coefficient of 0.7 for the network trace"),
    metrics: &[
        metric(
            "delay_pearson",
            Unit::Ratio,
            "Pearson's coefficient of estimated and true aggregate delays, from -1 to 1",
            &[Of::Cache(|point| point.estimates?.pearson)],
        ),
        metric(
            "delay_rank_correlation",
            Unit::Ratio,
            "Spearman's coefficient of the same: of their ranks",
            &[Of::Cache(|point| point.estimates?.rank)],
        ),
        metric(
            "delay_estimates",
            Unit::Counted("requests"),
            "Requests with a later request for the same object",
            &[Of::Cache(|point| Some(point.estimates?.pairs as f64))],
        )
        .better(Better::Neither),
    ],
};

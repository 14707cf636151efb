//! Waits and order of innocent packets at an attacked processor.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Innocent packets whose work was done under the most harmful attack. Measured are their wait until the work began, \
                 the same wait without an attack, and whether a later packet of their flow was served before them",
    better: Better::Lower,
    cost: FREE,
    source: Some(
        "waits with and without an attack: Ben-Porat et al., IEEE ToC 2013 (Vulnerability Factor); order: thesis, section 3.5.3",
    ),
    metrics: &[
        metric(
            "innocent_wait_ns_mean",
            Unit::Nanoseconds,
            "Mean wait of innocent packets until their work began",
            &[Of::Attack(|attacked| attacked.innocents.waits.map(|[mean, _]| mean))],
        )
        .in_table("innocent_wait:mean"),
        metric(
            "innocent_wait_ns_p99",
            Unit::Nanoseconds,
            "99th percentile of these waits, with three significant digits",
            &[Of::Attack(|attacked| attacked.innocents.waits.map(|[_, p99]| p99))],
        )
        .in_table("innocent_wait:p99"),
        metric(
            "wait_factor",
            Unit::Ratio,
            "Mean wait of innocent packets over that without an attack",
            &[Of::Attack(|attacked| attacked.innocents.wait_factor)],
        ),
        metric(
            "innocent_reordered",
            Unit::Share,
            "Share of innocent packets whose work was done after that of a later packet of their flow",
            &[Of::Attack(|attacked| attacked.innocents.reordered)],
        ),
    ],
};

//! The most important metrics of each kind of result, with which its page and its comparison begin.

use crate::frame::Summary;

/// A kind of result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Port,
    Network,
    Attack,
    Cache,
    Curve,
    Bound,
}

/// A metric by its name in the long table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Headline(pub(crate) &'static str);

/// Returns whether a metric is one of the headlines.
pub(crate) fn is_headline(metric: &str, headlines: &[Headline]) -> bool {
    headlines.iter().any(|headline| headline.0 == metric)
}

/// Returns the kind of subjects to show first: `all`, or if no headline has it, the first kind that has a headline.
pub(crate) fn first_subject(summary: &Summary<'_>, headlines: &[Headline]) -> &'static str {
    let of = |kind: Option<&str>| {
        let mut rows = summary.rows().iter().filter(|row| is_headline(row.metric, headlines));
        rows.find(|row| kind.is_none_or(|kind| row.subject.kind == kind)).map(|row| row.subject.kind)
    };
    of(Some("all")).or_else(|| of(None)).unwrap_or("all")
}

impl Kind {
    /// Returns the headlines, the most important first. Metrics that a result does not have are left out.
    pub(crate) fn headlines(self) -> &'static [Headline] {
        match self {
            Self::Port => &[
                Headline("delay:p99"),
                Headline("drop_share"),
                Headline("delay:mean"),
                Headline("utilisation"),
                Headline("inversions"),
                Headline("drop_inversions"),
            ],
            Self::Network => &[
                Headline("fct:p99"),
                Headline("slowdown:p99"),
                Headline("fct:mean"),
                Headline("slowdown:mean"),
                Headline("unfinished"),
                Headline("drop_share"),
                Headline("goodput"),
                Headline("retransmissions"),
            ],
            Self::Attack => &[
                Headline("displacement"),
                Headline("goodput"),
                Headline("baseline"),
                Headline("attack_served"),
                Headline("bound"),
                Headline("predicted"),
            ],
            Self::Cache => &[
                Headline("latency:mean"),
                Headline("hit_ratio"),
                Headline("latency:p99"),
                Headline("miss_ratio"),
                Headline("delayed_hit_ratio"),
                Headline("byte_miss_ratio"),
                Headline("latency:p50"),
                Headline("latency:p999"),
            ],
            Self::Curve => &[Headline("latency:mean"), Headline("miss_ratio"), Headline("delayed_hit_ratio")],
            Self::Bound => &[
                Headline("latency:mean"),
                Headline("gap"),
                Headline("latency:total"),
                Headline("hits"),
                Headline("delayed_hits"),
                Headline("misses"),
            ],
        }
    }

    /// Returns the number of pictures with which the page begins.
    pub(crate) fn pictures(self) -> usize {
        match self {
            Self::Bound | Self::Attack => 1,
            _ => 2,
        }
    }
}

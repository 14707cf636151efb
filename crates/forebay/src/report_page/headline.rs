//! With which metrics the page of each kind of scenario begins.

/// A kind of scenario, as far as its page differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Port,
    Network,
    Attack,
    Cache,
    Curve,
    Bound,
}

/// A metric by its name in the long table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Headline(pub(super) &'static str);

/// Columns of the table at most.
pub(super) const MOST_COLUMNS: usize = 7;

impl Kind {
    /// The most telling first. What a result does not have is left out.
    pub(super) fn headlines(self) -> &'static [Headline] {
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

    /// How many pictures a page begins with.
    pub(super) fn pictures(self) -> usize {
        match self {
            Self::Bound | Self::Attack => 1,
            _ => 2,
        }
    }
}

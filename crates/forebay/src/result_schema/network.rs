//! The result of policies in networks.

use super::shape::Shape::{
    self, Count, CountOrNull, Counters, Fields, Flag, List, Number, Quantities, Text, TextOrNull, Words,
};
use super::shape::{COLUMN, Field, field, optional};
use super::{ASKED, AXES, REPETITIONS, SEEDS, SETTLED};
use crate::metric::ResultKind;

pub(super) const REPORT: &[Field] = &[
    field("network", Fields(&[SETTINGS, ASKED], false), "What was asked"),
    field("curve_shares", List(&Number), "The shares at which `curves` are given"),
    field("results", List(&Fields(&[CELL], false)), "One for each policy and each combination of values of the axes"),
];

const SETTINGS: &[Field] = &[
    field("topology", Text, "The topology"),
    field("completion", Words(&["received", "acknowledged"]), "When a flow is complete"),
];

const CELL: &[Field] = &[
    field("policy", Text, "The name of the policy"),
    AXES,
    field("complete", Flag, "Whether every repetition came to its end"),
    REPETITIONS,
    SEEDS,
    SETTLED,
    field("hosts", Count, "How many hosts there are"),
    field("access_bps", Count, "What they can send together"),
    field("ended", List(&Words(&["finished", "stalled", "time-is-up", "stopped"])), "Why each repetition ended"),
    field("quantities", Quantities(&[ResultKind::Network]), "Numbers of the run"),
    field("busiest", List(&OF_LINK), "The busiest link of each repetition"),
    field("longest_queue", List(&OF_LINK), "The port with the longest queue of each repetition"),
    field("counters", Counters, "What disciplines count, by name"),
    field("groups", List(&Fields(&[GROUP], false)), "All flows, and those of each size class and workload"),
    optional("inversions_by_rank", List(&Fields(&[RANKS], false)), "Of each link of `network.inversions`"),
    optional("states", List(&Fields(&[STATE], false)), "Of each `[[state]]`"),
    optional("series", Shape::Object, "Links over time"),
];

/// A link with its greatest value; null if there is none.
const OF_LINK: Shape = Shape::Either(&[
    Fields(
        &[&[
            field("link", Text, "The link"),
            field("utilisation", Number, "Share of the time in which it was sending"),
        ]],
        false,
    ),
    Fields(&[&[field("link", Text, "The link"), field("bytes", Count, "The most bytes that waited")]], false),
    Shape::Null,
]);

const GROUP: &[Field] = &[
    field("workload", TextOrNull, "The workload; null for all"),
    field("sizes", Shape::Either(&[Fields(&[SIZES], false), Shape::Null]), "The size class; null for all"),
    field("quantities", Quantities(&[ResultKind::Flows]), "Numbers of these flows"),
    optional("curves", Fields(&[CURVES], false), "At each of `curve_shares`: means over repetitions"),
];

const SIZES: &[Field] = &[
    field("name", Text, "What it is called"),
    field("from_bytes", Count, "The least size"),
    field("below_bytes", CountOrNull, "The size from which flows are in the next class"),
];

const CURVES: &[Field] = &[
    field("fct_ns", List(&Shape::NumberOrNull), "Completion times"),
    field("slowdown", List(&Shape::NumberOrNull), "Slowdowns"),
];

const RANKS: &[Field] = &[
    field("link", Text, "The link"),
    field("bin_width", Count, "Ranks in a bin"),
    field("lowest_rank", List(&Count), "The lowest rank of each bin"),
    field("packets_out", COLUMN, "Packets that left"),
    field("inversions", COLUMN, "Packets that departed while one of lower rank waited"),
];

const STATE: &[Field] = &[
    field("name", Text, "The state"),
    field("key", Text, "What it is of"),
    field("policy", Text, "Its cache policy"),
    field("quantities", Quantities(&[ResultKind::States]), "Its numbers"),
];

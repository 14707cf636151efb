//! The result of policies at one port.

use super::shape::Shape::{
    self, Count, CountOrNull, Counters, Fields, Flag, List, Number, NumberOrNull, Quantities, Text, TextOrNull,
};
use super::shape::{Field, field, optional};
use super::{ASKED, AXES, REPETITIONS, SEEDS, SETTLED};
use crate::metric::ResultKind::{BesideBaseline, Packets, PortRun, RankBin};

pub(super) const REPORT: &[Field] = &[
    field("port", Fields(&[SETTINGS, ASKED], false), "What was asked"),
    field(
        "results",
        List(&Shape::Either(&[Fields(&[CELL, PARTS, COUNTS, ONE], false), Fields(&[CELL, PARTS, SEVERAL], false)])),
        "One for each policy and each combination of values of the axes",
    ),
];

const SETTINGS: &[Field] = &[
    field("rate_bps", Count, "Bits per second of the link"),
    field("buffer", TextOrNull, "Its room; null where policies have their own"),
];

const CELL: &[Field] = &[
    field("policy", Text, "The name of the policy"),
    AXES,
    REPETITIONS,
    SEEDS,
    SETTLED,
    field("complete", Flag, "Whether every run came to its end"),
    field("counters", Counters, "What the discipline itself counts, by name"),
    field(
        "quantities",
        Quantities(&[Packets, PortRun, BesideBaseline]),
        "All numbers, with their intervals and the values of each repetition",
    ),
    optional(
        "per_rank",
        Shape::Bins(RankBin, BINS),
        "What happened to each rank, where packets carry ranks that are drawn",
    ),
];

const PARTS: &[Field] = &[
    field("rank", Text, "The rank function"),
    field("queue", Text, "The queue"),
    field("parameters", Shape::Object, "The parameters given to the queue"),
    field("drop", Text, "The drop rule"),
    optional("mark", Text, "The mark rule"),
    field("buffer", TextOrNull, "Room for waiting packets"),
    field("rank_unit", Shape::Anything, "What ranks are counted in"),
];

/// The fields of the only run.
const ONE: &[Field] = &[
    optional("clock_ended", Flag, "Whether the clock came to its end"),
    field("end_ns", Number, "When the last thing happened"),
    field("offered_load", Number, "Bits that arrived over bits that the link could have sent"),
    field("utilisation", Number, "Bits sent over the same"),
    field("mean_queue_packets", Number, "Packets that waited, mean over time"),
    field("max_queue_packets", Count, "Most packets that waited at a time"),
    field("departures", Text, "A fingerprint of what was sent and when"),
    optional("openqueue", Shape::Object, "Of a policy in OpenQueue"),
    field("classes", List(&Fields(&[CLASS, COUNTS], false)), "Of each class"),
    optional("ranks", Shape::Object, "Counts of each rank"),
    optional("queue_length", Shape::Object, "Number of packets that waited, over time"),
    optional("delay_curve", List(&NumberOrNull), "Delays at fixed quantiles"),
];

const SEVERAL: &[Field] = &[field("classes", List(&Fields(&[CLASS, OF_CLASS], false)), "Of each class")];

const CLASS: &[Field] =
    &[field("class", Count, "The number of the class"), field("name", Text, "What the class is called")];

const OF_CLASS: &[Field] = &[field("quantities", Quantities(&[Packets]), "Its numbers")];

const COUNTS: &[Field] = &[
    field("packets_in", Count, "Packets that arrived"),
    field("packets_out", Count, "Packets that departed"),
    field("packets_dropped", Count, "Packets that were dropped or pushed out"),
    field("packets_queued", Count, "Packets that still wait at the end"),
    field("packets_marked", Count, "Packets that were marked"),
    field("bytes_in", Count, "Bytes that arrived"),
    field("bytes_out", Count, "Bytes that departed"),
    field("bytes_dropped", Count, "Bytes that were dropped or pushed out"),
    field("value_in", Count, "Sum of the values of packets that arrived"),
    field("value_out", Count, "Sum of the values of packets that departed"),
    field("value_dropped", Count, "Sum of the values of packets that were dropped or pushed out"),
    field("throughput_bps", Number, "Bits that departed per second"),
    field("delay_ns", Fields(&[DELAY], false), "From arrival to the last bit sent"),
    field("inversions", CountOrNull, "Packets that departed while one of lower rank waited"),
    field("overtaken", CountOrNull, "Waiting packets of lower rank, summed over all departures"),
];

const DELAY: &[Field] = &[
    field("mean", NumberOrNull, "Mean"),
    field("p50", NumberOrNull, "Median"),
    field("p90", NumberOrNull, "90th percentile"),
    field("p99", NumberOrNull, "99th percentile"),
    field("p999", NumberOrNull, "99.9th percentile"),
    field("max", NumberOrNull, "Greatest"),
];

const BINS: &[Field] = &[
    field("bin_width", Count, "Ranks in a bin"),
    field("lowest_rank", List(&Count), "The lowest rank of each bin"),
    field("greatest_rank", Count, "The highest rank of the last bin"),
];

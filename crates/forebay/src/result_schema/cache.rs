//! The results of caches: comparisons, curves and bounds.

use super::shape::Shape::{
    self, Count, CountOrNull, Fields, Flag, List, Number, NumberOrNull, Quantities, Text, Words,
};
use super::shape::{Field, field, optional};
use super::{ASKED, AXES, MODELS, REPETITIONS, SEEDS};
use crate::metric::ResultKind::{BesideBound, Cache};

pub(super) const REPORT: &[Field] = &[
    ASKED_OF_CACHES,
    field("traces", List(&Fields(&[TRACE, PLAYED], false)), "The traces that were played"),
    COMPLETE,
    field("results", List(&Shape::Wide(Cache, &[PLACE, ROW])), "One for each policy in each cell"),
    optional("bounds", List(&Fields(&[PLACE, BOUNDED, LIMITS], false)), "Of the lowest latency in each cell"),
    field("verdicts", List(&Fields(&[PLACE, VERDICT], false)), "The best policy in each cell, and how sure that is"),
    optional("attributions", List(&Shape::Object), "What changes for each object"),
    optional(
        "pairwise",
        List(&Shape::Object),
        "The number of objects for which each policy is better than each other policy",
    ),
];

pub(super) const CURVES: &[Field] = &[
    ASKED_OF_CACHES,
    COMPLETE,
    field("traces", List(&Fields(&[TRACE, TRACE_OF_CURVE], false)), "The traces that were played"),
    field("curves", List(&Fields(&[CURVE], false)), "One for each policy"),
];

pub(super) const BOUNDS: &[Field] =
    &[COMPLETE, field("results", List(&Fields(&[PLACE, LIMITS, BOUND], false)), "One for each cell and repetition")];

const ASKED_OF_CACHES: Field = field("cache", Fields(&[SETTINGS, ASKED], false), "What was asked");

const SETTINGS: &[Field] = &[
    field("study", Text, "The question about caches"),
    field("ways", CountOrNull, "Entries of a set; null for one set"),
    field("warmup_requests", Count, "Requests that were played and not counted"),
    optional("attribute", List(&Text), "The two policies between which the change for each object is measured"),
    optional("pairwise", Flag, "Whether policies are compared object by object"),
];

const COMPLETE: Field = field("complete", Flag, "Whether every run came to its end");

const UNITS: [Shape; 2] = [Words(&["slots", "ns"]), Words(&["entries", "bytes"])];

/// A number of ticks, or how it is drawn.
const LATENCY: Field = field("latency", Shape::Either(&[Count, Text]), "The latency of a fetch");

const TRACE: &[Field] = &[
    field("trace", Text, "Its name"),
    field("format", Text, "Its format"),
    field("latency_unit", UNITS[0], "What a latency is counted in"),
    field("capacity_unit", UNITS[1], "What a capacity is counted in"),
    field("sample", Number, "The share of the objects that was played"),
];

const PLAYED: &[Field] = &[field("trace_requests", Count, "Its requests, of the first repetition")];

const TRACE_OF_CURVE: &[Field] = &[
    AXES,
    LATENCY,
    field("requests", Count, "Its requests"),
    field("objects", Count, "Its objects"),
    field("lru_miss_ratio", List(&Shape::Object), "Of LRU at each capacity, without delayed hits"),
];

/// The fields of a place, at which policies are compared.
const PLACE: &[Field] =
    &[field("trace", Text, "The trace"), field("capacity", Count, "In entries or bytes"), LATENCY, AXES];

const ROW: &[Field] = &[
    field("policy", Text, "The policy"),
    field("offline", Flag, "Whether it knew the future"),
    field("mad", Flag, "Whether it is the MAD form of a policy"),
    field("model", MODELS, "The model that the numbers are of"),
    REPETITIONS,
    SEEDS,
    field("classical", Shape::Either(&[Shape::Object, Shape::Null]), "The same in the classical model"),
    field(
        "classical_error",
        NumberOrNull,
        "By how much the classical model's mean latency is above the real one, as a share",
    ),
    field("above_lower_bound", NumberOrNull, "By how much the mean latency is above the lower bound, as a share"),
    field(
        "quantities",
        Quantities(&[Cache, BesideBound]),
        "All numbers, with their intervals and the values of each repetition",
    ),
];

const BOUNDED: &[Field] = &[field("repetitions", List(&Count), "By number from 0; the numbers are of the first")];

const LIMITS: &[Field] = &[
    field("requests", Count, "Requests that were counted"),
    field("lower", Count, "Lower bound: no cache has a lower total latency"),
    field("upper", Count, "Upper bound: the total latency of a schedule that was played"),
    field("gap", Number, "Difference of the bounds over the upper bound"),
    field("lower_mean_latency", Number, "The lower bound over the number of requests"),
    field("upper_mean_latency", Number, "The upper bound over the number of requests"),
    field("hits", Count, "Hits of the schedule"),
    field("delayed_hits", Count, "Delayed hits of the schedule"),
    field("misses", Count, "Misses of the schedule"),
    field("iterations", Count, "Steps of the search"),
];

const BOUND: &[Field] = &[
    field("capacity_unit", UNITS[1], "What the capacity is counted in"),
    field("latency_unit", UNITS[0], "What latencies are counted in"),
    field("repetition", Count, "From 0"),
    field("seed", Count, "The seed of the repetition"),
    optional("programme", Number, "The optimum of the linear programme, which no schedule is below"),
    field("complete", Flag, "Whether the search ended by itself"),
];

const VERDICT: &[Field] = &[
    field("best_by_latency", Text, "The policy with the lowest mean latency that does not know the future"),
    field("level", List(&Text), "Policies that are not clearly behind"),
    field("next", Fields(&[NEXT], false), "The next policy by mean latency"),
    field("best_by_hit_rate", Shape::TextOrNull, "The policy with the most hits in the classical model"),
    field("regret", NumberOrNull, "How much higher the mean latency is with the latter, as a share"),
    field("regret_ci95", NumberOrNull, "Half the width of its 95 % confidence interval"),
];

const NEXT: &[Field] = &[
    field("policy", Text, "The policy"),
    field("difference", Number, "How much higher its mean latency is, as a share"),
    field("difference_ci95", NumberOrNull, "Half the width of its 95 % confidence interval"),
    field("paired_over", Words(&["repetitions", "blocks"]), "What differences are paired over"),
    field("pairs", Count, "How many pairs there are"),
];

const CURVE: &[Field] = &[
    field("policy", Text, "The policy"),
    field("offline", Flag, "Whether it knew the future"),
    field("trace", Text, "The trace"),
    LATENCY,
    AXES,
    REPETITIONS,
    field("points", List(&Fields(&[POINT], false)), "At each capacity"),
];

const POINT: &[Field] = &[
    field("capacity", Count, "In entries or bytes"),
    field("miss_ratio", NumberOrNull, "Misses over requests"),
    field("delayed_ratio", NumberOrNull, "Delayed hits over requests"),
    field("mean_latency", NumberOrNull, "Mean latency of a request"),
    field("classical_miss_ratio", NumberOrNull, "Misses over requests in the classical model"),
    field("classical_mean_latency", NumberOrNull, "Mean latency in the classical model"),
    optional("quantities", Quantities(&[Cache]), "All numbers with their intervals"),
];

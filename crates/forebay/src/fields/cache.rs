//! Fields of scenarios of caches.

use super::cache_policy::{CACHE_POLICY, MIXTURE, PAGE};
use super::fetch_latency::{DRAWN_LATENCY, OBJECT_LATENCIES, ORIGINS};
use super::port::{BASELINE, NAME, REPETITIONS, SEED, ZIP, record};
use super::{Field, Manual, Range, Table, Type, Within};
use crate::caching::{BEST_SCHEDULE, SCHEDULE_OF_FILE};
use crate::catalogue::Kind;

/// The top level of a scenario with `[cache]`.
pub(crate) static CACHE_TOP: Table = Table {
    fields: &[
        NAME,
        SEED,
        REPETITIONS,
        ZIP,
        BASELINE,
        record(&Type::Choice(&["requests", "schedule"]), "[\"requests\"]"),
    ],
    ..top(
        "cache",
        &[
            Within { name: "cache", takes: Type::Table(&CACHE), is_required: true },
            Within { name: "policy", takes: POLICIES, is_required: true },
        ],
    )
};

/// The top level of a scenario with `[curve]`.
pub(crate) static CURVE_TOP: Table = top(
    "curve",
    &[
        Within { name: "curve", takes: Type::Table(&CURVE), is_required: true },
        Within { name: "policy", takes: POLICIES, is_required: true },
    ],
);

/// The top level of a scenario with `[bound]`.
pub(crate) static BOUND_TOP: Table = Table {
    fields: &[NAME, SEED, REPETITIONS, ZIP, record(&Type::Choice(&["schedule"]), "[\"schedule\"]")],
    ..top("bound", &[Within { name: "bound", takes: Type::Table(&BOUND), is_required: true }])
};

const fn top(word: &'static str, within: &'static [Within]) -> Table {
    Table {
        name: "top level",
        word,
        scenario: word,
        title: "Fields of every scenario",
        manual: Manual { page: PAGE, section: "Top level", column: None },
        readers: &["the scenario"],
        needs: &[],
        within,
        fields: &[NAME, SEED, REPETITIONS, ZIP, BASELINE],
    }
}

const POLICIES: Type =
    Type::List { of: &Type::Any(&[Type::Table(&CACHE_POLICY), Type::Named(Kind::CachePolicy)]), most: 100_000 };

const TRACE: Field = Field {
    name: "trace",
    takes: Type::Any(&[Type::Text, Type::Named(Kind::RequestGenerator), Type::Table(&MIXTURE)]),
    meaning: "Request trace: the name of a file, or a recipe, which names a generator and its parameters. A file whose name ends in \
              `.toml` contains a recipe. With `repetitions`, each repetition draws another trace from the recipe",
    default: None,
    example: "{ name = \"zipf\", objects = 10_000, requests = 1_000_000, skew = 0.9 }",
};

const FORMAT: Field = Field {
    name: "format",
    takes: Type::Text,
    meaning: "Format of the trace with its options, if content and name do not determine it",
    default: Some("that of the file"),
    example: "\"twitter-csv:operations=all\"",
};

const REQUESTS: Field = Field {
    name: "requests",
    takes: Type::Integer { min: 1, max: i64::MAX as u64, unit: "requests" },
    meaning: "Number of requests that are played, from the start of the trace",
    default: Some("all"),
    example: "250_000",
};

const LATENCY: Field = Field {
    name: "latency",
    takes: Type::Any(&[
        Type::FetchLatency,
        Type::Table(&DRAWN_LATENCY),
        Type::Table(&ORIGINS),
        Type::Table(&OBJECT_LATENCIES),
    ]),
    meaning: "How long a fetch takes: slots (100), a time (5ms), `\"measured\"` for the latencies in the trace, or a table with \
              `distribution`, `origins` or `objects`",
    default: None,
    example: "\"5ms\"",
};

const SIZES: Field = Field {
    name: "sizes",
    takes: Type::Choice(&["unit", "bytes"]),
    meaning: "Whether an object takes one entry, or its bytes",
    default: Some("`\"unit\"`"),
    example: "\"bytes\"",
};

const SIZE_CHANGE: Field = Field {
    name: "size_change",
    takes: Type::Choice(&["hit", "miss", "update"]),
    meaning: "Outcome of a request that finds its object with another size, if `sizes` are bytes: a hit, a miss that replaces the object, \
              or a hit that updates its size",
    default: Some("`\"hit\"`"),
    example: "\"miss\"",
};

const MODEL: Field = Field {
    name: "model",
    takes: Type::Choice(&["both", "delayed", "classical"]),
    meaning: "Model of fetches: with delayed hits, classical (a missed object is in the cache at once), or both",
    default: Some("`\"both\"`"),
    example: "\"delayed\"",
};

const WAYS: Field = Field {
    name: "ways",
    takes: Type::Integer { min: 1, max: i64::MAX as u64, unit: "entries" },
    meaning: "Divides the cache into sets of this many entries",
    default: Some("one set"),
    example: "8",
};

const WARMUP: Field = Field {
    name: "warmup",
    takes: Type::Integer { min: 0, max: i64::MAX as u64, unit: "requests" },
    meaning: "Number of requests at the start that are played but not counted",
    default: Some("0"),
    example: "10000",
};

const SAMPLE: Field = Field {
    name: "sample",
    takes: Type::Percent,
    meaning: "Share of the objects that is played, chosen by a hash; the caches shrink by the same factor",
    default: Some("`\"100%\"`"),
    example: "\"5%\"",
};

/// Slots or a time, by the trace.
const TICKS: Type = Type::Any(&[Type::Integer { min: 0, max: i64::MAX as u64, unit: "slots" }, Type::Duration]);

const HIT_LATENCY: Field = Field {
    name: "hit_latency",
    takes: TICKS,
    meaning: "Latency of a hit, the lowest latency of a request: slots, or a time",
    default: Some("0"),
    example: "\"200 us\"",
};

const RELEASE_INTERVAL: Field = Field {
    name: "release_interval",
    takes: TICKS,
    meaning: "Time between the completions of requests that waited for one fetch: slots, or a time. With 0, they complete together",
    default: Some("0"),
    example: "\"5 us\"",
};

const PARALLEL: Field = Field {
    name: "parallel",
    takes: Type::Integer { min: 1, max: 1_000_000, unit: "fetches" },
    meaning: "Number of fetches that each origin serves at a time; others wait in order",
    default: Some("all"),
    example: "64",
};

const TTL: Field = Field {
    name: "ttl",
    takes: Type::Any(&[
        Type::Integer { min: 1, max: i64::MAX as u64, unit: "slots" },
        Type::PositiveDuration,
        Type::Choice(&["trace"]),
    ]),
    meaning: "How long an object may be used after its fetch has ended: slots, a time, or `\"trace\"` for the value in the trace",
    default: Some("for ever"),
    example: "\"3600 s\"",
};

const PREFETCH: Field = Field {
    name: "prefetch",
    takes: Type::Text,
    meaning: "Prefetcher, which fetches objects before they are requested, with its parameters in brackets: `forebay list prefetchers`, or \
              `\"none\"`",
    default: Some("`\"none\"`"),
    example: "\"markov(degree=2)\"",
};

/// The table of caches that are compared.
pub(crate) static CACHE: Table = Table {
    name: "[cache]",
    word: "cache",
    scenario: "cache",
    title: "Caches on request traces",
    manual: Manual { page: PAGE, section: "Caches", column: Some("field of `[cache]`") },
    readers: &["[cache]"],
    needs: &[&["trace"], &["latency"]],
    within: &[],
    fields: &[
        TRACE,
        FORMAT,
        REQUESTS,
        Field {
            name: "capacity",
            takes: Type::Capacity,
            meaning: "Capacity: entries, or bytes like 64MB; a share of all objects (5%), or of those active at one time (5%active)",
            default: Some("`\"5%active\"`; if `sizes` are bytes, `\"5%\"`"),
            example: "64",
        },
        LATENCY,
        MODEL,
        SIZES,
        SIZE_CHANGE,
        HIT_LATENCY,
        RELEASE_INTERVAL,
        PARALLEL,
        TTL,
        PREFETCH,
        WAYS,
        WARMUP,
        SAMPLE,
        Field {
            name: "bound_seconds",
            takes: Type::Number { range: Range::From(0.0, f64::INFINITY), unit: "seconds" },
            meaning: "Searches for bounds of the lowest latency as well, each for about this many seconds of CPU time",
            default: Some("no bounds"),
            example: "20",
        },
        Field {
            name: "bound_iterations",
            takes: Type::Integer { min: 1, max: u32::MAX as u64, unit: "steps" },
            meaning: "Searches for the same bounds, each in this many steps; together with `bound_seconds`, in at most this many",
            default: Some("no bounds"),
            example: "100",
        },
        Field {
            name: "schedule",
            takes: Type::Text,
            meaning: "File with a schedule that is played beside the policies, as `record = [\"schedule\"]` writes it; results call it \
                      `(schedule)`",
            default: Some("none"),
            example: "\"schedule.csv\"",
        },
        Field {
            name: "pairwise",
            takes: Type::Boolean,
            meaning: "Whether policies are compared object by object: for each pair of policies, for how many objects one has a lower latency",
            default: Some("false"),
            example: "true",
        },
        Field {
            name: "users",
            takes: Type::Text,
            meaning: "With `pairwise`: compares policies user by user as well. The value is a format with its options, which reads the \
                      users as the keys of the trace",
            default: Some("none"),
            example: "\"columns:key=client\"",
        },
        Field {
            name: "estimates",
            takes: Type::Boolean,
            meaning: "Whether the aggregate delays that MAD forms estimate are compared with the actual ones: coefficients of Pearson and \
                      Spearman",
            default: Some("false"),
            example: "true",
        },
        Field {
            name: "attribute",
            takes: Type::List {
                of: &Type::Any(&[Type::CachePolicy, Type::Choice(&[BEST_SCHEDULE, SCHEDULE_OF_FILE])]),
                most: 2,
            },
            meaning: "Two policies: reports what changes for each object if the second replaces the first. With bounds, one may be \
                      `\"(best schedule found)\"`; with `schedule`, `\"(schedule)\"`",
            default: Some("none"),
            example: "[\"lru\", \"lru-mad\"]",
        },
    ],
};

/// The table of curves over the capacity.
pub(crate) static CURVE: Table = Table {
    name: "[curve]",
    word: "curve",
    scenario: "curve",
    title: "Miss ratio and latency over the capacity",
    manual: Manual { page: PAGE, section: "Caches", column: Some("field of `[curve]`") },
    readers: &["[curve]"],
    needs: &[&["trace"], &["latency"]],
    within: &[],
    fields: &[
        TRACE,
        FORMAT,
        REQUESTS,
        Field {
            name: "capacity",
            takes: Type::Any(&[Type::Capacity, Type::List { of: &Type::Capacity, most: 1_000 }]),
            meaning: "Capacities of the curve, as in `[cache]`; a list of lists is an axis",
            default: Some("as many as `points` says"),
            example: "[\"1%\", \"5%\", \"25%\"]",
        },
        Field {
            name: "points",
            takes: Type::Integer { min: 2, max: 1_000, unit: "capacities" },
            meaning: "Number of capacities if none are given, from a thousandth of all objects to all",
            default: Some("16"),
            example: "16",
        },
        LATENCY,
        MODEL,
        SIZES,
        SIZE_CHANGE,
        WAYS,
        WARMUP,
        SAMPLE,
    ],
};

/// The table of the search for the lowest latency of any cache.
pub(crate) static BOUND: Table = Table {
    name: "[bound]",
    word: "bound",
    scenario: "bound",
    title: "Bounds of the lowest latency that any cache could reach",
    manual: Manual { page: PAGE, section: "Caches", column: Some("field of `[bound]`") },
    readers: &["[bound]"],
    needs: &[&["trace"], &["capacity"], &["latency"]],
    within: &[],
    fields: &[
        TRACE,
        FORMAT,
        REQUESTS,
        Field {
            name: "capacity",
            takes: Type::Capacity,
            meaning: "Capacity, as in `[cache]`",
            default: None,
            example: "64",
        },
        LATENCY,
        SIZES,
        Field {
            name: "gap",
            takes: Type::Number { range: Range::From(0.0, 100.0), unit: "percent" },
            meaning: "Gap between the bounds, in percent, at which the search ends",
            default: Some("0.1"),
            example: "1",
        },
        Field {
            name: "iterations",
            takes: Type::Integer { min: 1, max: u32::MAX as u64, unit: "steps" },
            meaning: "Maximum number of steps of the search",
            default: Some("600"),
            example: "100",
        },
        Field {
            name: "seconds",
            takes: Type::Number { range: Range::From(0.0, f64::INFINITY), unit: "seconds" },
            meaning: "Limits the search to the steps that take about this many seconds of CPU time",
            default: Some("no limit"),
            example: "20",
        },
        Field {
            name: "exact",
            takes: Type::Boolean,
            meaning: "Whether the exact linear programme is solved, too: for small traces, in a forebay built with HiGHS",
            default: Some("false"),
            example: "false",
        },
        Field {
            name: "certificate",
            takes: Type::Text,
            meaning: "File for a certificate of the lower bound, which `forebay verify` checks: for one run alone",
            default: Some("none"),
            example: "\"bound.cert\"",
        },
    ],
};

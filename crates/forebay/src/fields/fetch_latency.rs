//! Fields of the latency of a fetch, if it is not a single number.

use super::cache_policy::PAGE;
use super::{Field, Manual, Range, Table, Type};

/// Slots, or a time.
const AMOUNT: Type =
    Type::Any(&[Type::Integer { min: 1, max: 1_000_000_000_000_000, unit: "slots" }, Type::PositiveDuration]);

/// Latencies that are drawn for each fetch.
pub(super) static DRAWN_LATENCY: Table = latency(
    "drawn-latency",
    "A latency that is drawn for each fetch",
    "field of `latency` that is drawn",
    &[&["distribution"]],
    &[
        Field {
            name: "distribution",
            takes: Type::Choice(&DISTRIBUTIONS),
            meaning: "Distribution: `\"exponential\"` with `mean`, `\"lognormal\"` with `mean` and `sigma`, or \
                      `\"uniform\"` with `min` and `max`",
            default: None,
            example: "\"lognormal\"",
        },
        Field {
            name: "mean",
            takes: AMOUNT,
            meaning: "Mean, in slots or as a time",
            default: None,
            example: "\"5 ms\"",
        },
        Field {
            name: "sigma",
            takes: Type::Number { range: Range::From(0.0, 100.0), unit: "" },
            meaning: "Deviation of the logarithm, for `\"lognormal\"`",
            default: None,
            example: "0.5",
        },
        Field { name: "min", takes: AMOUNT, meaning: "Minimum, for `\"uniform\"`", default: None, example: "\"1 ms\"" },
        Field { name: "max", takes: AMOUNT, meaning: "Maximum, for `\"uniform\"`", default: None, example: "\"9 ms\"" },
    ],
);

/// Distributions from which a latency may be drawn.
pub(crate) const DISTRIBUTIONS: [&str; 3] = ["exponential", "lognormal", "uniform"];

/// Origins among which the objects are divided.
pub(super) static ORIGINS: Table = latency(
    "origins",
    "Latencies of several origins",
    "field of `latency` with origins",
    &[&["origins"]],
    &[Field {
        name: "origins",
        takes: Type::List { of: &Type::Any(&[AMOUNT, Type::Table(&ORIGIN)]), most: 10_000 },
        meaning: "Latency of each origin, or `{ latency = \"68 ms\", weight = 29 }`; each object belongs to one origin",
        default: None,
        example: "[\"68 ms\", { latency = \"103 ms\", weight = 2 }]",
    }],
);

/// One of several origins.
pub(super) static ORIGIN: Table = latency(
    "origin",
    "An origin",
    "field of an origin",
    &[&["latency"]],
    &[
        Field { name: "latency", takes: AMOUNT, meaning: "Latency of the origin", default: None, example: "\"68 ms\"" },
        Field {
            name: "weight",
            takes: Type::Number { range: Range::Above(0.0, 1e9), unit: "" },
            meaning: "Number of objects at this origin, relative to the weights of the others",
            default: Some("1"),
            example: "29",
        },
    ],
);

/// A latency for each object.
pub(super) static OBJECT_LATENCIES: Table = latency(
    "object-latencies",
    "A latency for each object",
    "field of `latency` by object",
    &[&["objects"]],
    &[Field {
        name: "objects",
        takes: Type::File,
        meaning: "CSV with a latency and an object in each line; the object `*` stands for all others",
        default: None,
        example: "\"latencies.csv\"",
    }],
);

const fn latency(
    word: &'static str,
    title: &'static str,
    column: &'static str,
    needs: &'static [&'static [&'static str]],
    fields: &'static [Field],
) -> Table {
    Table {
        name: "`latency`",
        word,
        scenario: "cache",
        title,
        manual: Manual { page: PAGE, section: "Caches", column: Some(column) },
        readers: &["`latency`"],
        needs,
        within: &[],
        fields,
    }
}

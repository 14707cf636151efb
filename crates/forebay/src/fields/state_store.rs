//! Fields of stores of states, and of the objects that have states.

use super::{Field, LATENCY_DISTRIBUTIONS, Manual, Range, Table, Type};

/// A host from which states are fetched over the network.
pub(super) static STORE: Table = Table {
    name: "`store`",
    word: "store",
    scenario: "network",
    title: "The host from which states are fetched over the network",
    manual: Manual { page: "docs/network.md", section: "`store`", column: Some("field") },
    readers: &["`store`"],
    needs: &[&["at"]],
    within: &[],
    fields: &[
        Field {
            name: "at",
            takes: Type::Text,
            meaning: "Name of the host. The host itself has no such cache",
            default: None,
            example: "\"h0\"",
        },
        Field {
            name: "request_bytes",
            takes: Type::Integer { min: 1, max: 65_535, unit: "B" },
            meaning: "Length of a request on the wire",
            default: Some("64"),
            example: "64",
        },
        Field {
            name: "answer_bytes",
            takes: Type::Integer { min: 1, max: 65_535, unit: "B" },
            meaning: "Length of an answer on the wire",
            default: Some("128"),
            example: "128",
        },
        Field {
            name: "class",
            takes: Type::Integer { min: 0, max: 255, unit: "" },
            meaning: "Traffic class of requests and answers",
            default: Some("0"),
            example: "0",
        },
        Field {
            name: "retry",
            takes: Type::PositiveDuration,
            meaning: "Time after which an unanswered request is sent again. Each further wait is twice as long as the \
                      one before, up to 64 times `retry`",
            default: Some("`\"1 ms\"`"),
            example: "\"1 ms\"",
        },
    ],
};

/// Objects that flows carry.
pub(super) static OBJECTS: Table = Table {
    name: "`objects`",
    word: "objects",
    scenario: "network",
    title: "The objects that flows carry",
    manual: Manual { page: "docs/network.md", section: "`store`", column: Some("field of `objects`") },
    readers: &["`objects`"],
    needs: &[],
    within: &[],
    fields: &[
        Field {
            name: "count",
            takes: Type::Integer { min: 1, max: 1_000_000_000, unit: "objects" },
            meaning: "Number of objects",
            default: Some("10000"),
            example: "10000",
        },
        Field {
            name: "skew",
            takes: Type::Number { range: Range::From(0.0, 10.0), unit: "" },
            meaning: "Skew of Zipf's law by which flows draw objects, rounded to thousandths; 0: all objects are \
                      equally likely",
            default: Some("0.9"),
            example: "0.9",
        },
    ],
};

/// A latency of each fetch of a state.
pub(super) static DRAWN: Table = Table {
    name: "`latency`",
    word: "drawn-state-latency",
    scenario: "network",
    title: "A latency that is drawn for each fetch of a state",
    manual: Manual { page: "docs/network.md", section: "`store`", column: Some("field of `latency`") },
    readers: &["`latency`"],
    needs: &[&["distribution"]],
    within: &[],
    fields: &[
        Field {
            name: "distribution",
            takes: Type::Choice(&LATENCY_DISTRIBUTIONS),
            meaning: "Distribution: `\"exponential\"` with `mean`, `\"lognormal\"` with `mean` and `sigma`, or \
                      `\"uniform\"` with `min` and `max`",
            default: None,
            example: "\"lognormal\"",
        },
        Field { name: "mean", takes: Type::PositiveDuration, meaning: "Mean time", default: None, example: "\"1 us\"" },
        Field {
            name: "sigma",
            takes: Type::Number { range: Range::From(0.0, 100.0), unit: "" },
            meaning: "Deviation of the logarithm, for `\"lognormal\"`",
            default: None,
            example: "0.5",
        },
        Field {
            name: "min",
            takes: Type::PositiveDuration,
            meaning: "Minimum time, for `\"uniform\"`",
            default: None,
            example: "\"1 us\"",
        },
        Field {
            name: "max",
            takes: Type::PositiveDuration,
            meaning: "Maximum time, for `\"uniform\"`",
            default: None,
            example: "\"9 us\"",
        },
    ],
};

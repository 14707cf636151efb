//! Fields of a range. Any field with a number or a quantity accepts a range.

use super::{Field, Manual, Range, Table, Type};
use crate::sweep::{MAX_STEPS, SPACINGS};

const END: Type = Type::Any(&[Type::Number { range: Range::From(f64::MIN, f64::MAX), unit: "" }, Type::Text]);

/// Evenly spaced values, in place of a list.
pub(super) static RANGE: Table = Table {
    name: "a range",
    word: "range",
    scenario: "scenario",
    title: "Evenly spaced values, in place of a list",
    manual: Manual { page: "docs/scenario.md", section: "Sweeps and repetitions", column: Some("field of a range") },
    readers: &["a range"],
    needs: &[&["from"], &["to"], &["steps"]],
    within: &[],
    fields: &[
        Field {
            name: "from",
            takes: END,
            meaning: "The first value: a number, or a quantity with its unit",
            default: None,
            example: "\"10 Mbps\"",
        },
        Field {
            name: "to",
            takes: END,
            meaning: "The last value; it must be greater than `from`",
            default: None,
            example: "\"10 Gbps\"",
        },
        Field {
            name: "steps",
            takes: Type::Integer { min: 2, max: MAX_STEPS, unit: "values" },
            meaning: "Number of values, including the first and the last",
            default: None,
            example: "4",
        },
        Field {
            name: "spacing",
            takes: Type::Choice(&SPACINGS),
            meaning: "Whether neighbours have equal differences (`\"linear\"`) or equal ratios (`\"log\"`)",
            default: Some("`\"linear\"`"),
            example: "\"log\"",
        },
    ],
};

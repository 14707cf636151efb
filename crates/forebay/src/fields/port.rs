//! Fields of scenarios with a `[port]`: the top level and the port.

#[path = "port/registry.rs"]
mod of_port;

use super::{Field, Manual, Table, Type, Within, policy, traffic};

/// `name` of every scenario that has this field.
pub(super) const NAME: Field = Field {
    name: "name",
    takes: Type::Text,
    meaning: "Name of the scenario in results",
    default: Some("the file's name"),
    example: "\"my-link\"",
};

/// `seed` of every scenario that has this field.
pub(super) const SEED: Field = Field {
    name: "seed",
    takes: Type::Integer { min: 0, max: i64::MAX as u64, unit: "" },
    meaning: "Root of all random streams, 0 to 2^63 - 1; `--seed` replaces it",
    default: Some("1"),
    example: "7",
};

/// `repetitions` of every scenario that has this field.
pub(super) const REPETITIONS: Field = Field {
    name: "repetitions",
    takes: Type::Integer { min: 1, max: 100_000, unit: "repetitions" },
    meaning: "Number of repetitions; each has its own seed, derived from `seed`. From 2 on, numbers have confidence \
              intervals (95 %, Student's t)",
    default: Some("1; under attack 3"),
    example: "5",
};

/// `zip` of every scenario with axes.
pub(super) const ZIP: Field = Field {
    name: "zip",
    takes: Type::Any(&[
        Type::List { of: &Type::Text, most: 100 },
        Type::List { of: &Type::List { of: &Type::Text, most: 100 }, most: 100 },
    ]),
    meaning: "Names of fields whose lists of values advance together: the first with the first, the second with the \
              second. All other lists are combined in all ways",
    default: Some("all ways"),
    example: "[\"load\", \"rate\"]",
};

/// `until` of every scenario that has this field.
pub(super) const UNTIL: Field = Field {
    name: "until",
    takes: Type::PositiveDuration,
    meaning: "The run ends at this time; packets that still wait are counted as queued",
    default: Some("when the last packet has departed"),
    example: "\"2 s\"",
};

/// `baseline` of every scenario that has this field.
pub(super) const BASELINE: Field = Field {
    name: "baseline",
    takes: Type::Text,
    meaning: "Name of the policy with which the others are compared, repetition by repetition; `--baseline` replaces it",
    default: Some("none"),
    example: "\"FIFO\"",
};

/// `record` of a scenario that can record this detail table.
pub(super) const fn record(of: &'static Type, example: &'static str) -> Field {
    Field {
        name: "record",
        takes: Type::List { of, most: 2 },
        meaning: "Further detail tables that `--out` writes: `\"packets\"` of a port and `\"requests\"` of `[cache]` \
                  have a row for each packet or request; `\"bounds\"` has the bounds of a port's queues, window by \
                  window",
        default: Some("none"),
        example,
    }
}

/// Fields of every scenario.
pub(crate) static TOP: Table = Table {
    name: "top level",
    word: "scenario",
    scenario: "scenario",
    title: "Fields of every scenario",
    manual: Manual { page: "docs/scenario.md", section: "Top level", column: Some("field") },
    readers: &["the scenario"],
    needs: &[],
    within: &[
        Within { name: "port", takes: Type::Table(&PORT), is_required: true },
        Within {
            name: "traffic",
            takes: Type::Any(&[Type::Table(&traffic::RECORDING), Type::Table(&traffic::RECIPE)]),
            is_required: true,
        },
        Within { name: "policy", takes: Type::List { of: &policy::ANY, most: 100_000 }, is_required: true },
    ],
    fields: &[
        NAME,
        SEED,
        REPETITIONS,
        ZIP,
        UNTIL,
        BASELINE,
        record(&Type::Choice(&["packets", "bounds"]), "[\"packets\"]"),
    ],
};

/// The port that every policy serves.
pub(super) static PORT: Table = Table {
    name: "[port]",
    word: "port",
    scenario: "scenario",
    title: "The port that every policy serves",
    manual: Manual { page: "docs/scenario.md", section: "`[port]`", column: Some("field") },
    readers: &["[port]"],
    needs: &[&["rate"]],
    within: &[],
    fields: of_port::FIELDS,
};

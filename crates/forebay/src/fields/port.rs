//! Fields of scenarios with a `[port]`: the top level and the port.

#[path = "port/registry.rs"]
mod of_port;

use super::{Field, Manual, Table, Type, Within, policy, traffic};

/// `name` of every scenario that has it.
pub(super) const NAME: Field = Field {
    name: "name",
    takes: Type::Text,
    meaning: "Name of the scenario in results",
    default: Some("the file's name"),
    example: "\"my-link\"",
};

/// `seed` of every scenario that has it.
pub(super) const SEED: Field = Field {
    name: "seed",
    takes: Type::Integer { min: 0, max: i64::MAX as u64, unit: "" },
    meaning: "Root of all random streams, 0 to 2^63 - 1; `--seed` replaces it",
    default: Some("1"),
    example: "7",
};

/// `repetitions` of every scenario that has it.
pub(super) const REPETITIONS: Field = Field {
    name: "repetitions",
    takes: Type::Integer { min: 1, max: 100_000, unit: "repetitions" },
    meaning: "Number of runs of everything, with seeds derived from `seed`; from 2 on numbers have confidence intervals \
              (95 %, Student's t)",
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
    meaning: "Names of fields whose lists of values go together: the first with the first, the second with the second. Lists \
              that it does not name are combined in all ways",
    default: Some("all ways"),
    example: "[\"load\", \"rate\"]",
};

/// `until` of every scenario that has it.
pub(super) const UNTIL: Field = Field {
    name: "until",
    takes: Type::PositiveDuration,
    meaning: "The run ends at this time; packets that wait then are counted as queued",
    default: Some("until the last packet has left"),
    example: "\"2 s\"",
};

/// `baseline` of every scenario that has it.
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
        meaning: "Detail tables that `--out` writes besides: `\"packets\"` of a port, `\"requests\"` of `[cache]`, with a row for each; \
                  `\"bounds\"` of the queues of a port, window by window",
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

/// The port at which every policy stands.
pub(super) static PORT: Table = Table {
    name: "[port]",
    word: "port",
    scenario: "scenario",
    title: "The port at which every policy stands",
    manual: Manual { page: "docs/scenario.md", section: "`[port]`", column: Some("field") },
    readers: &["[port]"],
    needs: &[&["rate"]],
    within: &[],
    fields: of_port::FIELDS,
};

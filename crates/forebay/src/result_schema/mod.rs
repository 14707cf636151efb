//! The JSON Schema of results: the guarantees for programs that read `--format json` or `result.json`.
//!
//! ```
//! let schema = forebay::result_schema::result_schema();
//! assert_eq!(schema["definitions"]["port"]["properties"]["schema_version"]["const"], 1);
//! ```

mod attack;
mod cache;
mod network;
mod port;
mod shape;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};
use shape::Shape::{self, Count, Fields, List, Text, Words};
use shape::{Field, field, optional};

/// The version of the schema; it increases if programs that read results may have to change.
pub const SCHEMA_VERSION: u32 = 1;

/// The name of a kind of result, and its fields besides [`COMMON`].
type Kind = (&'static str, &'static [&'static [Field]]);

const KINDS: [Kind; 7] = [
    ("port", &[OF_SCENARIOS, port::REPORT]),
    ("network", &[OF_SCENARIOS, network::REPORT]),
    ("attack", &[OF_SCENARIOS, attack::REPORT]),
    ("attack-search", &[attack::SEARCH]),
    ("cache", &[OF_SCENARIOS, cache::REPORT]),
    ("curve", &[OF_SCENARIOS, cache::CURVES]),
    ("bound", &[OF_SCENARIOS, cache::BOUNDS]),
];

/// The fields of every result.
const COMMON: &[Field] = &[
    field("forebay", Text, "Version of forebay"),
    field("scenario", Text, "The name of the scenario"),
    field("seed", Count, "Root of all random numbers; each repetition has its own"),
    field("warnings", List(&Text), "Warnings about the numbers"),
];

/// The fields of every scenario's question.
const ASKED: &[Field] = &[
    field("repetitions", Count, "Repetitions of every run that were asked for"),
    field("random", Shape::Flag, "Whether random numbers play a part"),
    field("policies", List(&Text), "In the order of the scenario"),
    optional("baseline", Text, "The policy that others are compared with"),
    field("runs", Count, "How many runs there are, repetitions counted"),
];

/// The further fields of every result of a scenario. A search for attacks compares no policies.
const OF_SCENARIOS: &[Field] = &[field(
    "comparison",
    Fields(&[COMPARISON], false),
    "How policies differ from the baseline in the metrics that matter most",
)];

const COMPARISON: &[Field] = &[
    field("baseline", Shape::TextOrNull, "The policy that the others are compared with"),
    field(
        "differences",
        List(&Fields(&[COMPARED], false)),
        "Of every other policy, or of the second best, in each cell of the sweep",
    ),
    field("notes", List(&Text), "Notes about the intervals"),
];

const COMPARED: &[Field] = &[
    field("policy", Text, "The policy"),
    field("to", Text, "The policy that it is compared with"),
    field("axes", List(&Fields(&[PLACE], false)), "The values of the swept fields"),
    field("subject", Text, "What the number is of: `all`, or a kind like `capacity`"),
    field("item", Text, "Which one of the kind"),
    field("metric", Text, "Which number, as the long table calls it"),
    field("unit", Text, "In which unit; `1` for shares and ratios"),
    field("pairs", Count, "Repetitions that both policies have"),
    field("difference", Shape::Number, "The policy's number minus the other's, mean over the repetitions"),
    field("difference_ci95", Shape::NumberOrNull, "Half the width of its own 95 % confidence interval"),
    field("ratio", Shape::NumberOrNull, "The policy's mean over the other's"),
    field(
        "repetitions_needed",
        Shape::CountOrNull,
        "Where the interval includes 0, about how many repetitions would exclude it; 1001 for more than 1000",
    ),
];

const PLACE: &[Field] = &[field("name", Text, "The field"), field("text", Text, "Its value as the scenario writes it")];

/// Where a cell of a sweep is.
const AXES: Field = optional("axes", AXIS_VALUES, "The values of the swept fields");
/// The runs of a cell.
const REPETITIONS: Field = field("repetitions", List(&Count), "Those that were finished, by number from 0");
const SEEDS: Field = field("seeds", List(&Count), "The seed of each repetition");
const SETTLED: Field = optional(
    "settled_ns",
    List(&Shape::NumberOrNull),
    "When each repetition had settled (MSER-5), in nanoseconds; null if it had not in its first half, or if that cannot be said",
);

/// The values of swept fields.
const AXIS_VALUES: Shape = List(&Fields(
    &[&[
        field("name", Text, "The field"),
        field("text", Text, "Its value as the scenario writes it"),
        field("number", Shape::NumberOrNull, "The same in bit/s, ns, bytes or percent, if it is a number"),
    ]],
    false,
));

/// Returns the schema of all kinds of results, in draft 7.
#[must_use]
pub fn result_schema() -> Value {
    let kinds = KINDS.iter().map(|(name, own)| (*name, of_kind(name, own)));
    let definitions: Map<String, Value> =
        kinds.chain(shape::definitions()).map(|(name, schema)| (name.to_owned(), schema)).collect();
    let of = |(name, _): &Kind| json!({ "if": { "properties": { "kind": { "const": name } } }, "then": { "$ref": format!("#/definitions/{name}") } });
    let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A result of forebay",
        "type": "object",
        "required": ["schema_version", "kind"],
        "properties": { "kind": { "enum": names } },
        "allOf": KINDS.iter().map(of).collect::<Vec<_>>(),
        "definitions": definitions,
    })
}

fn of_kind(name: &'static str, own: &[&'static [Field]]) -> Value {
    let mut schema = shape::object(&[&[COMMON], own].concat(), false);
    schema["properties"]["schema_version"] = json!({ "const": SCHEMA_VERSION, "description": "Increases whenever a program that reads \
                                                                                              results may have to change" });
    schema["properties"]["kind"] = json!({ "const": name, "description": "The kind of result" });
    if let Some(required) = schema["required"].as_array_mut() {
        required.extend([json!("schema_version"), json!("kind")]);
    }
    schema
}

/// In which model a cache was simulated.
const MODELS: Shape = Words(&["delayed-hits", "classical"]);

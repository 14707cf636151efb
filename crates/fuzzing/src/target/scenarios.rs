//! Scenarios that are made by the schema. Each byte chooses among the values that the schema accepts, so most scenarios are not rejected at
//! once. A new field is fuzzed as soon as it exists.

use super::FuzzTarget;
use super::scenario_text::read;
use crate::bytes::Bytes;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "scenarios",
    title: "What the schema takes is a scenario whose cost is known, or has an error that says where",
    seeds: Vec::new,
    run: |data| read(&made(data)),
    quick: 1_500,
};

static SCHEMA: LazyLock<Value> = LazyLock::new(forebay::fields::json_schema);

/// Texts that fields take, by a word of the pattern that they have to fit; the last ones where no word is there.
const TEXTS: [(&str, &[&str]); 4] = [
    ("bps", &["10 Mbps", "1 Gbps", "400 Gbps", "1 bps", "0.5 Mbps", "18446744073709551615 bps"]),
    ("packets", &["100 packets", "1 packets", "64 KB", "1 MB", "3000000000 packets", "1 B"]),
    ("ms", &["10 us", "1 ms", "1 ps", "213 days", "2 s", "0.001 ns", "18446744073709551615 ps"]),
    (
        "",
        &[
            "mixed.pcap",
            "zipf:objects=10,requests=100,skew=0.9",
            "h0",
            "q = Queue(4 pkts);\nout = Port(100);",
            "",
            "50%",
            "1..5",
            "a",
        ],
    ),
];

/// Most tables within tables.
const DEPTH: usize = 12;

/// The scenario that bytes choose.
fn made(data: &[u8]) -> String {
    let mut bytes = Bytes::new(data);
    let kinds = SCHEMA["allOf"].as_array().into_iter().flatten().filter_map(|kind| kind.get("then"));
    let kinds: Vec<&Value> = kinds.collect();
    let kind = kinds[bytes.below(kinds.len())];
    let Some(Value::Object(top)) = value(kind, &mut bytes, 0) else { return String::new() };
    top.iter().map(|(key, value)| format!("{} = {}\n", name(key), toml(value))).collect()
}

fn name(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { key.to_owned() } else { Value::from(key).to_string() }
}

fn toml(value: &Value) -> String {
    match value {
        Value::Array(all) => format!("[{}]", all.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Value::Object(table) => {
            let fields: Vec<String> =
                table.iter().map(|(key, value)| format!("{} = {}", name(key), toml(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        // A string, a number and a boolean are the same in both.
        other => other.to_string(),
    }
}

/// A value that a schema takes; `None` where it takes nothing that can be made.
fn value(schema: &Value, bytes: &mut Bytes<'_>, depth: usize) -> Option<Value> {
    if depth > DEPTH {
        return None;
    }
    if let Some(path) = schema.get("$ref").and_then(Value::as_str) {
        return value(SCHEMA.pointer(path.strip_prefix('#')?)?, bytes, depth + 1);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(all) = schema.get(key).and_then(Value::as_array) {
            // A text of any kind stands for a name with parameters, or a file: it seldom fits.
            let is_any_text = |schema: &Value| {
                schema["type"] == "string" && schema.get("pattern").is_none() && schema.get("enum").is_none()
            };
            let mut kinds: Vec<&Value> = all.iter().filter(|schema| !is_any_text(schema)).collect();
            if kinds.is_empty() || bytes.byte() > 250 {
                kinds = all.iter().collect();
            }
            // What stands first is what is meant most often; the others are lists and ranges for sweeps.
            let place = if bytes.byte() < 160 { 0 } else { bytes.below(kinds.len()) };
            return value(kinds.get(place)?, bytes, depth + 1);
        }
    }
    if let Some(all) = schema.get("enum").and_then(Value::as_array) {
        return all.get(bytes.below(all.len().max(1))).cloned();
    }
    if let Some(value) = schema.get("const") {
        return Some(value.clone());
    }
    match schema.get("type").and_then(Value::as_str)? {
        "boolean" => Some(Value::from(bytes.byte().is_multiple_of(2))),
        "integer" => {
            let bound = |key| schema.get(key).and_then(Value::as_u64);
            let (least, most) = (bound("minimum").unwrap_or(0), bound("maximum").unwrap_or(1 << 40));
            let number = match bytes.byte() % 4 {
                0 => least,
                1 => least.saturating_add(u64::from(bytes.byte())),
                2 => most,
                _ => bytes.wide(),
            };
            Some(Value::from(number.clamp(least, most.max(least)).min(i64::MAX.unsigned_abs())))
        }
        "number" => {
            let (least, most) = (number(schema, "minimum"), number(schema, "maximum"));
            let (least, most) = (least.unwrap_or(0.0), most.unwrap_or(1e9));
            let share = [0.5, 0.0, 1.0, 1e-9, 0.9][usize::from(bytes.byte()) % 5];
            Some(Value::from((least * (1.0 - share) + most * share).clamp(-f64::MAX, f64::MAX)))
        }
        "string" => {
            let pattern = schema.get("pattern").and_then(Value::as_str).unwrap_or("");
            if let Some(names) = names(pattern).filter(|_| bytes.byte() < 250) {
                return Some(Value::from(bytes.one_of(&names)));
            }
            let fitting = TEXTS.iter().find(|(word, _)| pattern.contains(word)).map(|(_, texts)| *texts)?;
            Some(Value::from(bytes.one_of(fitting)))
        }
        "array" => {
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            let count = usize::try_from(least).unwrap_or(1).max(1) + usize::from(bytes.byte() > 200);
            Some(Value::Array((0..count).filter_map(|_| value(schema.get("items")?, bytes, depth + 1)).collect()))
        }
        "object" => Some(Value::Object(table(schema, bytes, depth))),
        _ => None,
    }
}

/// The names of a pattern that begins with a choice among names.
fn names(pattern: &str) -> Option<Vec<&str>> {
    let start = pattern.find('(')?;
    let names: Vec<&str> = pattern[start + 1..].trim_start_matches("?:").split(')').next()?.split('|').collect();
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (names.len() > 4 && names.iter().all(is_name)).then_some(names)
}

fn number(schema: &Value, key: &str) -> Option<f64> {
    schema.get(key).and_then(Value::as_f64)
}

/// A table with what is required and some of what is not.
fn table(schema: &Value, bytes: &mut Bytes<'_>, depth: usize) -> Map<String, Value> {
    let mut made = Map::new();
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    for (key, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let wanted = if required.contains(&key.as_str()) { bytes.byte() < 250 } else { bytes.byte() > 230 };
        if wanted && let Some(value) = value(field, bytes, depth + 1) {
            made.insert(key.clone(), value);
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay::demo::Embedded;
    use forebay::{Changes, Question};
    use forebay_core::{Rng, Seed};
    use rand::RngExt as _;
    use std::collections::BTreeMap;

    #[test]
    fn some_are_questions_and_errors_are_of_many_kinds() {
        let mut rng: Rng = Seed(1).stream("scenarios");
        let (mut questions, mut errors) = (0, BTreeMap::<String, u32>::new());
        for _ in 0..3_000 {
            let data: Vec<u8> = (0..300).map(|_| rng.random()).collect();
            match Question::parse("fuzz", &made(&data), &Embedded, &Changes::default()) {
                Ok(_) => questions += 1,
                Err(error) => *errors.entry(error.message().chars().take(90).collect()).or_default() += 1,
            }
        }
        let mut most: Vec<_> = errors.iter().collect();
        most.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        most.truncate(12);
        assert!(questions > 100 && errors.len() > 200, "{questions} questions, {} errors: {most:#?}", errors.len());
    }
}

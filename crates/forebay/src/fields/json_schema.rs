//! The JSON Schema of scenarios, made from the field tables.
//!
//! Editors that know the schema complete fields, show their meanings, and mark mistakes. It describes each value alone.
//! The readers check conditions between fields.
//!
//! ```
//! let schema = forebay::fields::json_schema();
//! assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
//! assert!(schema["definitions"]["port"]["properties"]["rate"].is_object());
//! ```

use super::{Field, Key, Range, SCENARIOS, Scenario, TABLES, Table, Type};
use super::{application, range};
use crate::catalogue::{self, Kind};
use forebay_cache::ADMISSIONS;
use forebay_cache::mad::MAD_PARAMS;
use forebay_core::params::{ParamKind, ParamSpec};
use forebay_sim::attack::applications::{APPLICATIONS, ApplicationEntry};
use serde_json::{Map, Value, json};

/// A number with an optional fraction, `_` between digits allowed.
const NUMBER: &str = r"\+?([0-9_]+\.?[0-9_]*|\.[0-9_]+)";
/// Numbers above zero.
const POSITIVE: &str = r"\+?(?=[0-9_.]*[1-9])([0-9_]+\.?[0-9_]*|\.[0-9_]+)";

/// Fields of which a list of values is no axis: names, and what holds for a whole scenario.
const NO_AXES: [&str; 5] = ["name", "seed", "repetitions", "zip", "baseline"];

/// Returns the schema of all kinds of scenarios in draft 7, which editors of TOML support.
#[must_use]
pub fn json_schema() -> Value {
    let mut definitions = Map::new();
    for table in TABLES {
        definitions.insert(key_of(table), of_table(table));
    }
    for kind in &SCENARIOS {
        definitions.insert(key_of(kind.top), of_table(kind.top));
    }
    for kind in [
        Kind::RankFunction,
        Kind::FlowRank,
        Kind::Queue,
        Kind::DropRule,
        Kind::MarkRule,
        Kind::PaceRule,
        Kind::Topology,
        Kind::Transport,
        Kind::FlowSize,
        Kind::Pattern,
        Kind::Application,
        Kind::RequestGenerator,
        Kind::CachePolicy,
    ] {
        definitions.insert(named(kind), of_kind(kind));
    }
    definitions.insert("distribution".to_owned(), distributions());
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A scenario of forebay",
        "type": "object",
        "properties": top_level(),
        "allOf": kinds(),
        "definitions": definitions,
    })
}

/// Returns all fields that the top level of any kind of scenario may have, for editors that complete it.
fn top_level() -> Map<String, Value> {
    let mut properties: Map<String, Value> = Map::new();
    for kind in &SCENARIOS {
        let fields = kind.top.fields.iter().map(|field| (field.name, of_field(field, true)));
        for (name, schema) in fields.chain(kind.top.within.iter().map(|within| (within.name, of_type(&within.takes)))) {
            match properties.get_mut(name) {
                None => {
                    properties.insert(name.to_owned(), schema);
                }
                Some(known) if *known == schema => {}
                Some(known) => *known = json!({ "anyOf": [known.clone(), schema] }),
            }
        }
    }
    properties
}

/// The rules that choose the kind of a scenario by the table that only this kind has.
fn kinds() -> Vec<Value> {
    let own = |kind: &Scenario| json!({ "required": [kind.top.within[0].name] });
    let kind = |kind: &Scenario| json!({ "if": own(kind), "then": reference(&key_of(kind.top)) });
    let any: Vec<Value> = SCENARIOS.iter().map(own).collect();
    SCENARIOS.iter().map(kind).chain([json!({ "anyOf": any })]).collect()
}

/// Tables of one word may be several: `traffic` is a recording or a recipe.
fn key_of(table: &Table) -> String {
    let same: Vec<&Table> = all_tables().filter(|other| other.word == table.word).collect();
    let place = same.iter().position(|other| std::ptr::eq(*other, table)).unwrap_or(0);
    if place == 0 { table.word.to_owned() } else { format!("{}-{}", table.word, place + 1) }
}

fn all_tables() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().copied().chain(
        SCENARIOS.iter().map(|kind| kind.top).filter(|top| TABLES.iter().all(|table| !std::ptr::eq(*table, *top))),
    )
}

fn named(kind: Kind) -> String {
    format!("{}-name", kind.title().replace(' ', "-"))
}

fn reference(key: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{key}") })
}

fn of_table(table: &Table) -> Value {
    // A range is a list itself.
    let is_swept = table.word != range::RANGE.word;
    let own = table.fields.iter().map(|field| (field.name.to_owned(), of_field(field, is_swept)));
    let mut properties: Map<String, Value> = own.collect();
    for within in table.within {
        properties.insert(within.name.to_owned(), of_type(&within.takes));
    }
    let within = table.within.iter().filter(|within| within.is_required).map(|within| within.name);
    let single = table.needs.iter().filter(|group| group.len() == 1).map(|group| group[0]);
    let required: Vec<&str> = within.chain(single).collect();
    let mut schema = json!({
        "type": "object",
        "description": table.title,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let several = table.needs.iter().filter(|group| group.len() > 1);
    let one_of = |group: &&[&str]| json!({ "oneOf": group.iter().map(|name| json!({ "required": [name] })).collect::<Vec<_>>() });
    let groups: Vec<Value> = several.map(one_of).collect();
    if !groups.is_empty() {
        schema["allOf"] = groups.into();
    }
    schema
}

fn of_field(field: &Field, is_swept: bool) -> Value {
    let schema = of_type(&field.takes);
    let is_swept = is_swept && !NO_AXES.contains(&field.name);
    let mut schema = if is_swept { swept(&schema, is_quantity(&field.takes)) } else { schema };
    let default = field.default.map_or_else(String::new, |default| format!(" (default: {default})"));
    schema["description"] = format!("{}{default}", field.meaning).into();
    schema
}

/// A value, or a list of values, which is an axis. Of a quantity it may be a range.
fn swept(schema: &Value, is_quantity: bool) -> Value {
    let list = json!({ "type": "array", "items": schema, "minItems": 1 });
    if is_quantity {
        json!({ "anyOf": [schema, list, reference(range::RANGE.word)] })
    } else {
        json!({ "anyOf": [schema, list] })
    }
}

/// Whether there are values between two others.
fn is_quantity(takes: &Type) -> bool {
    match takes {
        Type::Integer { .. }
        | Type::Number { .. }
        | Type::Drawn { .. }
        | Type::Capacity
        | Type::FetchLatency
        | Type::Duration
        | Type::PositiveDuration
        | Type::Frequency
        | Type::Rate
        | Type::Bytes
        | Type::Buffer
        | Type::Percent => true,
        Type::Any(types) => types.iter().any(is_quantity),
        _ => false,
    }
}

fn of_type(takes: &Type) -> Value {
    match takes {
        Type::Text | Type::File => json!({ "type": "string" }),
        Type::Label => json!({ "type": "string", "minLength": 1, "maxLength": 40 }),
        Type::Boolean => json!({ "type": "boolean" }),
        Type::Integer { min, max, .. } => whole(*min, *max),
        Type::Number { range: Range::From(min, max), .. } => bounded(*min, *max),
        Type::Number { range: Range::Above(above, max), .. } => {
            json!({ "type": "number", "exclusiveMinimum": above, "maximum": max })
        }
        Type::Drawn { min, max } => json!({ "anyOf": [whole(*min, *max), reference("distribution")] }),
        Type::Choice(words) => json!({ "enum": words }),
        Type::Named(kind) => reference(&named(*kind)),
        Type::ApplicationAttack => of_application_attacks(),
        Type::StatePolicy => state_policy(),
        Type::CachePolicy => cache_policy(),
        Type::Capacity => json!({ "anyOf": [whole(1, u64::MAX), { "type": "string", "pattern": CAPACITIES }] }),
        Type::FetchLatency => {
            json!({ "anyOf": [whole(1, 1_000_000_000_000_000), { "type": "string", "pattern": LATENCIES }] })
        }
        Type::Duration => pattern(NUMBER, DURATIONS),
        Type::PositiveDuration => pattern(POSITIVE, DURATIONS),
        Type::Frequency => pattern(POSITIVE, "(GHz|MHz|kHz|Hz)"),
        Type::Rate => pattern(POSITIVE, RATES),
        Type::Bytes => pattern(NUMBER, BYTES),
        Type::Buffer => buffer(),
        Type::Percent => pattern(POSITIVE, "%"),
        Type::List { of, most } => json!({ "type": "array", "items": of_type(of), "minItems": 1, "maxItems": most }),
        Type::Table(table) => reference(&key_of(table)),
        Type::Map { key, of } => {
            // The value of a constant may be an axis.
            let (names, value) = match key {
                Key::Class => (CLASSES, of_type(of)),
                Key::Constant => ("^[A-Za-z_][A-Za-z_0-9]*$", swept(&of_type(of), is_quantity(of))),
            };
            json!({ "type": "object", "propertyNames": { "pattern": names }, "additionalProperties": value })
        }
        Type::Any(types) => json!({ "anyOf": types.iter().map(of_type).collect::<Vec<_>>() }),
    }
}

const DURATIONS: &str = "(ps|ns|us|µs|ms|s)";
const RATES: &str = "[kKMGT]?(bps|bit/s|b/s|bit)";
const BYTES: &str = "(B|bytes?|KB|kB|MB|GB|KiB|MiB|GiB)";
const CAPACITIES: &str =
    r"^\s*\+?([0-9_]+\.?[0-9_]*|\.[0-9_]+)([eE]\+?[0-9]+)?\s*(B|bytes?|KB|kB|MB|GB|KiB|MiB|GiB|%\s*(active)?)?\s*$";
const LATENCIES: &str = r"^\s*(\+?([0-9_]+\.?[0-9_]*|\.[0-9_]+)([eE]\+?[0-9]+)?\s*(ps|ns|us|µs|ms|s)?|(origins|exponential|lognormal|uniform|objects|size)\(.+\)|measured)\s*$";
/// 0 to 255.
const CLASSES: &str = "^(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$";

/// Whole packets, or bytes.
fn buffer() -> Value {
    json!({ "anyOf": [
        { "type": "string", "pattern": r"^\s*\+?(?=[0-9_]*[1-9])[0-9_]+(\.0*)?\s*(packets?|pkts?)\s*$" },
        pattern(POSITIVE, BYTES),
    ] })
}

fn pattern(number: &str, unit: &str) -> Value {
    json!({ "type": "string", "pattern": format!(r"^\s*{number}\s*{unit}\s*$") })
}

fn whole(min: u64, max: u64) -> Value {
    json!({ "type": "integer", "minimum": min, "maximum": max })
}

fn bounded(min: f64, max: f64) -> Value {
    let mut schema = json!({ "type": "number", "minimum": min });
    if max.is_finite() {
        schema["maximum"] = max.into();
    }
    schema
}

/// The name of one of a kind, or a table with the name and its parameters.
fn of_kind(kind: Kind) -> Value {
    let entries = catalogue::entries().into_iter().filter(|entry| entry.kind == kind);
    let (mut names, mut tables) = (Vec::new(), Vec::new());
    for entry in entries {
        let own: Vec<&str> = std::iter::once(entry.name).chain(entry.also_known_as.iter().copied()).collect();
        for (forms, more) in forms(&entry) {
            let own: Vec<String> =
                own.iter().flat_map(|name| forms.iter().map(move |form| format!("{name}{form}"))).collect();
            let own: Vec<&str> = own.iter().map(String::as_str).collect();
            tables.push(with_parameters("name", &own, entry.params, &more));
            names.extend(own.iter().map(|name| (*name).to_owned()));
        }
    }
    let mut any = vec![json!({ "enum": names })];
    any.append(&mut tables);
    json!({ "anyOf": any, "description": format!("the name of {}, or a table with `name` and parameters", kind.with_article()) })
}

/// Parameters with their schemas.
type Parameters = Vec<(&'static str, Value)>;

/// The suffixes of forms of an entry, and the parameters that they have beside its own. Only cache policies have
/// others than the thing itself. All rules of admission are together, with the parameters of each: a table for each
/// would make the schema many times as long.
fn forms(entry: &catalogue::Entry) -> Vec<(Vec<String>, Parameters)> {
    let sized = entry.kind == Kind::Application && !entry.params.is_empty();
    let own = if sized { vec![("size_bytes", of_type(&application::SIZES))] } else { Vec::new() };
    let mut forms = vec![(vec![String::new()], own)];
    if entry.mad {
        forms.push((vec!["-mad".to_owned()], of_mad(entry.params)));
    }
    if entry.admission {
        let own =
            || ADMISSIONS.iter().flat_map(|rule| rule.about.params).map(|param| (param.name, of_parameter(param)));
        let admitted: Vec<_> = forms
            .iter()
            .map(|(suffixes, more)| {
                let around = |form: &String| rules().map(|rule| format!("{form}-{rule}")).collect::<Vec<_>>();
                (suffixes.iter().flat_map(around).collect(), more.iter().cloned().chain(own()).collect())
            })
            .collect();
        forms.extend(admitted);
    }
    forms
}

/// The names of all rules of admission.
fn rules() -> impl Iterator<Item = &'static str> {
    ADMISSIONS.iter().flat_map(|rule| std::iter::once(rule.about.name).chain(rule.also_known_as.iter().copied()))
}

/// Returns the parameters of a MAD form in addition to those of its base policy. Some names are parameters of both.
fn of_mad(base: &[ParamSpec]) -> Vec<(&'static str, Value)> {
    let both = |param: &ParamSpec| match base.iter().find(|own| own.name == param.name) {
        Some(own) => json!({ "anyOf": [of_parameter(own), of_parameter(param)] }),
        None => of_parameter(param),
    };
    MAD_PARAMS.iter().map(|param| (param.name, both(param))).collect()
}

/// The parameters of the attack on each application, in a table with the name `application`.
fn of_application_attacks() -> Value {
    let own = |entry: &ApplicationEntry| with_parameters("name", &["application"], entry.attack, &[]);
    json!({ "anyOf": APPLICATIONS.iter().map(own).collect::<Vec<_>>() })
}

fn distributions() -> Value {
    let entries = catalogue::entries().into_iter().filter(|entry| entry.kind == Kind::Distribution);
    let range = [("min", whole(0, u64::MAX)), ("max", whole(0, u64::MAX)), ("name", json!({ "type": "string" }))];
    let any: Vec<Value> =
        entries.map(|entry| with_parameters("distribution", &[entry.name], entry.params, &range)).collect();
    json!({ "anyOf": any, "description": "a distribution" })
}

/// A table whose field `key` has one of these names, with these parameters.
fn with_parameters(key: &str, names: &[&str], params: &[ParamSpec], more: &[(&str, Value)]) -> Value {
    let mut properties: Map<String, Value> =
        params.iter().map(|param| (param.name.to_owned(), of_parameter(param))).collect();
    properties.extend(more.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())));
    properties.insert(key.to_owned(), json!({ "enum": names }));
    let required: Vec<&str> = match (key, names) {
        ("name", _) => vec![key],
        (_, ["constant"]) => vec![key, "min"],
        _ => vec![key, "min", "max"],
    };
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn of_parameter(param: &ParamSpec) -> Value {
    let is_quantity = matches!(
        param.kind,
        ParamKind::Integer { .. }
            | ParamKind::Number { .. }
            | ParamKind::Share { .. }
            | ParamKind::Duration { .. }
            | ParamKind::Rate { .. }
            | ParamKind::Bytes { .. }
            | ParamKind::Buffer { .. }
    );
    let mut schema = swept(&of_param_kind(&param.kind), is_quantity);
    let default = param.kind.default_text().map_or_else(String::new, |default| format!(" (default: {default})"));
    schema["description"] = format!("{}{default}", param.meaning).into();
    schema
}

fn of_param_kind(kind: &ParamKind) -> Value {
    match kind {
        ParamKind::Boolean { .. } => json!({ "type": "boolean" }),
        ParamKind::Integer { min, max, .. } => whole(*min, *max),
        ParamKind::Number { min, max, .. } => bounded(*min, *max),
        ParamKind::Share { .. } => json!({ "anyOf": [bounded(0.0, 1.0), pattern(NUMBER, "%")] }),
        ParamKind::Choice { of, .. } => json!({ "enum": of }),
        ParamKind::Duration { .. } => pattern(NUMBER, DURATIONS),
        ParamKind::Rate { .. } => pattern(POSITIVE, RATES),
        ParamKind::Bytes { .. } => pattern(NUMBER, BYTES),
        ParamKind::Buffer { .. } => buffer(),
        ParamKind::Text { .. } => json!({ "type": "string" }),
        ParamKind::List { of, words, .. } => {
            let list = json!({ "type": "array", "items": of_param_kind(of) });
            if words.is_empty() { list } else { json!({ "anyOf": [list, { "enum": words }] }) }
        }
        ParamKind::Map { of, .. } => {
            json!({ "type": "object", "propertyNames": { "pattern": CLASSES }, "additionalProperties": of_param_kind(of) })
        }
    }
}

/// `lru`, `lru-mad(sample=16)`, `lru-tinylfu`.
fn cache_policy() -> Value {
    let rules: Vec<&str> = rules().collect();
    let pattern = format!(r"^\s*({})(-mad)?(-({}))?\s*(\(.*\))?\s*$", cache_policies(), rules.join("|"));
    json!({ "type": "string", "pattern": pattern })
}

/// `lru`, `lru-mad(sample=16)`, `lru-seer`.
fn state_policy() -> Value {
    let rules: Vec<&str> = rules().collect();
    let pattern = format!(r"^\s*(seer|({})(-mad)?(-({}))?(-seer)?)\s*(\(.*\))?\s*$", cache_policies(), rules.join("|"));
    json!({ "type": "string", "pattern": pattern })
}

/// The names of all, for a pattern.
fn cache_policies() -> String {
    let entries = catalogue::entries().into_iter().filter(|entry| entry.kind == Kind::CachePolicy);
    let names: Vec<String> =
        entries.flat_map(|entry| std::iter::once(entry.name).chain(entry.also_known_as).map(str::to_owned)).collect();
    names.join("|")
}

/// Returns the schema of one type, with all definitions.
#[cfg(test)]
pub(super) fn of_type_for_tests(takes: &Type, schema: &Value) -> Value {
    json!({ "allOf": [swept(&of_type(takes), is_quantity(takes))], "definitions": schema["definitions"] })
}

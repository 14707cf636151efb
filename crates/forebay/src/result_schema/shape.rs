//! The shape of a value of a result, and its JSON Schema.

use crate::metric::{Metric, ResultKind, all};
use serde_json::{Map, Value, json};

/// A field of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    name: &'static str,
    shape: Shape,
    about: &'static str,
    is_optional: bool,
}

/// Declares a field that is always present.
pub(super) const fn field(name: &'static str, shape: Shape, about: &'static str) -> Field {
    Field { name, shape, about, is_optional: false }
}

/// Declares a field that is left out if it has no value.
pub(super) const fn optional(name: &'static str, shape: Shape, about: &'static str) -> Field {
    Field { name, shape, about, is_optional: true }
}

/// A kind of value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    Text,
    TextOrNull,
    Flag,
    /// A whole number from 0.
    Count,
    CountOrNull,
    Number,
    NumberOrNull,
    /// One of these words.
    Words(&'static [&'static str]),
    List(&'static Shape),
    /// An object with the fields of all these lists; `true` if it may have more.
    Fields(&'static [&'static [Field]], bool),
    /// One of these.
    Either(&'static [Shape]),
    /// Numbers with their intervals, by the names of metrics of these kinds.
    Quantities(&'static [ResultKind]),
    /// The metrics of this kind as lists of means and intervals, beside these fields.
    Bins(ResultKind, &'static [Field]),
    /// The metrics of this kind as numbers, of the only run or as means, next to the fields of all these lists.
    Wide(ResultKind, &'static [&'static [Field]]),
    /// Whole numbers by names that differ.
    Counters,
    Null,
    /// An object of any kind.
    Object,
    Anything,
}

impl Shape {
    fn schema(self) -> Value {
        match self {
            Self::Text => json!({ "type": "string" }),
            Self::TextOrNull => json!({ "type": ["string", "null"] }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Count => json!({ "type": "integer", "minimum": 0 }),
            Self::CountOrNull => json!({ "type": ["integer", "null"], "minimum": 0 }),
            Self::Number => json!({ "type": "number" }),
            Self::NumberOrNull => json!({ "type": ["number", "null"] }),
            Self::Words(words) => json!({ "enum": words }),
            Self::List(of) => json!({ "type": "array", "items": of.schema() }),
            Self::Fields(lists, is_open) => object(lists, is_open),
            Self::Either(shapes) => {
                json!({ "anyOf": shapes.iter().map(|shape| shape.schema()).collect::<Vec<_>>() })
            }
            Self::Quantities(of) => quantities(of),
            Self::Bins(of, fields) => bins(of, fields),
            Self::Wide(of, lists) => wide(of, lists),
            Self::Counters => json!({ "type": "object", "additionalProperties": Self::Count.schema() }),
            Self::Null => json!({ "type": "null" }),
            Self::Object => json!({ "type": "object" }),
            Self::Anything => json!({}),
        }
    }
}

/// Returns the schema of an object.
pub(super) fn object(lists: &[&[Field]], is_open: bool) -> Value {
    let fields = || lists.iter().copied().flatten();
    let properties: Map<String, Value> =
        fields().map(|field| (field.name.to_owned(), described(field.shape, field.about))).collect();
    let required: Vec<&str> = fields().filter(|field| !field.is_optional).map(|field| field.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": is_open })
}

fn described(shape: Shape, about: &str) -> Value {
    let mut schema = shape.schema();
    schema["description"] = about.into();
    schema
}

/// The metrics of these kinds.
fn metrics<'a>(of: &'a [ResultKind]) -> impl Iterator<Item = &'static Metric> + 'a {
    all().filter(move |metric| of.iter().any(|kind| metric.is_of(*kind)))
}

/// Every metric that such a part of a result may have, none of them required.
fn quantities(of: &[ResultKind]) -> Value {
    let properties: Map<String, Value> = metrics(of)
        .map(|metric| {
            let about = format!("{} [{}]", metric.meaning, metric.unit.name());
            (metric.name.to_owned(), json!({ "description": about, "allOf": [{ "$ref": "#/definitions/estimate" }] }))
        })
        .collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn wide(of: ResultKind, lists: &[&[Field]]) -> Value {
    let mut schema = object(lists, false);
    for metric in metrics(&[of]) {
        if schema["properties"].get(metric.name).is_none() {
            schema["properties"][metric.name] = described(Shape::NumberOrNull, metric.meaning);
        }
    }
    schema
}

/// Returns the definitions that several parts of a result share: a number with its interval, and a number for each bin.
pub(super) fn definitions() -> [(&'static str, Value); 2] {
    [("estimate", object(&[ESTIMATE], false)), ("bins", object(&[MEANS], false))]
}

const ESTIMATE: &[Field] = &[
    field("mean", Shape::NumberOrNull, "The mean over repetitions that have a value"),
    field("ci95", Shape::NumberOrNull, "Half the width of its 95 % confidence interval (Student's t)"),
    field("values", Shape::List(&Shape::NumberOrNull), "One for each of `repetitions`"),
];

const MEANS: &[Field] = &[
    field("mean", Shape::List(&Shape::NumberOrNull), "Of each bin, over repetitions"),
    field("ci95", Shape::List(&Shape::NumberOrNull), "Half the width of each 95 % confidence interval"),
];

/// A number for each bin, with its interval.
pub(super) const COLUMN: Shape = Shape::Fields(&[MEANS], false);

fn bins(of: ResultKind, fields: &[Field]) -> Value {
    let mut schema = object(&[fields], false);
    for metric in metrics(&[of]) {
        schema["properties"][metric.name] =
            json!({ "description": metric.meaning, "allOf": [{ "$ref": "#/definitions/bins" }] });
    }
    schema
}

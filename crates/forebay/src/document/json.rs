//! A document in JSON, in which every value knows its line. Comments are allowed.

use super::{Node, Value};
use crate::error::{Place, Result, UserError};
use jsonc_parser::ast::{self, NumberLit};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// Returns whether a text is JSON and not TOML: a document in TOML never begins with a brace or a slash.
pub(super) fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    ["{", "//", "/*"].iter().any(|start| text.starts_with(start))
}

/// Parses a text for which [`is_json`] is true. `place` converts an offset to a place.
pub(super) fn parse(text: &str, place: &dyn Fn(usize) -> Place) -> Result<Node> {
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
        UserError::at_place(place(error.range().start), format!("this is not JSON: {}", error.kind()))
    })?;
    let value = parsed.value.ok_or_else(|| UserError::at_place(place(0), "this is not JSON: there is no value"))?;
    node(&value, place, None)
}

fn node(value: &ast::Value<'_>, place: &dyn Fn(usize) -> Place, field: Option<(&str, usize)>) -> Result<Node> {
    let start = field.map_or(value.start(), |(_, start)| start);
    let wrong = |message: &str| UserError::at_place(place(value.start()), message);
    let converted = match value {
        ast::Value::StringLit(text) => Value::Text(text.value.to_string()),
        ast::Value::NumberLit(literal) => number(literal)
            .ok_or_else(|| wrong("this number is too large; the largest whole number is 9223372036854775807"))?,
        ast::Value::BooleanLit(boolean) => Value::Boolean(boolean.value),
        ast::Value::NullKeyword(_) => return Err(wrong("no field accepts null; leave the field out")),
        ast::Value::Array(array) => {
            Value::Array(array.elements.iter().map(|item| node(item, place, None)).collect::<Result<_>>()?)
        }
        ast::Value::Object(object) => {
            let mut fields: Vec<(String, Node)> = Vec::new();
            for property in &object.properties {
                let name = property.name.as_str();
                if fields.iter().any(|(known, _)| known == name) {
                    let message = format!("the field `{name}` occurs twice");
                    return Err(UserError::at_place(place(property.range.start), message).in_field(name));
                }
                fields.push((name.to_owned(), node(&property.value, place, Some((name, property.range.start)))?));
            }
            Value::Table(fields)
        }
    };
    Ok(Node { value: converted, place: place(start), field: field.map(|(name, _)| name.to_owned()) })
}

fn number(literal: &NumberLit<'_>) -> Option<Value> {
    if let Ok(whole) = literal.value.parse() {
        return Some(Value::Integer(whole));
    }
    let is_whole = !literal.value.contains(['.', 'e', 'E']);
    literal.value.parse::<f64>().ok().filter(|number| number.is_finite() && !is_whole).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_says_the_same_as_toml() {
        let json = "{\n  \"a\": [1, 2.5, true], // a comment\n  \"port\": {\n    \"rate\": \"1 Gbps\"\n  }\n}";
        let toml = "a = [1, 2.5, true]\n[port]\nrate = \"1 Gbps\"\n";
        let (json, toml) = (Node::parse("s.json", json).unwrap(), Node::parse("s.toml", toml).unwrap());
        assert_eq!(json.to_toml(), toml.to_toml());
        let port = json.table("s").unwrap().get("port").unwrap();
        let rate = port.table("s").unwrap().get("rate").unwrap();
        assert_eq!((port.place.to_string(), rate.place.to_string()), ("s.json:3".to_owned(), "s.json:4".to_owned()));
        assert_eq!(rate.error("x").field(), Some("rate"));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, message) in [
            ("{\n\"a\": 1,\n}", "s:2: this is not JSON"),
            ("{\n\"a\": 1,\n\"a\": 2}", "s:3: the field `a` occurs twice"),
            ("{\"a\":\nnull}", "s:2: no field accepts null"),
            ("{\"a\":\n99999999999999999999}", "s:2: this number is too large"),
            ("{\"a\":\n1e999}", "s:2: this number is too large"),
            ("{\"a\": 1} 2", "s:1: this is not JSON"),
            ("{", "s:1: this is not JSON"),
        ] {
            let error = Node::parse("s", text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
        let deep = format!("{{\"a\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(Node::parse("s", &deep).is_err());
    }
}

//! A document in TOML or JSON. Every value knows its line, so that errors can name it, and `--set` can replace any value.
//!
//! ```
//! use forebay::document::Node;
//!
//! let mut document = Node::parse("port.toml", "[port]\nrate = \"1 Gbps\"\nbufer = 3\n")?;
//! document.set("port.rate=5 Gbps")?;
//! let fields = document.table("the scenario")?;
//! let port = fields.require("port", "[port]")?.table("[port]")?;
//! assert_eq!(port.require("rate", "rate = \"1 Gbps\"")?.text("rate")?, "5 Gbps");
//!
//! assert!(port.get("buffer").is_none());
//! let error = port.finish().unwrap_err(); // every field must have been asked for
//! assert_eq!(error.to_string(), "port.toml:3: unknown field `bufer` in [port]; did you mean `buffer`?");
//! # Ok::<(), forebay::UserError>(())
//! ```

mod edit;
#[cfg(test)]
pub(crate) mod fields_read;
mod from_arguments;
mod json;
mod set_argument;

use crate::error::{Place, Result, UserError};
use crate::fields;
use forebay_core::registry::{is_slip, suggest};
use std::cell::RefCell;
use std::fmt;
use toml::de::{DeArray, DeTable, DeValue};

/// A value and its place in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// The value's place in the file.
    pub place: Place,
    /// The field whose value this is, if a table contains it.
    pub field: Option<String>,
}

/// The kinds of values.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Number(f64),
    /// True or false.
    Boolean(bool),
    /// A list.
    Array(Vec<Node>),
    /// A table, in the order in which it is written.
    Table(Vec<(String, Node)>),
}

impl Node {
    /// Parses the text of `file`, in TOML, or in JSON if it begins with a brace.
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        // Found once: a list may have a hundred thousand values.
        let line_ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let line_of = |offset: usize| line_ends.partition_point(|&end| end < offset) as u64 + 1;
        let place = |offset: usize| Place::Line { file: file.to_owned(), line: line_of(offset) };
        if json::is_json(text) {
            return json::parse(text, &place);
        }
        let table = DeTable::parse(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let policy = file.ends_with(".oq").then_some(
                "; it is a policy: give it to `forebay check` or `forebay explain`, or name it in a scenario as policy = \"FILE\"",
            );
            let why = error.message().replace('\n', ", ");
            UserError::at_place(place(offset), format!("this is not TOML: {why}{}", policy.unwrap_or_default()))
        })?;
        Ok(Self { value: from_table(table.get_ref(), &place)?, place: place(0), field: None })
    }

    /// Returns the `name` of a table that has one.
    pub fn label(&self) -> Option<&str> {
        self.text_at("name")
    }

    /// Returns whether the value is a table with this field.
    pub fn has(&self, wanted: &str) -> bool {
        matches!(&self.value, Value::Table(fields) if fields.iter().any(|(key, _)| key == wanted))
    }

    /// Returns the text of a field, if the value is a table with this field.
    pub fn text_at(&self, wanted: &str) -> Option<&str> {
        let Value::Table(fields) = &self.value else { return None };
        fields.iter().find(|(key, _)| key == wanted).and_then(|(_, node)| match &node.value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns an error at this value.
    pub fn error(&self, message: impl Into<String>) -> UserError {
        let error = UserError::at_place(self.place.clone(), message);
        match &self.field {
            Some(field) => error.in_field(field),
            None => error,
        }
    }

    /// An error at this value, which the field `what` has: `must` says what it must be.
    fn wrong(&self, what: &str, must: fmt::Arguments<'_>) -> UserError {
        self.error(format!("`{what}` must be {must}")).in_field(what)
    }

    /// Returns the kind of this value, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "text",
            Value::Integer(_) => "whole number",
            Value::Number(_) => "number",
            Value::Boolean(_) => "true or false",
            Value::Array(_) => "list",
            Value::Table(_) => "table",
        }
    }

    /// Returns the text.
    ///
    /// # Errors
    /// If the value is no text.
    pub fn text(&self, what: &str) -> Result<&str> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.wrong(what, format_args!("a text in quotes, not a {}", self.kind()))),
        }
    }

    /// Returns a whole number from `min` to `max`.
    pub fn integer(&self, what: &str, min: u64, max: u64) -> Result<u64> {
        let number = match self.value {
            Value::Integer(number) => u64::try_from(number).ok().filter(|number| (min..=max).contains(number)),
            _ => None,
        };
        number.ok_or_else(|| self.wrong(what, format_args!("a whole number from {min} to {max}, not {}", self.shown())))
    }

    /// Returns a number above `above` and up to `max`.
    pub fn number(&self, what: &str, above: f64, max: f64) -> Result<f64> {
        self.any_number().filter(|&number| number > above && number <= max).ok_or_else(|| {
            self.wrong(what, format_args!("a number above {above} and up to {max}, not {}", self.shown()))
        })
    }

    /// Returns a number from `min` to `max`.
    pub fn number_from(&self, what: &str, min: f64, max: f64) -> Result<f64> {
        self.any_number()
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| self.wrong(what, format_args!("a number from {min} to {max}, not {}", self.shown())))
    }

    fn any_number(&self) -> Option<f64> {
        match self.value {
            Value::Integer(number) => Some(number as f64),
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns a value that is written as `"name"` or as `{ name = "name", parameter = 1 }`, in the second form.
    pub fn with_parameters(&self, what: &str) -> Result<Self> {
        match &self.value {
            Value::Text(_) => {
                let value = Value::Table(vec![("name".to_owned(), self.clone())]);
                Ok(Self { value, place: self.place.clone(), field: self.field.clone() })
            }
            Value::Table(_) => Ok(self.clone()),
            _ => Err(self.wrong(
                what,
                format_args!("a name, or a table like {{ name = \"...\", parameter = 1 }}, not a {}", self.kind()),
            )),
        }
    }

    /// Returns the value in the notation of the file, for messages.
    pub fn shown(&self) -> String {
        match &self.value {
            Value::Text(text) => format!("\"{text}\""),
            Value::Integer(number) => number.to_string(),
            Value::Number(number) => format!("{number:?}"),
            Value::Boolean(boolean) => boolean.to_string(),
            Value::Array(_) | Value::Table(_) => format!("a {}", self.kind()),
        }
    }

    /// Returns true or false.
    ///
    /// # Errors If the value is not a Boolean.
    pub fn boolean(&self, what: &str) -> Result<bool> {
        match self.value {
            Value::Boolean(boolean) => Ok(boolean),
            _ => Err(self.wrong(what, format_args!("true or false, not {}", self.shown()))),
        }
    }

    /// Returns the fields of the table; `what` names it in messages.
    ///
    /// # Errors
    /// If the value is no table.
    pub fn table<'a>(&'a self, what: &str) -> Result<Table<'a>> {
        match &self.value {
            Value::Table(fields) => {
                Ok(Table { what: what.to_owned(), node: self, fields, asked: RefCell::new(Vec::new()) })
            }
            _ => Err(self.error(format!("{what} must be a table, not a {}", self.kind()))),
        }
    }
}

/// The fields of a table. Every field must be asked for before [`finish`](Self::finish), which rejects all others as unknown.
pub struct Table<'a> {
    what: String,
    node: &'a Node,
    fields: &'a [(String, Node)],
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Table<'a> {
    /// Returns the field called `key`, if the table has it.
    pub fn get(&self, key: &'static str) -> Option<&'a Node> {
        #[cfg(test)]
        fields_read::note(&self.what, key);
        if !self.asked.borrow().contains(&key) {
            self.asked.borrow_mut().push(key);
        }
        self.fields.iter().find(|(name, _)| name == key).map(|(_, node)| node)
    }

    /// Returns a required field; `example` shows how to write it.
    pub fn require(&self, key: &'static str, example: &str) -> Result<&'a Node> {
        self.get(key).ok_or_else(|| match self.rest().find(|(name, _)| is_slip(name, key)) {
            Some((name, node)) => self.unknown(name, node, &format!("; did you mean `{key}`?")),
            None => self.node.error(format!("{} has no `{key}`; add for example `{example}`", self.what)).in_field(key),
        })
    }

    /// Returns all fields that were not asked for.
    pub fn rest(&self) -> impl Iterator<Item = (&'a str, &'a Node)> {
        let asked = self.asked.borrow().clone();
        self.fields
            .iter()
            .filter(move |(name, _)| !asked.contains(&name.as_str()))
            .map(|(name, node)| (name.as_str(), node))
    }

    /// Returns an error at the table as a whole. If one of its fields is nearly the name of a known field, the error is about that field.
    pub fn error(&self, message: impl Into<String>) -> UserError {
        self.slip().unwrap_or_else(|| self.node.error(message))
    }

    /// An error about the first field that no table of the manual has and whose name is a slip for one that it has.
    fn slip(&self) -> Option<UserError> {
        let is_own = |table: &&&fields::Table| table.readers.contains(&self.what.as_str());
        let names = || {
            let tables = fields::TABLES.iter().filter(is_own);
            tables.flat_map(|table| {
                let own = table.fields.iter().map(|field| field.name);
                own.chain(table.within.iter().map(|within| within.name))
            })
        };
        self.rest().filter(|(name, _)| !names().any(|known| known == *name)).find_map(|(name, node)| {
            let meant = names().find(|known| is_slip(name, known))?;
            Some(self.unknown(name, node, &format!("; did you mean `{meant}`?")))
        })
    }

    fn unknown(&self, name: &str, node: &Node, advice: &str) -> UserError {
        node.error(format!("unknown field `{name}` in {}{advice}", self.what)).in_field(name)
    }

    /// Rejects fields that were never read.
    pub fn finish(&self) -> Result<()> {
        match self.rest().next() {
            None => Ok(()),
            Some((name, node)) => {
                let known = self.asked.borrow().clone();
                Err(self.unknown(name, node, &suggest(name, known)))
            }
        }
    }
}

fn from_table(table: &DeTable<'_>, place: &dyn Fn(usize) -> Place) -> Result<Value> {
    let mut fields = Vec::new();
    for (key, value) in table {
        // A table has the line of its header, a value that of its key.
        fields.push((
            key.get_ref().to_string(),
            Node {
                value: from_value(value.get_ref(), place, key.span().start)?,
                place: place(key.span().start),
                field: Some(key.get_ref().to_string()),
            },
        ));
    }
    Ok(Value::Table(fields))
}

fn from_value(value: &DeValue<'_>, place: &dyn Fn(usize) -> Place, offset: usize) -> Result<Value> {
    let wrong = |message: &str| UserError::at_place(place(offset), message);
    Ok(match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(&number.as_str().replace('_', ""), number.radix())
            .map(Value::Integer)
            .map_err(|_| wrong("this whole number is too large; the largest is 9223372036854775807"))?,
        DeValue::Float(number) => match number.as_str().replace('_', "").parse::<f64>() {
            Ok(number) if number.is_finite() => Value::Number(number),
            _ => return Err(wrong("this is not a finite number")),
        },
        DeValue::Boolean(boolean) => Value::Boolean(*boolean),
        DeValue::Datetime(_) => return Err(wrong("no field accepts a date")),
        DeValue::Array(items) => Value::Array(from_array(items, place)?),
        DeValue::Table(table) => from_table(table, place)?,
    })
}

fn from_array(items: &DeArray<'_>, place: &dyn Fn(usize) -> Place) -> Result<Vec<Node>> {
    items
        .iter()
        .map(|item| {
            let offset = item.span().start;
            Ok(Node { value: from_value(item.get_ref(), place, offset)?, place: place(offset), field: None })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a = 1\n[port]\nrate = \"1 Gbps\"\n\n[[policy]]\nname = \"x\"\nrank = \"stfq\"\n";

    fn document() -> Node {
        Node::parse("s.toml", TEXT).unwrap()
    }

    fn at<'a>(node: &'a Node, key: &'static str) -> &'a Node {
        node.table("test").unwrap().get(key).unwrap()
    }

    fn policy(node: &Node) -> &Node {
        match &at(node, "policy").value {
            Value::Array(items) => &items[0],
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_know_their_lines() {
        let document = document();
        assert_eq!(at(at(&document, "port"), "rate").place.to_string(), "s.toml:3");
        assert_eq!(policy(&document).place.to_string(), "s.toml:5");
    }

    #[test]
    fn an_unknown_field_is_named_with_its_line() {
        let document = document();
        let table = document.table("the scenario").unwrap();
        for key in ["ports", "policy", "port"] {
            table.get(key);
        }
        let error = table.finish().unwrap_err().to_string();
        assert!(error.starts_with("s.toml:1: unknown field `a` in the scenario"), "{error}");
    }

    #[test]
    fn a_slip_is_named_before_what_is_missing() {
        let error = |text: &str, table: &str| {
            let node = Node::parse("s.toml", text).unwrap();
            node.table(table).unwrap().error("something is missing").to_string()
        };
        let message = "s.toml:1: unknown field `lod` in [traffic]; did you mean `load`?";
        assert_eq!(error("lod = 0.5", "[traffic]"), message);
        assert_eq!(
            error("prt = 1", "the scenario"),
            "s.toml:1: unknown field `prt` in the scenario; did you mean `port`?"
        );
        // What the manual has, and what is near to nothing in it.
        assert_eq!(error("load = 0.5\nsomething = 1", "[traffic]"), "s.toml:1: something is missing");
    }

    #[test]
    fn broken_toml_is_named_with_its_line() {
        for (text, line) in
            [("a = 1\nb = \n", 2), ("a = 1\na = 2\n", 2), ("[a\n", 1), ("x = 99999999999999999999\n", 1)]
        {
            let error = Node::parse("s.toml", text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("s.toml:{line}: ")), "{error}");
        }
    }
}

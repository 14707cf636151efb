//! Changes a document and writes it as TOML.

use super::{Node, Place, Value};
use std::fmt::Write as _;

impl Node {
    /// Returns the value at `path`, if there is one.
    pub fn value_at(&mut self, path: &[&str]) -> Option<&mut Value> {
        let Some((key, rest)) = path.split_first() else { return Some(&mut self.value) };
        let Value::Table(fields) = &mut self.value else { return None };
        fields.iter_mut().find(|(name, _)| name == key)?.1.value_at(rest)
    }

    /// Replaces or adds the value at `path` if the tables of the path exist; otherwise changes nothing.
    pub fn put(&mut self, path: &[&str], value: Value) {
        self.put_from(path, value, Place::Setting(String::new()));
    }

    /// Replaces or adds a value as [`put`](Self::put), and records `place` as its place.
    pub(crate) fn put_from(&mut self, path: &[&str], value: Value, place: Place) {
        let Some((key, tables)) = path.split_last() else { return };
        let Some(Value::Table(fields)) = self.value_at(tables) else { return };
        let node = Self { value, place, field: None };
        match fields.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => *old = node,
            None => fields.push(((*key).to_owned(), node)),
        }
    }

    /// Removes the value at `path`, if there is one.
    pub fn remove(&mut self, path: &[&str]) {
        let Some((key, tables)) = path.split_last() else { return };
        if let Some(Value::Table(fields)) = self.value_at(tables) {
            fields.retain(|(name, _)| name != key);
        }
    }

    /// Returns a table as TOML, without comments.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        if let Value::Table(fields) = &self.value {
            section(&mut out, fields, "");
        }
        out
    }

    /// Returns the value with the fields of each table in the order of their names, so that equal documents have equal texts.
    pub fn sorted(&self) -> Self {
        let value = match &self.value {
            Value::Table(fields) => {
                let mut fields: Vec<_> = fields.iter().map(|(name, node)| (name.clone(), node.sorted())).collect();
                fields.sort_by(|(a, _), (b, _)| a.cmp(b));
                Value::Table(fields)
            }
            Value::Array(items) => Value::Array(items.iter().map(Self::sorted).collect()),
            other => other.clone(),
        };
        Self { value, ..self.clone() }
    }

    /// Returns the value as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Text(text) => text.as_str().into(),
            Value::Integer(number) => (*number).into(),
            Value::Number(number) => (*number).into(),
            Value::Boolean(boolean) => (*boolean).into(),
            Value::Array(items) => items.iter().map(Self::to_json).collect(),
            Value::Table(fields) => fields.iter().map(|(name, node)| (name.clone(), node.to_json())).collect(),
        }
    }

    /// Returns the value as it could follow `key =`.
    pub fn to_inline_toml(&self) -> String {
        written(&self.value)
    }
}

/// Whether a value gets a section of its own.
fn is_section(value: &Value) -> bool {
    match value {
        Value::Table(_) => true,
        Value::Array(items) => !items.is_empty() && items.iter().all(|item| matches!(item.value, Value::Table(_))),
        _ => false,
    }
}

/// Fields of a table called `name`. Only tables in the two outermost levels get sections.
fn section(out: &mut String, fields: &[(String, Node)], name: &str) {
    let inline = |value: &Value| name.contains('.') || !is_section(value) || is_list_below(name, value);
    for (field, node) in fields.iter().filter(|(_, node)| inline(&node.value)) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{} = {}", key(field), written(&node.value));
    }
    for (field, node) in fields.iter().filter(|(_, node)| !inline(&node.value)) {
        let full = if name.is_empty() { key(field) } else { format!("{name}.{}", key(field)) };
        match &node.value {
            Value::Table(fields) => {
                let _ = writeln!(out, "\n[{full}]");
                section(out, fields, &full);
            }
            Value::Array(items) => {
                for item in items {
                    let _ = writeln!(out, "\n[[{full}]]");
                    if let Value::Table(fields) = &item.value {
                        for (field, node) in fields {
                            let _ = writeln!(out, "{} = {}", key(field), written(&node.value));
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// Lists have sections at the top only.
fn is_list_below(name: &str, value: &Value) -> bool {
    !name.is_empty() && matches!(value, Value::Array(_))
}

fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    if is_bare { name.to_owned() } else { quoted(name) }
}

fn written(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Integer(number) => number.to_string(),
        // With a point or an exponent.
        Value::Number(number) => format!("{number:?}"),
        Value::Boolean(value) => value.to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| written(&item.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, node)| format!("{} = {}", key(name), written(&node.value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
name = "a \"b\" \\ \u0007 ä"
"odd key" = [1, 2.5, 1e-9, true, "x", []]
empty = {}

[study]
rates = ["1 Gbps"]
strategy = [{ job = "1 ps", share = 1.0 }]
[study.inner]
deep = { deeper = { deepest = -1 } }
[[policy]]
name = "one"
queue = { name = "sp-pifo", queues = 8 }
[[policy]]
name = "two"
"#;

    /// Without places, tables in order of their keys.
    fn plain(node: &Node) -> String {
        match &node.value {
            Value::Table(fields) => {
                let mut fields: Vec<String> =
                    fields.iter().map(|(name, node)| format!("{name}: {}", plain(node))).collect();
                fields.sort();
                format!("{fields:?}")
            }
            Value::Array(items) => format!("{:?}", items.iter().map(plain).collect::<Vec<_>>()),
            value => format!("{value:?}"),
        }
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let document = Node::parse("a", TEXT).unwrap();
        let again = Node::parse("b", &document.to_toml()).unwrap();
        assert_eq!(plain(&again), plain(&document), "{}", document.to_toml());
    }

    #[test]
    fn values_are_replaced_added_and_removed() {
        let mut document = Node::parse("a", TEXT).unwrap();
        document.put(&["study", "inner", "more"], Value::Integer(7));
        document.put(&["study", "rates"], Value::Boolean(false));
        document.remove(&["study", "strategy"]);
        document.remove(&["nothing", "there"]);
        document.put(&["nothing", "there"], Value::Integer(1));
        let text = document.to_toml();
        for line in ["more = 7", "rates = false", "[study.inner]", "[[policy]]"] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
        assert!(!text.contains("strategy") && !text.contains("there"), "{text}");
    }
}

//! `--set`: arguments that replace values of a document.

use super::{Node, Place, Value};
use crate::error::{Result, UserError};
use forebay_core::registry::suggest;

impl Node {
    /// Replaces or adds the value that `argument` (`a.b=c`) names. List items are named by their number from 0, or by their `name`.
    pub fn set(&mut self, argument: &str) -> Result<()> {
        let place = Place::Setting(argument.to_owned());
        let wrong = |message: &str| UserError::at_place(place.clone(), message);
        let Some((path, text)) = argument.split_once('=') else {
            return Err(wrong("write it as KEY=VALUE, for example port.rate=10Gbps"));
        };
        let value = argument_value(text.trim(), &place)?;
        let mut node = self;
        let mut keys = path.split('.').map(str::trim).peekable();
        while let Some(key) = keys.next() {
            if key.is_empty() {
                return Err(wrong("a key is empty; write it like port.rate=10Gbps"));
            }
            let is_last = keys.peek().is_none();
            // A word with parameters to be: rank=stfq becomes {name = "stfq"}.
            if let Value::Text(word) = &node.value {
                let name = Self { value: Value::Text(word.clone()), place: node.place.clone(), field: None };
                node.value = Value::Table(vec![("name".to_owned(), name)]);
            }
            let kind = node.kind();
            node = match &mut node.value {
                Value::Table(fields) => {
                    let index = fields.iter().position(|(name, _)| name == key).unwrap_or_else(|| {
                        let field = Some(key.to_owned());
                        let empty = Self { value: Value::Table(Vec::new()), place: place.clone(), field };
                        fields.push((key.to_owned(), empty));
                        fields.len() - 1
                    });
                    &mut fields[index].1
                }
                Value::Array(items) => {
                    let by_name = items.iter().position(|item| item.name() == Some(key));
                    let count = items.len();
                    let index = by_name.or_else(|| key.parse().ok().filter(|&index| index < count));
                    let index = index.ok_or_else(|| UserError::at_place(place.clone(), no_item(key, items)))?;
                    &mut items[index]
                }
                _ => return Err(UserError::at_place(place.clone(), format!("there is no `{key}` inside a {kind}"))),
            };
            if is_last {
                break;
            }
        }
        *node = Self { value, place, field: node.field.take() };
        Ok(())
    }

    /// The `name` of an item, or else what it is called without one: as the file which its `policy` is, its sizes of
    /// flows, its transport.
    fn name(&self) -> Option<&str> {
        let stem = |file| std::path::Path::new(file).file_stem()?.to_str();
        let policy = || self.text_at("policy").and_then(stem);
        self.label().or_else(policy).or_else(|| self.part_name("sizes")).or_else(|| self.part_name("transport"))
    }

    /// Returns the name in `wanted = "name"` or `wanted = { name = "name" }`.
    fn part_name(&self, wanted: &str) -> Option<&str> {
        let Value::Table(fields) = &self.value else { return None };
        let (_, part) = fields.iter().find(|(key, _)| key == wanted)?;
        self.text_at(wanted).or_else(|| part.label())
    }

    /// Returns the value, with all its contents, with another place.
    fn placed(self, place: &Place) -> Self {
        let value = match self.value {
            Value::Array(items) => Value::Array(items.into_iter().map(|item| item.placed(place)).collect()),
            Value::Table(fields) => {
                Value::Table(fields.into_iter().map(|(key, node)| (key, node.placed(place))).collect())
            }
            other => other,
        };
        Self { value, place: place.clone(), field: self.field }
    }
}

/// Reads the value of an argument. Bare words are texts, so that the shell needs no quotes within quotes.
fn argument_value(text: &str, place: &Place) -> Result<Value> {
    match Node::parse("--set", &format!("value = {text}")) {
        Ok(Node { value: Value::Table(mut fields), .. }) if fields.len() == 1 => {
            Ok(fields.remove(0).1.placed(place).value)
        }
        _ if text.starts_with(['[', '{']) => {
            let example = "[\"a\", \"b\"] or {name=\"a\", size=1}";
            Err(UserError::at_place(
                place.clone(),
                format!("this is not a TOML list or table; text in it needs quotes: {example}"),
            ))
        }
        _ => Ok(Value::Text(text.to_owned())),
    }
}

/// Says which items a list has, if none is called `key`.
fn no_item(key: &str, items: &[Node]) -> String {
    let Some(last) = items.len().checked_sub(1) else {
        return format!("there is no `{key}`, since the list is empty");
    };
    let names: Vec<&str> = items.iter().filter_map(Node::name).collect();
    let hint = if names.is_empty() { "; no item here has a `name`".to_owned() } else { suggest(key, names) };
    format!("`{key}` is neither a number from 0 to {last} nor a `name` that an item has{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a = 1\n[port]\nrate = \"1 Gbps\"\n\n[[policy]]\nname = \"x\"\nrank = \"stfq\"\n\n[[policy]]\nsizes = { name = \"y\" }\n";

    fn document() -> Node {
        Node::parse("s.toml", TEXT).unwrap()
    }

    fn at<'a>(node: &'a Node, key: &'static str) -> &'a Node {
        node.table("test").unwrap().get(key).unwrap()
    }

    fn policy(node: &Node, number: usize) -> &Node {
        match &at(node, "policy").value {
            Value::Array(items) => &items[number],
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn set_replaces_adds_and_finds_list_items_by_name_or_number() {
        let mut document = document();
        for argument in [
            "a=2",
            "port.rate=5Gbps",
            "new.field=[1, 2]",
            "policy.x.queue=pifo",
            "policy.0.rank.weights=46:2",
            "policy.y.load=1",
        ] {
            document.set(argument).unwrap();
        }
        assert_eq!(at(&document, "a").value, Value::Integer(2));
        assert_eq!(at(at(&document, "port"), "rate").text("rate").unwrap(), "5Gbps");
        assert_eq!(at(policy(&document, 0), "queue").text("queue").unwrap(), "pifo");
        let rank = at(policy(&document, 0), "rank");
        assert_eq!(at(rank, "name").text("name").unwrap(), "stfq");
        assert_eq!(at(rank, "weights").text("weights").unwrap(), "46:2");
        assert_eq!(at(policy(&document, 1), "load").value, Value::Integer(1));
    }

    #[test]
    fn a_wrong_set_says_so() {
        for argument in ["a", "=1", "policy.9.queue=pifo", "a.b=1", "policy.zzz.queue=pifo"] {
            let error = document().set(argument).unwrap_err().to_string();
            assert!(error.starts_with(&format!("--set {argument}: ")), "{error}");
        }
    }

    #[test]
    fn a_wrong_set_says_what_could_be_meant() {
        for (argument, advice) in [
            ("policy.z.queue=pifo", "known are x, y"),
            ("policy.x.queue=[pifo, fifo]", "text in it needs quotes"),
            ("policy.x.queue={name=pifo}", "text in it needs quotes"),
        ] {
            let error = document().set(argument).unwrap_err().to_string();
            assert!(error.contains(advice), "{error}");
        }
    }

    #[test]
    fn what_stands_within_a_value_knows_its_argument() {
        let mut document = document();
        document.set("port={rate=[{a=1}]}").unwrap();
        let Value::Array(items) = &at(at(&document, "port"), "rate").value else { panic!("a list") };
        assert_eq!(at(&items[0], "a").error("wrong").to_string(), "--set port={rate=[{a=1}]}: wrong");
    }
}

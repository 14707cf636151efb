//! Axes that change together: `zip = ["load", "flows"]` combines the first load with the first number of flows, the second with the second,
//! and so on. Without `zip`, axes are combined in all ways.

use super::points::Choice;
use crate::document::{Node, Value};
use crate::error::Result;
use forebay_core::registry::suggest;

/// Groups of axes that go together, with their names split at dots.
#[derive(Debug, Clone, Default)]
pub(crate) struct Zip {
    groups: Vec<Vec<Name>>,
}

#[derive(Debug, Clone)]
struct Name {
    words: Vec<String>,
    node: Node,
}

impl Zip {
    /// Reads a list of names, or a list of several such lists.
    pub(crate) fn read(node: Option<&Node>) -> Result<Self> {
        const EXAMPLE: &str = "`zip` lists axes whose values change together: zip = [\"load\", \"flows\"]";
        let Some(node) = node else { return Ok(Self::default()) };
        let Value::Array(items) = &node.value else { return Err(node.error(EXAMPLE)) };
        let is_one = items.iter().all(|item| matches!(item.value, Value::Text(_)));
        let lists = if is_one { std::slice::from_ref(node) } else { items };
        let group = |list: &Node| {
            let Value::Array(names) = &list.value else { return Err(list.error(EXAMPLE)) };
            if names.is_empty() {
                return Err(list.error(format!("a list of `zip` is empty; {EXAMPLE}")));
            }
            let name = |node: &Node| {
                let words = node.text("zip")?.split('.').map(str::to_owned).collect();
                Ok(Name { words, node: node.clone() })
            };
            names.iter().map(name).collect()
        };
        Ok(Self { groups: lists.iter().map(group).collect::<Result<_>>()? })
    }

    /// Returns the group of the axis at `path`.
    pub(super) fn group_of(&self, path: &[impl AsRef<str>]) -> Option<usize> {
        self.groups.iter().position(|group| group.iter().any(|name| name.ends(path)))
    }

    /// Rejects names that no axis has.
    pub(super) fn check<'a>(
        &self,
        choices: &(impl Iterator<Item = &'a Choice> + Clone),
        known: &[String],
    ) -> Result<()> {
        for name in self.groups.iter().flatten() {
            if !choices.clone().any(|choice| name.ends(&choice.path)) {
                let wanted = name.words.join(".");
                let names = known.iter().map(String::as_str);
                let advice = suggest(&wanted, names);
                let message =
                    format!("no field `{wanted}` has a list of values; `zip` names fields with several values{advice}");
                return Err(name.node.error(message));
            }
        }
        Ok(())
    }
}

impl Name {
    fn ends(&self, path: &[impl AsRef<str>]) -> bool {
        let last = path.len().checked_sub(self.words.len()).map(|from| &path[from..]);
        last.is_some_and(|last| last.iter().zip(&self.words).all(|(a, b)| a.as_ref() == b))
    }
}

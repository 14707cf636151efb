//! The formula of a published quantity, from measured values.

use super::Measured;
use forebay::document::{Node, Table};
use forebay::error::Result;

/// A measured value, perhaps relative to others. The names of values are stored with their positions in the file.
#[derive(Debug, Clone)]
pub struct Formula {
    value: Node,
    /// If given, the value is divided by this value.
    divided_by: Option<Node>,
    /// If given, the result is the percentage by which the value is below this value.
    percent_below: Option<Node>,
    /// If given, the result of this formula is subtracted at the end, which gives the change of a quantity.
    minus: Option<Box<Formula>>,
}

impl Formula {
    pub(super) fn read(table: &Table<'_>) -> Result<Self> {
        let minus = table.get("minus").map(|node| {
            let inner = node.table("`minus`")?;
            let formula = Self::read(&inner)?;
            inner.finish()?;
            Ok(Box::new(formula))
        });
        Ok(Self {
            value: table.require("value", "value = \"what the measure calls it\"")?.clone(),
            divided_by: table.get("divided_by").cloned(),
            percent_below: table.get("percent_below").cloned(),
            minus: minus.transpose()?,
        })
    }

    /// Whether the name of one of the formula's values begins with `start`.
    pub(super) fn asks_for(&self, start: &str) -> bool {
        let values = [Some(&self.value), self.divided_by.as_ref(), self.percent_below.as_ref()];
        values.into_iter().flatten().any(|node| name(node).is_ok_and(|name| name.starts_with(start)))
            || self.minus.as_ref().is_some_and(|minus| minus.asks_for(start))
    }

    /// Returns why one of the values was not measured, if so.
    pub(super) fn why_skipped<'a>(&self, measured: &'a Measured) -> Result<Option<&'a str>> {
        for node in [Some(&self.value), self.divided_by.as_ref(), self.percent_below.as_ref()].into_iter().flatten() {
            if let Some(why) = measured.why_skipped(name(node)?) {
                return Ok(Some(why));
            }
        }
        self.minus.as_ref().map_or(Ok(None), |minus| minus.why_skipped(measured))
    }

    /// Returns the result; it is not finite if it cannot be computed, such as a division by 0.
    pub(super) fn compute(&self, look_up: &impl Fn(&str, &Node) -> Result<f64>) -> Result<f64> {
        let number = |node: &Node| look_up(name(node)?, node);
        let mut value = number(&self.value)?;
        if let Some(divisor) = &self.divided_by {
            value /= number(divisor)?;
        }
        if let Some(whole) = &self.percent_below {
            value = (1.0 - value / number(whole)?) * 100.0;
        }
        if let Some(minus) = &self.minus {
            value -= minus.compute(look_up)?;
        }
        Ok(value)
    }
}

fn name(node: &Node) -> Result<&str> {
    node.text("the name of a value")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_from_here_to_there_is_a_difference() {
        let text = "value = \"a\"\npercent_below = \"b\"\nminus = { value = \"c\", divided_by = \"trace: d\" }\n";
        let document = Node::parse("experiment.toml", text).unwrap();
        let formula = Formula::read(&document.table("a row").unwrap()).unwrap();
        let values = |name: &str, _: &Node| {
            Ok(match name {
                "a" => 30.0,
                "b" => 40.0,
                "c" => 10.0,
                _ => 4.0,
            })
        };
        assert!((formula.compute(&values).unwrap() - 22.5).abs() < 1e-12);
        let mut measured = Measured::default();
        assert!(formula.why_skipped(&measured).unwrap().is_none());
        measured.skipped.push(("trace".to_owned(), "there is no file".to_owned()));
        assert_eq!(formula.why_skipped(&measured).unwrap(), Some("there is no file"));
        let wrong =
            Node::parse("experiment.toml", "value = \"a\"\nminus = { value = \"b\", divded_by = \"c\" }").unwrap();
        assert!(Formula::read(&wrong.table("a row").unwrap()).unwrap_err().to_string().contains("divided_by"));
    }
}

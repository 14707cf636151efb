//! Tables as wide as a terminal: columns that do not fit are moved to a table below, with the same first columns.

use super::table::plain_table;
use crate::sweep::{AxisValue, names, value};

/// Letters of a line at most, where columns are not wider themselves.
const WIDTH: usize = 120;
/// Between columns.
const GAP: usize = 2;

/// A column: its head, in one or two lines, and its cells.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) head: String,
    pub(crate) cells: Vec<String>,
}

impl Column {
    pub(crate) fn new(head: impl Into<String>, cells: impl Iterator<Item = String>) -> Self {
        Self { head: head.into(), cells: cells.collect() }
    }

    /// Returns whether any cell has content.
    pub(crate) fn says_something(&self) -> bool {
        self.cells.iter().any(|cell| cell != "-")
    }

    fn width(&self) -> usize {
        let texts = self.head.lines().chain(self.cells.iter().map(String::as_str));
        GAP + texts.map(|text| text.chars().count()).max().unwrap_or(0)
    }
}

/// A policy, the values of its axes, and whether no run of it is missing.
type KeyOfCell<'a> = (&'a str, &'a [(String, AxisValue)], bool);

/// Returns the first columns of a table: policy and axes.
pub(crate) fn keys<'a>(cells: impl Iterator<Item = KeyOfCell<'a>>) -> Vec<Column> {
    let cells: Vec<KeyOfCell<'a>> = cells.collect();
    let policy = |&(policy, _, complete): &KeyOfCell<'_>| {
        if complete { policy.to_owned() } else { format!("{policy} (cut short)") }
    };
    let axes = names(cells.iter().map(|(_, axes, _)| *axes));
    let column = |axis: String| {
        let text = |(_, axes, _): &KeyOfCell<'_>| {
            value(axes, &axis).map_or_else(|| "-".to_owned(), |value| value.text.clone())
        };
        Column::new(axis.as_str(), cells.iter().map(text))
    };
    [Column::new("policy", cells.iter().map(policy))].into_iter().chain(axes.into_iter().map(column)).collect()
}

/// Returns one table if all columns fit; otherwise each group begins a table, and continues in the next if necessary.
pub(crate) fn tables(keys: &[Column], groups: &[Vec<Column>]) -> String {
    let all: Vec<&Column> = groups.iter().flatten().collect();
    if width(keys.iter().chain(all.iter().copied())) <= WIDTH {
        return table(keys, &all);
    }
    let parts = groups.iter().filter(|group| !group.is_empty()).flat_map(|group| packed(keys, group));
    parts.map(|part| table(keys, &part)).collect::<Vec<_>>().join("\n")
}

/// Splits columns into tables, each with as many columns as fit.
fn packed<'a>(keys: &[Column], columns: &'a [Column]) -> Vec<Vec<&'a Column>> {
    let mut parts: Vec<Vec<&Column>> = vec![Vec::new()];
    for column in columns {
        let last = &parts[parts.len() - 1];
        if !last.is_empty() && width(keys.iter().chain(last.iter().copied()).chain([column])) > WIDTH {
            parts.push(Vec::new());
        }
        let place = parts.len() - 1;
        parts[place].push(column);
    }
    parts
}

/// Without the gap at the end.
fn width<'a>(columns: impl Iterator<Item = &'a Column>) -> usize {
    columns.map(Column::width).sum::<usize>().saturating_sub(GAP)
}

fn table(keys: &[Column], columns: &[&Column]) -> String {
    let all: Vec<&Column> = keys.iter().chain(columns.iter().copied()).collect();
    let rows = keys.first().map_or(0, |key| key.cells.len());
    let row = |place: usize| all.iter().map(|column| column.cells[place].clone()).collect();
    plain_table(all.iter().map(|column| column.head.clone()).collect(), (0..rows).map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(head: &str, letters: usize) -> Column {
        Column::new(head, [letters, 1].iter().map(|count| "x".repeat(*count)))
    }

    fn heads(text: &str) -> Vec<String> {
        text.split("\n\n").map(|table| table.lines().next().unwrap_or("").split_whitespace().collect()).collect()
    }

    #[test]
    fn what_fits_is_one_table() {
        let text = tables(&[column("key", 10)], &[vec![column("a", 50)], vec![column("b", 56)]]);
        assert_eq!(heads(&text), ["keyab"]);
        assert_eq!(text.lines().map(|line| line.chars().count()).max(), Some(120));
    }

    #[test]
    fn what_does_not_fit_begins_a_table_with_its_group() {
        let text = tables(&[column("key", 10)], &[vec![column("a", 50), column("b", 20)], vec![column("c", 40)]]);
        assert_eq!(heads(&text), ["keyab", "keyc"]);
        let wide = tables(&[column("key", 10)], &[vec![column("a", 80), column("b", 60), column("c", 200)], vec![]]);
        assert_eq!(heads(&wide), ["keya", "keyb", "keyc"]);
    }
}

//! A published quantity: one row of `experiment.toml`.

use super::formula::Formula;
use super::seeds::Tried;
use super::tolerance::Tolerance;
use forebay::document::{Node, Table, Value};
use forebay::error::Result;
use serde::Serialize;

/// A published quantity.
#[derive(Debug, Clone)]
pub struct PublishedRow {
    /// The description of the quantity.
    pub quantity: String,
    /// The published number.
    pub published: f64,
    /// The origin of the number.
    pub origin: Origin,
    /// The tolerance of the measurement.
    pub tolerance: Tolerance,
    /// The formula of the measured number.
    pub formula: Formula,
    /// Why the row cannot fail, if so.
    pub certain: Option<String>,
    /// Why the row is known not to hold here, if so.
    pub differs: Option<String>,
    /// A change with which the row would hold, if one is known.
    pub tested: Option<Tested>,
    /// Whether the row is as stated in a shortened scenario, too.
    pub is_quick: bool,
    /// The results with the seeds that were tried.
    pub seeds: Option<Tried>,
}

/// The origin of a published number.
#[derive(Debug, Clone, Serialize)]
pub struct Origin {
    /// The kind of origin.
    pub basis: Basis,
    /// The number or numbers, as the source prints them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<String>,
    /// How the number follows from the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
    /// The file of values that the authors of the source, or of another simulator, have published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
}

/// The kind of origin of a published number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// The source prints the number.
    Printed,
    /// The number is an end or the middle of a range that the source prints.
    Range,
    /// The number was read from a picture, or from the data of one.
    Read,
    /// The number follows from statements of the source.
    Derived,
    /// A constant was chosen so that the number holds.
    Fitted,
}

/// A change of the named cause with which the row is within its tolerance.
#[derive(Debug, Clone)]
pub struct Tested {
    /// The change.
    pub what: String,
    /// The formula after the change.
    pub formula: Formula,
}

/// The stated relation of a row to its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// The row holds, and could fail.
    Holds,
    /// The row does not hold; it holds after its cause is changed.
    Tested,
    /// The row does not hold, and no change is known that would make it hold.
    Open,
    /// The row cannot fail, so it is no evidence.
    Certain,
}

impl Standing {
    /// Whether a row has this relation: `holds` says whether it holds, and `changed` whether it holds after its cause was changed.
    pub(super) fn is_as_stated(self, holds: bool, changed: Option<bool>) -> bool {
        match self {
            Self::Holds | Self::Certain => holds,
            Self::Tested => !holds && changed.unwrap_or(true),
            Self::Open => !holds,
        }
    }

    /// Returns the relation's name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Tested => "tested",
            Self::Open => "open",
            Self::Certain => "certain",
        }
    }
}

impl Basis {
    /// Returns the name in `experiment.toml` and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Range => "range",
            Self::Read => "read",
            Self::Derived => "derived",
            Self::Fitted => "fitted",
        }
    }

    fn read(node: &Node) -> Result<Self> {
        let all = [Self::Printed, Self::Range, Self::Read, Self::Derived, Self::Fitted];
        let given = node.text("basis")?;
        let found = all.into_iter().find(|basis| basis.name() == given);
        found.ok_or_else(|| {
            node.error(format!("`basis` must be printed, range, read, derived or fitted, not `{given}`"))
        })
    }
}

impl Origin {
    fn read(table: &Table<'_>) -> Result<Self> {
        let basis_node = table.require("basis", "basis = \"printed\"")?;
        let basis = Basis::read(basis_node)?;
        let printed = match table.get("printed").map(|node| (node, &node.value)) {
            None => Vec::new(),
            Some((_, Value::Array(items))) => {
                items.iter().map(|item| Ok(item.text("printed")?.to_owned())).collect::<Result<_>>()?
            }
            Some((node, _)) => vec![node.text("printed")?.to_owned()],
        };
        // It is for those who look for the place in the source.
        optional_text(table, "near")?;
        let origin = Self { basis, printed, how: optional_text(table, "how")?, data: optional_text(table, "data")? };
        let needs = match basis {
            Basis::Printed | Basis::Range if origin.printed.is_empty() => {
                "`printed`: the number as the source prints it"
            }
            Basis::Read if origin.how.is_none() && origin.data.is_none() => {
                "`how`: of which picture, or `data`: of which file"
            }
            Basis::Derived if origin.how.is_none() => "`how`: how it follows from what the source says",
            Basis::Fitted if origin.how.is_none() => "`how`: which constant was chosen so that it holds",
            _ => return Ok(origin),
        };
        Err(basis_node.error(format!("a row with basis `{}` needs {needs}", basis.name())))
    }
}

impl Tested {
    fn read(node: &Node) -> Result<Self> {
        let table = node.table("`tested`")?;
        let what = table.require("what", "what = \"with a buffer of 80 packets\"")?.text("what")?.to_owned();
        let tested = Self { what, formula: Formula::read(&table)? };
        table.finish()?;
        Ok(tested)
    }
}

impl PublishedRow {
    /// Returns the row's stated relation to its source.
    pub fn standing(&self) -> Standing {
        match (&self.certain, &self.differs, &self.tested) {
            (Some(_), ..) => Standing::Certain,
            (None, None, _) => Standing::Holds,
            (None, Some(_), Some(_)) => Standing::Tested,
            (None, Some(_), None) => Standing::Open,
        }
    }

    pub(super) fn read(node: &Node) -> Result<Self> {
        let table = node.table("[[row]]")?;
        let tolerance_node = table.require("tolerance", "tolerance = \"10 %\"")?;
        let tolerance = tolerance_node.text("tolerance")?.parse().map_err(|message| tolerance_node.error(message))?;
        let published = table.require("published", "published = 3.3")?;
        let published = match published.value {
            Value::Integer(number) => number as f64,
            Value::Number(number) => number,
            _ => return Err(published.error("`published` must be a number")),
        };
        let row = Self {
            quantity: table.require("quantity", "quantity = \"FIFO / SP-PIFO\"")?.text("quantity")?.to_owned(),
            published,
            origin: Origin::read(&table)?,
            tolerance,
            formula: Formula::read(&table)?,
            certain: optional_text(&table, "certain")?,
            differs: optional_text(&table, "differs")?,
            tested: table.get("tested").map(Tested::read).transpose()?,
            is_quick: table.get("quick").map(|node| node.boolean("quick")).transpose()?.unwrap_or(true),
            seeds: None,
        };
        if row.tested.is_some() && row.differs.is_none() {
            return Err(node.error("`tested` says with what a row would hold; say in `differs` why it does not"));
        }
        if row.certain.is_some() && row.differs.is_some() {
            return Err(node.error("a row that cannot fail does not differ; remove `certain` or `differs`"));
        }
        table.finish()?;
        Ok(row)
    }
}

/// Returns why a row differs, and the change that tested this.
pub(super) fn with_test(reason: &str, tested: Option<&str>) -> String {
    tested.map_or_else(|| reason.to_owned(), |what| format!("{reason}; tested {what}"))
}

fn optional_text(table: &Table<'_>, name: &'static str) -> Result<Option<String>> {
    table.get(name).map(|node| Ok(node.text(name)?.to_owned())).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(more: &str) -> Result<PublishedRow> {
        let text = format!("quantity = \"q\"\npublished = 3\nvalue = \"v\"\ntolerance = \"10 %\"\n{more}");
        PublishedRow::read(&Node::parse("experiment.toml", &text).unwrap())
    }

    #[test]
    fn a_basis_needs_what_belongs_to_it() {
        for (good, bad) in [
            ("basis = \"printed\"\nprinted = \"3x\"", "basis = \"printed\""),
            ("basis = \"range\"\nprinted = [\"1\", \"3 %\"]", "basis = \"range\"\nhow = \"the middle\""),
            ("basis = \"read\"\ndata = \"figure.csv\"", "basis = \"read\""),
            ("basis = \"derived\"\nhow = \"a / b\"", "basis = \"derived\"\ndata = \"figure.csv\""),
            ("basis = \"fitted\"\nhow = \"the seed\"", "basis = \"fitted\"\nprinted = \"3\""),
        ] {
            read(good).unwrap();
            let error = read(bad).unwrap_err().to_string();
            assert!(error.contains("needs `"), "{bad}: {error}");
        }
        for bad in ["", "basis = \"number\"", "basis = \"printed\"\nprinted = 3"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_cause_is_tested_only_where_a_row_differs() {
        let tested = "basis = \"printed\"\nprinted = \"3\"\ntested = { value = \"w\", what = \"without it\" }";
        assert!(read(tested).is_err());
        let row = read(&format!("{tested}\ndiffers = \"it is in the way\"")).unwrap();
        assert_eq!(row.tested.unwrap().what, "without it");
        assert!(read("basis = \"printed\"\nprinted = \"3\"\ncertain = \"a\"\ndiffers = \"b\"").is_err());
    }
}

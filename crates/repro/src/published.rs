//! What a source says: one row of `experiment.toml`.

use super::formula::Formula;
use super::seeds::Tried;
use super::tolerance::Tolerance;
use forebay::document::{Node, Table, Value};
use forebay::error::Result;
use serde::Serialize;

/// One published quantity.
#[derive(Debug, Clone)]
pub struct PublishedRow {
    /// What it is.
    pub quantity: String,
    /// The number.
    pub published: f64,
    /// Where the number comes from.
    pub origin: Origin,
    /// How far a measurement may be off.
    pub tolerance: Tolerance,
    /// What is computed for it.
    pub formula: Formula,
    /// Why it cannot fail, if it cannot.
    pub certain: Option<String>,
    /// Why it is known not to hold here, if it is.
    pub differs: Option<String>,
    /// With what it would hold, if that is known.
    pub tested: Option<Tested>,
    /// Whether it is as stated in a shortened scenario, too.
    pub is_quick: bool,
    /// How it stands with the seeds that were tried.
    pub seeds: Option<Tried>,
}

/// Where a published number comes from.
#[derive(Debug, Clone, Serialize)]
pub struct Origin {
    /// The kind of place.
    pub basis: Basis,
    /// The number as the source prints it, or the numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<String>,
    /// How the number comes from what the source says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
    /// The file with the values that the authors of the source, or of another simulator, have published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
}

/// The kind of place where a published number comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// The source prints it.
    Printed,
    /// It is an end or the middle of a range that the source prints.
    Range,
    /// It was read off a picture, or out of the data of one.
    Read,
    /// It follows from what the source says.
    Derived,
    /// A constant was chosen so that it holds.
    Fitted,
}

/// A change of the named cause with which the row is within its tolerance.
#[derive(Debug, Clone)]
pub struct Tested {
    /// What is changed.
    pub what: String,
    /// What is computed then.
    pub formula: Formula,
}

/// How a row is stated to stand to its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It holds, and could fail.
    Holds,
    /// It does not hold; with its cause changed it does.
    Tested,
    /// It does not hold, and nothing is known that would make it hold.
    Open,
    /// It cannot fail, so it says nothing.
    Certain,
}

impl Standing {
    /// Whether a row stands so: whether it holds, and, if its cause was changed, whether it holds then.
    pub(super) fn is_as_stated(self, holds: bool, changed: Option<bool>) -> bool {
        match self {
            Self::Holds | Self::Certain => holds,
            Self::Tested => !holds && changed.unwrap_or(true),
            Self::Open => !holds,
        }
    }

    /// As the results call it.
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
    /// As `experiment.toml` and the results call it.
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
    /// How it is stated to stand to its source.
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

/// Why a row differs, and what was changed to test that.
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

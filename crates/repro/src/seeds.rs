//! The results of each row with several seeds: `seeds.csv` beside `experiment.toml`, which `make test-seeds` writes.
//!
//! The first line names the columns: `of`, `quantity`, and the seeds. A line `measured` has a row's numbers, and a line `changed` has the
//! numbers after the cause of the difference was changed. A number is `-` if it cannot be computed, and empty if nothing was measured.

use super::published::PublishedRow;
use forebay::error::{Result, UserError};
use std::collections::BTreeMap;
use std::fmt;

/// The name of the file.
pub(crate) const FILE: &str = "seeds.csv";

/// The results of a row, one for each seed; [`None`] if nothing was measured.
type Numbers = Vec<Option<f64>>;

/// All numbers of an experiment.
#[derive(Debug, Default)]
pub(crate) struct Measurements {
    measured: BTreeMap<String, Numbers>,
    changed: BTreeMap<String, Numbers>,
}

/// The number of tried seeds with which a row is as stated.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// The number of these seeds.
    pub as_stated: usize,
    /// The measured number for each seed; not a number if it cannot be computed.
    pub measured: Vec<f64>,
}

impl Tried {
    /// Whether the row is as stated with only some of the seeds.
    pub fn is_split(&self) -> bool {
        self.as_stated < self.measured.len()
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.as_stated, self.measured.len())
    }
}

impl Measurements {
    /// Parses the file; `place` is its path.
    pub(crate) fn read(place: &str, text: &str) -> Result<Self> {
        let mut read = Self::default();
        let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
        for (record, line) in reader.records().zip(2..) {
            let record = record.map_err(|error| UserError::at(place, error.to_string()))?;
            let fields: Vec<&str> = record.iter().collect();
            let wrong = |what: String| UserError::at(format!("{place}:{line}"), what);
            let [of, quantity, numbers @ ..] = &fields[..] else {
                return Err(wrong("a line has `of`, `quantity` and a number for each seed".to_owned()));
            };
            let numbers = numbers.iter().map(|text| number(text).map_err(wrong)).collect::<Result<Numbers>>()?;
            match *of {
                "measured" => read.measured.insert((*quantity).to_owned(), numbers),
                "changed" => read.changed.insert((*quantity).to_owned(), numbers),
                "seconds" => None,
                other => return Err(wrong(format!("`of` is measured, changed or seconds, not `{other}`"))),
            };
        }
        Ok(read)
    }

    /// Returns the results of a row; [`None`] if it was tried with no seeds.
    pub(crate) fn of(&self, row: &PublishedRow) -> Option<Tried> {
        let holds = |number: f64| number.is_finite() && row.tolerance.holds(row.published, number);
        let measured = self.measured.get(&row.quantity)?;
        let changed = self.changed.get(&row.quantity);
        let mut tried = Tried { as_stated: 0, measured: Vec::new() };
        for (seed, number) in measured.iter().enumerate() {
            let Some(number) = *number else { continue };
            let changed = changed.and_then(|numbers| *numbers.get(seed)?);
            let is_as_stated = row.standing().is_as_stated(holds(number), changed.map(holds));
            tried.measured.push(number);
            tried.as_stated += usize::from(is_as_stated);
        }
        Some(tried).filter(|tried| !tried.measured.is_empty())
    }

    /// Returns the quantities of the file that no row has.
    #[cfg(test)]
    pub(crate) fn unknown<'a>(&'a self, rows: &[PublishedRow]) -> Vec<&'a str> {
        let all = self.measured.keys().chain(self.changed.keys()).map(String::as_str);
        all.filter(|quantity| rows.iter().all(|row| row.quantity != **quantity)).collect()
    }
}

fn number(text: &str) -> std::result::Result<Option<f64>, String> {
    match text {
        "" => Ok(None),
        "-" => Ok(Some(f64::NAN)),
        _ => text.parse().map(Some).map_err(|_| format!("`{text}` is no number; write 1.5, or - where there is none")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::all;
    use forebay::document::Node;

    fn row(more: &str) -> PublishedRow {
        let text = format!(
            "quantity = \"q\"\npublished = 10\nbasis = \"printed\"\nprinted = \"10\"\nvalue = \"v\"\ntolerance = \"10 %\"\n{more}"
        );
        PublishedRow::read(&Node::parse("experiment.toml", &text).unwrap()).unwrap()
    }

    #[test]
    fn seeds_with_which_a_row_is_as_stated_are_counted() {
        let text = "of,quantity,1,2,3,4,5\nseconds,,1,1,1,1,1\nmeasured,q,10,10.9,12,-,\nchanged,q,20,10,10,10,10\n";
        let read = Measurements::read("seeds.csv", text).unwrap();
        let tried = |more: &str| read.of(&row(more)).unwrap().to_string();
        assert_eq!(tried(""), "2 of 4");
        assert_eq!(tried("certain = \"it is set\""), "2 of 4");
        assert_eq!(tried("differs = \"it waits\""), "2 of 4");
        // Not with the first two, as it holds there.
        let tested = "differs = \"it waits\"\ntested = { value = \"w\", what = \"without waiting\" }";
        assert_eq!(tried(tested), "2 of 4");
        assert!(read.of(&row("")).unwrap().is_split());
        let none = Measurements::read("seeds.csv", "of,quantity,1\nmeasured,other,1\n").unwrap();
        assert!(none.of(&row("")).is_none());
        assert_eq!(none.unknown(&[row("")]), ["other"]);
    }

    #[test]
    fn what_is_no_number_is_named_with_its_line() {
        for (text, what) in [
            ("of,quantity,1\nmeasured,q,1\nmeasured,r,x\n", "seeds.csv:3: `x` is no number"),
            ("of,quantity,1\nguessed,q,1\n", "seeds.csv:2: `of` is measured, changed or seconds, not `guessed`"),
            ("of\nmeasured\n", "seeds.csv:2: a line has `of`, `quantity`"),
            ("of,quantity,1\nmeasured,q,1,2\n", "seeds.csv: "),
        ] {
            let error = Measurements::read("seeds.csv", text).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }

    #[test]
    fn every_quantity_that_was_tried_is_one_of_a_row() {
        for experiment in all().unwrap().into_iter().filter(|experiment| experiment.has(FILE)) {
            let read = Measurements::read(FILE, experiment.file(FILE).unwrap()).unwrap();
            let name = &experiment.name;
            assert!(
                read.unknown(&experiment.rows).is_empty(),
                "{name} has no row {:?}; remove its seeds.csv and run: make test-seeds",
                read.unknown(&experiment.rows)
            );
        }
    }
}

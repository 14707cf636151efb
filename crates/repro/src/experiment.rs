//! The files of an experiment.

use super::formula::Formula;
use super::measure::{MEASURES, MeasureEntry};
use super::tolerance::Tolerance;
use forebay::document::{Node, Value};
use forebay::error::{Result, UserError};
use forebay::scenario::Files;
use forebay_core::registry::suggest;
use include_dir::{Dir, include_dir};
use serde::Serialize;

/// The folder `experiments/` of the repository.
static EXPERIMENTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../experiments");

/// What makes a folder an experiment.
const FILE: &str = "experiment.toml";

/// One figure, table or statement of a source.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The path of its folder, like `sp-pifo/figure-4`.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Paper and section.
    pub source: String,
    /// How it is measured.
    pub measure: &'static MeasureEntry,
    /// Whether it takes more than ten seconds of CPU time in a build for development.
    pub long: bool,
    /// What was published.
    pub rows: Vec<PublishedRow>,
    folder: &'static Dir<'static>,
}

/// One published quantity.
#[derive(Debug, Clone)]
pub struct PublishedRow {
    pub quantity: String,
    pub published: f64,
    pub basis: Basis,
    pub tolerance: Tolerance,
    /// What is computed for it.
    pub formula: Formula,
    /// Why it is known not to hold here, if it is.
    pub differs: Option<String>,
}

/// Where the published number comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// The source prints it.
    Number,
    /// The source says it in words; the number is what they mean.
    Statement,
    /// It follows from the source's definitions.
    Derived,
}

impl Basis {
    /// As `experiment.toml` and the results call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Statement => "statement",
            Self::Derived => "derived",
        }
    }

    fn read(node: Option<&Node>) -> Result<Self> {
        let Some(node) = node else { return Ok(Self::Number) };
        let given = node.text("basis")?;
        let found = [Self::Number, Self::Statement, Self::Derived].into_iter().find(|basis| basis.name() == given);
        found.ok_or_else(|| node.error(format!("`basis` must be number, statement or derived, not `{given}`")))
    }
}

impl Files for Experiment {
    /// A file of the experiment, or of the folder above.
    fn open(&self, name: &str) -> Result<(String, Box<dyn std::io::Read + Send + '_>)> {
        if !self.has(name) {
            let (place, text) = self.file_beside(name)?;
            return Ok((place, Box::new(text.as_bytes())));
        }
        Ok((format!("experiments/{}/{name}", self.name), Box::new(self.file(name)?.as_bytes())))
    }
}

impl Experiment {
    /// The text of a file in the experiment's folder.
    pub fn file(&self, name: &str) -> Result<&'static str> {
        let path = self.folder.path().join(name);
        let file = self.folder.get_file(&path).and_then(include_dir::File::contents_utf8);
        file.ok_or_else(|| UserError::at(format!("experiments/{}", self.name), format!("there is no {name} in it")))
    }

    /// Whether there is such a file in the experiment's folder.
    pub fn has(&self, name: &str) -> bool {
        self.folder.get_file(self.folder.path().join(name)).is_some()
    }

    /// The files in the experiment's folder whose names begin and end so, in order of their names: what is between, and the text.
    pub fn files_like(&self, start: &str, end: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.folder.files().filter_map(move |file| {
            let name = file.path().file_name()?.to_str()?.strip_prefix(start)?.strip_suffix(end)?;
            Some((name, file.contents_utf8()?))
        })
    }

    /// Path and text of a file that experiments of the folder above share.
    pub fn file_beside(&self, name: &str) -> Result<(String, &'static str)> {
        let above = self.folder.path().parent().unwrap_or(self.folder.path());
        let file = EXPERIMENTS.get_file(above.join(name)).and_then(include_dir::File::contents_utf8);
        let place = format!("experiments/{}", above.display());
        let text = file.ok_or_else(|| UserError::at(&place, format!("there is no {name} in it")))?;
        Ok((format!("{place}/{name}"), text))
    }

    /// Names and texts of the files in the experiment's folder that end so.
    #[cfg(test)]
    pub fn files_ending(&self, ending: &str) -> Vec<(String, &'static str)> {
        let ends = |file: &&include_dir::File<'static>| file.path().extension().is_some_and(|it| it == ending);
        let files = self.folder.files().filter(ends);
        files.filter_map(|file| Some((file.path().display().to_string(), file.contents_utf8()?))).collect()
    }

    fn read(folder: &'static Dir<'static>, text: &str) -> Result<Self> {
        let name = folder.path().display().to_string();
        let document = Node::parse(&format!("experiments/{name}/{FILE}"), text)?;
        let top = document.table("the experiment")?;
        let text_field = |key, example| -> Result<String> { Ok(top.require(key, example)?.text(key)?.to_owned()) };
        let title = text_field("title", "title = \"Figure 1: ...\"")?;
        let source = text_field("source", "source = \"paper, section\"")?;
        let measure_node = top.require("measure", "measure = \"queue-study\"")?;
        let measure = measure_node.text("measure")?;
        let Some(measure) = MEASURES.iter().find(|entry| entry.about.name == measure) else {
            let known = MEASURES.iter().map(|entry| entry.about.name);
            return Err(measure_node.error(format!("unknown measure `{measure}`{}", suggest(measure, known))));
        };
        let rows_node = top.require("row", "[[row]] with quantity, published, value and tolerance")?;
        let Value::Array(rows) = &rows_node.value else {
            return Err(rows_node.error("rows are a list: write [[row]] with two brackets"));
        };
        let rows = rows.iter().map(PublishedRow::read).collect::<Result<Vec<_>>>()?;
        let long = top.get("long").map(|node| node.boolean("long")).transpose()?.unwrap_or(false);
        top.finish()?;
        Ok(Self { name, title, source, measure, long, rows, folder })
    }
}

impl PublishedRow {
    fn read(node: &Node) -> Result<Self> {
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
            basis: Basis::read(table.get("basis"))?,
            tolerance,
            formula: Formula::read(&table)?,
            differs: table.get("differs").map(|node| Ok(node.text("differs")?.to_owned())).transpose()?,
        };
        table.finish()?;
        Ok(row)
    }
}

/// All experiments, in order of their names.
///
/// # Errors
/// If a file is at fault.
pub fn all() -> Result<Vec<Experiment>> {
    let mut found = Vec::new();
    collect(&EXPERIMENTS, &mut found)?;
    found.sort_by(|a, b| natural(&a.name).cmp(&natural(&b.name)));
    Ok(found)
}

fn collect(folder: &'static Dir<'static>, found: &mut Vec<Experiment>) -> Result<()> {
    if let Some(file) = folder.get_file(folder.path().join(FILE)) {
        let text = file.contents_utf8().unwrap_or_default();
        found.push(Experiment::read(folder, text)?);
    }
    folder.dirs().try_for_each(|inner| collect(inner, found))
}

/// A key in whose order `figure-4` stands before `figure-13`.
fn natural(name: &str) -> Vec<(u64, &str)> {
    name.split(['-', '/']).map(|word| (word.parse().unwrap_or(u64::MAX), word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_can_be_read_and_has_a_page() {
        let all = all().unwrap();
        assert!(!all.is_empty());
        for experiment in all {
            assert!(!experiment.rows.is_empty(), "{}", experiment.name);
            assert!(experiment.file("README.md").unwrap().starts_with("# "), "{}", experiment.name);
        }
    }

    #[test]
    fn figures_are_in_order_of_their_numbers() {
        let mut names = ["a/figure-13", "a/figure-4", "b/figure-1"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["a/figure-4", "a/figure-13", "b/figure-1"]);
    }
}

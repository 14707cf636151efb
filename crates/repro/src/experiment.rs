//! The files of an experiment.

use super::measure::{MEASURES, MeasureEntry};
use super::own_scenario::OwnScenario;
use super::published::PublishedRow;
use super::seeds::{self, Measurements};
use forebay::document::{Node, Value};
use forebay::error::{Result, UserError};
use forebay::run::MadeOnce;
use forebay::scenario::Files;
use forebay_core::registry::suggest;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file that makes a folder an experiment.
const FILE: &str = "experiment.toml";

/// The files of all experiments: those compiled in, or those of a folder on disk.
#[derive(Debug, Clone)]
pub struct Experiments {
    /// The prefix of paths in messages.
    place: String,
    /// The contents by path below the folder, with `/` between names.
    files: Arc<BTreeMap<String, Cow<'static, [u8]>>>,
    /// Runs of networks that several experiments share.
    networks: Arc<MadeOnce>,
}

impl Experiments {
    /// Returns the experiments that are part of the program.
    pub fn compiled_in() -> Self {
        let files =
            forebay_experiments::files().into_iter().map(|(path, content)| (path, Cow::Borrowed(content))).collect();
        Self { place: "experiments".to_owned(), files: Arc::new(files), networks: Arc::default() }
    }

    /// Reads the experiments in a folder.
    ///
    /// # Errors
    /// If a folder or file cannot be read, or no folder in it has an `experiment.toml`.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        add_on_disk(folder, "", &mut files)?;
        let place = folder.display().to_string();
        if !files.keys().any(|path| path.ends_with(&format!("/{FILE}"))) {
            let what = format!("this folder has no experiment; name a folder with files like sp-pifo/figure-4/{FILE}");
            return Err(UserError::at(place, what));
        }
        Ok(Self { place, files: Arc::new(files), networks: Arc::default() })
    }

    /// Returns the nearest folder `experiments`, in a folder or above it, that has files like `sp-pifo/figure-4/experiment.toml`.
    pub fn nearest(here: &Path) -> Option<PathBuf> {
        let below = |folder: &Path| -> Vec<PathBuf> {
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
        };
        let has_one = |folder: &PathBuf| {
            below(folder).iter().any(|source| below(source).iter().any(|figure| figure.join(FILE).is_file()))
        };
        here.ancestors().map(|folder| folder.join("experiments")).find(has_one)
    }

    /// Returns the runs of networks that experiments share, so that each is made once.
    pub(crate) fn networks(&self) -> &Arc<MadeOnce> {
        &self.networks
    }

    /// Returns all experiments, in order of their names.
    ///
    /// # Errors
    /// If a file is wrong.
    pub fn all(&self) -> Result<Vec<Experiment>> {
        let folders = self.files.keys().filter_map(|path| path.strip_suffix(FILE)?.strip_suffix('/'));
        let mut found = folders.map(|name| Experiment::read(self, name)).collect::<Result<Vec<_>>>()?;
        found.sort_by(|a, b| natural(&a.name).cmp(&natural(&b.name)));
        Ok(found)
    }

    /// Returns the text of a file.
    fn text(&self, path: &str) -> Option<Result<&str>> {
        let bytes = self.files.get(path)?;
        let error = |_| UserError::at(format!("{}/{path}", self.place), "it is not UTF-8 text; save it as UTF-8");
        Some(std::str::from_utf8(bytes).map_err(error))
    }
}

/// Reads the contents of a folder on disk. Files whose names begin with a dot are left out.
fn add_on_disk(folder: &Path, above: &str, files: &mut BTreeMap<String, Cow<'static, [u8]>>) -> Result<()> {
    let error = |path: &Path, error: std::io::Error| UserError::io(path, "read", &error);
    for entry in std::fs::read_dir(folder).map_err(|it| error(folder, it))? {
        let path = entry.map_err(|it| error(folder, it))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| !name.starts_with('.')) else {
            continue;
        };
        let name = format!("{above}{name}");
        if path.is_dir() {
            add_on_disk(&path, &format!("{name}/"), files)?;
        } else {
            files.insert(name, Cow::Owned(std::fs::read(&path).map_err(|it| error(&path, it))?));
        }
    }
    Ok(())
}

/// An experiment: one figure, table or statement of a source.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The path of the experiment's folder, like `sp-pifo/figure-4`.
    pub name: String,
    /// The experiment's title.
    pub title: String,
    /// The paper and the section.
    pub source: String,
    /// The measure of the experiment.
    pub measure: &'static MeasureEntry,
    /// Whether only fast parts are measured: no causes of differences, and scenarios in their shortened form.
    pub is_quick: bool,
    /// Whether the experiment takes too long even if shortened.
    is_long: bool,
    /// The changes that shorten its scenarios, as arguments of `--set`. A change of one of several scenarios begins with its name.
    shortened: Vec<String>,
    /// The published quantities.
    pub rows: Vec<PublishedRow>,
    /// The comparisons of cache policies, for measures that have them.
    pub compare: Vec<Node>,
    source_files: Experiments,
}

impl Files for Experiment {
    /// Opens a file of the experiment, or of the folder above.
    fn open(&self, name: &str) -> Result<(String, Box<dyn std::io::Read + Send + '_>)> {
        if !self.has(name) {
            let (place, text) = self.file_beside(name.trim_start_matches("../"))?;
            return Ok((place, Box::new(text.as_bytes())));
        }
        Ok((self.path(name), Box::new(self.file(name)?.as_bytes())))
    }

    /// Returns the path of a file that is too large to be part of the experiment. It is in the folder of data beside the project, or in
    /// that of `FOREBAY_SHARED`.
    fn path(&self, name: &str) -> PathBuf {
        let shared = std::env::var_os("FOREBAY_SHARED").map_or_else(|| Path::new("..").join("shared"), PathBuf::from);
        shared.join("data").join(name)
    }
}

impl Experiment {
    /// Returns the files of all experiments, including this one's.
    pub fn experiments(&self) -> &Experiments {
        &self.source_files
    }

    /// Returns the path of the experiment's folder for messages.
    fn place(&self) -> String {
        format!("{}/{}", self.source_files.place, self.name)
    }

    /// Returns the path of a file in the experiment's folder for messages.
    pub fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.place())
    }

    /// Returns why a request trace is missing, if it is a file in the folder of data beside the project.
    pub fn missing_trace(&self, name: &str) -> Option<String> {
        let path = Files::path(self, name);
        let is_missing = !name.ends_with(".toml") && !path.exists();
        is_missing.then(|| format!("{} is not there", path.display()))
    }

    /// Returns the text of a file in the experiment's folder.
    pub fn file(&self, name: &str) -> Result<&str> {
        let text = self.source_files.text(&format!("{}/{name}", self.name));
        text.unwrap_or_else(|| Err(UserError::at(self.place(), format!("there is no {name} in it"))))
    }

    /// Whether the experiment's folder has a file of this name.
    pub fn has(&self, name: &str) -> bool {
        self.source_files.files.contains_key(&format!("{}/{name}", self.name))
    }

    /// Returns the scenarios: `scenario.toml` if it exists, and every `scenario-NAME.toml` in order of their names.
    ///
    /// # Errors
    /// If there is none.
    pub fn scenarios(&self) -> Result<Vec<OwnScenario<'_>>> {
        const FILE: &str = "scenario.toml";
        let (start, end) = ("scenario-", ".toml");
        let several = self.files_like(start, end).map(|(name, text)| {
            let file = format!("{start}{name}{end}");
            OwnScenario { name: Some(name), file, text }
        });
        let mut scenarios: Vec<_> = several.collect();
        if scenarios.is_empty() || self.has(FILE) {
            scenarios.insert(0, OwnScenario { name: None, file: FILE.to_owned(), text: self.file(FILE)? });
        }
        Ok(scenarios)
    }

    /// Returns the scenarios from which a row uses a value, and always `scenario.toml`.
    ///
    /// # Errors
    /// If there is none.
    pub fn asked_scenarios(&self) -> Result<Vec<OwnScenario<'_>>> {
        let mut scenarios = self.scenarios()?;
        scenarios.retain(|own| own.name.is_none() || self.asks_for(&own.before_values()));
        Ok(scenarios)
    }

    /// Returns a scenario as it is to be measured.
    ///
    /// # Errors
    /// If the scenario is not TOML.
    pub fn document(&self, own: &OwnScenario<'_>) -> Result<Node> {
        let mut document = Node::parse(&self.path(&own.file), own.text)?;
        for argument in self.shortened.iter().filter(|_| self.is_quick) {
            // After the name of a scenario, it is for that one alone.
            match argument.split_once(": ") {
                Some((name, argument)) if own.name == Some(name) => document.set(argument)?,
                Some(_) => (),
                None => document.set(argument)?,
            }
        }
        Ok(document)
    }

    /// Whether a row uses a value whose name begins with `start`.
    pub fn asks_for(&self, start: &str) -> bool {
        let tested = |row: &PublishedRow| row.tested.as_ref().is_some_and(|tested| tested.formula.asks_for(start));
        self.rows.iter().any(|row| row.formula.asks_for(start) || (!self.is_quick && tested(row)))
    }

    /// Returns the part of the experiment that is fast to measure, if there is one.
    #[must_use]
    pub fn quick(mut self) -> Option<Self> {
        if self.is_long {
            return None;
        }
        self.is_quick = true;
        self.rows.retain(|row| row.is_quick);
        Some(self)
    }

    /// Returns the files in the experiment's folder whose names begin with `start` and end with `end`, in order of their names: the name's
    /// middle, and the text.
    fn files_like<'a>(&'a self, start: &'a str, end: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.source_files.files.iter().filter_map(move |(path, bytes)| {
            let name = path.strip_prefix(&self.name)?.strip_prefix('/')?.strip_prefix(start)?.strip_suffix(end)?;
            Some((name, std::str::from_utf8(bytes).ok()?)).filter(|_| !name.contains('/'))
        })
    }

    /// Returns the path and the text of a file that experiments of the folder above share.
    pub fn file_beside(&self, name: &str) -> Result<(String, &str)> {
        let above = self.name.rsplit_once('/').map_or("", |(above, _)| above);
        let place = format!("{}/{above}", self.source_files.place);
        let text = self.source_files.text(&format!("{above}/{name}"));
        let text = text.unwrap_or_else(|| Err(UserError::at(&place, format!("there is no {name} in it"))))?;
        Ok((format!("{place}/{name}"), text))
    }

    /// Returns the names and the texts of the files in the experiment's folder whose names end with `ending`.
    #[cfg(test)]
    pub fn files_ending(&self, ending: &str) -> Vec<(String, &str)> {
        let all = self.files_like("", "").filter(|(name, _)| name.ends_with(&format!(".{ending}")));
        all.map(|(name, text)| (format!("{}/{name}", self.name), text)).collect()
    }

    fn read(files: &Experiments, name: &str) -> Result<Self> {
        let text = files.text(&format!("{name}/{FILE}")).transpose()?.unwrap_or_default();
        let (name, source_files) = (name.to_owned(), files.clone());
        let document = Node::parse(&format!("{}/{name}/{FILE}", files.place), text)?;
        let top = document.table("the experiment")?;
        let text_field = |key, example| -> Result<String> { Ok(top.require(key, example)?.text(key)?.to_owned()) };
        let title = text_field("title", "title = \"Figure 1: ...\"")?;
        let source = text_field("source", "source = \"paper, section\"")?;
        let measure_node = top.require("measure", "measure = \"network\"")?;
        let measure = measure_node.text("measure")?;
        let Some(measure) = MEASURES.iter().find(|entry| entry.about.name == measure) else {
            let known = MEASURES.iter().map(|entry| entry.about.name);
            return Err(measure_node.error(format!("unknown measure `{measure}`{}", suggest(measure, known))));
        };
        let rows_node = top.require("row", "[[row]] with quantity, published, value and tolerance")?;
        let Value::Array(rows) = &rows_node.value else {
            return Err(rows_node.error("rows must be a list: write [[row]] with two brackets"));
        };
        let mut rows = rows.iter().map(PublishedRow::read).collect::<Result<Vec<_>>>()?;
        let seeds_file = format!("{name}/{}", seeds::FILE);
        if let Some(text) = files.text(&seeds_file).transpose()? {
            let tried = Measurements::read(&format!("{}/{seeds_file}", files.place), text)?;
            rows.iter_mut().for_each(|row| row.seeds = tried.of(row));
        }
        let is_long = top.get("long").map(|node| node.boolean("long")).transpose()?.unwrap_or(false);
        let list = |key, example: &str| match top.get(key).map(|node| (node, &node.value)) {
            None => Ok(Vec::new()),
            Some((_, Value::Array(items))) => Ok(items.clone()),
            Some((node, _)) => Err(node.error(format!("`{key}` must be a list, like [\"{example}\"]"))),
        };
        let compare = list("compare", "latency of lru-mad below lru")?;
        let shortened = list("quick_set", "network.duration=10ms")?;
        let shortening = |node: &Node| {
            let argument = node.text("quick_set")?;
            match argument.split_once(": ").map(|(scenario, _)| format!("scenario-{scenario}.toml")) {
                Some(file) if files.text(&format!("{name}/{file}")).is_none() => {
                    Err(node.error(format!("there is no {file} beside this file")))
                }
                _ => Ok(argument.to_owned()),
            }
        };
        let shortened = shortened.iter().map(shortening).collect::<Result<_>>()?;
        top.finish()?;
        Ok(Self { name, title, source, measure, is_quick: false, is_long, shortened, rows, compare, source_files })
    }
}

/// Returns all experiments that are part of the program, in order of their names.
///
/// # Errors
/// If a file is wrong.
pub fn all() -> Result<Vec<Experiment>> {
    Experiments::compiled_in().all()
}

/// Returns a sort key by which `figure-4` precedes `figure-13`.
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
    fn an_edited_experiment_is_what_is_read_and_its_errors_name_path_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let one = folder.path().join("mine/figure-1");
        std::fs::create_dir_all(&one).unwrap();
        let (_, original) = forebay_experiments::files()
            .into_iter()
            .find(|(path, _)| path == "sp-pifo/figure-5/experiment.toml")
            .unwrap();
        let original = std::str::from_utf8(original).unwrap();
        let write = |text: &str| std::fs::write(one.join(FILE), text).unwrap();
        let title = original.lines().find(|line| line.starts_with("title")).unwrap();
        write(&original.replace(title, "title = \"Edited\""));
        let all = Experiments::in_folder(folder.path()).unwrap().all().unwrap();
        assert_eq!((all[0].name.as_str(), all[0].title.as_str()), ("mine/figure-1", "Edited"));
        write("title = \"Edited\"\nsource = \"here\"\nmeasure = \"nonsense\"\n");
        let error = Experiments::in_folder(folder.path()).unwrap().all().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}:3", one.join(FILE).display())), "{error}");
    }

    #[test]
    fn a_folder_without_experiments_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = Experiments::in_folder(folder.path()).unwrap_err().to_string();
        assert!(error.contains("this folder has no experiment"), "{error}");
        let error = Experiments::in_folder(&folder.path().join("none")).unwrap_err().to_string();
        assert!(error.contains("cannot be read"), "{error}");
    }

    #[test]
    fn figures_are_in_order_of_their_numbers() {
        let mut names = ["a/figure-13", "a/figure-4", "b/figure-1"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["a/figure-4", "a/figure-13", "b/figure-1"]);
    }
}

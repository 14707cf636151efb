//! A scenario of any kind, from a file or a text, which can be run for its answer.
//!
//! ```
//! use forebay::demo::{Embedded, SCENARIO};
//! use forebay::question::Kind;
//! use forebay::{Changes, Question};
//!
//! let changes = Changes { set: vec!["port.rate=5 Mbps".to_owned()], seed: Some(7), baseline: None };
//! let question = Question::parse("demo", SCENARIO, &Embedded, &changes)?;
//! assert_eq!(question.seed().0, 7);
//! let Kind::Port(scenario) = question.kind() else { unreachable!("the demo has a port") };
//! assert_eq!(scenario.setting().rate.bits_per_second(), 5_000_000);
//! # Ok::<(), forebay::UserError>(())
//! ```

use crate::answer::Answer;
use crate::attack::{self, AttackScenario};
use crate::caching::{self, CacheScenario};
use crate::document::{Node, Value};
use crate::error::{Place, Result, UserError, short_text};
use crate::network::{self, NetworkScenario, RegularBeside};
use crate::port::{self, PortScenario};
use crate::run::{Cost, Part, hex};
use crate::scenario::{Beside, Files, Noted, refuse_overwriting};
use crate::session::Session;
use forebay_core::Seed;
use std::path::{Path, PathBuf};

/// Changes to a scenario from outside of its file.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// Values to replace, as `KEY=VALUE`, like `port.rate=5Gbps`.
    pub set: Vec<String>,
    /// The seed that replaces the scenario's.
    pub seed: Option<u64>,
    /// The policy that replaces the scenario's baseline.
    pub baseline: Option<String>,
}

impl Changes {
    /// Names the baseline in a document.
    fn name_baseline(&self, document: &mut Node) {
        if let Some(name) = &self.baseline {
            let place = Place::Argument("baseline".to_owned());
            document.put_from(&["baseline"], Value::Text(name.clone()), place);
        }
    }
}

/// A checked scenario. Reading it has checked all that can be checked before the simulation starts.
#[derive(Debug)]
pub struct Question {
    text: String,
    kind: Kind,
    /// Files that the scenario names.
    files: Vec<PathBuf>,
}

/// The kinds of scenarios.
#[derive(Debug)]
pub enum Kind {
    /// Has `[port]`: policies at one port.
    Port(PortScenario),
    /// Has `[network]`: policies in a network.
    Network(NetworkScenario),
    /// Has `[processor]`: policies under attack.
    Attack(AttackScenario),
    /// Has `[cache]`, `[curve]` or `[bound]`: caches on request traces.
    Cache(CacheScenario),
}

impl Question {
    /// Reads a scenario file. Files that it names are in the same folder.
    ///
    /// # Errors
    /// An error that says what is wrong, with file and line, and what to write instead.
    pub fn read(path: &Path, changes: &Changes) -> Result<Self> {
        let text = read_text(path)?;
        // A network reads its files more than once.
        let (beside, regular) = (Beside(path), RegularBeside(Beside(path)));
        Self::of_file(path, text, changes, |document| if network::is_network(document) { &regular } else { &beside })
    }

    /// Reads a scenario file whose text is `text`; `files` opens the files that it names.
    ///
    /// # Errors
    /// An error that says what is wrong, with file and line, and what to write instead.
    pub fn parse_file(path: &Path, text: &str, files: &dyn Files, changes: &Changes) -> Result<Self> {
        Self::of_file(path, text.to_owned(), changes, |_| files)
    }

    fn of_file<'f>(
        path: &Path,
        text: String,
        changes: &Changes,
        files: impl FnOnce(&Node) -> &'f dyn Files,
    ) -> Result<Self> {
        let (mut document, name) = read_document(path, &text, &changes.set)?;
        changes.name_baseline(&mut document);
        let files = Noted::new(files(&document));
        let sum = hex(text.as_bytes());
        let kind = match Kind::read(&document, &name, changes.seed, &files)? {
            Kind::Port(scenario) => Kind::Port(scenario.of_file(sum)),
            Kind::Cache(scenario) => Kind::Cache(scenario.of_file(sum)),
            Kind::Attack(scenario) => Kind::Attack(scenario.of_file(sum)),
            Kind::Network(scenario) => Kind::Network(scenario.of_file(sum)),
        };
        Ok(Self { text, kind, files: files.into_paths() })
    }

    /// Reads a scenario from a text. Messages and results call it `name`; `files` opens the files that it names.
    ///
    /// # Errors
    /// An error that says what is wrong, with the line, and what to write instead.
    pub fn parse(name: &str, text: &str, files: &dyn Files, changes: &Changes) -> Result<Self> {
        let mut document = Node::parse(name, text)?;
        changes.set.iter().try_for_each(|argument| document.set(argument))?;
        changes.name_baseline(&mut document);
        let files = Noted::new(files);
        let kind = Kind::read(&document, name, changes.seed, &files)?;
        Ok(Self { text: text.to_owned(), kind, files: files.into_paths() })
    }

    /// Checks a document; `name` is used if the document has no name of its own.
    ///
    /// # Errors
    /// An error that says what is wrong, where, and what to write instead.
    pub fn of_document(document: &Node, name: &str, files: &dyn Files) -> Result<Self> {
        let files = Noted::new(files);
        let kind = Kind::read(document, name, None, &files)?;
        Ok(Self { text: document.to_toml(), kind, files: files.into_paths() })
    }

    /// Returns the text of the scenario, before changes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the kind of scenario.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Returns the root of all random numbers.
    pub fn seed(&self) -> Seed {
        match &self.kind {
            Kind::Port(scenario) => scenario.seed(),
            Kind::Network(scenario) => scenario.seed(),
            Kind::Attack(scenario) => scenario.seed(),
            Kind::Cache(scenario) => scenario.seed(),
        }
    }

    /// Returns the runs of this part with an estimate of their work, one item for each policy and value of each axis.
    ///
    /// # Errors
    /// If the runs cannot be planned.
    pub fn costs(&self, part: &Part) -> Result<Vec<Cost>> {
        match &self.kind {
            Kind::Port(scenario) => port::costs(scenario, part),
            Kind::Network(scenario) => network::costs(scenario, part),
            Kind::Cache(scenario) => caching::costs(scenario, part),
            Kind::Attack(scenario) => attack::costs(scenario, part),
        }
    }

    /// Returns the number of runs that are made at a time, each with its own memory. Caches share the traces that they read, and searches
    /// for their bounds are made one after the other.
    pub fn runs_at_a_time(&self) -> usize {
        if matches!(self.kind, Kind::Cache(_)) { 1 } else { rayon::current_num_threads() }
    }

    /// Runs everything. Runs are spread over the threads of the session; the answer does not depend on their number.
    ///
    /// # Errors
    /// If files cannot be written, or a policy cannot be built.
    pub fn run(&self, session: &Session<'_>) -> Result<Answer> {
        session.install(|| self.run_here(session))
    }

    /// A part of the runs is of use only where it is kept.
    fn check_part(session: &Session<'_>) -> Result<()> {
        match &session.keep {
            Some(_) => Ok(()),
            None => Err(UserError::new("a part of the runs needs a folder for its results; add --out DIR")),
        }
    }

    fn run_here(&self, session: &Session<'_>) -> Result<Answer> {
        let observer = session.observer;
        if !session.part.is_all() {
            Self::check_part(session)?;
        }
        if let Some(folder) = &session.keep {
            refuse_overwriting(&self.files, folder.path())?;
        }
        session.check_memory(|| Ok((self.costs(&session.part)?, self.runs_at_a_time())))?;
        match &self.kind {
            Kind::Port(scenario) => {
                let Session { keep, record_ops, part, .. } = session;
                Ok(Answer::Port(port::run(scenario, keep.as_ref(), *record_ops, part, observer)?))
            }
            Kind::Network(scenario) => {
                refuse_recording(session)?;
                Ok(Answer::Network(network::run(scenario, session.keep.as_ref(), &session.part, observer)?))
            }
            Kind::Attack(scenario) => {
                refuse_recording(session)?;
                Ok(Answer::Attack(attack::run(scenario, session.keep.as_ref(), &session.part, observer)?))
            }
            Kind::Cache(scenario) => {
                refuse_recording(session)?;
                caching::run(scenario, session.keep.as_ref(), &session.part, observer)
            }
        }
    }
}

impl Kind {
    fn read(document: &Node, name: &str, seed: Option<u64>, files: &dyn Files) -> Result<Self> {
        if network::is_network(document) {
            return NetworkScenario::read(document, name, seed, files).map(Self::Network);
        }
        if attack::is_attack(document) {
            return AttackScenario::read(document, name, seed, files).map(Self::Attack);
        }
        if caching::is_caching(document) {
            return CacheScenario::read(document, name, seed, files).map(Self::Cache);
        }
        PortScenario::read(document, name, seed, files).map(Self::Port)
    }
}

/// Rejects a session that records op streams, where there is no single queue to record.
fn refuse_recording(session: &Session<'_>) -> Result<()> {
    let message = "op streams are recorded from the queue of one port, in a scenario with [port] and [traffic]";
    session.record_ops.map_or(Ok(()), |_| Err(UserError::argument("record-ops", message)))
}

/// Returns the text of a scenario file.
///
/// # Errors
/// If the file cannot be read, is no text, or is too long.
pub fn read_text(path: &Path) -> Result<String> {
    let file = std::fs::File::open(path).map_err(|error| UserError::io(path, "read", &error))?;
    short_text(&path.display().to_string(), file, "a scenario")
}

/// Returns the document in a file, with replaced values, and the name of the scenario if it has none of its own.
///
/// # Errors
/// If the text is no TOML, or a value cannot be replaced.
pub fn read_document(path: &Path, text: &str, set: &[String]) -> Result<(Node, String)> {
    let mut document = Node::parse(&path.display().to_string(), text)?;
    for argument in set {
        document.set(argument)?;
    }
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Ok((document, name))
}

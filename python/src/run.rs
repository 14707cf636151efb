//! Questions: read, run while Python watches, and merged.

use crate::answer::PyAnswer;
use crate::error::raised;
use crate::failure::Failure;
use crate::files::HeldFiles;
use crate::own::{self, Makers};
use crate::request_arrays::PyRequests;
use crate::watch::Watch;
use forebay::error::Result;
use forebay::output::folder::{self, Manifest};
use forebay::run::{self, Part};
use forebay::{Answer, Changes, Question, Session, UserError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Between two looks at the signals of Python, which make Ctrl-C stop a run.
const LOOK: Duration = Duration::from_millis(50);

/// A checked scenario.
#[pyclass(name = "Question", frozen, module = "forebay._forebay")]
pub(crate) struct PyQuestion {
    question: Question,
    /// The exception that the caller's code has raised in a run.
    failure: Arc<Failure>,
    /// Whether runs call Python.
    calls_python: bool,
}

#[pymethods]
impl PyQuestion {
    /// Reads a scenario from a text: of the file `path`, or of none, with this name. Files that it names are in `folder`, or held here.
    #[new]
    #[pyo3(signature = (name, path, text, folder, set, seed, baseline, requests, contents, makers))]
    #[expect(clippy::too_many_arguments, reason = "only the package itself calls it")]
    fn new(
        py: Python<'_>,
        name: &str,
        path: Option<PathBuf>,
        text: &str,
        folder: PathBuf,
        set: Vec<String>,
        seed: Option<u64>,
        baseline: Option<String>,
        requests: BTreeMap<String, PyRef<'_, PyRequests>>,
        contents: BTreeMap<String, Vec<u8>>,
        makers: Makers,
    ) -> PyResult<Self> {
        let failure = Arc::<Failure>::default();
        let calls_python = own::calls_python(py, &makers);
        let own = own::own(py, makers, &failure)?;
        let requests = requests.into_iter().map(|(name, held)| (name, held.0.clone())).collect();
        let files = HeldFiles { folder, requests, contents, own };
        let changes = Changes { set, seed, baseline };
        let question = match path {
            Some(path) => Question::parse_file(&path, text, &files, &changes),
            None => Question::parse(name, text, &files, &changes),
        };
        match (failure.take(), question) {
            (Some(error), _) => Err(error),
            (None, question) => {
                question.map(|question| Self { question, failure, calls_python }).map_err(|error| raised(py, &error))
            }
        }
    }

    /// The kind of scenario.
    fn kind(&self) -> &'static str {
        use forebay::question::Kind;
        match self.question.kind() {
            Kind::Port(_) => "port",
            Kind::Network(_) => "network",
            Kind::Attack(_) => "attack",
            Kind::Cache(_) => "cache",
        }
    }

    /// Root of all random numbers.
    fn seed(&self) -> u64 {
        self.question.seed().0
    }

    /// How many runs it has.
    fn runs(&self, py: Python<'_>) -> PyResult<u64> {
        let costs = self.question.costs(&Part::default()).map_err(|error| raised(py, &error))?;
        Ok(costs.iter().map(|cost| cost.runs).sum())
    }

    /// Runs it. `progress` is called with the work done, the total, the unit and the subject; `warned` with warnings.
    #[pyo3(signature = (threads, progress, warned, keep, part, memory))]
    #[expect(clippy::too_many_arguments, reason = "only the package itself calls it")]
    fn run(
        &self,
        py: Python<'_>,
        threads: Option<u16>,
        progress: Option<&Bound<'_, PyAny>>,
        warned: &Bound<'_, PyAny>,
        keep: Option<PathBuf>,
        part: Option<&str>,
        memory: Option<u64>,
    ) -> PyResult<PyAnswer> {
        let part = part.map_or(Ok(Part::default()), str::parse);
        let part = part.map_err(|error| raised(py, &UserError::argument("part", error.to_string())))?;
        let is_all = part.is_all();
        let (began, start) = (since_epoch(), Instant::now());
        // Threads that call Python wait for each other, which costs more than a second one gains.
        let threads = threads.or(self.calls_python.then_some(1));
        let watch = Watch::with(&self.failure, self.calls_python);
        let answer = watched(py, watch, &self.failure, progress, warned, |watch| {
            let mut session = Session::watched_by(watch).threads(threads_or_all(threads)).part(part);
            if let Some(bytes) = memory {
                session = session.memory(bytes);
            }
            if let Some(folder) = &keep {
                folder::create(folder)?;
                session = session.keep(folder);
            }
            let answer = self.question.run(&session)?;
            if let Some(folder) = keep.as_ref().filter(|_| is_all) {
                let manifest =
                    Manifest::new(self.question.text(), self.question.seed().0, Vec::new(), began, start.elapsed());
                folder::write_result(folder, &answer, &manifest, &answer.files()?)?;
            }
            Ok(answer)
        })?;
        Ok(PyAnswer::new(answer))
    }
}

/// Joins the runs that are kept in folders; gives the answer, and the titles of runs that are missing.
#[pyfunction]
#[pyo3(signature = (folder, others, baseline))]
pub(crate) fn merge(
    py: Python<'_>,
    folder: PathBuf,
    others: Vec<PathBuf>,
    baseline: Option<&str>,
) -> PyResult<(PyAnswer, Vec<String>)> {
    let (began, start) = (since_epoch(), Instant::now());
    let merged = py.detach(|| {
        let own = [folder.as_path()];
        let others: Vec<&Path> = others.iter().map(PathBuf::as_path).collect();
        let from = if others.is_empty() { &own[..] } else { &others[..] };
        let merged = run::merge(folder.as_path(), from, baseline, &forebay::Silent)?;
        let manifest = Manifest::new("", merged.seed, Vec::new(), began, start.elapsed());
        let manifest = Manifest { scenario_sha256: merged.scenario_sha256.clone(), ..manifest };
        folder::write_result(&folder, &merged.answer, &manifest, &merged.answer.files()?)?;
        Ok(merged)
    });
    let merged = merged.map_err(|error: UserError| raised(py, &error))?;
    Ok((PyAnswer::new(merged.answer), merged.missing))
}

/// A pool of its own for each run: one that was made before a fork would have no threads behind it.
fn threads_or_all(threads: Option<u16>) -> NonZeroU16 {
    let all = || thread::available_parallelism().ok().and_then(|all| NonZeroU16::try_from(all).ok());
    threads.and_then(NonZeroU16::new).or_else(all).unwrap_or(NonZeroU16::MIN)
}

fn since_epoch() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// Does the work on another thread, without the lock of Python, while this one handles signals, shows progress and
/// passes on warnings.
pub(crate) fn watched(
    py: Python<'_>,
    watch: Watch,
    failure: &Failure,
    progress: Option<&Bound<'_, PyAny>>,
    warned: &Bound<'_, PyAny>,
    work: impl FnOnce(&Watch) -> Result<Answer> + Send,
) -> PyResult<Answer> {
    let mut interrupted = None;
    let outcome = thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        let worker = {
            let watch = &watch;
            scope.spawn(move || {
                let _done = done;
                work(watch)
            })
        };
        // The channel is closed when the work is done, also if it panics.
        let waiting = std::sync::Mutex::new(waiting);
        loop {
            let heard = py.detach(|| match waiting.lock() {
                Ok(waiting) => waiting.recv_timeout(LOOK),
                Err(_) => Err(RecvTimeoutError::Disconnected),
            });
            if heard == Err(RecvTimeoutError::Disconnected) {
                break;
            }
            if let Err(error) = py.check_signals().and_then(|()| show(&watch, progress)) {
                interrupted.get_or_insert(error);
                watch.stop();
                failure.stop();
                // A method of the caller may run for long, or for ever.
                let raised =
                    py.import("forebay._own").and_then(|own| own.call_method1("interrupt", (watch.callers(),)));
                if let Err(error) = raised {
                    interrupted = Some(error);
                }
            }
        }
        py.detach(|| worker.join())
    });
    let failed = failure.take();
    if let Some(error) = interrupted.or(failed) {
        return Err(error);
    }
    show(&watch, progress)?;
    for warning in watch.take_warnings() {
        warned.call1((warning,))?;
    }
    match outcome {
        Ok(answer) => answer.map_err(|error| raised(py, &error)),
        Err(_) => {
            Err(PyRuntimeError::new_err("forebay has failed inside; this is a defect of forebay: please report it"))
        }
    }
}

fn show(watch: &Watch, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let (done, work) = watch.progress();
    progress.call1((done, work.total, work.unit, work.about)).map(|_| ())
}

//! A small scenario whose runs are stored in a folder, and the promises about the folder.

use super::Life;
use crate::disk::{Ended, Process, World};
use forebay::disk::Folder;
use forebay::output::folder::{Manifest, write_result};
use forebay::run::{Part, merge};
use forebay::{Answer, Changes, Observer, Question, Session, UserError};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// The folder of the results.
pub(super) const OUT: &str = "/out";

/// The number of runs of each scenario.
pub(super) const RUNS: usize = 4;

/// The scenario whose runs read the same requests, and are made together.
const CACHE: &str = r#"
record = ["requests"]
cache = { trace = { name = "zipf", objects = 5, requests = 8, skew = 0.9 }, capacity = [2, 3], latency = 3, model = "delayed" }
policy = [{ name = "lru" }, { name = "fifo" }]
"#;

/// The scenario whose runs are made alone. They have more results, and take longer.
const NETWORK: &str = r#"
repetitions = 2
network = { topology = { name = "star", hosts = 2 }, duration = "20 us" }
workload = [{ sizes = { name = "fixed", bytes = 3000 }, load = 0.3 }]
policy = [
  { name = "a", transport = "newreno", port = { rank = "arrival", queue = "fifo", buffer = "20 packets" } },
  { name = "b", transport = "newreno", port = { rank = "arrival", queue = "pifo", buffer = "20 packets" } },
]
"#;

/// One life in this number has the network.
const NETWORKS: u64 = 16;

/// Files by their paths in a folder.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A scenario, and the contents of its folder without faults.
pub(super) struct Scenario {
    question: Question,
    right: Files,
}

static CACHES: LazyLock<Scenario> = LazyLock::new(|| Scenario::new(CACHE));
static NETS: LazyLock<Scenario> = LazyLock::new(|| Scenario::new(NETWORK));

impl Scenario {
    fn new(text: &str) -> Self {
        let question = Question::parse("chaos", text, &forebay::demo::Embedded, &Changes::default());
        let question = question.unwrap_or_else(|error| panic!("{error}"));
        let (world, mut scenario) = (World::new(0), Self { question, right: Files::new() });
        let ended = one(&world, |process| scenario.run(process, OUT, &Part::default()));
        assert!(matches!(ended, Ended::Returned(Ok(0))), "{ended:?}");
        scenario.right = world.files(Path::new(OUT));
        scenario
    }

    /// Returns the scenario of a life.
    pub(super) fn of(life: &Life) -> &'static Self {
        if life.seed.is_multiple_of(NETWORKS) { &NETS } else { &CACHES }
    }
}

thread_local! {
    /// Each process has one thread, so that nothing depends on which is faster.
    static POOLS: [&'static ThreadPool; 2] = [pool(), pool()];
}

fn pool() -> &'static ThreadPool {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    Box::leak(Box::new(pool.unwrap_or_else(|error| panic!("{error}"))))
}

/// The number of runs that were already complete.
#[derive(Default)]
struct Found(AtomicUsize);

impl Observer for Found {
    fn note(&self, note: &str) {
        if let Some(found) = note.split_once(" of ").and_then(|(found, _)| found.parse().ok()) {
            self.0.store(found, Ordering::Relaxed);
        }
    }
}

fn on(process: &Process, path: &str) -> Folder {
    Folder::on(Arc::new(process.clone()), path)
}

impl Scenario {
    /// Runs the scenario, or a part of it, and writes the result. Returns how many runs were already complete.
    pub(super) fn run(&self, process: &Process, out: &str, part: &Part) -> Result<usize, UserError> {
        let found = Found::default();
        let answer = self.question.run(&Session::watched_by(&found).keep(on(process, out)).part(part.clone()))?;
        if part.is_all() {
            write(process, out, &answer)?;
        }
        Ok(found.0.into_inner())
    }

    /// Runs the whole scenario.
    pub(super) fn run_all(&self, process: &Process) -> Result<usize, UserError> {
        self.run(process, OUT, &Part::default())
    }
}

/// Joins the runs of two folders, and writes the result. Returns how many runs are missing.
pub(super) fn join(process: &Process, out: &str, from: [&str; 2]) -> Result<usize, UserError> {
    let merged = merge(on(process, out), &from.map(|folder| on(process, folder)), None, &Found::default())?;
    write(process, out, &merged.answer)?;
    Ok(merged.missing.len())
}

/// Writes a short result, since the whole one would take longer than all other work.
fn write(process: &Process, out: &str, answer: &Answer) -> Result<(), UserError> {
    let manifest = Manifest::new("", 1, Vec::new(), Duration::ZERO, Duration::ZERO);
    write_result(on(process, out), &answer.warnings(), &manifest, &[("result.csv".to_owned(), answer.csv())])
}

/// Creates a world for this life, in which calls fail from now on.
pub(super) fn world(life: &Life) -> Arc<World> {
    let world = World::new(life.seed);
    if let Some(planted) = life.planted {
        world.plant(planted);
    }
    world.fail();
    world
}

/// Runs one process.
pub(super) fn one<T: Send>(world: &Arc<World>, work: impl FnOnce(&Process) -> T + Send) -> Ended<T> {
    let process = Process::new(world, 0);
    process.begin();
    POOLS.with(|pools| pools[0]).install(|| process.run(|| work(&process)))
}

/// Runs two processes at once.
pub(super) fn two<T: Send>(world: &Arc<World>, work: impl Fn(&Process) -> T + Sync) -> [Ended<T>; 2] {
    let processes = [Process::new(world, 0), Process::new(world, 1)];
    // Before either runs, so that the order does not depend on which starts sooner.
    processes.iter().for_each(Process::begin);
    let pools = POOLS.with(|pools| *pools);
    let work = &work;
    std::thread::scope(|scope| {
        let threads = [0, 1].map(|place| {
            let (pool, process) = (pools[place], &processes[place]);
            scope.spawn(move || pool.install(|| process.run(|| work(process))))
        });
        threads.map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Returns the result of a process without faults.
pub(super) fn undisturbed<T>(ended: Ended<Result<T, UserError>>) -> T {
    match ended {
        Ended::Returned(Ok(value)) => value,
        Ended::Returned(Err(error)) => panic!("nothing fails any more, and yet: {error}"),
        Ended::Killed => panic!("nobody kills any more"),
    }
}

/// Checks the end of a process while calls failed: an error must name its object. Returns the result of a process that succeeded.
pub(super) fn fared<T>(ended: Ended<Result<T, UserError>>) -> Option<T> {
    match ended {
        Ended::Killed => None,
        Ended::Returned(Ok(value)) => Some(value),
        Ended::Returned(Err(error)) => {
            let named = error.file().is_some_and(|file| file.starts_with('/'));
            assert!(named, "this error does not say which file it is of: {error}");
            None
        }
    }
}

impl Scenario {
    /// Checks that all files that must be in the folder are there, and correct.
    pub(super) fn check(&self, world: &World, when: &str) {
        let there = world.files(Path::new(OUT));
        for (path, content) in &self.right {
            let found = there.get(path);
            assert!(found.is_some(), "{when}, {} is not there", path.display());
            assert!(found == Some(content), "{when}, {} is not what it should be", path.display());
        }
    }

    /// Checks that all these files are there and correct, and no others.
    pub(super) fn check_exact(&self, world: &World, when: &str) {
        self.check(world, when);
        let there = world.files(Path::new(OUT));
        if let Some(other) = there.keys().find(|path| !self.right.contains_key(*path)) {
            panic!("{when}, {} was left behind", other.display());
        }
    }
}

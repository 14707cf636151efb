//! What `--record-ops` leaves: what the rank queue of each policy saw and answered, as an
//! op stream (`crates/core/src/ops.rs`) that other queues and hardware can replay.

mod file;
mod names;

use crate::error::{Result, UserError};
use crate::output::folder;
use crate::scenario::{Plan, Policy};
use crate::warn;
use file::OpFile;
use forebay_core::Exactness;
use forebay_core::registry::find;
use forebay_queues::QUEUES;
use forebay_queues::recorded::OpSink;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most bits of a rank that hardware with a bucket for each is expected to have.
const MAX_RANK_BITS: u32 = 20;

/// Which lines of a result are recorded, and where.
pub(crate) struct Recorder {
    /// Said in every file.
    run: String,
    /// In the order of the lines; `None` for one that cannot be recorded.
    lines: Vec<Option<Line>>,
}

struct Line {
    name: String,
    path: PathBuf,
    rank_unit: u64,
}

impl Recorder {
    /// Records the lines of a result in `folder`, which is made: the policy of each, and
    /// the name of the line, which may run the policy in one way of several. `run` says
    /// what they are lines of. Warns about each policy that cannot be recorded.
    ///
    /// # Errors
    /// If none can be recorded, or the folder cannot be made.
    pub(crate) fn new(folder: &Path, run: String, lines: &[(&Policy<Plan>, String)]) -> Result<Self> {
        let refusals: Vec<_> = lines.iter().map(|(policy, _)| refusal(&policy.discipline)).collect();
        let mut refused = Vec::new();
        for ((policy, _), why) in lines.iter().zip(&refusals) {
            let why = why.as_ref().map(|why| format!("`{}` is not recorded: {why}", policy.name));
            refused.extend(why.filter(|why| !refused.contains(why)));
        }
        if refusals.iter().all(Option::is_some) {
            return Err(UserError::at("--record-ops", format!("{}; {}", refused.join("; "), advice())));
        }
        for why in refused {
            warn(&format!("{why}; {}", advice()));
        }
        folder::create(folder)?;
        let files = names::of_files(lines.iter().map(|(_, name)| name.as_str()));
        let lines = lines
            .iter()
            .zip(&refusals)
            .zip(files)
            .map(|(((policy, name), refusal), file)| {
                let path = folder.join(format!("{file}.ops"));
                refusal.is_none().then(|| Line { name: name.clone(), path, rank_unit: policy.discipline.rank_unit() })
            })
            .collect();
        Ok(Self { run, lines })
    }

    /// Starts the file of a line, unless that cannot be recorded.
    pub(crate) fn start(&self, line: usize) -> Result<Option<Recording<'_>>> {
        let Some(line) = self.lines.get(line).and_then(Option::as_ref) else { return Ok(None) };
        let unwritten = |error| UserError::io(&line.path, "written", &error);
        let about = format!("forebay {}: {}, {:?}", env!("CARGO_PKG_VERSION"), self.run, line.name);
        let out = BufWriter::new(File::create(&line.path).map_err(unwritten)?);
        Ok(Some(Recording { line, file: Arc::new(OpFile::new(out, about).map_err(unwritten)?) }))
    }
}

/// The file of one line, while its policy runs.
pub(crate) struct Recording<'a> {
    line: &'a Line,
    file: Arc<OpFile<BufWriter<File>>>,
}

impl Recording<'_> {
    /// Where the queue says what is done to it.
    pub(crate) fn sink(&self) -> Arc<dyn OpSink> {
        self.file.clone()
    }

    /// Ends the file. Warns if its ranks are more than hardware has.
    ///
    /// # Errors
    /// If not all could be written.
    pub(crate) fn finish(self) -> Result<()> {
        let Line { name, path, rank_unit } = self.line;
        let seen = self.file.finish().map_err(|error| UserError::io(path, "written", &error))?;
        let needed = file::bits(seen.highest_rank);
        if needed > MAX_RANK_BITS {
            // Of the ranks that were divided by the unit, the greatest that it can have been.
            let highest = (u128::from(seen.highest_rank) + 1) * u128::from(*rank_unit) - 1;
            warn(&format!(
                "the ranks of `{name}` go up to {} and need {needed} bits; hardware with a bucket for each rank has up \
                 to {MAX_RANK_BITS}: with rank_unit = {} they fit, and some that differ become equal",
                seen.highest_rank,
                (highest >> MAX_RANK_BITS) + 1
            ));
        }
        Ok(())
    }
}

/// Why what the queue of this policy does cannot be recorded, if so.
fn refusal(plan: &Plan) -> Option<String> {
    match plan {
        Plan::Parts(spec) => match find("queue", QUEUES, &spec.queue.name).map(|queue| queue.about.exactness) {
            Ok(Exactness::Exact) => None,
            Ok(Exactness::ExactWithinWindow) => {
                Some(format!("the queue `{}` is exact only for ranks within its window", spec.queue.name))
            }
            _ => Some(format!("the queue `{}` does not keep the order of ranks", spec.queue.name)),
        },
        Plan::Tree(..) => Some("a tree has a queue for every node, most of which hold no packets".to_owned()),
        Plan::OpenQueue(_) => Some(
            "a policy in OpenQueue keeps its packets in structures of its engine, which order them by more than one \
             rank, and not in a rank queue"
                .to_owned(),
        ),
    }
}

/// Which policies can be recorded.
fn advice() -> String {
    let exact = QUEUES.iter().filter(|queue| queue.about.exactness == Exactness::Exact);
    let names: Vec<_> = exact.map(|queue| queue.about.name).collect();
    format!("policies with a rank and one of the exact queues ({}) can be", names.join(", "))
}

//! Recordings of `--record-ops`: the operations of the rank queue of each policy and their results, as an op stream
//! (`crates/core/src/ops.rs`) which other queues and hardware can replay.

mod file;
mod names;
mod queues;

pub(crate) use names::Names;

use crate::error::{Result, UserError};
use crate::observer::Observer;
use crate::output::folder;
use crate::output::temporary_file::Unfinished;
use crate::scenario::{NamedPolicy, Plan, Sinks};
use file::OpFile;
use forebay_sched::RankUnit;
use forebay_sched::queues::recording_queue::OpSink;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of bits of a rank for hardware with a bucket for each rank.
const MAX_RANK_BITS: u32 = 20;

/// The lines of a result that are recorded, and the folder for their files.
pub(crate) struct Recorder {
    /// Said in every file.
    run: String,
    /// In the order of the lines; `None` for one that cannot be recorded.
    lines: Vec<Option<Line>>,
}

struct Line {
    queues: Vec<Queue>,
}

/// One rank queue and its file.
struct Queue {
    name: String,
    path: PathBuf,
    rank_unit: RankUnit,
}

impl Recorder {
    /// Records the lines of a result in `folder`, which is created. A line has a policy and a name, since one policy may run in several
    /// ways. `run` names the run of the lines. Warns about each policy that cannot be recorded.
    ///
    /// # Errors
    /// If none can be recorded, or the folder cannot be made.
    pub(crate) fn new(
        folder: &Path,
        run: String,
        lines: &[(&NamedPolicy<Plan>, String)],
        observer: &dyn Observer,
    ) -> Result<Self> {
        let queues: Vec<_> = lines.iter().map(|(policy, _)| queues::of(&policy.discipline)).collect();
        let mut refused = Vec::new();
        for ((policy, _), queues) in lines.iter().zip(&queues) {
            let why = queues.as_ref().err().map(|why| format!("`{}` is not recorded: {why}", policy.name));
            refused.extend(why.filter(|why| !refused.contains(why)));
        }
        if queues.iter().all(std::result::Result::is_err) {
            return Err(UserError::argument("record-ops", format!("{}; {}", refused.join("; "), queues::advice())));
        }
        for why in refused {
            observer.warn(&format!("{why}; {}", queues::advice()));
        }
        folder::create(folder)?;
        let mut names = Names::default();
        let line = |((_, name), queues): (&(_, String), std::result::Result<Vec<_>, queues::NotRecorded>)| {
            let of_queue = |(suffix, rank_unit)| {
                let name = format!("{name}{suffix}");
                Queue { path: folder.join(names.of_file(&name, ".ops")), name, rank_unit }
            };
            let queues = queues.ok()?.into_iter().map(of_queue).collect();
            Some(Line { queues })
        };
        Ok(Self { run, lines: lines.iter().zip(queues).map(line).collect() })
    }

    /// Starts the files of a line, unless the line cannot be recorded.
    pub(crate) fn start(&self, line: usize) -> Result<Option<Recording<'_>>> {
        let Some(line) = self.lines.get(line).and_then(Option::as_ref) else { return Ok(None) };
        let start = |queue: &Queue| {
            let unwritten = |error| UserError::io(&queue.path, "written", &error);
            let about = format!("forebay {}: {}, {:?}", env!("CARGO_PKG_VERSION"), self.run, queue.name);
            let (unfinished, file) = Unfinished::create(&queue.path).map_err(unwritten)?;
            let file = OpFile::new(BufWriter::new(file), about).map(Arc::new).map_err(unwritten)?;
            Ok((unfinished, file))
        };
        Ok(Some(Recording { line, files: line.queues.iter().map(start).collect::<Result<_>>()? }))
    }
}

/// The files of one line, while its policy runs.
pub(crate) struct Recording<'a> {
    line: &'a Line,
    files: Vec<(Unfinished, Arc<OpFile<BufWriter<File>>>)>,
}

impl Recording<'_> {
    /// Returns the receivers to which each queue reports its operations.
    pub(crate) fn sinks(&self) -> Sinks {
        self.files.iter().map(|(_, file)| Arc::clone(file) as Arc<dyn OpSink>).collect()
    }

    /// Removes the files after an interrupt, and warns about it.
    pub(crate) fn leave_out(self, observer: &dyn Observer) {
        for Queue { path, .. } in &self.line.queues {
            observer.warn(&format!("{}: is not written, since the run was interrupted", path.display()));
        }
    }

    /// Ends the files. Warns if there are more ranks than hardware has.
    ///
    /// # Errors If a file could not be written.
    pub(crate) fn finish(self, observer: &dyn Observer) -> Result<()> {
        for (Queue { name, path, rank_unit }, (unfinished, file)) in self.line.queues.iter().zip(self.files) {
            let unwritten = |error| UserError::io(path, "written", &error);
            let seen = file.finish().map_err(unwritten)?;
            unfinished.finish(path).map_err(unwritten)?;
            let needed = file::bits(seen.highest_rank);
            if needed > MAX_RANK_BITS {
                // Of the ranks that were counted in the unit, the greatest that it can have been.
                let highest = rank_unit.greatest_with(seen.highest_rank);
                observer.warn(&format!(
                    "the ranks of `{name}` go up to {} and need {needed} bits; hardware with a bucket for each rank has up to \
                     {MAX_RANK_BITS}: with rank_unit = {} they fit, but some different ranks become equal",
                    seen.highest_rank,
                    (highest >> MAX_RANK_BITS) + 1
                ));
            }
        }
        Ok(())
    }
}

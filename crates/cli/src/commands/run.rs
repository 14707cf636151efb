//! `forebay run SCENARIO`.

use super::{dry_run, report};
use crate::args::{Format, RunArgs};
use crate::manifest::manifest;
use crate::terminal::TERMINAL;
use crate::{Done, interrupt, memory, resources, warn};
use forebay::error::{Result, UserError};
use forebay::network;
use forebay::output::folder;
use forebay::question::{read_document, read_text};
use forebay::run::Part;
use forebay::{Answer, Changes, Question, Session};
use std::path::Path;
use std::time::Instant;

/// Maximum number of warnings that are printed.
const MOST_WARNINGS: usize = 10;

pub(crate) fn run(args: &RunArgs) -> Result<Done> {
    if args.record_ops.is_some() {
        refuse_network(args)?;
    }
    let changes = Changes { set: args.set.clone(), seed: args.seed, baseline: args.baseline.clone() };
    let question = Question::read(&args.scenario, &changes)?;
    let part = part(args);
    resources::start(args.resources)?;
    if args.dry_run {
        return dry_run::describe(&question, &part).map(Done::ok);
    }
    if !part.is_all() {
        return run_part(&question, args, part);
    }
    let wanted = Wanted {
        out: args.out.as_deref(),
        report: args.report.as_deref(),
        record_ops: args.record_ops.as_deref(),
        format: args.format,
    };
    wanted.of(&question)
}

/// The files and the output of a command that runs a question.
pub(super) struct Wanted<'a> {
    /// The folder of the result.
    pub(super) out: Option<&'a Path>,
    /// The file of the page.
    pub(super) report: Option<&'a Path>,
    /// The folder of op streams.
    pub(super) record_ops: Option<&'a Path>,
    pub(super) format: Format,
}

impl Wanted<'_> {
    /// Runs the question, writes the wanted files, and returns the output.
    pub(super) fn of(&self, question: &Question) -> Result<Done> {
        self.shown(question, Answer::table)
    }

    /// The same with another text for people.
    pub(super) fn shown(&self, question: &Question, text: impl Fn(&Answer) -> String) -> Result<Done> {
        report::check(self.report)?;
        let answer = answer(question, self.out, self.record_ops)?;
        report::write(self.report, &answer, question.text())?;
        if self.format != Format::Table && !answer.is_complete() && interrupt::requested() {
            warn("interrupted: the result covers only the work that was done until then");
        }
        let text = match self.format {
            Format::Table => text(&answer),
            Format::Json => answer.json()?,
            Format::Csv => answer.csv(),
        };
        Ok(Done { text, status: status(&answer) })
    }
}

/// The part of the runs that the arguments select.
fn part(args: &RunArgs) -> Part {
    let part = args.shard.clone().unwrap_or_default();
    match &args.repetitions {
        Some(repetitions) => part.of_repetitions(repetitions.clone()),
        None => part,
    }
}

/// Does a part of the runs and keeps them. `forebay merge` makes the result from all parts.
fn run_part(question: &Question, args: &RunArgs, part: Part) -> Result<Done> {
    interrupt::watch();
    let mut session = session().part(part);
    if let Some(folder) = &args.out {
        folder::create(folder)?;
        session = session.keep(folder);
    }
    question.run(&session)?;
    let out = args.out.as_deref().unwrap_or(Path::new("")).display();
    if interrupt::requested() {
        let text = format!("interrupted; the same command resumes from {out}\n");
        return Ok(Done { text, status: interrupt::EXIT_STATUS });
    }
    Ok(Done::ok(format!(
        "this part is in {out}; when all parts are available, `forebay merge {out}` makes the result\n"
    )))
}

/// Rejects networks, since op streams belong to one port. This check precedes all others of the network.
fn refuse_network(args: &RunArgs) -> Result<()> {
    let (document, _) = read_document(&args.scenario, &read_text(&args.scenario)?, &args.set)?;
    if !network::is_network(&document) {
        return Ok(());
    }
    let message = "a network has many queues; record that of one port, in a scenario with [port] and [traffic]";
    Err(UserError::argument("record-ops", message))
}

/// Runs a question, warns, and leaves the answer in a folder.
pub(super) fn answer(question: &Question, out: Option<&Path>, record_ops: Option<&Path>) -> Result<Answer> {
    // Before anything is written, so that no interrupt finds a half-made folder.
    interrupt::watch();
    if let Some(folder) = out {
        folder::create(folder)?;
    }
    let start = Instant::now();
    let mut session = session();
    if let Some(folder) = out {
        session = session.keep(folder);
    }
    if let Some(folder) = record_ops {
        session = session.record_ops(folder);
    }
    let answer = question.run(&session)?;
    if let Some(error) = memory::error() {
        return Err(error);
    }
    let files = answer.files()?;
    // The warnings about attacks are printed before they run.
    if !matches!(answer, Answer::Attack(_)) {
        say_warnings(&answer);
    }
    if let Some(folder) = out {
        let manifest = manifest(question.text(), question.seed().0, start);
        folder::write_result(folder, &answer, &manifest, &files)?;
    }
    Ok(answer)
}

/// A run that this terminal watches, within the memory of the program.
fn session() -> Session<'static> {
    let session = Session::watched_by(&TERMINAL);
    memory::limit().map_or(session.clone(), |bytes| session.memory(bytes))
}

/// Prints the warnings that a reader of the numbers must know, before the numbers.
pub(super) fn say_warnings(answer: &Answer) {
    let warnings = answer.warnings();
    warnings.iter().take(MOST_WARNINGS).for_each(|warning| warn(warning));
    if warnings.len() > MOST_WARNINGS {
        warn(&format!("... and {} more like these; the JSON result has all", warnings.len() - MOST_WARNINGS));
    }
}

/// 0, or 130 if the run was interrupted.
pub(super) fn status(answer: &Answer) -> u8 {
    if !answer.is_complete() && interrupt::requested() { interrupt::EXIT_STATUS } else { 0 }
}

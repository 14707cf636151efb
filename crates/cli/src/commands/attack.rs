//! `forebay attack [SCENARIO]`.

use super::report;
use crate::args::{AttackArgs, Format};
use crate::manifest::manifest;
use crate::terminal::TERMINAL;
use crate::threads;
use crate::{Done, interrupt, warn};
use forebay::Answer;
use forebay::attack::{self, AttackStudy};
use forebay::document::Node;
use forebay::error::{Result, UserError};
use forebay::output::folder;
use forebay::question::{read_document, read_text};
use forebay::scenario::{Beside, Files};
use std::path::Path;
use std::time::Instant;

const EXAMPLE: &str = include_str!("../../../forebay/attack/example.toml");
const EXAMPLE_NAME: &str = "example";

/// The example names no files.
struct NoFiles;

impl Files for NoFiles {
    fn open(&self, name: &str) -> Result<(String, Box<dyn std::io::Read + Send + '_>)> {
        Err(UserError::at(
            name,
            "the example has no files; write it with --out, change it, and give it to forebay attack",
        ))
    }
}

pub(crate) fn run(args: &AttackArgs) -> Result<Done> {
    let text = args.scenario.as_deref().map_or(Ok(EXAMPLE.to_owned()), read_text)?;
    let (document, name) = match &args.scenario {
        Some(path) => read_document(path, &text, &args.set)?,
        None => read_example(args)?,
    };
    let study = match &args.scenario {
        Some(path) => AttackStudy::read(&document, &name, args.seed, args.search, &Beside(Path::new(path))),
        None => AttackStudy::read(&document, &name, args.seed, args.search, &NoFiles),
    }?;
    for warning in &study.warnings {
        warn(warning);
    }
    report::check(args.report.as_deref())?;
    threads::start(args.threads)?;
    // Before anything is written, so that no interrupt finds a half-made folder.
    interrupt::watch();
    if let Some(folder) = &args.out {
        folder::create(folder)?;
    }
    if args.search {
        return super::attack_search::run(args, &text, &document, &study);
    }
    let start = Instant::now();
    let answer = Answer::Attack(attack::run(&study, &TERMINAL)?);
    report::write(args.report.as_deref(), &answer, &text, None)?;
    if let Some(folder) = &args.out {
        let manifest = manifest(&text, study.seed.0, start);
        folder::write_result(folder, &answer, &manifest, &answer.files(None)?)?;
        write_example(args, folder)?;
    }
    let text = match args.format {
        Format::Table => answer.table() + &what_next(args),
        Format::Json => answer.json()?,
        Format::Csv => answer.csv(),
    };
    Ok(Done { text, status: status(&answer) })
}

fn read_example(args: &AttackArgs) -> Result<(Node, String)> {
    let mut document = Node::parse(EXAMPLE_NAME, EXAMPLE)?;
    args.set.iter().try_for_each(|argument| document.set(argument))?;
    Ok((document, EXAMPLE_NAME.to_owned()))
}

/// Writes the example beside its result.
pub(super) fn write_example(args: &AttackArgs, folder: &Path) -> Result<()> {
    match args.scenario {
        Some(_) => Ok(()),
        None => folder::write(folder, "scenario.toml", EXAMPLE.as_bytes()),
    }
}

/// How to get from the example to a study of one's own.
pub(super) fn what_next(args: &AttackArgs) -> String {
    match (&args.scenario, &args.out) {
        (Some(_), _) => String::new(),
        (None, Some(out)) => format!("this is the example; its scenario is {}/scenario.toml\n", out.display()),
        (None, None) => {
            "this is the example; --out DIR writes its scenario, to be changed, and its plots (docs/attack.md)\n"
                .to_owned()
        }
    }
}

/// 0, or 130 if the study was interrupted.
fn status(answer: &Answer) -> u8 {
    if !answer.is_complete() && interrupt::requested() { interrupt::EXIT_STATUS } else { 0 }
}

//! `forebay attack [SCENARIO]`.

use super::run::Wanted;
use crate::Done;
use crate::args::AttackArgs;
use crate::resources;
use crate::terminal::TERMINAL;
use forebay::attack::{EXAMPLE, find_from_anywhere};
use forebay::document::{Node, Value};
use forebay::error::{Result, UserError};
use forebay::output::folder;
use forebay::question::{Kind, read_document, read_text};
use forebay::scenario::Files;
use forebay::{Changes, Observer as _, Question};
use std::path::Path;

const EXAMPLE_NAME: &str = "example";

/// The example names no files.
pub(super) struct NoFiles;

impl Files for NoFiles {
    fn open(&self, name: &str) -> Result<(String, Box<dyn std::io::Read + Send + '_>)> {
        Err(UserError::at(
            name,
            "the example has no files; write it with --out, change it, and give it to forebay attack",
        ))
    }
}

pub(crate) fn run(args: &AttackArgs) -> Result<Done> {
    if args.search {
        return super::attack_search::run(args);
    }
    let changes = Changes { set: args.set.clone(), seed: args.seed, baseline: args.baseline.clone() };
    let question = match &args.scenario {
        Some(path) => Question::read(path, &changes)?,
        None => Question::parse(EXAMPLE_NAME, EXAMPLE, &NoFiles, &changes)?,
    };
    if !matches!(question.kind(), Kind::Attack(_)) {
        let place = args.scenario.as_deref().unwrap_or(Path::new(EXAMPLE_NAME)).display();
        let message = "this scenario has no [processor], [innocent] and [attack]; `forebay run` runs the other kinds";
        return Err(UserError::at(place, message));
    }
    if args.print_scenario {
        return printed(args, question.seed().0).map(Done::ok);
    }
    resources::start(args.resources)?;
    let wanted =
        Wanted { out: args.out.as_deref(), report: args.report.as_deref(), record_ops: None, format: args.format };
    let done = wanted.of(&question)?;
    finish_example(args)?;
    Ok(done)
}

/// The document, and the scenario's name if the document has none.
pub(super) fn document(args: &AttackArgs) -> Result<(Node, String)> {
    let Some(path) = &args.scenario else {
        let mut document = Node::parse(EXAMPLE_NAME, EXAMPLE)?;
        args.set.iter().try_for_each(|argument| document.set(argument))?;
        return Ok((document, EXAMPLE_NAME.to_owned()));
    };
    read_document(path, &read_text(path)?, &args.set)
}

/// The folder of the scenario.
pub(super) fn folder_of(args: &AttackArgs) -> &Path {
    args.scenario.as_deref().and_then(Path::parent).unwrap_or(Path::new(""))
}

/// The scenario with all changes by arguments.
fn printed(args: &AttackArgs, seed: u64) -> Result<String> {
    let (mut document, name) = document(args)?;
    find_from_anywhere(&mut document, folder_of(args))?;
    if document.label().is_none() {
        document.put(&["name"], Value::Text(name));
    }
    if let Some(baseline) = &args.baseline {
        document.put(&["baseline"], Value::Text(baseline.clone()));
    }
    if args.seed.is_some() {
        document.put(&["seed"], Value::whole(seed));
    }
    Ok(document.to_toml())
}

/// Writes the example beside its result, and says how to make your own scenario from it.
pub(super) fn finish_example(args: &AttackArgs) -> Result<()> {
    if args.scenario.is_some() {
        return Ok(());
    }
    if let Some(out) = &args.out {
        folder::write(out, "scenario.toml", EXAMPLE.as_bytes())?;
        TERMINAL.note(&format!("this is the example; its scenario is {}/scenario.toml", out.display()));
    } else {
        TERMINAL
            .note("this is the example; --out DIR writes its scenario, to be changed, and its plots (docs/attack.md)");
    }
    Ok(())
}

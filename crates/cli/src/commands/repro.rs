//! `forebay repro`: published figures beside measured ones.

use crate::args::{Format, ReproArgs};
use crate::terminal::TERMINAL;
use crate::{Done, interrupt, note, warn};
use forebay::error::{Result, UserError};
use forebay::output::{csv, folder, table};
use forebay_core::Seed;
use forebay_core::registry::suggest;
use forebay_repro::{self, Experiment, ExperimentOutcome, Experiments};
use serde::Serialize;
use std::path::Path;

/// The seed if none is given.
const DEFAULT_SEED: u64 = 1;

pub(crate) fn run(args: &ReproArgs) -> Result<Done> {
    let experiments = source(args.experiments.as_deref())?.all()?;
    let chosen: Vec<Experiment> = match &args.name {
        None if args.quick => quick(experiments),
        None if args.all => experiments,
        None => return list(&experiments, args.format),
        Some(name) => choose(experiments, name)?,
    };
    let chosen = possible(chosen, args.name.as_deref())?;
    interrupt::watch();
    if let Some(out) = &args.out {
        folder::create(out)?;
    }
    let mut outcomes = Vec::new();
    let mut text = String::new();
    for experiment in &chosen {
        let Some(outcome) = forebay_repro::run(experiment, Seed(args.seed.unwrap_or(DEFAULT_SEED)), &TERMINAL)? else {
            warn(&format!("interrupted in {}; the experiments that were finished before are shown", experiment.name));
            break;
        };
        if let Some(out) = &args.out {
            let folder = out.join(&experiment.name);
            folder::create(&folder)?;
            folder::write(&folder, "result.json", folder::json(&outcome)?.as_bytes())?;
            for (name, content) in &outcome.files {
                folder::write(&folder, name, content.as_bytes())?;
            }
        }
        text.push_str(&format!(
            "{}: {}\n{}\n\n{}\n",
            experiment.name,
            experiment.title,
            experiment.source,
            outcome.table()
        ));
        outcomes.push(outcome);
    }
    let status = match outcomes.iter().all(ExperimentOutcome::is_as_stated) {
        _ if interrupt::requested() => interrupt::EXIT_STATUS,
        true => 0,
        false => 1,
    };
    let text = match (args.format, outcomes.as_slice()) {
        (Format::Table, [] | [_]) => text.trim_end().to_owned() + "\n",
        (Format::Table, several) => text + &forebay_repro::summary(several),
        (Format::Csv, outcomes) => as_csv(outcomes),
        (Format::Json, [one])
            if args.name.as_deref().map(|name| of_folder(name).to_lowercase()).as_ref() == Some(&one.name) =>
        {
            folder::json(one)?
        }
        (Format::Json, several) => folder::json(&several)?,
    };
    Ok(Done { text, status })
}

/// The experiments in the given folder, in the nearest folder of experiments here or above, or the built-in ones.
fn source(named: Option<&Path>) -> Result<Experiments> {
    if let Some(folder) = named {
        return Experiments::in_folder(folder);
    }
    let Some(folder) = std::env::current_dir().ok().and_then(|here| Experiments::nearest(&here)) else {
        return Ok(Experiments::compiled_in());
    };
    note(&format!("experiments are read from {}", folder.display()));
    Experiments::in_folder(&folder)
}

/// Experiments that need little time. Standard error names the experiments that are left out, and the number of rows
/// that stay.
fn quick(experiments: Vec<Experiment>) -> Vec<Experiment> {
    let rows = |experiments: &[Experiment]| experiments.iter().map(|experiment| experiment.rows.len()).sum::<usize>();
    let all = rows(&experiments);
    let shortened = |experiment: Experiment| {
        let name = experiment.name.clone();
        let quick = experiment.quick();
        if quick.is_none() {
            warn(&format!("skipped: {name} takes too long for `--quick`; `forebay repro {name}` runs it"));
        }
        quick
    };
    let quick: Vec<_> = experiments.into_iter().filter_map(shortened).collect();
    note(&format!("{} of {all} rows are measured, and no causes of differences", rows(&quick)));
    quick
}

/// Experiments that can be measured on this machine. A warning says what the others lack; for the one that was named,
/// it is an error.
fn possible(experiments: Vec<Experiment>, name: Option<&str>) -> Result<Vec<Experiment>> {
    let name = name.map(|name| of_folder(name).to_lowercase());
    let mut found = Vec::new();
    for experiment in experiments {
        match (experiment.measure.missing)() {
            None => found.push(experiment),
            Some(why) if name.as_ref() == Some(&experiment.name) => return Err(UserError::at(&experiment.name, why)),
            Some(why) => warn(&format!("skipped: {}: {why}", experiment.name)),
        }
    }
    Ok(found)
}

/// The experiment with this name, or all experiments below that folder.
fn choose(experiments: Vec<Experiment>, name: &str) -> Result<Vec<Experiment>> {
    let name = &of_folder(name).to_lowercase();
    let below = format!("{name}/");
    let names: Vec<String> = experiments.iter().map(|experiment| experiment.name.clone()).collect();
    let chosen: Vec<_> = experiments.into_iter().filter(|it| it.name == *name || it.name.starts_with(&below)).collect();
    if chosen.is_empty() {
        let known = suggest(name, names.iter().map(String::as_str));
        return Err(UserError::new(format!("unknown experiment `{name}`{known}")));
    }
    Ok(chosen)
}

/// A name without the slash that a shell adds to it, as in `sp-pifo/`.
fn of_folder(name: &str) -> &str {
    name.trim_end_matches('/')
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    title: &'a str,
    source: &'a str,
}

fn list(experiments: &[Experiment], format: Format) -> Result<Done> {
    let rows = experiments.iter().map(|it| Listed { name: &it.name, title: &it.title, source: &it.source });
    Ok(Done::ok(match format {
        Format::Json => folder::json(&rows.collect::<Vec<_>>())?,
        Format::Csv => csv::lines(
            &["name", "title", "source"],
            rows.map(|it| vec![it.name.to_owned(), it.title.to_owned(), it.source.to_owned()]),
        ),
        Format::Table => {
            let width = experiments.iter().map(|it| it.name.len()).max().unwrap_or(0);
            let lines = rows.map(|it| format!("{:width$}  {} ({})\n", it.name, it.title, it.source));
            let lines: String = lines.collect();
            table::trim_lines(&format!(
                "{lines}\n`forebay repro NAME` measures one, `forebay repro --all` all of them.\n"
            ))
        }
    }))
}

fn as_csv(outcomes: &[ExperimentOutcome]) -> String {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    csv::lines(
        &["name", "quantity", "published", "basis", "measured", "ratio", "tolerance", "holds", "standing"],
        outcomes.iter().flat_map(|outcome| {
            outcome.rows.iter().map(move |row| {
                vec![
                    outcome.name.clone(),
                    row.quantity.clone(),
                    row.published.to_string(),
                    row.origin.basis.name().to_owned(),
                    number(row.measured),
                    number(row.ratio),
                    row.tolerance.clone(),
                    row.holds.map_or_else(|| "skipped".to_owned(), |holds| holds.to_string()),
                    row.standing.name().to_owned(),
                ]
            })
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_measured_is_an_error_if_it_was_asked_for_and_skipped_otherwise() {
        let one = |missing| {
            let mut experiment = forebay_repro::all().unwrap().swap_remove(0);
            let entry = forebay_repro::MeasureEntry { missing, ..*experiment.measure };
            experiment.measure = Box::leak(Box::new(entry));
            experiment
        };
        let (here, absent) = (one(|| None), one(|| Some("install it".to_owned())));
        let name = here.name.clone();
        let chosen = possible(vec![here, absent.clone()], None).unwrap();
        assert_eq!(chosen.len(), 1);
        assert!((chosen[0].measure.missing)().is_none());
        let error = possible(vec![absent], Some(&name)).unwrap_err();
        assert_eq!(error.to_string(), format!("{name}: install it"));
    }
}

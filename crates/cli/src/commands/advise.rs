//! `forebay advise RECORDING`.

use super::run::Wanted;
use crate::args::{AdviseArgs, LinkDirection};
use crate::{Done, resources};
use forebay::advice::{Advice, Discipline, FOLDER};
use forebay::error::{Result, UserError};
use forebay::output::folder;
use std::path::Path;

pub(crate) fn run(args: &AdviseArgs) -> Result<Done> {
    let disciplines =
        args.policies.as_ref().map_or_else(|| Ok(Discipline::usual()), |names| Discipline::list(names))?;
    let policies = args.out.as_ref().map(|out| out.join(FOLDER));
    // The scenario is in another folder than this one.
    let recording = match &args.out {
        Some(_) => absolute(&args.recording)?,
        None => args.recording.clone(),
    };
    let advice = Advice {
        filter: args.filter.clone(),
        ip_header: args.ip_header,
        direction: (args.direction == LinkDirection::Other).then(|| "other".to_owned()),
        round_trip: args.round_trip,
        duration: args.duration,
        jitter: args.jitter,
        repetitions: args.repetitions,
        seed: args.seed,
        transport: args.transport.clone(),
        folder: policies.as_ref().map_or_else(|| FOLDER.to_owned(), |own| own.display().to_string()),
        ..Advice::new(&recording, args.rate, args.buffer, disciplines)
    };
    let question = advice.question()?;
    if let (Some(out), Some(policies)) = (&args.out, &policies) {
        write_policies(policies, &advice)?;
        folder::write(out, "scenario.toml", question.text().as_bytes())?;
    }
    if args.print_scenario {
        return Ok(Done::ok(question.text().to_owned()));
    }
    resources::start(args.resources)?;
    let wanted =
        Wanted { out: args.out.as_deref(), report: args.report.as_deref(), record_ops: None, format: args.format };
    wanted.shown(&question, |answer| advice.text(&question, answer))
}

fn absolute(name: &str) -> Result<String> {
    let path = std::path::absolute(name).map_err(|error| UserError::io(Path::new(name), "found", &error))?;
    Ok(path.display().to_string())
}

/// Writes the policies that are compared, as files that `forebay deploy` and `forebay switch` take.
fn write_policies(policies: &Path, advice: &Advice) -> Result<()> {
    folder::create(policies)?;
    advice.disciplines.iter().try_for_each(|own| folder::write(policies, &own.file(), own.text.as_bytes()))
}

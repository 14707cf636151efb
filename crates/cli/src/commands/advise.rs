//! `forebay advise RECORDING`.

use super::run::Wanted;
use crate::args::{AdviseArgs, LinkDirection};
use crate::{Done, resources};
use forebay::advice::{Advice, Discipline, FOLDER};
use forebay::error::{Result, UserError};
use forebay::network::read_bounded;
use forebay::output::folder;
use std::path::Path;
use std::sync::Arc;

/// The argument for standard input, and what it is called in the answer.
const STANDARD_INPUT: (&str, &str) = ("-", "standard input");
/// The file of a recording that comes from standard input.
const RECORDING: &str = "recording.pcap";

pub(crate) fn run(args: &AdviseArgs) -> Result<Done> {
    let disciplines =
        args.policies.as_ref().map_or_else(|| Ok(Discipline::usual()), |names| Discipline::list(names))?;
    let policies = args.out.as_ref().map(|out| out.join(FOLDER));
    let (dash, name_of_input) = STANDARD_INPUT;
    let is_input = args.recording == dash;
    let mut given = None;
    // The scenario is in another folder than this one.
    let recording = match &args.out {
        Some(out) if is_input => {
            folder::create(out)?;
            folder::write(out, RECORDING, &standard_input()?)?;
            absolute(&out.join(RECORDING))?
        }
        Some(_) => absolute(Path::new(&args.recording))?,
        None if is_input && args.print_scenario => {
            let message = "a scenario names its recording; give the recording as a file, or --out DIR, which keeps it";
            return Err(UserError::argument("print-scenario", message));
        }
        None if is_input => {
            given = Some(Arc::new(standard_input()?));
            name_of_input.to_owned()
        }
        None => args.recording.clone(),
    };
    let advice = Advice {
        given,
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

fn absolute(name: &Path) -> Result<String> {
    let path = std::path::absolute(name).map_err(|error| UserError::io(name, "found", &error))?;
    Ok(path.display().to_string())
}

/// All that comes from standard input.
fn standard_input() -> Result<Vec<u8>> {
    read_bounded(std::io::stdin().lock())
        .map_err(|error| UserError::at(STANDARD_INPUT.1, format!("cannot be read: {error}")))
}

/// Writes the policies that are compared, as files that `forebay deploy` and `forebay switch` take.
fn write_policies(policies: &Path, advice: &Advice) -> Result<()> {
    folder::create(policies)?;
    advice.disciplines.iter().try_for_each(|own| folder::write(policies, &own.file(), own.text.as_bytes()))
}

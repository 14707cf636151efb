//! `forebay conform POLICY`: one stream of operations through every datapath, compared with the reference engine.

use crate::Done;
use crate::args::{ConformArgs, Format};
use crate::atomic_write::write_text;
use crate::interrupt;
use crate::policy_file::{PolicyFile, with_replacement};
use forebay::error::{Result, UserError, utf8};
use forebay::output::table::text_table;
use forebay_conform::datapath::{Built, DATAPATHS, Datapath, Played, Unplayed, fitting, reference};
use forebay_conform::{
    ComparisonOutcome, Differing, FrameSet, Numbers, Operation, Recipe, compare, operations, replacements,
};
use forebay_core::Seed;
use forebay_lang::Policy;
use forebay_targets::headers::Mapping;
use forebay_targets::stages;
use forebay_targets::sv::FieldBits;
use serde::Serialize;
use std::path::Path;
use std::sync::Mutex;

/// The line of a datapath in the result.
#[derive(Serialize)]
struct Line {
    target: &'static str,
    #[serde(skip)]
    title: &'static str,
    /// `equal`, `different`, `skipped` or `failed`
    result: &'static str,
    /// The reason, or the first difference.
    why: String,
    /// Remarks of the datapath about its run.
    #[serde(skip_serializing_if = "String::is_empty")]
    said: String,
}

#[derive(Serialize)]
struct Conformance {
    policy: String,
    seed: u64,
    operations: usize,
    arrivals: usize,
    departures: usize,
    drops: usize,
    marked: usize,
    /// With `--replace-by`: replacements of the policy that were made, and requests that were rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    replacements: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused_replacements: Option<usize>,
    targets: Vec<Line>,
}

/// Exit status if a named datapath could not run, and no other one differs.
const SKIPPED: u8 = 3;

pub(crate) fn run(args: &ConformArgs) -> Result<Done> {
    let _scratch = interrupt::scratch()?;
    let file = PolicyFile::read(&args.file)?;
    let other = args.replace_by.as_deref().map(PolicyFile::read).transpose()?;
    let (policy, replacement) = with_replacement(&file, other.as_ref(), &args.params)?;
    if let Some(other) = &replacement {
        have_same_ports(args, &policy, other)?;
    }
    if let Some(routine) = policy.routines.iter().chain(replacement.iter().flat_map(|other| &other.routines)).next() {
        let message = format!(
            "the action `{}` is provided by a program, and the datapaths here have none; leave it out to compare the rest",
            routine.name
        );
        return Err(UserError::at(&file.name, message));
    }
    for (file, policy) in [(Some(&file), Some(&policy)), (other.as_ref(), replacement.as_ref())] {
        if let (Some(file), Some(refusal)) = (file, policy.and_then(stages::refused)) {
            return Err(file.cannot_be_made(&[refusal], &args.params));
        }
    }
    let datapaths = chosen(&args.targets)?;
    let has_hardware = datapaths.iter().any(|datapath| datapath.about.name == "sv");
    if let Some((option, _)) = args.hardware.given().iter().find(|(_, given)| *given && !has_hardware) {
        return Err(UserError::argument(
            option.name.trim_start_matches('-'),
            "is for hardware here; add --target sv, or leave it out",
        ));
    }
    let built = args.built.as_deref().map(Built::in_folder).transpose();
    let built = built.map_err(|error| UserError::argument("built", format!("{error}; build it with `make` first")))?;
    let seed = Seed(args.seed);
    let frames = if args.frames { Some(frames(args, &policy, seed)?) } else { None };
    let stream = match &frames {
        Some(set) => {
            let recipe = Recipe { packets: set.count(), cycles: false, numbers: Numbers::Mixed };
            set.in_place(operations(&policy, seed.stream("conform"), recipe))
        }
        None => stream(args, &policy, replacement.as_ref(), seed)?,
    };
    if let Some(path) = &args.write_ops {
        let text: String = stream.iter().map(|operation| format!("{operation}\n")).collect();
        write_text(path, &text)?;
    }
    let command = std::env::current_exe().map_err(|error| UserError::new(error.to_string()))?;
    let played = Played {
        name: &file.name,
        text: file.whole(),
        params: &args.params.params,
        live: &args.params.live,
        policy: &policy,
        replacement: replacement.as_ref(),
        operations: &stream,
        frames: frames.as_ref(),
        seed,
        hardware: &args.hardware.asked(),
        built: built.as_ref(),
        command: &command,
        said: Mutex::default(),
    };
    if let Some(path) = &args.answers {
        return answers(path, &datapaths, &played);
    }
    let right = reference(&played);
    let total = compare(&stream, &right, &right);
    let lines: Vec<Line> = datapaths.iter().map(|datapath| line(datapath, &played)).collect();
    let any = |result: &str| lines.iter().any(|line| line.result == result);
    let status = if any("different") || any("failed") {
        1
    } else if any("skipped") && !args.targets.is_empty() {
        SKIPPED
    } else {
        0
    };
    let conformance = Conformance {
        policy: file.name.clone(),
        seed: args.seed,
        operations: stream.len(),
        arrivals: stream.iter().filter(|operation| matches!(operation, Operation::Enqueue(..))).count(),
        departures: total.departures,
        drops: total.drops,
        marked: total.marked,
        replacements: replacement.as_ref().map(|_| total.replacements),
        refused_replacements: replacement.as_ref().map(|_| total.refused_replacements),
        targets: lines,
    };
    Ok(Done { text: shown(&conformance, args.format)?, status })
}

/// Writes the answers of the only datapath.
fn answers(path: &Path, datapaths: &[&Datapath], played: &Played<'_>) -> Result<Done> {
    let [datapath] = datapaths else {
        return Err(UserError::argument("answers", "takes the answers of one target; give one --target"));
    };
    let answers = datapath.answers(played).map_err(|why| match why {
        Unplayed::Skipped(why) | Unplayed::Failed(why) => UserError::at(datapath.about.name, why),
    })?;
    let text: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
    write_text(path, &text)?;
    Ok(Done::ok(String::new()))
}

fn chosen(names: &[String]) -> Result<Vec<&'static Datapath>> {
    if names.is_empty() {
        return Ok(DATAPATHS.iter().collect());
    }
    let one = |name: &String| {
        DATAPATHS.iter().find(|datapath| datapath.about.name == name).ok_or_else(|| {
            let known: Vec<&str> = DATAPATHS.iter().map(|datapath| datapath.about.name).collect();
            UserError::argument("target", format!("unknown datapath `{name}`; there are {}", known.join(", ")))
        })
    };
    // One that is given twice is played once.
    let is_first = |(number, name): &(usize, &String)| !names[..*number].contains(name);
    names.iter().enumerate().filter(is_first).map(|(_, name)| one(name)).collect()
}

/// The frames that are played, which have all fields that the policy reads.
fn frames(args: &ConformArgs, policy: &Policy, seed: Seed) -> Result<FrameSet> {
    let mapping = Mapping::default().with(&args.fields);
    if let Some(unsaid) = mapping.unsaid(policy).first() {
        return Err(UserError::argument("frames", unsaid.to_string()));
    }
    FrameSet::new(seed, mapping, args.packets).map_err(|why| UserError::argument("field", why.to_string()))
}

/// Checks that both policies have the same ports in the same order.
fn have_same_ports(args: &ConformArgs, policy: &Policy, replacement: &Policy) -> Result<()> {
    let [first, second] =
        [policy, replacement].map(|policy| policy.ports.iter().map(|port| &*port.name).collect::<Vec<_>>().join(", "));
    if first == second {
        return Ok(());
    }
    let message = format!(
        "its ports are {second}, and those of {} are {first}; give both the same ports in the same order",
        args.file.display()
    );
    Err(UserError::at(args.replace_by.as_ref().map_or_else(String::new, |path| path.display().to_string()), message))
}

fn stream(args: &ConformArgs, policy: &Policy, replacement: Option<&Policy>, seed: Seed) -> Result<Vec<Operation>> {
    let Some(path) = &args.ops else {
        let numbers = match (args.wide, args.small) {
            (true, _) => Numbers::Wide,
            (_, true) => Numbers::Small,
            _ => Numbers::Mixed,
        };
        let (rng, recipe) = (seed.stream("conform"), Recipe { packets: args.packets, cycles: false, numbers });
        let made = match replacement {
            Some(replacement) => replacements([policy, replacement], rng, recipe, args.replace_every),
            None => operations(policy, rng, recipe),
        };
        return Ok(fitting(made, FieldBits::widest_but(&args.hardware.bits)));
    };
    let bytes = std::fs::read(path).map_err(|error| UserError::io(path, "read", &error))?;
    let name = path.display().to_string();
    let text = utf8(&name, bytes, "operations are a text; docs/conform.md explains their format")?;
    let on = forebay_conform::Played {
        ports: policy.ports.len(),
        parameters: replacement.map_or(usize::MAX, |other| other.parameters.len()).min(policy.parameters.len()),
        policies: 1 + usize::from(replacement.is_some()),
    };
    let stream =
        forebay_conform::read(&text, on).map_err(|wrong| UserError::at_line(&name, wrong.line, wrong.to_string()))?;
    if stream.is_empty() {
        return Err(UserError::at(path.display(), "has no operations; docs/conform.md explains their format"));
    }
    Ok(stream)
}

fn line(datapath: &Datapath, played: &Played<'_>) -> Line {
    let both = datapath.answers(played).and_then(|found| Ok(((datapath.expected)(played)?, found)));
    let (result, why) = match both {
        Ok((right, found)) => match compare(played.operations, &right, &found) {
            ComparisonOutcome { difference: None, .. } => ("equal", String::new()),
            ComparisonOutcome { difference: Some(first), .. } => {
                let holds = (datapath.holds)(played);
                let operation = first.operation;
                let differing = Differing {
                    policy: played.policy,
                    operations: played.operations,
                    expected: &right,
                    found: &found,
                    operation,
                    holds: &holds,
                };
                let cause = differing.cause();
                let (what, expected, found) = (&first.what, &first.expected, &first.found);
                ("different", format!("operation {operation} (`{what}`): expected: {expected}; here: {found}. {cause}"))
            }
        },
        Err(Unplayed::Skipped(why)) => ("skipped", why),
        Err(Unplayed::Failed(why)) => ("failed", why),
    };
    let said = played.said.lock().map(|mut said| std::mem::take(&mut *said)).unwrap_or_default();
    Line { target: datapath.about.name, title: datapath.about.title, result, why, said }
}

fn shown(conformance: &Conformance, format: Format) -> Result<String> {
    let rows = || conformance.targets.iter();
    match format {
        Format::Json => serde_json::to_string_pretty(conformance)
            .map(|text| text + "\n")
            .map_err(|error| UserError::new(error.to_string())),
        Format::Csv => {
            let line = |line: &Line| format!("{},{},\"{}\"\n", line.target, line.result, line.why.replace('"', "\"\""));
            Ok(["target,result,why\n".to_owned()].into_iter().chain(rows().map(line)).collect())
        }
        Format::Table => {
            let header = ["target", "what it is", "result"].map(str::to_owned).to_vec();
            let row = |line: &Line| vec![line.target.to_owned(), line.title.to_owned(), line.result.to_owned()];
            let replaced = conformance.replacements.zip(conformance.refused_replacements);
            let replaced = replaced.map_or_else(String::new, |(made, refused)| {
                format!(", {made} replacements are made and {refused} rejected")
            });
            let mut text = format!(
                "{}: {} operations, {} packets arrive, {} depart ({} with a mark), {} are dropped{replaced}, seed {}\n\n{}",
                conformance.policy,
                conformance.operations,
                conformance.arrivals,
                conformance.departures,
                conformance.marked,
                conformance.drops,
                conformance.seed,
                text_table(header, rows().map(row).collect())
            );
            for line in rows() {
                for said in [&line.why, &line.said].into_iter().filter(|said| !said.is_empty()) {
                    text.push_str(&format!("\n{}: {said}\n", line.target));
                }
            }
            Ok(text)
        }
    }
}

//! `forebay compile POLICY`: a policy as a program for a real datapath.

use crate::Done;
use crate::args::CompileArgs;
use crate::atomic_write::write_text;
use crate::policy_file::{PolicyFile, with_replacement};
use forebay::error::{Result, UserError};
use forebay_conform::datapath::fitting;
use forebay_conform::{
    Answer, Numbers, Operation, Recipe, Replaced, expected, expected_replaced, operations, replacements,
};
use forebay_core::Seed;
use forebay_core::registry::find;
use forebay_engine::Reference;
use forebay_lang::Policy;
use forebay_targets::{TARGETS, TargetOptions, sv};

pub(crate) fn run(args: &CompileArgs) -> Result<Done> {
    let target = find("target", TARGETS, &args.target).map_err(|message| UserError::argument("target", message))?;
    let options = args.made.options(*target)?;
    let file = PolicyFile::read(&args.file)?;
    let other = args.made.replace_by.as_deref().map(PolicyFile::read).transpose()?;
    let (policy, replacement) = with_replacement(&file, other.as_ref(), &args.params)?;
    let files = match &replacement {
        Some(replacement) => sv::emit_pair([&policy, replacement], &options),
        None => target.emit(&policy, &options),
    };
    let files = files.map_err(|refusals| file.cannot_be_made(&refusals, &args.params))?;
    let played = match &replacement {
        Some(replacement) => replaced_stream([&policy, replacement], &options),
        None if target.about().name == "sv" => stream(&policy, &options),
        None => Vec::new(),
    };
    std::fs::create_dir_all(&args.output).map_err(|error| UserError::io(&args.output, "made", &error))?;
    let mut text = String::new();
    for (name, made) in files.into_iter().map(|file| (file.name, file.text)).chain(played) {
        let path = args.output.join(name);
        write_text(&path, &made)?;
        text.push_str(&format!("{}\n", path.display()));
    }
    Ok(Done::ok(text))
}

/// The packets that the test bench of hardware plays.
const PACKETS: Recipe = Recipe { packets: 3_000, cycles: false, numbers: Numbers::Mixed };

/// Files for the test bench of hardware: a stream of operations, and the reference engine's answers to it.
fn stream(policy: &Policy, options: &TargetOptions) -> Vec<(&'static str, String)> {
    let Ok(run) = sv::as_run(policy, options) else { return Vec::new() };
    let seed = Seed(options.hardware.seed);
    let played = fitting(operations(policy, seed.stream("hardware"), PACKETS), options.hardware.bits);
    let mut engine = Reference::new(&run, forebay_engine::EngineOptions { policy_id: options.policy_id, seed });
    let answers = expected(&mut engine, &played);
    written(&played, &answers)
}

/// The same files for two policies that replace each other.
fn replaced_stream(policies: [&Policy; 2], options: &TargetOptions) -> Vec<(&'static str, String)> {
    const EVERY: u32 = 50;
    let Ok([first, second]) = sv::as_run_pair(policies, options) else { return Vec::new() };
    let seed = Seed(options.hardware.seed);
    let played = fitting(replacements(policies, seed.stream("hardware"), PACKETS, EVERY), options.hardware.bits);
    let answers = expected_replaced(&mut Replaced::new([&first, &second], seed), &played);
    written(&played, &answers)
}

fn written(played: &[Operation], answers: &[Answer]) -> Vec<(&'static str, String)> {
    let text = played.iter().map(|operation| format!("{operation}\n")).collect();
    let right = answers.iter().map(|answer| format!("{answer}\n")).collect();
    vec![("operations.ops", text), ("answers.txt", right)]
}

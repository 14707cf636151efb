//! `forebay compile POLICY`: a policy as a program for a real datapath.

use crate::Done;
use crate::args::CompileArgs;
use crate::error::{Result, UserError};
use crate::policy_file::PolicyFile;
use forebay_conform::{Operation, Recipe, expected, operations};
use forebay_core::Seed;
use forebay_core::registry::find;
use forebay_engine::Reference;
use forebay_lang::Policy;
use forebay_targets::{Options, TARGETS, sv};

pub(crate) fn run(args: &CompileArgs) -> Result<Done> {
    let target = find("target", TARGETS, &args.target).map_err(|message| UserError::at("--target", message))?;
    let options = args.made.options(target.about().name)?;
    let file = PolicyFile::read(&args.file)?;
    let policy = file.policy(&args.params)?;
    let files = target.emit(&policy, &options).map_err(|refusals| file.cannot_be_made(&refusals, &args.params))?;
    let played = if target.about().name == "sv" { stream(&policy, &options) } else { Vec::new() };
    std::fs::create_dir_all(&args.output).map_err(|error| UserError::io(&args.output, "made", &error))?;
    let mut text = String::new();
    for (name, made) in files.into_iter().map(|file| (file.name, file.text)).chain(played) {
        let path = args.output.join(name);
        std::fs::write(&path, made).map_err(|error| UserError::io(&path, "written", &error))?;
        text.push_str(&format!("{}\n", path.display()));
    }
    Ok(Done::ok(text))
}

/// What the test bench of hardware plays: a stream of operations, and the reference engine's answers to it.
fn stream(policy: &Policy, options: &Options) -> Vec<(&'static str, String)> {
    const PACKETS: usize = 3_000;
    let Ok(run) = sv::as_run(policy, options) else { return Vec::new() };
    let seed = Seed(options.hardware.seed);
    let mut played = operations(policy, seed.stream("hardware"), Recipe { packets: PACKETS, cycles: false });
    for operation in &mut played {
        if let Operation::Enqueue(_, packet) = operation {
            *packet = options.hardware.bits.cut(packet);
        }
    }
    let mut engine = Reference::new(&run, forebay_engine::Options { policy_id: options.policy_id, seed });
    let answers = expected(&mut engine, &played);
    let text = played.iter().map(|operation| format!("{operation}\n")).collect();
    let right = answers.iter().map(|answer| format!("{answer}\n")).collect();
    vec![("operations.ops", text), ("answers.txt", right)]
}

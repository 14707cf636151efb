//! `forebay compile POLICY`: a policy as a program for a real datapath.

use crate::Done;
use crate::args::CompileArgs;
use crate::error::{Result, UserError};
use crate::policy_file::PolicyFile;
use forebay_core::registry::find;
use forebay_targets::TARGETS;

pub(crate) fn run(args: &CompileArgs) -> Result<Done> {
    let target = find("target", TARGETS, &args.target).map_err(|message| UserError::at("--target", message))?;
    let file = PolicyFile::read(&args.file)?;
    let policy = file.policy(&args.params)?;
    let options = args.made.options();
    let files = target.emit(&policy, &options).map_err(|refusals| {
        let reasons: Vec<String> = refusals.iter().map(ToString::to_string).collect();
        UserError::at(&file.name, reasons.join("; "))
    })?;
    std::fs::create_dir_all(&args.output).map_err(|error| UserError::io(&args.output, "made", &error))?;
    let mut text = String::new();
    for made in files {
        let path = args.output.join(made.name);
        std::fs::write(&path, made.text).map_err(|error| UserError::io(&path, "written", &error))?;
        text.push_str(&format!("{}\n", path.display()));
    }
    Ok(Done::ok(text))
}

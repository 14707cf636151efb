//! `forebay fmt FILE...`: OpenQueue files in forebay's style.

use crate::Done;
use crate::args::FmtArgs;
use crate::atomic_write::write_text;
use crate::policy_file::{PolicyFile, show};
use forebay::error::Result;
use std::path::Path;

pub(crate) fn run(args: &FmtArgs) -> Result<Done> {
    let mut differing = String::new();
    let mut printed = String::new();
    let mut broken = false;
    for path in &args.files {
        let file = PolicyFile::read(path)?;
        let parsed = forebay_lang::parse(&file.text);
        if !parsed.diagnostics().is_empty() {
            show(&file, parsed.diagnostics());
            broken = true;
        }
        let formatted = forebay_lang::format(&file.text);
        let differs = formatted != file.text;
        if args.check {
            if differs {
                differing.push_str(&format!("{}\n", file.name));
            }
        } else if path == Path::new("-") {
            printed.push_str(&formatted);
        } else if differs {
            write_text(path, &formatted)?;
        }
    }
    let status = match (broken, differing.is_empty()) {
        (true, _) => 2,
        (false, true) => 0,
        (false, false) => 1,
    };
    Ok(Done { text: printed + &differing, status })
}

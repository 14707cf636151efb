//! `forebay man`: the manual, as one page or as a page for each command.

use crate::Done;
use crate::args::{ManArgs, command};
use clap::Command;
use forebay::error::{Result, UserError};
use forebay::output::folder;

/// Headings that clap writes, and the usual ones of manuals.
const HEADINGS: [(&str, &str); 2] = [(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n"), (".SH EXTRA\n", ".SH NOTES\n")];

pub(crate) fn run(args: &ManArgs) -> Result<Done> {
    let mut command = command().disable_help_subcommand(true);
    command.build();
    match &args.out {
        None => {
            let pages = [&command].into_iter().chain(command.get_subcommands()).map(page);
            Ok(Done::ok(pages.collect::<Result<String>>()?))
        }
        Some(out) => {
            folder::create(out)?;
            let pages = pages(&command)?;
            for (name, text) in &pages {
                folder::write(out, name, text.as_bytes())?;
            }
            Ok(Done::ok(format!("{}: {} pages\n", out.display(), pages.len())))
        }
    }
}

/// The page of a command and those of its subcommands, each with the name of its file.
fn pages(command: &Command) -> Result<Vec<(String, String)>> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut all = vec![(format!("{name}.1"), page(command)?)];
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        all.extend(pages(subcommand)?);
    }
    Ok(all)
}

fn page(command: &Command) -> Result<String> {
    let mut page = Vec::new();
    let manual = clap_mangen::Man::new(command.clone())
        .source(concat!("forebay ", env!("CARGO_PKG_VERSION")))
        .manual("Commands of forebay");
    manual.render(&mut page).map_err(|error| UserError::new(format!("the manual page cannot be made: {error}")))?;
    let text = String::from_utf8_lossy(&page).into_owned();
    Ok(HEADINGS.iter().fold(text, |text, (clap, ours)| text.replace(clap, ours)))
}

//! `forebay man`: the manual page with all subcommands.

use crate::Done;
use crate::args::command;
use forebay::error::{Result, UserError};

pub(crate) fn run() -> Result<Done> {
    let mut page = Vec::new();
    let mut command = command();
    command.build();
    let render = |page: &mut Vec<u8>| -> std::io::Result<()> {
        clap_mangen::Man::new(command.clone()).render(page)?;
        for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
            clap_mangen::Man::new(subcommand.clone()).render(page)?;
        }
        Ok(())
    };
    render(&mut page).map_err(|error| UserError::new(format!("the manual page cannot be made: {error}")))?;
    Ok(Done::ok(String::from_utf8_lossy(&page)))
}

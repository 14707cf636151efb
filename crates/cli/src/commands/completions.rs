//! `forebay completions SHELL`.

use crate::args::command;

pub(crate) fn run(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "forebay", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

//! The `forebay` command: arguments, files, threads and the terminal. Everything
//! else is in the libraries.
//!
//! Exit status: 0 if done, 1 if a stated expectation does not hold, 2 after wrong use or bad input, 130 if interrupted.

// On other systems, items that only the commands for Linux need are unused.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

mod args;
mod atomic_write;
mod catalogue;
mod command_line;
mod commands;
mod construct;
mod interrupt;
mod manifest;
mod memory;
mod policy_file;
mod resources;
mod terminal;

use args::Command;
use command_line::NoCommand;
use forebay::error::{self, UserError};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Exit status after wrong use or bad input.
pub(crate) const WRONG: u8 = 2;

/// The output of a command that worked.
pub(crate) struct Done {
    /// For standard output.
    pub(crate) text: String,
    /// Exit status.
    pub(crate) status: u8,
}

impl Done {
    pub(crate) fn ok(text: impl Into<String>) -> Self {
        Self { text: text.into(), status: 0 }
    }
}

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    let cli = match command_line::read(&words) {
        Ok(cli) => cli,
        Err(NoCommand::Shown(help)) => {
            return match written(help.print().and_then(|()| std::io::stdout().flush())) {
                Ok(()) => ExitCode::from(u8::try_from(help.exit_code()).unwrap_or(2)),
                Err(error) => fail(&error),
            };
        }
        Err(NoCommand::Wrong(error)) => return fail(&error),
    };
    if is_short(&cli.command) {
        memory::watch();
    }
    let done = run(&cli.command);
    // If memory was exceeded, that is the cause of any other outcome.
    match memory::error().map_or(done, Err) {
        Ok(done) => match print(&done.text) {
            Ok(()) => ExitCode::from(done.status),
            Err(error) => fail(&error),
        },
        Err(error) => fail(&error),
    }
}

/// Whether the command ends by itself. If so, ever-growing memory is a fault of its input.
fn is_short(command: &Command) -> bool {
    !matches!(command, Command::Switch(_) | Command::Lsp(_) | Command::Ctl(_))
}

fn run(command: &Command) -> error::Result<Done> {
    match command {
        Command::Run(args) => commands::run::run(args),
        Command::Merge(args) => commands::merge::run(args),
        Command::Plot(args) => commands::plot::run(args),
        Command::Demo(args) => commands::demo::run(args),
        Command::Advise(args) => commands::advise::run(args),
        Command::Attack(args) => commands::attack::run(args),
        Command::Cache(args) => commands::cache::run(args),
        Command::Bound(args) => commands::bound::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Curve(args) => commands::curve::run(args),
        Command::Prefix(args) => commands::prefix::run(args),
        Command::Repro(args) => commands::repro::run(args),
        Command::List(args) => commands::list::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Schema(args) => commands::schema::run(args),
        Command::Trace(args) => commands::trace::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Compile(args) => commands::compile::run(args),
        Command::Conform(args) => commands::conform::run(args),
        Command::Deploy(args) => commands::deploy::deploy(args),
        Command::Set(args) => commands::deploy::set(args),
        Command::Stats(args) => commands::deploy::stats(args),
        Command::Undeploy(args) => commands::deploy::undeploy(args),
        Command::Switch(args) => commands::switch::run(args),
        Command::Ctl(args) => commands::ctl::run(args),
        Command::Play(args) => commands::play::run(args),
        Command::Fmt(args) => commands::fmt::run(args),
        Command::Lsp(_) => commands::lsp::run(),
        Command::Completions { shell } => Ok(Done::ok(commands::completions::run(*shell))),
        Command::Man(args) => commands::man::run(args),
    }
}

/// Prints to standard output.
fn print(text: &str) -> error::Result<()> {
    let mut out = std::io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The outcome of writing to standard output. It is no error if the reader stops reading early.
fn written(outcome: std::io::Result<()>) -> error::Result<()> {
    match outcome {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(UserError::new(format!("the result cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// A note on standard error that does not stop the run.
pub(crate) fn warn(message: &str) {
    // If standard error is closed, the note is lost.
    let _ = writeln!(std::io::stderr(), "warning: {}", error::printable(message));
}

/// A message on standard error.
pub(crate) fn note(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

fn fail(error: &UserError) -> ExitCode {
    say_error(error);
    ExitCode::from(WRONG)
}

/// An error on standard error.
pub(crate) fn say_error(error: &UserError) {
    let _ = writeln!(std::io::stderr(), "error: {}", error::printable(&error.to_string()));
}

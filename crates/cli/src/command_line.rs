//! Reads the command line, or says in one line what is wrong with it.

use crate::args::{Cli, command};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, FromArgMatches};
use forebay::error::UserError;
use std::error::Error as _;
use std::ffi::OsString;

/// Why there is nothing to run.
pub(crate) enum NoCommand {
    /// Help or the version, on request; help is also shown if there are no arguments.
    Shown(clap::Error),
    /// A mistake.
    Wrong(UserError),
}

/// Options that set a value for a name: their ids in the definition of arguments, and the options' names.
const NAMED: [(&str, &str); 4] = [("params", "param"), ("fields", "field"), ("rates", "rate"), ("bits", "bits")];

/// Reads the words of a command.
pub(crate) fn read(words: &[OsString]) -> Result<Cli, NoCommand> {
    let refused = |error: clap::Error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            NoCommand::Shown(error)
        }
        _ => NoCommand::Wrong(wrong_value(&error).unwrap_or_else(|| wrong_use(&error, words))),
    };
    let matches = command().try_get_matches_from(words).map_err(refused)?;
    if let Some(error) = said_twice(&matches) {
        return Err(NoCommand::Wrong(error));
    }
    Cli::from_arg_matches(&matches).map_err(|error| refused(error.format(&mut command())))
}

/// The error for a value that an argument rejects, in the form of all errors.
fn wrong_value(error: &clap::Error) -> Option<UserError> {
    let reason = error.source()?.to_string();
    match error.get(ContextKind::InvalidArg)? {
        // `--capacity <SIZES>`
        ContextValue::String(argument) => {
            let name = argument.split(' ').next()?;
            Some(match name.strip_prefix("--") {
                Some(option) => UserError::argument(option, reason),
                None => UserError::at(name, reason),
            })
        }
        _ => None,
    }
}

/// The parser's message about other wrong uses, joined into one line. The usage is left out, since the help shows it.
fn wrong_use(error: &clap::Error, words: &[OsString]) -> UserError {
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut said = String::new();
    for line in lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information")) {
        let between = match said.chars().last() {
            None => "",
            Some(':') => " ",
            Some(_) if line.starts_with('[') => " ",
            Some(_) => "; ",
        };
        said.push_str(between);
        said.push_str(line.strip_prefix("error: ").unwrap_or(line));
    }
    UserError::new(format!("{said}; `{} --help` shows the usage", command_of(words)))
}

/// The command that is meant, as far as the words name one.
fn command_of(words: &[OsString]) -> String {
    let mut command = command();
    let mut names = vec![command.get_name().to_owned()];
    for word in words.iter().skip(1) {
        let Some(next) = command.find_subcommand(word) else { break };
        names.push(next.get_name().to_owned());
        command = next.clone();
    }
    names.join(" ")
}

/// The error for two options that set a value for the same name, of which only the last would count.
fn said_twice(matches: &ArgMatches) -> Option<UserError> {
    for (id, option) in NAMED {
        let Ok(Some(values)) = matches.try_get_raw(id) else { continue };
        let texts: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
        // A rate without a name is the rate of all ports.
        let names: Vec<&str> =
            texts.iter().map(|text| text.split_once('=').map_or("", |(name, _)| name.trim())).collect();
        let second = (0..names.len()).find_map(|second| {
            names[..second].iter().position(|name| *name == names[second]).map(|first| (first, second))
        });
        if let Some((first, second)) = second {
            let (first, second) = (&texts[first], &texts[second]);
            return Some(UserError::argument(
                option,
                format!("`{first}` and `{second}` set the same value twice; give only one of them"),
            ));
        }
    }
    said_twice(matches.subcommand()?.1)
}

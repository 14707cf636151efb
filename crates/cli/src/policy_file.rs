//! OpenQueue files: read, and what is wrong with them shown.

use crate::args::ParamArgs;
use crate::construct::place;
use forebay::error::{Result, UserError, utf8};
use forebay_lang::parser::MAX_BYTES;
use forebay_lang::render::{Style, render};
use forebay_lang::{Analysis, Code, Diagnostic, Lines, Overrides, Policy, Symbol};
use forebay_targets::Refusal;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;

/// A file that was read.
pub(crate) struct PolicyFile {
    /// What it is called.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl PolicyFile {
    /// Reads a file, or standard input if it is called `-`.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let is_input = path == Path::new("-");
        let name = if is_input { "standard input".to_owned() } else { path.display().to_string() };
        let unreadable = |error: &std::io::Error| UserError::io(Path::new(&name), "read", error);
        let mut bytes = Vec::new();
        let mut source: Box<dyn Read> = if is_input {
            Box::new(std::io::stdin().lock())
        } else {
            Box::new(std::fs::File::open(path).map_err(|error| unreadable(&error))?)
        };
        source.by_ref().take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
        if bytes.len() > MAX_BYTES {
            return Err(UserError::at(name, format!("a policy has at most {MAX_BYTES} bytes; this is longer")));
        }
        let text = utf8(&name, bytes, "a policy is a text in UTF-8")?;
        Ok(Self { name, text })
    }

    /// What is known of its text.
    pub(crate) fn analysis(&self, params: &ParamArgs) -> Analysis {
        forebay_lang::analyse_live(&self.text, &params.params, &params.live)
    }

    /// What a target says of it, with the line.
    pub(crate) fn refused(&self, refusal: &Refusal, symbols: &[Symbol]) -> String {
        let place = place(&refusal.construct, &self.text, symbols);
        let line = place.map(|place| format!(":{}", Lines::new(&self.text).position(place.start()).line + 1));
        format!("{}{}: {refusal}", self.name, line.unwrap_or_default())
    }

    /// That a target does not take it: what it refuses, a line each.
    pub(crate) fn cannot_be_made(&self, refusals: &[Refusal], params: &ParamArgs) -> UserError {
        let symbols = self.analysis(params).symbols;
        let all: Vec<String> = refusals.iter().map(|refusal| self.refused(refusal, &symbols)).collect();
        UserError::all(&all)
    }

    /// The policy; what is wrong with it is shown on standard error.
    pub(crate) fn policy(&self, params: &ParamArgs) -> Result<Policy> {
        let analysis = self.analysis(params);
        show(self, &analysis.diagnostics);
        analysis.policy.ok_or_else(|| UserError::at(&self.name, "cannot be used; what is wrong is shown above"))
    }
}

/// A policy, and the one that replaces it if there is one: each with those constants given from outside that it has.
pub(crate) fn with_replacement(
    file: &PolicyFile,
    replacement: Option<&PolicyFile>,
    params: &ParamArgs,
) -> Result<(Policy, Option<Policy>)> {
    let Some(replacement) = replacement else { return Ok((file.policy(params)?, None)) };
    let [first, second] = shared_out([file, replacement], params);
    Ok((file.policy(&first)?, Some(replacement.policy(&second)?)))
}

/// The constants given from outside, each for the files that have it; for both if neither has.
pub(crate) fn shared_out(files: [&PolicyFile; 2], params: &ParamArgs) -> [ParamArgs; 2] {
    let has = |place: usize, name: &String| {
        let live = std::slice::from_ref(name);
        let said = forebay_lang::analyse_live(&files[place].text, &Overrides::new(), live).diagnostics;
        said.iter().all(|diagnostic| diagnostic.code != Code::UnknownParam)
    };
    let of = |place: usize| {
        let takes = |name: &String| has(place, name) || !has(1 - place, name);
        ParamArgs {
            params: params.params.iter().filter(|(name, _)| takes(name)).cloned().collect(),
            live: params.live.iter().filter(|name| takes(name)).cloned().collect(),
        }
    };
    [of(0), of(1)]
}

/// Shows diagnostics on standard error; in colour if that is a terminal and nobody
/// objects (`NO_COLOR`).
pub(crate) fn show(file: &PolicyFile, diagnostics: &[Diagnostic]) {
    let objects = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let coloured = std::io::stderr().is_terminal() && !objects;
    let style = if coloured { Style::Coloured } else { Style::Plain };
    // If standard error is closed there is nobody to tell.
    let _ = write!(std::io::stderr(), "{}", render(&file.name, &file.text, diagnostics, style));
}

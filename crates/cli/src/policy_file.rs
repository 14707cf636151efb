//! Reads OpenQueue files and shows their mistakes.

use crate::args::ParamArgs;
use crate::construct::place;
use forebay::error::{Result, UserError, utf8};
use forebay_lang::parser::MAX_BYTES;
use forebay_lang::render::{Style, render_sources};
use forebay_lang::{Analysis, Code, Diagnostic, Lines, Overrides, Policy, Sources, Symbol, TextRange};
use forebay_targets::Refusal;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;

/// A file that was read, with the files that it includes.
pub(crate) struct PolicyFile {
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) text: String,
    sources: Sources,
}

impl PolicyFile {
    /// Reads a file, or standard input if it is called `-`.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let (name, text) = read(path)?;
        let sources = Sources::read(&name, &text, &included);
        Ok(Self { name, text, sources })
    }

    /// The text of all its files together.
    pub(crate) fn whole(&self) -> &str {
        self.sources.text()
    }

    /// For a span of the whole text: the name of the file, its text, and the span in it.
    pub(crate) fn place(&self, span: TextRange) -> (&str, &str, TextRange) {
        let (file, span) = self.sources.span(span);
        let file = &self.sources.files()[file];
        (&file.name, &file.text, span)
    }

    /// The analysis of its text.
    pub(crate) fn analysis(&self, params: &ParamArgs) -> Analysis {
        self.sources.analyse(&params.params, &params.live)
    }

    /// A target's reason for rejecting it, with the line.
    pub(crate) fn refused(&self, refusal: &Refusal, symbols: &[Symbol]) -> String {
        let Some(place) = place(&refusal.construct, self.whole(), symbols) else {
            return format!("{}: {refusal}", self.name);
        };
        let (name, text, place) = self.place(place);
        format!("{name}:{}: {refusal}", Lines::new(text).position(place.start()).line + 1)
    }

    /// The error that a target rejects it, with one line for each reason.
    pub(crate) fn cannot_be_made(&self, refusals: &[Refusal], params: &ParamArgs) -> UserError {
        let symbols = self.analysis(params).symbols;
        let all: Vec<String> = refusals.iter().map(|refusal| self.refused(refusal, &symbols)).collect();
        UserError::all(&all)
    }

    /// The policy. Mistakes in it are shown on standard error.
    pub(crate) fn policy(&self, params: &ParamArgs) -> Result<Policy> {
        let analysis = self.analysis(params);
        show(self, &analysis.diagnostics);
        analysis.policy.ok_or_else(|| UserError::at(&self.name, "cannot be used; the errors are shown above"))
    }
}

/// A file's name and text; standard input if it is called `-`.
fn read(path: &Path) -> Result<(String, String)> {
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
    Ok((name, text))
}

/// The text of a file that another one includes.
pub(crate) fn included(path: &str) -> std::result::Result<String, String> {
    if !Path::new(path).is_file() {
        return Err(format!("there is no file `{path}`"));
    }
    read(Path::new(path)).map(|(_, text)| text).map_err(|error| error.to_string())
}

/// A policy, and the policy that replaces it, if any. Each gets those constants of the command line that it declares.
pub(crate) fn with_replacement(
    file: &PolicyFile,
    replacement: Option<&PolicyFile>,
    params: &ParamArgs,
) -> Result<(Policy, Option<Policy>)> {
    let Some(replacement) = replacement else { return Ok((file.policy(params)?, None)) };
    let [first, second] = shared_out([file, replacement], params);
    Ok((file.policy(&first)?, Some(replacement.policy(&second)?)))
}

/// The constants of the command line, each for the files that declare it, or for both if neither does.
pub(crate) fn shared_out(files: [&PolicyFile; 2], params: &ParamArgs) -> [ParamArgs; 2] {
    let has = |place: usize, name: &String| {
        let live = std::slice::from_ref(name);
        let said = files[place].sources.analyse(&Overrides::new(), live).diagnostics;
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

/// Shows diagnostics on standard error, in colour if that is a terminal and `NO_COLOR` is not set.
pub(crate) fn show(file: &PolicyFile, diagnostics: &[Diagnostic]) {
    let objects = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let coloured = std::io::stderr().is_terminal() && !objects;
    let style = if coloured { Style::Coloured } else { Style::Plain };
    // If standard error is closed, the diagnostics are lost.
    let _ = write!(std::io::stderr(), "{}", render_sources(&file.sources, diagnostics, style));
}

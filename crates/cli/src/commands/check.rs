//! `forebay check FILE...`: reports the mistakes in OpenQueue files, and the parts that a target cannot express.

use crate::Done;
use crate::args::{CheckArgs, CheckFormat};
use crate::construct::place;
use crate::policy_file::{PolicyFile, shared_out, show};
use forebay::error::{Result, UserError, printable};
use forebay::output::folder;
use forebay_core::registry::find;
use forebay_lang::{Diagnostic, Lines, Severity, Symbol, TextRange};
use forebay_targets::{Refusal, TARGETS, sv};
use serde::Serialize;
use std::io::Write;

/// A place in a file: line and column count from 1, the column in characters; the
/// offset counts bytes from 0.
#[derive(Serialize)]
struct Place {
    line: u32,
    column: u32,
    offset: u32,
}

#[derive(Serialize)]
struct Label {
    start: Place,
    end: Place,
    text: String,
}

#[derive(Serialize)]
struct Report {
    file: String,
    severity: &'static str,
    code: &'static str,
    start: Place,
    end: Place,
    message: String,
    here: String,
    help: Option<String>,
    labels: Vec<Label>,
    fix: Option<Label>,
}

pub(crate) fn run(args: &CheckArgs) -> Result<Done> {
    let find_target = |name: &String| {
        find("target", TARGETS, name)
            .map_err(|message| UserError::argument("target", of_switch(name, message.to_string())))
    };
    let target = args.target.as_ref().map(find_target).transpose()?;
    let target = target.map(|target| Ok((target, args.made.options(*target)?))).transpose()?;
    if target.is_none() {
        args.made.are_without_target()?;
    }
    let replacement = args.made.replace_by.as_deref().map(PolicyFile::read).transpose()?;
    let mut reports = Vec::new();
    let mut broken = 0;
    for path in &args.files {
        let file = PolicyFile::read(path)?;
        let (own, other) = match &replacement {
            Some(replacement) => {
                let [own, others] = shared_out([&file, replacement], &args.params);
                (file.analysis(&own), Some(replacement.policy(&others)?))
            }
            None => (file.analysis(&args.params), None),
        };
        let (diagnostics, symbols) = (own.diagnostics, own.symbols);
        let of_target = target.as_ref().zip(own.policy).map_or_else(Vec::new, |((target, options), policy)| {
            let (refused, notes) = match &other {
                Some(other) => (sv::check_pair([&policy, other], options), sv::notes_pair([&policy, other], options)),
                None => (target.check(&policy, options), target.notes(&policy, options)),
            };
            let refused = refused.into_iter().map(|refusal| ("error", refusal));
            refused.chain(notes.into_iter().map(|note| ("note", note))).collect()
        });
        let is_broken = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        if is_broken || of_target.iter().any(|(severity, _)| *severity == "error") {
            broken += 1;
        }
        match args.format {
            CheckFormat::Text => {
                show(&file, &diagnostics);
                for (severity, what) in &of_target {
                    // If standard error is closed, the message is lost.
                    let _ = writeln!(std::io::stderr(), "{severity}: {}", printable(&file.refused(what, &symbols)));
                }
            }
            CheckFormat::Json => {
                reports.extend(diagnostics.iter().map(|diagnostic| report(&file, diagnostic)));
                reports.extend(of_target.iter().map(|(severity, what)| about_target(&file, severity, what, &symbols)));
            }
        }
    }
    let files = args.files.len();
    let text = match args.format {
        CheckFormat::Json => folder::json(&reports)?,
        CheckFormat::Text if broken == 0 => format!("{} can be used\n", count(files)),
        CheckFormat::Text => format!("{broken} of {} cannot be used\n", count(files)),
    };
    Ok(Done { text, status: if broken == 0 { 0 } else { 2 } })
}

fn count(files: usize) -> String {
    if files == 1 { "1 file".to_owned() } else { format!("{files} files") }
}

/// A target's message about a policy. It refers to a place in the file, or to the file's beginning.
fn about_target(file: &PolicyFile, severity: &'static str, what: &Refusal, symbols: &[Symbol]) -> Report {
    let place = place(&what.construct, file.whole(), symbols).unwrap_or_default();
    let (name, text, place) = file.place(place);
    let Label { start, end, .. } = label(text, place, "");
    Report {
        file: name.to_owned(),
        severity,
        code: "target",
        start,
        end,
        message: what.to_string(),
        here: String::new(),
        help: None,
        labels: Vec::new(),
        fix: None,
    }
}

fn label(text: &str, span: TextRange, said: &str) -> Label {
    let lines = Lines::new(text);
    let place = |offset| {
        let at = lines.position(offset);
        Place { line: at.line + 1, column: at.chars + 1, offset: offset.into() }
    };
    Label { start: place(span.start()), end: place(span.end()), text: said.to_owned() }
}

/// A mistake in its file. The report names further places only if they are in the same file.
fn report(file: &PolicyFile, diagnostic: &Diagnostic) -> Report {
    let (name, text, span) = file.place(diagnostic.span);
    let Label { start, end, .. } = label(text, span, "");
    let beside = |of: TextRange, said: &str| {
        let (other, text, span) = file.place(of);
        (other == name).then(|| label(text, span, said))
    };
    Report {
        file: name.to_owned(),
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: diagnostic.code.as_str(),
        start,
        end,
        message: diagnostic.message.clone(),
        here: diagnostic.here.clone(),
        help: diagnostic.help.clone(),
        labels: diagnostic.labels.iter().filter_map(|at| beside(at.span, &at.text)).collect(),
        fix: diagnostic.fix.as_ref().and_then(|fix| beside(fix.span, &fix.text)),
    }
}

/// The message for a name that is not a target's.
fn of_switch(name: &str, message: String) -> String {
    match name {
        "switch" => "`forebay switch` takes every policy that `check` takes without --target".to_owned(),
        _ => message,
    }
}

//! Compiles a policy in OpenQueue for a target.

use crate::opened::Opened;
use crate::question::Compile;
use forebay::error::{Result, UserError, utf8};
use forebay_core::registry::find;
use forebay_lang::render::{Style, render_sources};
use forebay_lang::{Overrides, Sources};
use forebay_targets::headers::Mapping;
use forebay_targets::{TARGETS, TargetOptions};
use serde_json::{Value, json};

/// Returns the targets, each with its description.
pub(crate) fn targets() -> Value {
    let target = |about: &forebay_core::About| json!({ "name": about.name, "title": about.title });
    TARGETS.iter().map(|entry| target(entry.about())).collect()
}

/// Returns the files of the program, each with its text.
pub(crate) fn answer(asked: &Compile, opened: &Opened) -> Result<Value> {
    let target = find("target", TARGETS, &asked.target).map_err(|error| UserError::argument("target", error))?;
    let text = |name: &str| utf8(name, opened.content(name)?.to_vec(), "a policy is a text in UTF-8");
    let open = |name: &str| text(name).map_err(|error| error.to_string());
    let sources = Sources::read(&asked.policy, &text(&asked.policy)?, &open);
    let analysis = sources.analyse(&overrides(asked)?, &[]);
    let Some(policy) = analysis.policy else {
        return Err(UserError::new(render_sources(&sources, &analysis.diagnostics, Style::Plain)));
    };
    let fields = asked.fields.iter().map(|field| Mapping::read_setting(field));
    let fields = fields.collect::<std::result::Result<Vec<_>, _>>();
    let fields = fields.map_err(|error| UserError::argument("field", error.to_string()))?;
    let usual = TargetOptions::default();
    let options = TargetOptions { mapping: usual.mapping.with(&fields), ..usual };
    let files = target.emit(&policy, &options).map_err(|reasons| {
        let reasons: Vec<String> = reasons.iter().map(|reason| format!("{}: {reason}", asked.policy)).collect();
        UserError::all(&reasons)
    })?;
    Ok(files.into_iter().map(|file| json!({ "name": file.name, "text": file.text })).collect())
}

/// Returns the values that replace those of the policy's params.
fn overrides(asked: &Compile) -> Result<Overrides> {
    let value = |(name, text): (&String, &String)| match text.parse() {
        Ok(value) => Ok((name.clone(), value)),
        Err(error) => Err(UserError::argument("params", format!("`{name}`: {error}"))),
    };
    asked.params.iter().map(value).collect()
}

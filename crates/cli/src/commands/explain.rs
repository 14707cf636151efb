//! `forebay explain NAME`: what an algorithm is, costs and needs.

use super::{explain_network, explain_policy};
use crate::Done;
use crate::args::ExplainArgs;
use crate::error::{Result, UserError};
use forebay::catalogue::{Entry, entries};
use forebay_cache::mad::MAD_PARAMS;
use forebay_core::params::ParamKind;
use forebay_core::registry::suggest;
use forebay_core::{Exactness, ParamSpec};
use std::path::Path;

pub(crate) fn run(args: &ExplainArgs) -> Result<Done> {
    let path = Path::new(&args.name);
    if path.extension().is_some_and(|extension| extension == "oq") || args.name == "-" {
        return explain_policy::run(path, &args.params);
    }
    if !(args.params.params.is_empty() && args.params.live.is_empty()) {
        return Err(UserError::new("--param and --live are for OpenQueue files, whose names end in .oq"));
    }
    let entries = entries();
    // Papers and people write SP-PIFO and SRPT.
    let name = args.name.to_lowercase();
    // What is called so comes before what is also known by that name.
    let mut found: Vec<&Entry> = entries.iter().filter(|entry| entry.about.name == name).collect();
    found.extend(entries.iter().filter(|entry| entry.also_known_as.contains(&name.as_str())));
    if found.is_empty() {
        // `lru-mad` is the MAD form of `lru`.
        let base = name.strip_suffix("-mad").unwrap_or(&name);
        found = entries.iter().filter(|entry| entry.mad && entry.about.name == base).collect();
    }
    let field = explain_network::explain(&name);
    if found.is_empty() && field.is_none() {
        let known = entries.iter().flat_map(|entry| [&[entry.about.name], entry.also_known_as].concat());
        let known = known.chain(explain_network::names());
        let policy = Path::new("policies").join(format!("{name}.oq"));
        let policy =
            if policy.is_file() { format!("; the policy is {}", policy.display()) } else { suggest(&name, known) };
        return Err(UserError::new(format!("unknown name `{}`{policy}", args.name)));
    }
    let texts: Vec<String> = found.into_iter().map(explain).chain(field).collect();
    Ok(Done::ok(texts.join("\n")))
}

fn explain(entry: &Entry) -> String {
    let about = entry.about;
    let mut out = format!("{} ({})\n  {}\n\n", about.name, entry.kind.title(), about.title);
    let mut line = |what: &str, text: &str| out.push_str(&format!("  {what:10}{text}\n"));
    if !entry.also_known_as.is_empty() {
        line("also", &entry.also_known_as.join(", "));
    }
    match about.exactness {
        Exactness::Exact => line("order", "exact: never serves a packet while one of lower rank waits"),
        Exactness::ExactWithinWindow => line("order", "exact while ranks lie in its window; those outside are clamped"),
        Exactness::Approximate => line("order", "approximate: may serve packets out of the order of their ranks"),
        Exactness::IgnoresRanks => line("order", "ignores ranks"),
        Exactness::NotApplicable => {}
    }
    line("hardware", about.hardware);
    line("cost", about.cost);
    line("source", about.source);
    line("use", &entry.kind.example(about.name));
    if about.params.is_empty() {
        out.push_str("  parameters: none\n");
    } else {
        out.push_str(&format!("\n  parameters\n{}", parameters(about.params)));
    }
    if entry.mad {
        let name = about.name;
        out.push_str(&format!(
            "\n  {name}-mad: the same, but what the next miss would cost counts, too (docs/caches.md); its parameters\n{}",
            parameters(MAD_PARAMS)
        ));
    }
    out
}

fn parameters(params: &[ParamSpec]) -> String {
    let lines = params.iter().map(|param| format!("    {}: {}\n      {}\n", param.name, param.meaning, range(param)));
    lines.collect()
}

fn range(param: &ParamSpec) -> String {
    match param.kind {
        ParamKind::Integer { min, max, default: Some(default) } => {
            format!("a whole number from {min} to {max}, by default {default}")
        }
        ParamKind::Integer { min, max, default: None } => format!("a whole number from {min} to {max}"),
        ParamKind::Number { min, max, default } => format!("a number from {min} to {max}, by default {default}"),
        ParamKind::Text { default: "" } => "a text, by default empty".to_owned(),
        ParamKind::Text { default } => format!("a text, by default \"{default}\""),
    }
}

//! `forebay explain NAME`: describes an algorithm with its cost and needs, or a field of a scenario.

use super::{explain_field, explain_policy};
use crate::Done;
use crate::args::ExplainArgs;
use crate::catalogue;
use crate::error::{Result, UserError};
use forebay::catalogue::{Entry, Kind};
use forebay::fields;
use forebay_cache::ADMISSIONS;
use forebay_cache::mad::MAD_PARAMS;
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
    let entries = catalogue::all();
    // Papers and people write SP-PIFO and SRPT.
    let name = args.name.to_lowercase();
    // Entries with this name come before entries that are also known by it.
    let mut found: Vec<&Entry> = entries.iter().filter(|entry| entry.name == name).collect();
    found.extend(entries.iter().filter(|entry| entry.name != name && entry.also_known_as.contains(&name.as_str())));
    if found.is_empty() {
        // `lru-mad` and `lru-bloom` are forms of `lru`.
        found = entries.iter().filter(|entry| entry.has_form(&name)).collect();
    }
    // Users ask for a field of a scenario more often than for a metric or a measure of the same name.
    let is_thing = |entry: &&Entry| ![Kind::Metric, Kind::Measure, Kind::KindOfPlot].contains(&entry.kind);
    let (things, results): (Vec<&Entry>, Vec<&Entry>) = found.into_iter().partition(is_thing);
    let field = explain_field::explain(&name);
    if things.is_empty() && results.is_empty() && field.is_none() {
        return Err(UserError::new(format!("unknown name `{}`{}", args.name, meant(&name, &entries))));
    }
    let of = |entries: Vec<&Entry>| entries.into_iter().map(explain).collect::<Vec<_>>();
    let texts = [of(things), field.into_iter().collect(), of(results)].concat();
    Ok(Done::ok(texts.join("\n")))
}

/// A hint for an unknown `name`: a policy in this folder, a near name, or else the lists.
fn meant(name: &str, entries: &[Entry]) -> String {
    let policy = Path::new("policies").join(format!("{name}.oq"));
    if policy.is_file() {
        return format!("; the policy is {}", policy.display());
    }
    let known = entries.iter().flat_map(|entry| [&[entry.name], &entry.also_known_as[..]].concat());
    let near = suggest(name, known.chain(fields::names()));
    // A list of several hundred names would not help.
    if near.starts_with("; did you mean") { near } else { "; `forebay list` prints all names".to_owned() }
}

fn explain(entry: &Entry) -> String {
    let mut out = format!("{} ({})\n  {}\n\n", entry.name, entry.kind.title(), entry.title);
    let mut line = |what: &str, text: &str| out.push_str(&format!("  {what:10}{text}\n"));
    // A metric explains its other names itself.
    if !entry.also_known_as.is_empty() && entry.kind != Kind::Metric {
        line("also", &entry.also_known_as.join(", "));
    }
    match entry.exactness {
        Exactness::Exact => line("order", "exact: never serves a packet while a packet of lower rank waits"),
        Exactness::ExactWithinWindow => line("order", "exact while ranks lie in its window; those outside are clamped"),
        Exactness::Approximate => line("order", "approximate: may serve packets out of the order of their ranks"),
        Exactness::IgnoresRanks => line("order", "ignores ranks"),
        Exactness::NotApplicable => {}
    }
    entry.facts.iter().for_each(|(what, text)| line(what, text));
    line("use", &entry.example());
    let without_parameters =
        [Kind::Target, Kind::Datapath, Kind::BackEnd, Kind::Measure, Kind::Metric, Kind::KindOfPlot];
    if without_parameters.contains(&entry.kind) {
        return out;
    }
    if entry.params.is_empty() {
        out.push_str("  parameters: none\n");
    } else {
        out.push_str(&format!("\n  parameters\n{}", parameters(entry.params)));
    }
    if entry.mad {
        let name = entry.name;
        out.push_str(&format!(
            "\n  {name}-mad: the MAD form, which also weighs the cost of the next miss (docs/caches.md); its parameters\n{}",
            parameters(MAD_PARAMS)
        ));
    }
    if entry.admission {
        let name = entry.name;
        let mad = if entry.mad { format!(", or {name}-mad-RULE in front of the MAD form") } else { String::new() };
        out.push_str(&format!("\n  {name}-RULE: with a rule of admission in front{mad} (docs/caches.md); RULE is\n"));
        for rule in ADMISSIONS {
            out.push_str(&format!("    {}\n", rule.about.name));
        }
        out.push_str("  `forebay explain RULE` prints its parameters, which stand in the same brackets.\n");
    }
    out
}

fn parameters(params: &[ParamSpec]) -> String {
    let lines = params.iter().map(|param| format!("    {}: {}\n      {}\n", param.name, param.meaning, range(param)));
    lines.collect()
}

fn range(param: &ParamSpec) -> String {
    match param.kind.default_text() {
        Some(default) => format!("{}, by default {default}", param.kind),
        None => param.kind.to_string(),
    }
}

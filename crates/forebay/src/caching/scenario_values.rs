//! Traces, latencies and policies as a scenario writes them: as the word that the command line accepts, or as a table of which every value
//! may be swept. The table is converted to the word: `{ name = "lru-k", k = 3 }` is `lru-k(k=3)`.

use crate::document::{Node, Table, Value};
use crate::error::Result;
use crate::fields::LATENCY_DISTRIBUTIONS;
use crate::scenario::{Files, param, param_error};
use forebay_cache::{Choice, ChoiceError};
use forebay_core::registry::{find, suggest};
use forebay_core::{Duration, Named as _, ParamValue, Params};
use forebay_traces::requests::GENERATORS;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reads a trace: the name of a file, or a recipe.
pub(crate) fn trace(node: &Node) -> Result<String> {
    if !matches!(node.value, Value::Table(_)) {
        return Ok(node.text("trace")?.to_owned());
    }
    let table = node.table("`trace`")?;
    let Some(mixture) = table.get("mixture") else { return recipe(node) };
    table.finish()?;
    let Value::Array(recipes) = &mixture.value else {
        return Err(
            mixture.error("`mixture` must be a list of recipes, like [{ name = \"zipf\" }, { name = \"scans\" }]")
        );
    };
    let recipes: Vec<String> = recipes.iter().map(recipe).collect::<Result<_>>()?;
    if recipes.is_empty() {
        return Err(mixture.error("`mixture` is an empty list; give the recipes that are mixed"));
    }
    Ok(recipes.join(" + "))
}

/// `{ name = "zipf", skew = 0.9 }` as `zipf:skew=0.9`.
fn recipe(node: &Node) -> Result<String> {
    let node = node.with_parameters("a recipe")?;
    let table = node.table("a recipe")?;
    let name = table.require("name", "name = \"zipf\"")?;
    let entry = find("generator", GENERATORS, name.text("name")?).map_err(|error| name.error(error))?;
    let given = parameters(&table);
    Params::check(entry.about().params, given.clone()).map_err(|error| param_error(&node, &error))?;
    Ok(format!("{}:{}", entry.about().name, words(&given)).trim_end_matches(':').to_owned())
}

/// Reads the latency of fetches.
pub(super) fn latency(node: &Node) -> Result<String> {
    if let Value::Text(text) = &node.value {
        return Ok(text.clone());
    }
    if !matches!(node.value, Value::Table(_)) {
        return amount(node, "latency");
    }
    let table = node.table("`latency`")?;
    let text = if let Some(origins) = table.get("origins") {
        let Value::Array(origins) = &origins.value else {
            return Err(
                origins.error("`origins` must be a list, like [\"68 ms\", { latency = \"103 ms\", weight = 2 }]")
            );
        };
        if origins.is_empty() {
            return Err(table
                .error("`origins` is an empty list; give the latency of each origin, like [\"68 ms\", \"103 ms\"]"));
        }
        format!("origins({})", origins.iter().map(origin).collect::<Result<Vec<_>>>()?.join(","))
    } else if let Some(objects) = table.get("objects") {
        format!("objects({})", objects.text("objects")?)
    } else {
        drawn(&table)?
    };
    table.finish()?;
    Ok(text)
}

fn origin(node: &Node) -> Result<String> {
    if !matches!(node.value, Value::Table(_)) {
        return amount(node, "origins");
    }
    let table = node.table("`latency`")?;
    let latency = amount(table.require("latency", "latency = \"68 ms\"")?, "latency")?;
    let weight = table.get("weight").map_or(Ok(1.0), |node| node.number("weight", 0.0, 1e9))?;
    table.finish()?;
    Ok(format!("{latency}:{weight}"))
}

fn drawn(table: &Table<'_>) -> Result<String> {
    const EXAMPLE: &str = "distribution = \"exponential\"";
    let node = table.require("distribution", EXAMPLE)?;
    let amount = |field| amount(table.require(field, &format!("{field} = \"5 ms\""))?, field);
    match node.text("distribution")? {
        "exponential" => Ok(format!("exponential({})", amount("mean")?)),
        "lognormal" => {
            let sigma = table.require("sigma", "sigma = 0.5")?.number_from("sigma", 0.0, 100.0)?;
            Ok(format!("lognormal({},{sigma})", amount("mean")?))
        }
        "uniform" => Ok(format!("uniform({},{})", amount("min")?, amount("max")?)),
        other => {
            let known = suggest(other, LATENCY_DISTRIBUTIONS);
            let all = LATENCY_DISTRIBUTIONS.join(", ");
            Err(node.error(format!("`distribution` must be one of {all}, not `{other}`{known}")))
        }
    }
}

/// Reads a number of slots, or a time.
pub(super) fn amount(node: &Node, field: &str) -> Result<String> {
    match &node.value {
        Value::Text(text) if Duration::parse(text).is_ok() => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        _ => {
            let message =
                format!("`{field}` must be a number of slots like 100, or a time like \"5 ms\", not {}", node.shown());
            Err(node.error(message))
        }
    }
}

/// Reads a policy of `[[policy]]`.
pub(super) fn policy(node: &Node, files: &dyn Files) -> Result<Choice> {
    let table = node.table("[[policy]]")?;
    let name = table.require("name", "name = \"lru\"")?;
    let text = name.text("name")?;
    let given = parameters(&table);
    if let Some(own) = files.own().cache_policies.get(text) {
        let shown = if given.is_empty() { text.to_owned() } else { format!("{text}({})", words(&given)) };
        return Ok(Choice::own(shown, Arc::clone(own), given));
    }
    if given.is_empty() {
        return text.parse().map_err(|error: ChoiceError| name.error(error));
    }
    if text.contains('(') {
        return Err(name
            .error(format!("`{text}` has parameters in brackets and others as fields; write all of them as fields")));
    }
    format!("{text}({})", words(&given)).parse().map_err(|error: ChoiceError| match error {
        ChoiceError::Params { error, .. } => param_error(node, &error),
        other => name.error(other),
    })
}

/// Returns the fields of a table that were not asked for. Whole numbers may be written like 1e6.
fn parameters(table: &Table<'_>) -> BTreeMap<String, ParamValue> {
    let value = |node| match param(node) {
        #[expect(clippy::cast_possible_truncation, reason = "floats below 2^53 without a fraction are whole numbers")]
        ParamValue::Number(number) if number.fract() == 0.0 && number.abs() < (1_u64 << 53) as f64 => {
            ParamValue::Integer(number as i64)
        }
        other => other,
    };
    table.rest().map(|(key, node)| (key.to_owned(), value(node))).collect()
}

/// Parameters as the command line takes them: `objects=300,skew=0.9`.
fn words(given: &BTreeMap<String, ParamValue>) -> String {
    given.iter().map(|(name, value)| format!("{name}={}", word(value))).collect::<Vec<_>>().join(",")
}

/// A value as the command line takes it.
fn word(value: &ParamValue) -> String {
    match value {
        ParamValue::Text(text) => text.clone(),
        ParamValue::Integer(number) => number.to_string(),
        ParamValue::Number(number) => number.to_string(),
        ParamValue::Boolean(boolean) => boolean.to_string(),
        ParamValue::List(_) | ParamValue::Table(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Here;

    fn node(value: &str) -> Node {
        let document = Node::parse("s.toml", &format!("value = {value}")).unwrap();
        document.table("").unwrap().get("value").unwrap().clone()
    }

    #[test]
    fn tables_are_the_words_of_the_command_line() {
        for (table, word) in [
            ("\"a.csv\"", "a.csv"),
            ("{ name = \"zipf\" }", "zipf"),
            (
                "{ name = \"zipf\", objects = 1e3, requests = 2_000, skew = 0.9 }",
                "zipf:objects=1000,requests=2000,skew=0.9",
            ),
            ("{ mixture = [{ name = \"zipf\", rate = 5 }, \"scans\"] }", "zipf:rate=5 + scans"),
        ] {
            assert_eq!(trace(&node(table)).unwrap(), word);
        }
        for (table, word) in [
            ("5", "5"),
            ("\"5 ms\"", "5 ms"),
            ("{ distribution = \"exponential\", mean = 7 }", "exponential(7)"),
            ("{ distribution = \"lognormal\", mean = \"5 ms\", sigma = 0.5 }", "lognormal(5 ms,0.5)"),
            ("{ distribution = \"uniform\", min = 1, max = 9 }", "uniform(1,9)"),
            ("{ origins = [5, { latency = 9, weight = 2 }] }", "origins(5,9:2)"),
            ("{ objects = \"slow.csv\" }", "objects(slow.csv)"),
        ] {
            assert_eq!(latency(&node(table)).unwrap(), word);
        }
        for (table, word) in [
            ("{ name = \"lru\" }", "lru"),
            ("{ name = \"lru-k(k=3)\" }", "lru-k(k=3)"),
            ("{ name = \"lru-mad\", sample = 16, counters = \"cached\" }", "lru-mad(counters=cached,sample=16)"),
        ] {
            assert_eq!(policy(&node(table), &Here).unwrap().to_string(), word);
        }
    }

    #[test]
    fn mistakes_are_told() {
        for (error, message) in [
            (trace(&node("5")).unwrap_err(), "`trace` must be a text"),
            (trace(&node("{ name = \"zip\" }")).unwrap_err(), "did you mean `zipf`?"),
            (trace(&node("{ name = \"zipf\", skw = 1 }")).unwrap_err(), "did you mean `skew`?"),
            (trace(&node("{ name = \"zipf\", objects = \"5\" }")).unwrap_err(), "`objects` must be a whole number"),
            (trace(&node("{ objects = 5 }")).unwrap_err(), "a recipe has no `name`"),
            (trace(&node("{ mixture = [] }")).unwrap_err(), "`mixture` is an empty list"),
            (trace(&node("{ mixture = 5 }")).unwrap_err(), "`mixture` must be a list"),
            (trace(&node("{ mixture = [\"zipf\"], name = \"zipf\" }")).unwrap_err(), "unknown field `name`"),
            (latency(&node("true")).unwrap_err(), "`latency` must be a number of slots like 100"),
            (
                latency(&node("{ distribution = \"exponential\", mean = \"50\" }")).unwrap_err(),
                "or a time like \"5 ms\", not \"50\"",
            ),
            (latency(&node("{ distribution = \"normal\" }")).unwrap_err(), "did you mean `lognormal`?"),
            (latency(&node("{ distribution = \"uniform\", min = 1 }")).unwrap_err(), "has no `max`"),
            (
                latency(&node("{ distribution = \"exponential\", mean = 1, sigma = 1 }")).unwrap_err(),
                "unknown field `sigma`",
            ),
            (latency(&node("{ origins = 5 }")).unwrap_err(), "`origins` must be a list"),
            (latency(&node("{ origins = [] }")).unwrap_err(), "`origins` is an empty list; give the latency"),
            (latency(&node("{ origins = [{ latency = 5, weigth = 2 }] }")).unwrap_err(), "did you mean `weight`?"),
            (policy(&node("{ name = \"lru-k(k=3)\", k = 2 }"), &Here).unwrap_err(), "write all of them as fields"),
            (policy(&node("{ name = \"lru-k\", k = 0 }"), &Here).unwrap_err(), "`k` must be"),
            (policy(&node("{ name = \"lru\", k = 2 }"), &Here).unwrap_err(), "unknown parameter `k`"),
            (policy(&node("{ name = \"lruu\", k = 2 }"), &Here).unwrap_err(), "did you mean `lru`?"),
        ] {
            assert!(error.line().is_some() && error.to_string().contains(message), "{message}: {error}");
        }
    }
}

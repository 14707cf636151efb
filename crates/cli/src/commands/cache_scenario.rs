//! Makes a scenario from the arguments of `forebay cache`, `forebay curve` or `forebay bound`.

use super::run::Wanted;
use crate::args::{CacheModel, CacheModelArgs, CacheRunArgs, FormatArgs, ServiceArgs, SizeChanges, Sizes};
use crate::{Done, resources};
use forebay::Question;
use forebay::caching::{CapacitySpec, LatencySpec, List};
use forebay::document::{Node, Value};
use forebay::error::Result;
use forebay::scenario::Here;
use forebay_cache::Choice;
use std::fmt::Display;
use std::path::PathBuf;

/// A scenario under construction. Each value knows the argument that gave it.
pub(super) struct CacheScenario {
    word: &'static str,
    fields: Vec<(String, Node)>,
    policies: Vec<Node>,
    /// Detail tables that are recorded.
    recorded: Vec<Node>,
}

impl CacheScenario {
    /// With one table, called `word`, which reads these traces.
    pub(super) fn new(word: &'static str, traces: &[PathBuf], reading: &FormatArgs) -> Self {
        let mut scenario = Self { word, fields: Vec::new(), policies: Vec::new(), recorded: Vec::new() };
        let traces = traces.iter().map(|trace| Value::Text(trace.display().to_string())).collect();
        scenario.put("trace", "trace", one_or_list(traces, "trace"));
        if let Some(format) = &reading.format_in {
            scenario.put("format", "format-in", Value::Text(format.to_string()));
        }
        scenario
    }

    /// Sets a field of the table, which the argument `argument` gives.
    pub(super) fn put(&mut self, field: &str, argument: &str, value: Value) {
        self.fields.push((field.to_owned(), Node { field: Some(field.to_owned()), ..Node::given(argument, value) }));
    }

    /// Adds those policies that the scenario does not have yet.
    pub(super) fn policies<'a>(&mut self, policies: impl IntoIterator<Item = &'a Choice>) {
        for policy in policies {
            let name = policy.to_string();
            if self.policies.iter().all(|known| known.label() != Some(&name)) {
                let name = Node::given_text("policy", name);
                self.policies.push(Node::given_table("policy", [("name", name)]));
            }
        }
    }

    pub(super) fn capacities(&mut self, capacities: &List<CapacitySpec>) {
        self.put("capacity", "capacity", numbers(&capacities.0, "capacity"));
    }

    /// Sets the capacities of a curve, which are one list and no axis.
    pub(super) fn curve_capacities(&mut self, capacities: &List<CapacitySpec>) {
        let values = match numbers(&capacities.0, "capacity") {
            Value::Array(values) => values,
            one => vec![Node::given("capacity", one)],
        };
        self.put("capacity", "capacity", Value::Array(values));
    }

    pub(super) fn latencies(&mut self, latencies: &[LatencySpec]) {
        self.put("latency", "latency", numbers(latencies, "latency"));
    }

    pub(super) fn sizes(&mut self, sizes: Sizes) {
        if sizes == Sizes::Bytes {
            self.put("sizes", "sizes", Value::Text("bytes".to_owned()));
        }
    }

    pub(super) fn model(&mut self, model: &CacheModelArgs) {
        match model.model {
            CacheModel::Both => {}
            CacheModel::Delayed => self.put("model", "model", Value::Text("delayed".to_owned())),
            CacheModel::Classical => self.put("model", "model", Value::Text("classical".to_owned())),
        }
        self.sizes(model.sizes);
        if let Some(change) = model.size_change {
            let word = match change {
                SizeChanges::Hit => "hit",
                SizeChanges::Miss => "miss",
                SizeChanges::Update => "update",
            };
            self.put("size_change", "size-change", Value::Text(word.to_owned()));
        }
        if let Some(ways) = model.ways {
            self.put("ways", "ways", Value::whole(ways));
        }
        if let Some(requests) = model.requests {
            self.put("requests", "requests", Value::whole(requests));
        }
        if model.warmup > 0 {
            self.put("warmup", "warmup", Value::whole(model.warmup));
        }
        if let Some(share) = model.sample {
            self.sample(share);
        }
    }

    /// How requests are served, apart from fetches.
    pub(super) fn service(&mut self, service: &ServiceArgs) {
        // A number of slots is one in the scenario, too.
        let amount = |text: &String| text.parse().map_or_else(|_| Value::Text(text.clone()), Value::whole);
        let ServiceArgs { hit_latency, release_interval, parallel, ttl, prefetch } = service;
        for (field, flag, text) in [
            ("hit_latency", "hit-latency", hit_latency),
            ("release_interval", "release-interval", release_interval),
            ("ttl", "ttl", ttl),
        ] {
            if let Some(text) = text {
                self.put(field, flag, amount(text));
            }
        }
        if let Some(parallel) = parallel {
            self.put("parallel", "parallel", Value::whole(*parallel));
        }
        if let Some(List(names)) = prefetch {
            let names = names.iter().cloned().map(Value::Text).collect();
            self.put("prefetch", "prefetch", one_or_list(names, "prefetch"));
        }
    }

    /// Plays this share of the objects.
    pub(super) fn sample(&mut self, share: f64) {
        if share < 1.0 {
            self.put("sample", "sample", Value::Text(share_text(share)));
        }
    }

    /// Records this detail table.
    pub(super) fn record(&mut self, table: &str) {
        self.recorded.push(Node::given_text("record", table));
    }

    /// Prints the scenario, or runs it and prints the result.
    pub(super) fn run(self, args: &CacheRunArgs) -> Result<Done> {
        let (word, policies) = (self.word, self.policies);
        let mut top = vec![("name".to_owned(), Node::given_text("name", word))];
        top.push(("seed".to_owned(), Node::given("seed", Value::whole(args.seed))));
        top.extend(args.repeat.map(|repeat| ("repetitions".to_owned(), Node::given("repeat", Value::whole(repeat)))));
        let baseline = args.baseline.as_ref().map(|name| Node::given_text("baseline", name));
        top.extend(baseline.map(|name| ("baseline".to_owned(), name)));
        if !self.recorded.is_empty() {
            top.push(("record".to_owned(), Node::given("record", Value::Array(self.recorded))));
        }
        top.push((word.to_owned(), Node::given(word, Value::Table(self.fields))));
        if !policies.is_empty() {
            top.push(("policy".to_owned(), Node::given("policy", Value::Array(policies))));
        }
        let document = Node::given(word, Value::Table(top));
        let question = Question::of_document(&document, word, &Here)?;
        if args.print_scenario {
            return Ok(Done::ok(question.text().to_owned()));
        }
        resources::start(args.resources)?;
        let wanted =
            Wanted { out: args.out.as_deref(), report: args.report.as_deref(), record_ops: None, format: args.format };
        wanted.of(&question)
    }
}

/// A share as a percentage.
pub(super) fn share_text(share: f64) -> String {
    // 0.3 x 100 is 30.000000000000004.
    format!("{}%", (share * 1e10).round() / 1e8)
}

/// One value as such, and several values as an axis.
fn one_or_list(mut values: Vec<Value>, argument: &str) -> Value {
    match values.len() {
        1 => values.remove(0),
        _ => Value::Array(values.into_iter().map(|value| Node::given(argument, value)).collect()),
    }
}

/// Whole numbers as numbers, and all other values as texts.
fn numbers(values: &[impl Display], argument: &str) -> Value {
    let value = |value: &dyn Display| {
        let text = value.to_string();
        text.replace('_', "").parse().map_or(Value::Text(text), Value::Integer)
    };
    one_or_list(values.iter().map(|own| value(own)).collect(), argument)
}

//! Reads a scenario of caches and checks all that can be checked before a request is played.

use super::bounds::{Effort, known};
use super::choices::{choice_of, models, size_change};
use super::estimates::asked;
use super::reading::facts;
use super::request_rows::REQUESTS;
use super::scenario::{CacheScenario, Capacities, Cell, Places, Search, Setting, Study, Task};
use super::schedule_rows::SCHEDULE;
use super::{
    CapacitySpec, LatencySpec, attribution, chained, measured, per_user, prefetch, scenario_values, schedule_field,
    service,
};
use crate::document::{Node, Table, Value};
use crate::error::{Place, Result};
use crate::fields;
use crate::requests::RequestTrace;
use crate::run::{Said, VERSION, hex};
use crate::scenario::{self, Files, name_and_seed, recorded_of};
use crate::sweep::{MAX_RUNS, Sweep};
use forebay_cache::{Choice, Model, Service, SizeChange};
use forebay_core::Seed;
use forebay_traces::requests::Spec;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

const EXAMPLE: &str = "name = \"lru\"";

/// Capacities of a curve, where none are given.
const POINTS: u64 = 16;
const MOST_POINTS: u64 = 1_000;
/// When a search for bounds ends by itself.
const STEPS: u64 = 600;
const GAP_PERCENT: f64 = 0.1;

/// Returns whether a document is a scenario of caches.
pub(crate) fn is_caching(document: &Node) -> bool {
    study(document).is_some()
}

fn study(document: &Node) -> Option<Study> {
    [Study::Cache, Study::Curve, Study::Bound].into_iter().find(|study| document.has(study.word()))
}

impl CacheScenario {
    /// Checks a document. `seed` replaces the seed in the document.
    pub fn read(document: &Node, default_name: &str, seed: Option<u64>, files: &dyn Files) -> Result<Self> {
        let top = document.table("the scenario")?;
        let study = study(document).unwrap_or(Study::Cache);
        let (name, seed) = name_and_seed(&top, default_name, seed)?;
        let repetitions = top.get("repetitions").map(|node| node.integer("repetitions", 1, MAX_RUNS)).transpose()?;
        top.get("zip");
        let (table, fields) = match study {
            Study::Cache => (top.get("cache"), &fields::CACHE),
            Study::Curve => (top.get("curve"), &fields::CURVE),
            Study::Bound => (top.get("bound"), &fields::BOUND),
        };
        let table = table.ok_or_else(|| top.error("this is not a scenario of caches; add [cache]"))?;
        let mut swept = document.clone();
        let baseline = if study == Study::Bound {
            // Bounds are of all policies, so none is named.
            let bounds = Value::Table(Vec::new());
            let bounds = Node { value: bounds, place: table.place.clone(), field: None };
            swept.put(&["policy"], Value::Array(vec![bounds]));
            if let Some(node) = top.get("baseline") {
                return Err(
                    node.error("bounds hold for all policies, so there is no policy to compare; leave `baseline` out")
                );
            }
            None
        } else {
            top.require("policy", &format!("[[policy]] with {EXAMPLE}"))?;
            top.get("baseline")
        };
        let recorded = match study {
            Study::Cache => recorded_of(&top, &[REQUESTS.name, SCHEDULE.name])?,
            Study::Bound => recorded_of(&top, &[SCHEDULE.name])?,
            Study::Curve => Vec::new(),
        };
        top.finish()?;
        let sweep = Sweep::of(&swept, fields, repetitions.unwrap_or(1), EXAMPLE)?;
        let choices = match study {
            Study::Bound => Vec::new(),
            _ => (sweep.policies.iter().map(|policy| scenario_values::policy(&policy.node, files)))
                .collect::<Result<Vec<_>>>()?,
        };
        let mut names = BTreeSet::new();
        for (choice, policy) in choices.iter().zip(&sweep.policies) {
            if !names.insert(choice.to_string()) {
                return Err(policy.node.error(format!("the policy `{choice}` is listed twice; leave one out")));
            }
        }
        let record = top.get("record");
        let reader = Reader { study, seed, files, choices: &choices, recorded, record };
        let mut cells = Vec::new();
        for point in &sweep.points {
            let setting = Arc::new(reader.setting(&point.node)?);
            if sweep.points.len() > 1 || repetitions.is_some_and(|repetitions| repetitions > 1) {
                setting.trace.refuse_pipe("a sweep or a repetition")?;
            }
            let text = point.node.sorted().to_toml();
            for task in reader.tasks(&setting) {
                let (name, latency) = (task.name(), &setting.latency.1);
                let sum = if let Task::Schedule(file) = &task { file.sum.as_str() } else { "" };
                let key = format!("forebay {VERSION}\n{text}\n[policy]\n{name}\n{latency:?}{sum}");
                // What a policy varies is in its name.
                let axes = sweep.axes_of_point(point);
                cells.push(Cell { axes, setting: Arc::clone(&setting), task, key: hex(key.as_bytes()) });
            }
        }
        let baseline = scenario::baseline(baseline, names.iter().map(String::as_str))?;
        let values_sha256 = hex(document.sorted().to_toml().as_bytes());
        let said = Said { name, seed, file_sha256: String::new(), values_sha256 };
        Ok(Self { said, study, repetitions, cells, baseline })
    }
}

/// The common state while the points of a sweep are read.
struct Reader<'a> {
    study: Study,
    seed: Seed,
    files: &'a dyn Files,
    choices: &'a [Choice],
    /// The detail tables that are asked for, and where.
    recorded: Vec<&'static str>,
    record: Option<&'a Node>,
}

impl Reader<'_> {
    /// Returns the tasks at a point, in the order of the report.
    fn tasks(&self, setting: &Setting) -> Vec<Task> {
        let mut tasks: Vec<Task> = self.choices.iter().cloned().map(Task::Policy).collect();
        tasks.extend(setting.search.map(|_| Task::Bounds));
        tasks.extend(setting.schedule.clone().map(Task::Schedule));
        // One pass gives the miss ratios of all capacities only where what is a hit does not depend on the capacity.
        let is_stack = setting.size_change.is_none_or(|change| change == SizeChange::Hit);
        tasks.extend((self.study == Study::Curve && is_stack).then_some(Task::StackDistances));
        tasks
    }

    fn setting(&self, point: &Node) -> Result<Setting> {
        let (study, top) = (self.study, point.table("the scenario")?);
        let node = match study {
            Study::Cache => top.require("cache", "[cache]")?,
            Study::Curve => top.require("curve", "[curve]")?,
            Study::Bound => top.require("bound", "[bound]")?,
        };
        let table = node.table(&format!("[{}]", study.word()))?;
        let trace = self.trace(&table)?;
        let sized = choice_of(&table, "sizes", &["unit", "bytes"])? == Some("bytes");
        if study != Study::Bound {
            trace.refuse_pipe(&format!("`[{}]`", study.word()))?;
        }
        let (facts, chained) = (facts(&trace, sized)?, trace.is_chained()?);
        if chained && study != Study::Cache {
            return Err(chained::only_played(&table, study));
        }
        let latency_node = table.require("latency", "latency = \"5ms\"")?;
        let spec = LatencySpec::read(&scenario_values::latency(latency_node)?, self.files);
        let spec = spec.map_err(|error| latency_node.error(error))?;
        if spec.is_by_size() && !sized {
            return Err(latency_node.error("a latency by size needs the sizes of objects; add `sizes = \"bytes\"`"));
        }
        let (resolved, note) = if spec.is_measured() {
            if study == Study::Bound {
                trace.refuse_pipe("`latency = \"measured\"`")?;
            }
            let (latency, said) = measured::latency(&trace).map_err(|error| latency_node.error(error.to_string()))?;
            (latency, Some(format!("{}: {said}", trace.place())))
        } else {
            let resolved = spec.resolve(facts.clock);
            (resolved.map_err(|error| latency_node.error(format!("{}: {error}", trace.place())))?, None)
        };
        resolved.prepare(self.seed).map_err(|error| latency_node.error(error.to_string()))?;
        let capacity_node = table.get("capacity");
        let capacities = self.capacities(&table, capacity_node, sized, chained)?;
        let setting = Setting {
            facts,
            chained,
            latency: (spec, resolved),
            notes: note.into_iter().collect(),
            models: if study == Study::Bound { &[Model::DelayedHits] } else { models(&table)? },
            sized,
            size_change: None,
            service: Service::default(),
            prefetch: None,
            ways: None,
            warmup: 0,
            sample: None,
            search: None,
            attribute: None,
            pairwise: false,
            users: None,
            estimates: false,
            records_requests: self.recorded.contains(&REQUESTS.name),
            records_schedule: self.recorded.contains(&SCHEDULE.name),
            schedule: None,
            certificate: None,
            places: Places {
                capacity: capacity_node.unwrap_or(node).clone(),
                latency: latency_node.clone(),
                ways: node.clone(),
                warmup: node.clone(),
                exact: node.clone(),
                certificate: node.clone(),
                schedule: node.clone(),
                prefetch: node.clone(),
            },
            capacities,
            trace,
        };
        let setting = match study {
            Study::Bound => self.bound(&table, setting)?,
            _ => self.played(&table, setting)?,
        };
        table.finish()?;
        check(&setting)?;
        Ok(setting)
    }

    fn trace(&self, table: &Table<'_>) -> Result<RequestTrace> {
        let node = table.require("trace", "trace = \"zipf:objects=1e4,requests=1e6,skew=0.9\"")?;
        let format = table
            .get("format")
            .map(|node| Spec::parse(node.text("format")?).map_err(|error| node.error(error.to_string())));
        let trace = RequestTrace::beside(&scenario_values::trace(node)?, format.transpose()?.as_ref(), self.files)?;
        trace.refuse_missing().map_err(|error| match node.place {
            // The message names it already.
            Place::Argument(_) => error,
            _ => node.error(error.to_string()),
        })?;
        Ok(match table.get("requests") {
            Some(node) => trace.first(node.integer("requests", 1, i64::MAX as u64)?),
            None => trace,
        })
    }

    fn capacities(&self, table: &Table<'_>, node: Option<&Node>, sized: bool, chained: bool) -> Result<Capacities> {
        let Some(node) = node else {
            return match self.study {
                Study::Curve => {
                    let points = table.get("points").map(|node| node.integer("points", 2, MOST_POINTS));
                    let points = points.transpose()?.unwrap_or(POINTS);
                    Ok(Capacities::Spread(u32::try_from(points).unwrap_or(u32::MAX)))
                }
                Study::Cache => Ok(Capacities::Given(vec![CapacitySpec::usual(sized || chained)])),
                Study::Bound => table
                    .require("capacity", "capacity = 64")
                    .and_then(|node| self.capacities(table, Some(node), sized, chained)),
            };
        };
        let nodes = match &node.value {
            Value::Array(items) if self.study == Study::Curve => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        table.get("points");
        let given: Vec<CapacitySpec> = nodes.iter().map(CapacitySpec::of).collect::<Result<_>>()?;
        for (spec, node) in given.iter().zip(nodes) {
            if !spec.is_share() {
                spec.resolve(sized, None).map_err(|error| node.error(error))?;
            }
        }
        Ok(Capacities::Given(given))
    }

    /// Reads the settings of caches that are played.
    fn played(&self, table: &Table<'_>, setting: Setting) -> Result<Setting> {
        let ways = table.get("ways");
        if let Some(node) = ways.filter(|_| setting.sized) {
            return Err(node.error("`ways` is a number of entries; leave it out if sizes are in bytes"));
        }
        let warmup = table.get("warmup");
        let size_change = size_change(table, setting.sized)?;
        let mut setting = Setting {
            size_change,
            ways: ways.map(|node| node.integer("ways", 1, i64::MAX as u64)).transpose()?,
            warmup: warmup.map_or(Ok(0), |node| node.integer("warmup", 0, i64::MAX as u64))?,
            sample: table.get("sample").map(sample).transpose()?.flatten(),
            ..setting
        };
        setting.places.ways = ways.cloned().unwrap_or(setting.places.ways);
        setting.places.warmup = warmup.cloned().unwrap_or(setting.places.warmup);
        if self.study == Study::Cache {
            let (service, note) = service::read(table, setting.facts.clock, &setting.trace)?;
            setting.service = service;
            setting.notes.extend(note);
            setting.prefetch = prefetch::read(table, &mut setting, self.choices)?;
            if let Some((field, node)) = service::beyond_samples(table).filter(|_| setting.sample.is_some()) {
                return Err(node.error(format!(
                    "a sample of the objects would change the effect of `{field}`; leave `sample` out"
                )));
            }
            setting.search = self.search_beside(table, &setting)?;
            setting.schedule = schedule_field::read(table, &mut setting, self.seed, self.files)?;
            if let Some(node) = self.record.filter(|_| setting.records_schedule && setting.search.is_none()) {
                let advice = "add for example `bound_seconds = 20` (--bound)";
                return Err(node.error(format!("a schedule comes from a search for bounds; {advice}")));
            }
            setting.estimates = table.get("estimates").map_or(Ok(false), |node| asked(node, self.choices))?;
            setting.pairwise = table.get("pairwise").map_or(Ok(false), |node| self.pairwise(node))?;
            setting.users = per_user::read(table, &setting, self.files)?;
            if setting.chained {
                chained::check(table, self.choices, &setting)?;
            }
            let names = || attribution::names(self.choices, &setting);
            setting.attribute = table.get("attribute").map(|node| attribution::read(node, &names())).transpose()?;
        }
        Ok(setting)
    }

    /// Whether policies are compared object by object, of which there must be two.
    fn pairwise(&self, node: &Node) -> Result<bool> {
        let is_asked = node.boolean("pairwise")?;
        if is_asked && self.choices.len() < 2 {
            return Err(node.error("a comparison of pairs needs two policies or more; add one"));
        }
        Ok(is_asked)
    }

    /// Bounds beside policies must be of the same requests.
    fn search_beside(&self, table: &Table<'_>, setting: &Setting) -> Result<Option<Search>> {
        let (in_seconds, in_steps) = (table.get("bound_seconds"), table.get("bound_iterations"));
        let Some(node) = in_seconds.or(in_steps) else { return Ok(None) };
        let seconds = in_seconds.map(|node| node.number_from("bound_seconds", 0.0, f64::MAX)).transpose()?;
        let steps = in_steps.map(|node| node.integer("bound_iterations", 1, u32::MAX.into())).transpose()?;
        if !setting.models.contains(&Model::DelayedHits) {
            return Err(node.error("bounds need the model with delayed hits; leave `model` out"));
        }
        if let Some((field, _)) = service::beyond_bounds(table) {
            return Err(node.error(format!("bounds do not support `{field}`; leave one of them out")));
        }
        if setting.warmup > 0 {
            return Err(node.error("a bound covers all requests; leave `warmup` out"));
        }
        if setting.sample.is_some() {
            return Err(node.error("a bound covers all requests; leave `sample` out"));
        }
        known(&setting.latency.1, self.seed).map_err(|error| setting.places.latency.error(error))?;
        let mut most = Effort::within(seconds.unwrap_or(f64::MAX), 0);
        if let Some(steps) = steps {
            most.iterations = u32::try_from(steps).unwrap_or(u32::MAX);
            // So many steps, however near the bounds are.
            most.gap = if in_seconds.is_some() { most.gap } else { 0.0 };
        }
        Ok(Some(Search { most, seconds, exact: false }))
    }

    /// Reads the settings of a search for bounds without policies.
    fn bound(&self, table: &Table<'_>, mut setting: Setting) -> Result<Setting> {
        known(&setting.latency.1, self.seed).map_err(|error| setting.places.latency.error(error))?;
        if setting.needs_population() {
            setting.trace.refuse_pipe("a capacity that is a share")?;
        }
        let steps = table.get("iterations").map_or(Ok(STEPS), |node| node.integer("iterations", 1, u32::MAX.into()))?;
        let gap = table.get("gap").map_or(Ok(GAP_PERCENT), |node| node.number_from("gap", 0.0, 100.0))?;
        let seconds = table.get("seconds").map(|node| node.number_from("seconds", 0.0, f64::MAX)).transpose()?;
        let exact = table.get("exact");
        let is_exact = exact.map_or(Ok(false), |node| node.boolean("exact"))?;
        setting.places.exact = exact.unwrap_or(&setting.places.exact).clone();
        if let Some(node) = table.get("certificate") {
            setting.certificate = Some(PathBuf::from(node.text("certificate")?));
            setting.places.certificate = node.clone();
        }
        let iterations = u32::try_from(steps).unwrap_or(u32::MAX);
        setting.search = Some(Search { most: Effort { iterations, gap: gap / 100.0 }, seconds, exact: is_exact });
        Ok(setting)
    }
}

/// Rejects a cache that cannot be built, as far as this is known before its capacity.
fn check(setting: &Setting) -> Result<()> {
    let Capacities::Given(specs) = &setting.capacities else { return Ok(()) };
    for spec in specs.iter().filter(|spec| !spec.is_share()) {
        let capacity = spec.resolve(setting.sized, None).map_err(|error| setting.places.capacity.error(error))?;
        forebay_cache::sets(capacity, setting.ways).map_err(|error| setting.places.ways.error(error.message))?;
    }
    Ok(())
}

/// The share of objects that is played; all of them is no sample.
fn sample(node: &Node) -> Result<Option<f64>> {
    let text = node.text("sample")?;
    let number = text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    match number.filter(|percent| *percent > 0.0 && *percent <= 100.0) {
        Some(percent) => Ok(Some(percent / 100.0).filter(|share| *share < 1.0)),
        None => {
            let advice = "write a percentage above 0 % and up to 100 %, like 5%";
            Err(node.error(format!("`{text}` is not a share; {advice}")))
        }
    }
}

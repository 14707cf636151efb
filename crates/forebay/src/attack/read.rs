//! Reads a scenario of attacks and checks all that can be checked before the simulation starts.

use super::application::Application;
use super::below_watermark::Below;
use super::read_attack;
use super::read_innocent::{self, Estimate};
use super::read_suspected;
use super::scenario::{AttackScenario, Attacker, Cell, InnocentTraffic, Processor, Sends, Setting, without_rate};
use super::search::SearchOptions;
use super::table::gbps;
use crate::document::{Node, Table, Value};
use crate::error::Result;
use crate::fields;
use crate::run::{Said, VERSION, hex};
use crate::scenario::{
    self, Asked, Files, NamedPolicy, Offered, Plan, PortNode, Summed, name_and_seed, positive, quantity,
    refuse_inner_repetitions, repetitions,
};
use crate::sweep::{MAX_RUNS, Point, Sweep};
use forebay_core::convert::index;
use forebay_core::{BufferSize, Duration, Field, Fields, Rate, Seed};
use forebay_sim::attack::{Turn, Turns};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const EXAMPLE: &str = "rank = \"arrival\", queue = \"fifo\"";
const PROCESSOR: &str = "[processor] with buffer = \"1000 packets\"";
const INNOCENT: &str = "[innocent] with rate = \"5 Gbps\"";
const ATTACK: &str = "[attack] with rate = \"100 Mbps\" and max_job = \"10 us\"";

const DEFAULT_PACKETS: u64 = 1_000_000;
const DEFAULT_REPETITIONS: u64 = 3;
/// The divisor that gives the default number of packets before the counted ones.
const DEFAULT_WARMUP_SHARE: u64 = 10;
/// A lightweight preemption, handler and context switch.
const DEFAULT_SWITCH_COST: Duration = Duration::from_ns(100);
/// The clock ends after 213 days.
const MAX_SECONDS: f64 = 200.0 * 86_400.0;

/// Returns whether a document is a scenario of attacks, in the form of this or of an earlier version.
pub(crate) fn is_attack(document: &Node) -> bool {
    ["processor", "innocent", "attack", "attack_study"].iter().any(|table| document.has(table))
}

impl AttackScenario {
    /// Checks a document. `seed` replaces the seed in the document.
    pub fn read(document: &Node, default_name: &str, seed: Option<u64>, files: &dyn Files) -> Result<Self> {
        let top = document.table("the scenario")?;
        refuse_other_kinds(&top)?;
        let (name, seed) = name_and_seed(&top, default_name, seed)?;
        let repetitions = repetitions(&top, DEFAULT_REPETITIONS, MAX_RUNS)?;
        top.get("zip");
        let baseline = top.get("baseline");
        top.require("processor", PROCESSOR)?;
        top.require("innocent", INNOCENT)?;
        top.require("attack", ATTACK)?;
        top.get("search");
        top.require("policy", &format!("[[policy]] with {EXAMPLE}"))?;
        top.finish()?;
        let sweep = Sweep::of(document, &fields::ATTACK, repetitions, EXAMPLE)?;
        let reader = Reader { files: Summed::new(files), seed, known: RefCell::default(), sweep };
        let (mut cells, mut warnings) = (Vec::new(), Vec::new());
        for point in &reader.sweep.points {
            reader.read_point(point, &mut cells, &mut warnings)?;
        }
        let rate_axis = reader.rate_axis();
        in_groups(&mut cells, rate_axis.as_deref());
        let values_sha256 = hex(document.sorted().to_toml().as_bytes());
        let said = Said { name, seed, file_sha256: String::new(), values_sha256 };
        let baseline = scenario::baseline(baseline, cells.iter().map(|cell| cell.policy.name.as_str()))?;
        let mut scenario = Self { said, repetitions, cells, rate_axis, baseline, warnings };
        scenario.warn_of_long_flows();
        Ok(scenario)
    }

    /// Flows of an attack that are still being sent when all is over do less harm than they could.
    fn warn_of_long_flows(&mut self) {
        let longest = self.cells.iter().filter_map(|cell| {
            let setting = &cell.setting;
            let Sends::Inputs(own) = &setting.attacker.sends else { return None };
            let (flow, counted) = (own.longest_flow(setting.attack_bps), setting.time_of(setting.packets));
            (flow > counted).then(|| (flow.as_secs_f64() / counted.as_secs_f64(), flow, counted, setting))
        });
        let Some((_, flow, counted, setting)) = longest.max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        let warning = format!(
            "at an attack of {}, the attack needs {flow} to reach its full work, but only {counted} are counted with {} of innocent \
             traffic; set `packets` higher, or use a weaker attack",
            gbps(setting.attack_bps as f64 / 1e9),
            gbps(setting.innocent_bps as f64 / 1e9),
        );
        self.warnings.push(warning);
    }
}

/// Names the form that replaces an earlier one, and the tables of other kinds of scenarios.
fn refuse_other_kinds(top: &Table<'_>) -> Result<()> {
    if let Some(study) = top.get("attack_study") {
        return Err(study.error(
            "write [processor] in place of [attack_study], with `servers`, `buffer` and `estimate`; `packets` and `warmup` are in \
             [innocent], and the other tables are [attack] and [search]",
        ));
    }
    for field in ["port", "traffic", "until"] {
        if let Some(node) = top.get(field) {
            return Err(node.error(format!(
                "`{field}` is for scenarios with a link; a scenario of attacks has [processor], [innocent], [attack] and [[policy]]"
            )));
        }
    }
    Ok(())
}

/// Brings cells together that differ in the attack's rate alone, without changing their order otherwise.
fn in_groups(cells: &mut Vec<Cell>, rate_axis: Option<&str>) {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut numbered: Vec<(usize, Cell)> = Vec::new();
    for cell in cells.drain(..) {
        let place = format!("{:?} {:?}", cell.policy.name, without_rate(&cell.axes, rate_axis));
        let next = places.len();
        numbered.push((*places.entry(place).or_insert(next), cell));
    }
    numbered.sort_by_key(|(number, _)| *number);
    cells.extend(numbered.into_iter().map(|(_, cell)| cell));
}

/// The parts that are the same at all rates, by their text in the scenario, with the files that they need.
#[derive(Default)]
struct Known {
    innocent: BTreeMap<String, KnownInnocent>,
    attackers: BTreeMap<String, Arc<Attacker>>,
}

#[derive(Clone)]
struct KnownInnocent {
    /// The text of the scenario about it.
    key: String,
    traffic: Arc<InnocentTraffic>,
    application: Option<Application>,
    asked: Asked,
}

/// The common state while the points of a sweep are read.
struct Reader<'a> {
    files: Summed<'a>,
    seed: Seed,
    known: RefCell<Known>,
    sweep: Sweep,
}

impl Reader<'_> {
    /// The name of the axis of attack rates.
    fn rate_axis(&self) -> Option<String> {
        self.sweep.points.iter().find_map(|point| {
            let axis = point.choices.iter().position(|choice| choice.path == ["attack", "rate"])?;
            Some(self.sweep.axes(point, &self.sweep.policies[0])[axis].0.clone())
        })
    }

    /// Appends the cells of a point with all policies.
    fn read_point(&self, point: &Point, cells: &mut Vec<Cell>, warnings: &mut Vec<String>) -> Result<()> {
        let top = point.node.table("the scenario")?;
        let processor_node = top.require("processor", PROCESSOR)?;
        let processor = processor(processor_node)?;
        let buffer = processor.buffer;
        let innocent_node = top.require("innocent", INNOCENT)?;
        let innocent = self.innocent(innocent_node, processor.estimate)?;
        for warning in innocent.application.iter().flat_map(|application| &application.warnings) {
            if !warnings.contains(warning) {
                warnings.push(warning.clone());
            }
        }
        let setting = self.setting(&top, processor, &innocent)?;
        // A processor has no rate. Policies that want that of a link get what it can do with innocent packets.
        let rate = rate_of(setting.capacity_bps()).ok_or_else(|| {
            innocent_node
                .error("the processor can serve less than one bit of innocent traffic per second; use smaller jobs")
        })?;
        let port = PortNode { rate, buffer, node: processor_node, what: "[processor]", policy: "[[policy]]", at: None };
        let offered = Offered { how_to_get, ..Offered::with(Fields::NONE.with(Field::Processing)) };
        let setting = Arc::new(setting);
        // A run does not depend on the limits of searches, and one without an attack on no attacker.
        let mut of_runs = point.node.sorted();
        of_runs.remove(&["search"]);
        let mut of_baselines = of_runs.clone();
        of_baselines.remove(&["attack"]);
        let shared = Arc::new(point.node.clone());
        let mut told_apart = BTreeSet::new();
        for choice in self.sweep.policies_of(point) {
            let mut plain = choice.node.clone();
            let below = Below::take(&mut plain, |node| self.policy(node, &port, &offered))?;
            let policy = self.policy(&plain, &port, &offered)?;
            let keeps_flows =
                matches!(policy.discipline, Plan::Flows(_)) || below.as_ref().is_some_and(Below::keeps_flows);
            if setting.processor.turns.is_some() && keeps_flows {
                return Err(choice.node.error(
                    "`slice` of [processor] sends jobs back to the queue, but this rank keeps flows in order; leave `slice` out, or use \
                     for example rank = \"job-ratio\"",
                ));
            }
            // Nothing would tell them apart.
            let choices = choice.choices.iter().map(|choice| (choice.path.clone(), choice.value.text.clone()));
            if !told_apart.insert((policy.name.clone(), choices.collect::<Vec<_>>())) {
                let message = format!("there are two policies called `{}`; give one a `name`", policy.name);
                return Err(choice.node.error(message));
            }
            let asked = self.files.take_asked();
            let key = |of: &Node| {
                let policy = choice.node.sorted().to_toml();
                let (files, is_live) = (&innocent.asked, setting.is_live());
                let text = format!("{}\n[policy]\n{policy}\n{asked:?}\n{files:?}\n{is_live}", of.to_toml());
                hex(format!("forebay {VERSION}\n{text}").as_bytes())
            };
            let (key, baseline_key) = (key(&of_runs), key(&of_baselines));
            let axes = self.sweep.axes(point, choice);
            let (setting, point, policy_node) = (Arc::clone(&setting), Arc::clone(&shared), choice.node.clone());
            cells.push(Cell { axes, setting, policy, below, key, baseline_key, point, policy_node });
        }
        Ok(())
    }

    /// Innocent traffic, which points may share that differ in rates and numbers of packets.
    fn innocent(&self, node: &Node, estimate: Estimate) -> Result<KnownInnocent> {
        let mut text = node.sorted();
        ["rate", "packets", "warmup"].iter().for_each(|field| text.remove(&[field]));
        let key = format!("{estimate:?} {}", text.to_inline_toml());
        if let Some(known) = self.known.borrow().innocent.get(&key) {
            return Ok(known.clone());
        }
        let (traffic, application) = read_innocent::read(node, estimate, &self.files)?;
        let asked = self.files.take_asked();
        let read = KnownInnocent { key: key.clone(), traffic: Arc::new(traffic), application, asked };
        self.known.borrow_mut().innocent.insert(key, read.clone());
        Ok(read)
    }

    /// Reads an attacker, which points that differ only in rates may share.
    fn attacker(&self, node: &Node, innocent: &KnownInnocent) -> Result<Arc<Attacker>> {
        let mut text = node.sorted();
        text.remove(&["rate"]);
        let key = format!("{} {}", text.to_inline_toml(), innocent.key);
        if let Some(known) = self.known.borrow().attackers.get(&key) {
            return Ok(Arc::clone(known));
        }
        let read = Arc::new(read_attack::read(node, innocent.application.as_ref(), self.seed)?);
        self.known.borrow_mut().attackers.insert(key, Arc::clone(&read));
        Ok(read)
    }

    fn setting(&self, top: &Table<'_>, processor: ReadProcessor<'_>, innocent: &KnownInnocent) -> Result<Setting> {
        let innocent_node = top.require("innocent", INNOCENT)?;
        let table = innocent_node.table("[innocent]")?;
        let innocent_bps = rate(&table)?;
        let number = |key: &'static str, default, least| {
            table.get(key).map_or(Ok(default), |node| node.integer(key, least, i64::MAX as u64))
        };
        let packets = number("packets", DEFAULT_PACKETS, 1)?;
        let warmup = number("warmup", packets / DEFAULT_WARMUP_SHARE, 0)?;
        let attack_node = top.require("attack", ATTACK)?;
        let attack_bps = rate(&attack_node.table("[attack]")?)?;
        let attacker = self.attacker(attack_node, innocent)?;
        if let Some(node) = processor.estimate_node {
            check_estimate(node, processor.estimate, innocent.application.is_some(), &attacker)?;
        }
        let search = SearchOptions::read(top.get("search"), attacker.searched)?;
        let traffic = Arc::clone(&innocent.traffic);
        let processor = processor.processor;
        let setting =
            Setting { processor, innocent: traffic, innocent_bps, packets, warmup, attacker, attack_bps, search };
        check_length(&setting, innocent_node)?;
        check_link(&setting, attack_node)?;
        Ok(setting)
    }

    fn policy(&self, node: &Node, port: &PortNode<'_>, offered: &Offered) -> Result<NamedPolicy<Plan>> {
        let policy = NamedPolicy::read(node, port, offered, &self.files)?;
        match &policy.discipline {
            Plan::OpenQueue(plan) if plan.policy.ports.len() > 1 => Err(node.error(format!(
                "{} has {} ports; a processor has one queue and needs a policy with one port",
                plan.file,
                plan.policy.ports.len()
            ))),
            _ => Ok(policy),
        }
    }
}

/// A processor, and where its values stand.
struct ReadProcessor<'a> {
    processor: Processor,
    estimate: Estimate,
    estimate_node: Option<&'a Node>,
    buffer: Option<(BufferSize, &'a Node)>,
}

/// Reads `[processor]`.
fn processor(node: &Node) -> Result<ReadProcessor<'_>> {
    let table = node.table("[processor]")?;
    refuse_inner_repetitions(&table)?;
    for field in ["packets", "warmup"] {
        if let Some(node) = table.get(field) {
            return Err(node.error(format!("`{field}` counts innocent packets; write it in [innocent]")));
        }
    }
    let buffer = match table.get("buffer") {
        Some(node) => Some((quantity(node, "buffer", BufferSize::parse)?, node)),
        None => None,
    };
    let estimate_node = table.get("estimate");
    let estimate = read_innocent::estimate(estimate_node)?;
    let link_bps = match table.get("link") {
        Some(node) => Some(quantity(node, "link", Rate::parse)?.bits_per_second()),
        None => None,
    };
    let turns = turns(&table)?;
    let servers = index(table.get("servers").map_or(Ok(1), |node| node.integer("servers", 1, 1_000))?);
    let aside = read_suspected::read(&table, servers)?;
    table.finish()?;
    let processor = Processor {
        servers,
        aside,
        buffer: buffer.map(|(buffer, _)| buffer),
        estimator: estimate.estimator(),
        estimate: estimate.name(),
        link_bps,
        turns,
    };
    Ok(ReadProcessor { processor, estimate, estimate_node, buffer })
}

/// `slice` and `switch_cost`, if jobs are worked on in turns.
fn turns(table: &Table<'_>) -> Result<Option<Turns>> {
    let cost = table.get("switch_cost");
    let Some(slice) = table.get("slice") else {
        return match cost {
            Some(node) => {
                Err(node.error("`switch_cost` is for jobs that return to the queue; add for example slice = \"2 us\""))
            }
            None => Ok(None),
        };
    };
    let turn = match &slice.value {
        Value::Text(text) if text == "estimate" => Turn::Estimate,
        Value::Text(text) if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            return Err(slice.error(format!("`slice` must be a time like \"2 us\", or \"estimate\", not `{text}`")));
        }
        _ => Turn::Fixed(positive(slice, "slice")?),
    };
    let cost = cost.map_or(Ok(DEFAULT_SWITCH_COST), |node| quantity(node, "switch_cost", Duration::parse))?;
    Ok(Some(Turns { turn, cost }))
}

/// Innocents and attacker share a link (section 3.3.2).
fn check_link(setting: &Setting, attack: &Node) -> Result<()> {
    let Some(link_bps) = setting.processor.link_bps else { return Ok(()) };
    let sum = setting.innocent_bps.saturating_add(setting.attack_bps);
    if sum <= link_bps {
        return Ok(());
    }
    let [innocent, attacker, link] =
        [setting.innocent_bps, setting.attack_bps, link_bps].map(|bps| gbps(bps as f64 / 1e9));
    Err(attack.error(format!(
        "innocents at {innocent} and an attack at {attacker} together exceed the `link` of [processor], which is {link}; use \
         lower rates, or a faster `link`"
    )))
}

/// `rate` in bits per second.
fn rate(table: &Table<'_>) -> Result<u64> {
    let node = table.require("rate", "rate = \"1 Gbps\"")?;
    Ok(quantity(node, "rate", Rate::parse)?.bits_per_second())
}

fn check_length(setting: &Setting, innocent: &Node) -> Result<()> {
    let packets = setting.packets as f64 + setting.warmup as f64;
    let bps = setting.innocent_bps;
    if packets * setting.innocent.innocent.means().size_bits / bps as f64 > MAX_SECONDS {
        return Err(innocent.error(format!(
            "at {bps} bps, {packets} packets take more than 200 days; use fewer packets or a higher rate"
        )));
    }
    Ok(())
}

/// An estimate of an application needs one, and where an application works on attack packets there is no other.
fn check_estimate(node: &Node, estimate: Estimate, is_application: bool, attacker: &Attacker) -> Result<()> {
    if estimate == Estimate::Application && !is_application {
        return Err(node.error(
            "this `estimate` needs an application that makes it; add for example application = \"tcp-reassembly\" to \
             [innocent]",
        ));
    }
    if estimate != Estimate::Application && matches!(attacker.sends, Sends::Inputs(_)) {
        return Err(node.error(
            "with strategy = \"application\" policies use the estimate of the application; leave `estimate` out",
        ));
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn rate_of(bps: f64) -> Option<Rate> {
    Rate::from_bits_per_second(bps as u64)
}

fn how_to_get(_: Field) -> &'static str {
    "packets in a scenario of attacks have a size, a flow, and the work that they cause (`processing`)"
}

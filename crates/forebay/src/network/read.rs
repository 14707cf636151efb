//! Reads a scenario of networks and checks all that can be checked before the simulation starts.

use super::cell::{Carried, Cell, Common};
use super::files::ReadOnce;
use super::live_states::{CountedOnce, Shared};
use super::policy::PolicyPlan;
use super::recorded::{Recorded, RecordedFlows};
use super::settings::Settings;
use super::state_policy::TOLD;
use super::states::StatePlan;
use super::topology::Topology;
use super::workload::{Drawn, FlowRate, Flows, WorkloadPlan};
use super::{NetworkScenario, failure, limits, warnings};
use crate::document::{Node, Value};
use crate::error::{Result, UserError};
use crate::fields;
use crate::run::{MadeOnce, Said, VERSION, hex};
use crate::scenario::{self, Files, Offered, name_and_seed, refuse_inner_repetitions, repetitions};
use crate::sweep::{AxisValue, MAX_RUNS, Point, Sweep};
use forebay_core::{Field, Fields, Seed, Time};
use forebay_sim::net::workload::{Arrivals, Intensity};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns whether a document is a scenario of networks, or a part of one.
pub fn is_network(document: &Node) -> bool {
    let is_part = |(name, node): &(String, Node)| match (name.as_str(), &node.value) {
        ("network" | "workload" | "scheme", _) => true,
        ("policy", Value::Array(policies)) => policies.iter().any(|policy| policy.has("transport")),
        _ => false,
    };
    matches!(&document.value, Value::Table(fields) if fields.iter().any(is_part))
}

impl NetworkScenario {
    /// Checks a document. `seed` replaces the seed in the document.
    pub fn read(document: &Node, default_name: &str, seed: Option<u64>, files: &dyn Files) -> Result<Self> {
        let top = document.table("the scenario")?;
        for field in ["port", "traffic", "until", "processor"] {
            if let Some(node) = top.get(field) {
                return Err(node.error(format!(
                    "`{field}` cannot stand beside [network]: a scenario has [network], [[workload]] and [[policy]], or [port], \
                     [traffic] and [[policy]]"
                )));
            }
        }
        let (name, seed) = name_and_seed(&top, default_name, seed)?;
        let network = top.require("network", "[network] with topology = \"star\"")?;
        top.require("workload", "[[workload]] with sizes = \"web-search\", load = 0.6")?;
        top.require("policy", "[[policy]] with transport = \"newreno\" and port = { ... }")?;
        top.get("zip");
        let baseline = top.get("baseline");
        top.get("failure");
        top.get("state");
        let repetitions = repetitions(&top, 1, MAX_RUNS)?;
        top.finish()?;
        refuse_inner_repetitions(&network.table("[network]")?)?;

        let sweep = Sweep::of(document, &fields::NETWORK, repetitions, "transport = \"newreno\"")?;
        let reader =
            Reader { files: ReadOnce::new(files), topologies: RefCell::default(), sweep, counted: Arc::default() };
        let mut cells = Vec::new();
        for point in &reader.sweep.points {
            reader.read_point(point, &mut cells)?;
        }
        let policy_names = cells.iter().fold(Vec::new(), |mut names: Vec<String>, cell: &Cell| {
            if !names.contains(&cell.policy.name) {
                names.push(cell.policy.name.clone());
            }
            names
        });
        let baseline = scenario::baseline(baseline, policy_names.iter().map(String::as_str))?;
        check_told(&cells)?;
        let first = &cells[0].common.settings;
        let (topology, completion) = (first.topology.name.clone(), first.completion);
        let warnings = warnings::of_cells(&cells)?;
        let values_sha256 = hex(document.sorted().to_toml().as_bytes());
        let said = Said { name, seed, file_sha256: String::new(), values_sha256 };
        Ok(Self { said, repetitions, cells, policy_names, baseline, topology, completion, warnings, made_once: None })
    }

    /// Returns the scenario as that of a file with this SHA-256.
    pub(crate) fn of_file(mut self, file_sha256: String) -> Self {
        self.said.file_sha256 = file_sha256;
        self
    }

    /// Returns the scenario with `made_once`, so that it reuses runs that other scenarios have made. If runs are kept in a folder, all runs
    /// are made.
    #[must_use]
    pub fn sharing(self, made_once: &Arc<MadeOnce>) -> Self {
        Self { made_once: Some(Arc::clone(made_once)), ..self }
    }

    /// Returns the flows that are sent again, if the topology is made from a recording.
    pub fn recorded(&self) -> Option<RecordedFlows> {
        let settings = &self.cells.first()?.common.settings;
        let mut recorded = settings.topology.recorded.as_ref().map(Recorded::summary)?;
        let end = settings.duration.map_or(Time::MAX, |duration| Time::ZERO + duration);
        recorded.flows.retain(|flow| flow.spec.start < end);
        Some(recorded)
    }

    /// Returns the root of all random numbers.
    pub fn seed(&self) -> Seed {
        self.said.seed
    }
}

/// Rejects settings of notifications where no cache receives any, with every choice of values in lists.
fn check_told(cells: &[Cell]) -> Result<()> {
    let mut places: Vec<(&Node, bool)> = Vec::new();
    for Cell { policy, common, .. } in cells {
        let told = |state: &StatePlan| policy.of_states(state).is_told;
        let of_states = common.states.iter().filter_map(|state| Some((state.seer_place.as_ref()?, told(state))));
        let of_policy = policy.seer_place.as_ref().map(|place| (place, common.states.iter().any(told)));
        for (node, is_told) in of_states.chain(of_policy) {
            match places.iter_mut().find(|(known, _)| known.place == node.place) {
                Some((_, any)) => *any |= is_told,
                None => places.push((node, is_told)),
            }
        }
    }
    match places.iter().find(|(_, is_told)| !is_told) {
        None => Ok(()),
        Some((node, _)) => Err(node.error(format!(
            "this is for caches that receive notifications, and no policy here ends in `{TOLD}`; write for example \
             \"lru{TOLD}\", or leave it out"
        ))),
    }
}

/// Names and checksums of files.
type Asked = BTreeMap<String, String>;

/// The common state while the points of a sweep are read.
struct Reader<'a> {
    files: ReadOnce<'a>,
    /// The topologies by their text in the scenario, with the files that they need.
    topologies: RefCell<BTreeMap<String, (Arc<Topology>, Asked)>>,
    sweep: Sweep,
    counted: Arc<CountedOnce>,
}

impl Reader<'_> {
    /// Appends the cells of a point with all policies.
    fn read_point(&self, point: &Point, cells: &mut Vec<Cell>) -> Result<()> {
        self.files.take_asked();
        let table = point.node.table("the scenario")?;
        let network = table.require("network", "[network]")?;
        let settings = Settings::read(network, |node| self.topology(node))?;
        let shared_buffer = network.table("[network]")?.get("shared_buffer");
        let topology = Arc::clone(&settings.topology);
        let list = table.require("workload", "[[workload]]")?;
        let workloads = WorkloadPlan::read_all(list, &topology, settings.duration, &self.files)?;
        check_ends(list, &settings, &workloads)?;
        let changes = failure::read_all(table.get("failure"), &topology.graph)?;
        let states = StatePlan::read_all(table.get("state"), &topology)?;
        let offered = offered(&workloads, &states);
        let mut common: Option<Arc<Common>> = None;
        let asked = self.files.take_asked();
        let mut plans: Vec<(PolicyPlan, Asked, &Point)> = Vec::new();
        let mut told_apart = BTreeSet::new();
        for policy in self.sweep.policies_of(point) {
            let plan = PolicyPlan::read(policy, &topology, &offered, &states, &self.files)?;
            if let (Some(node), Some(buffer)) = (shared_buffer, settings.shared_buffer) {
                limits::check_one_memory(node, &plan)?;
                limits::check_shared_buffer(node, buffer, &plan.largest)?;
            }
            // Nothing would tell them apart.
            let choices = policy.choices.iter().map(|choice| (choice.path.clone(), choice.value.text.clone()));
            if !told_apart.insert((plan.name.clone(), choices.collect::<Vec<_>>())) {
                let message = format!("there are two policies called `{}`; give one a `name`", plan.name);
                return Err(policy.node.error(message));
            }
            plans.push((plan, self.files.take_asked(), policy));
        }
        for (plan, asked_by_policy, policy) in plans {
            let common = match &common {
                Some(common) => Arc::clone(common),
                None => {
                    let carried = carried(&workloads, &topology, &plan)?;
                    let (settings, changes, states) = (settings.clone(), changes.clone(), states.clone());
                    let new = Common { settings, workloads: carried, changes, states };
                    Arc::clone(common.insert(Arc::new(new)))
                }
            };
            let axes: Vec<(String, AxisValue)> = self.sweep.axes(point, policy);
            let arrivals: Vec<_> = common.workloads.iter().map(|workload| &workload.arrivals).collect();
            let besides = format!("{asked:?}\n{asked_by_policy:?}\n{arrivals:?}");
            let wants_alive = common.states.iter().any(StatePlan::is_of_alive);
            let shared = wants_alive.then(|| Shared::new(&self.counted, point, policy, &besides));
            let key = format!(
                "forebay {VERSION}\n{}\n[policy]\n{}\n{besides}",
                point.node.sorted().to_toml(),
                policy.node.sorted().to_toml(),
            );
            let (own_axes, key) = (policy.choices.len(), hex(key.as_bytes()));
            cells.push(Cell { axes, own_axes, policy: Arc::new(plan), common, shared, key });
        }
        Ok(())
    }

    /// A topology, which many points may share.
    fn topology(&self, node: &Node) -> Result<Arc<Topology>> {
        let text = node.to_inline_toml();
        if let Some((known, asked)) = self.topologies.borrow().get(&text) {
            self.files.note(asked.clone());
            return Ok(Arc::clone(known));
        }
        let before = self.files.take_asked();
        let read = Arc::new(Topology::read(node, &self.files)?);
        let asked = self.files.take_asked();
        self.files.note(before);
        self.files.note(asked.clone());
        self.topologies.borrow_mut().insert(text, (Arc::clone(&read), asked));
        Ok(read)
    }
}

/// Returns the properties of the packets.
fn offered(workloads: &[WorkloadPlan], states: &[StatePlan]) -> Offered {
    let fields = Fields::NONE.with(Field::RemainingBytes);
    let all_ranked = workloads.iter().all(|workload| workload.ranks.is_some());
    let fields = if all_ranked { fields.with(Field::Rank) } else { fields };
    let all_late = workloads.iter().all(|workload| workload.lateness.is_some());
    let fields = if all_late { fields.with(Field::Slack) } else { fields };
    // Acknowledgements have the class of their flow.
    let of_fetches = states.iter().filter_map(|state| Some(state.store.remote.as_ref()?.class.0));
    let classes = workloads.iter().map(|workload| workload.class.0).chain(of_fetches).collect::<BTreeSet<u8>>();
    Offered { fields, classes, ranks: None, how_to_get }
}

fn how_to_get(field: Field) -> &'static str {
    match field {
        Field::Rank => "add `rank = { distribution = \"uniform\", min = 0, max = 100 }` to every [[workload]]",
        Field::Slack => "add `slack = \"1 ms\"` or `deadline = \"10 ms\"` to every [[workload]]",
        _ => {
            "packets in networks carry their class, the bytes left of their flow, a rank if [[workload]] has `rank`, and a \
             slack if [[workload]] has `slack` or `deadline`"
        }
    }
}

/// Rejects runs that would never end.
fn check_ends(list: &Node, settings: &Settings, workloads: &[WorkloadPlan]) -> Result<()> {
    let place = |number: usize| match &list.value {
        Value::Array(items) => items.get(number).unwrap_or(list),
        _ => list,
    };
    for (number, workload) in workloads.iter().enumerate() {
        limits::check_flows(place(number), workload, settings)?;
        if workload.is_endless() && settings.length().is_none() {
            return Err(place(number).error(format!(
                "flows of workload `{}` never end, and neither would the run; add `until = \"1 s\"` to [network]",
                workload.name
            )));
        }
        if !workload.is_bounded() && settings.length().is_none() {
            return Err(place(number).error(format!(
                "workload `{}` would start flows for ever; add `duration = \"1 s\"` to [network], or `flows = 1000` here",
                workload.name
            )));
        }
    }
    Ok(())
}

/// Workloads with the arrivals that they have if a load counts headers as this policy sends them.
fn carried(workloads: &[WorkloadPlan], topology: &Topology, first: &PolicyPlan) -> Result<Vec<Carried>> {
    let mut shares = vec![0.0; topology.hosts.count()];
    let mut all = Vec::new();
    for plan in workloads {
        let arrivals = match &plan.flows {
            Flows::Drawn(drawn) => {
                let transport = plan.transport.as_ref().unwrap_or(&first.transport);
                let segment = transport.segment_bytes()?;
                if let FlowRate::Load(load, node) = &drawn.rate {
                    add_load(&mut shares, drawn, *load, node, topology)?;
                }
                Some(arrivals(drawn, drawn.wire_overhead(&topology.hosts, segment)?))
            }
            Flows::Replayed(_) => None,
        };
        all.push(Carried { plan: plan.clone(), arrivals });
    }
    Ok(all)
}

fn arrivals(drawn: &Drawn, wire_overhead: f64) -> Arrivals {
    let intensity = match drawn.rate {
        FlowRate::FlowsPerSecond(rate) => Intensity::FlowsPerSecond(rate),
        FlowRate::Every(interval) => Intensity::Every(interval),
        FlowRate::Load(load, _) => Intensity::Load { load, wire_overhead },
    };
    if drawn.is_poisson { Arrivals::Poisson(intensity) } else { Arrivals::Constant(intensity) }
}

/// Adds up what each host is to send; rejects more than it can.
fn add_load(shares: &mut [f64], drawn: &Drawn, load: f64, node: &Node, topology: &Topology) -> Result<()> {
    const SLACK: f64 = 1e-9;
    let pattern = (drawn.pattern.entry.build)(&drawn.pattern.params, &topology.hosts, Seed(0));
    let pattern = pattern.map_err(|error| drawn.pattern.error(&error))?;
    for host in pattern.senders() {
        let share = &mut shares[host.index()];
        *share += load;
        if *share > 1.0 + SLACK {
            return Err(too_much(node, topology.hosts.name(*host), *share));
        }
    }
    Ok(())
}

fn too_much(node: &Node, host: &str, share: f64) -> UserError {
    node.error(format!(
        "the loads of all workloads add up to {:.0} % of the link of host `{host}`; give loads that add up to 1 at most",
        share * 100.0
    ))
}

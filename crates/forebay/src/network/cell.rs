//! One cell of a sweep: a network, its workloads, and a policy.

use super::elements::elements;
use super::live_states::Shared;
use super::policy::PolicyPlan;
use super::run_result::{LinkContext, MeasureContext, WorkloadContext};
use super::settings::Settings;
use super::states::StatePlan;
use super::workload::{Drawn, Flows, WorkloadPlan};
use crate::error::{Result, UserError};
use crate::sweep::AxisValue;
use forebay_core::{Duration, Element, Seed, Time};
use forebay_sim::net::workload::{Arrivals, Generator, Merge, Recipe, Replay};
use forebay_sim::net::{
    Allowances, Carriage, Change, FlowSource, FlowSpec, Network, NetworkSpec, StatefulNode, Transport,
};
use rand::RngExt as _;
use std::sync::Arc;

/// The parts that all policies of a point share.
#[derive(Debug)]
pub(super) struct Common {
    pub(super) settings: Settings,
    pub(super) workloads: Vec<Carried>,
    pub(super) changes: Vec<(Time, Change)>,
    pub(super) states: Vec<StatePlan>,
}

/// A workload and the start times of its flows.
#[derive(Debug)]
pub(super) struct Carried {
    pub(super) plan: WorkloadPlan,
    /// The arrivals; [`None`] if a file has them.
    pub(super) arrivals: Option<Arrivals>,
}

/// The time for which a run waits for flows that have not ended, if the scenario does not state it: flows whose packets never reach their
/// receivers never end.
const LONGEST_WAIT: Duration = Duration::from_ms(1_000_000);

/// A network and a policy that are run once for each repetition.
#[derive(Debug)]
pub(super) struct Cell {
    /// The values of the swept fields, which distinguish the cell from others.
    pub(super) axes: Vec<(String, AxisValue)>,
    /// The number of axes, the last ones, that are within the policy.
    pub(super) own_axes: usize,
    pub(super) policy: Arc<PolicyPlan>,
    pub(super) common: Arc<Common>,
    /// The count that the cell shares with others, if the size of a cache depends on the end times of flows.
    pub(super) shared: Option<Shared>,
    /// A checksum of all inputs of the cell's runs, except for the seed.
    pub(super) key: String,
}

impl Cell {
    /// Returns the axes that are within the policy.
    pub(super) fn policy_axes(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().rev().take(self.own_axes).map(|(name, _)| name.as_str())
    }

    /// Creates the network with empty links, and with only these states in its switches.
    pub(super) fn network(&self, seed: Seed, states: Vec<StatefulNode>) -> Result<Network<Box<dyn Element>>> {
        let settings = &self.common.settings;
        let graph = settings.topology.graph.clone();
        let elements = elements(&self.policy, &graph, seed)?;
        let workloads = self.common.workloads.iter().map(|carried| {
            let name = &carried.plan.name;
            let WorkloadPlan { ranks, class, lateness, .. } = &carried.plan;
            let rank_all = ranks.as_ref().is_some_and(|ranks| ranks.all);
            let ranks = ranks.as_ref().map(|ranks| ranks.of_packets(seed.part(&format!("workload/{name}"))));
            let allowances = lateness.map(|plan| Box::new(plan) as Box<dyn Allowances + Send>);
            let transport = self.transport(&carried.plan)?;
            Ok(Carriage { transport, class: *class, ranks, rank_all, allowances })
        });
        let spec = NetworkSpec {
            workloads: workloads.collect::<Result<_>>()?,
            graph,
            elements,
            shared_buffer: settings.shared_buffer,
            states,
            changes: self.common.changes.clone(),
            reroute_after: settings.reroute_after,
            pace: settings.pace,
            seed,
        };
        Network::new(spec).map_err(|error| UserError::new(error.to_string()))
    }

    /// Returns the flows of all workloads, which are the same for every policy.
    pub(super) fn flows(&self, seed: Seed) -> Result<Merge> {
        let hosts = &self.common.settings.topology.hosts;
        let sources = (0..).zip(&self.common.workloads).map(|(number, carried)| -> Result<Box<dyn FlowSource>> {
            let drawn = match &carried.plan.flows {
                Flows::Replayed(replay) => return Ok(Box::new(jittered(replay, &carried.plan, seed))),
                Flows::Drawn(drawn) => drawn,
            };
            let seed = seed.part(&format!("workload/{}", carried.plan.name));
            let (sizes, pattern) = (&drawn.sizes, &drawn.pattern);
            let recipe = Recipe {
                number,
                sizes: sizes.entry.build(&sizes.params, drawn.table.clone()).map_err(|error| sizes.error(&error))?,
                pattern: (pattern.entry.build)(&pattern.params, hosts, seed).map_err(|error| pattern.error(&error))?,
                arrivals: carried.arrivals.clone().unwrap_or(Arrivals::At(Vec::new())),
                start: drawn.start,
                duration: drawn.duration,
                flows: drawn.most_flows,
            };
            let generator = Generator::new(recipe, hosts, seed).map_err(|error| UserError::new(error.to_string()))?;
            Ok(Box::new(generator))
        });
        Ok(Merge::new(sources.collect::<Result<_>>()?))
    }

    /// Returns the latest end of the run.
    pub(super) fn until(&self) -> Time {
        let Common { settings, workloads, .. } = &*self.common;
        let has_endless = workloads.iter().any(|carried| carried.plan.is_endless());
        let end = settings.until.or_else(|| settings.length().filter(|_| has_endless));
        end.unwrap_or_else(|| settings.length().unwrap_or(Time::ZERO) + LONGEST_WAIT)
    }

    /// Returns the time that a run lasts in the network, as far as it is known beforehand.
    pub(super) fn expected_length(&self) -> Time {
        self.common.settings.length().unwrap_or(Time::ZERO)
    }

    /// Returns whether receivers answer, for each workload.
    pub(super) fn answered(&self) -> Result<Vec<bool>> {
        self.common.workloads.iter().map(|carried| Ok(self.transport(&carried.plan)?.acknowledges())).collect()
    }

    /// Returns the workloads whose senders never learn that a flow is complete.
    pub(super) fn unacknowledged(&self) -> Result<Vec<&str>> {
        let mut names = Vec::new();
        for carried in &self.common.workloads {
            if !self.transport(&carried.plan)?.acknowledges() {
                names.push(carried.plan.name.as_str());
            }
        }
        Ok(names)
    }

    /// Returns the facts that a measurement needs.
    pub(super) fn context(&self) -> Result<MeasureContext> {
        let settings = &self.common.settings;
        let graph = &settings.topology.graph;
        let links = graph.links().iter().enumerate().map(|(number, link)| LinkContext {
            name: graph.link_name(number),
            rate: link.rate,
            propagation: link.propagation,
            from_switch: !graph.is_host(link.from),
            to_host: graph.is_host(link.to),
        });
        let workloads = self.common.workloads.iter().map(|carried| {
            let transport = self.transport(&carried.plan)?;
            let most_flows = match &carried.plan.flows {
                Flows::Drawn(drawn) => drawn.most_flows,
                // They start when the file says, and no others do.
                Flows::Replayed(replay) => settings.duration.is_none().then_some(replay.flows().len() as u64),
            };
            Ok(WorkloadContext {
                name: carried.plan.name.clone(),
                segment_bytes: transport.full_segment_bytes(),
                acknowledges: transport.acknowledges(),
                most_flows,
                lateness: carried.plan.lateness,
            })
        });
        let hosts = &settings.topology.hosts;
        Ok(MeasureContext {
            links: links.collect(),
            counted_from: settings.counted_from,
            counted_until: settings.counted_until,
            completion: settings.completion,
            size_classes: settings.size_classes.clone(),
            workloads: workloads.collect::<Result<_>>()?,
            host_names: hosts.all().map(|host| hosts.name(host).to_owned()).collect(),
            access_bps: hosts.all().map(|host| hosts.rate(host).bits_per_second()).sum(),
            sampling: settings.sampling.clone(),
            asked_load: self.asked_load()?,
            is_steady: self.is_steady(),
        })
    }

    /// The load of all workloads together, over what all hosts can send, if each asks for one and starts flows all the time.
    fn asked_load(&self) -> Result<Option<f64>> {
        let hosts = &self.common.settings.topology.hosts;
        let mut bps = 0.0;
        for carried in &self.common.workloads {
            let Flows::Drawn(drawn) = &carried.plan.flows else { return Ok(None) };
            match drawn.asked_bps(hosts)? {
                Some(own) if self.starts_all_the_time(drawn) && drawn.most_flows.is_none() => bps += own,
                _ => return Ok(None),
            }
        }
        let access_bps: u64 = hosts.all().map(|host| hosts.rate(host).bits_per_second()).sum();
        Ok(Some(bps / access_bps.max(1) as f64))
    }

    /// Whether the same kind of flows starts all the time, and the network stays as it is.
    fn is_steady(&self) -> bool {
        let is_steady = |carried: &Carried| match &carried.plan.flows {
            Flows::Drawn(drawn) => self.starts_all_the_time(drawn) && !carried.plan.is_endless(),
            Flows::Replayed(_) => false,
        };
        self.common.changes.is_empty() && self.common.workloads.iter().all(is_steady)
    }

    /// Whether these flows start within the whole time of the scenario.
    fn starts_all_the_time(&self, drawn: &Drawn) -> bool {
        drawn.start == Time::ZERO && drawn.duration == self.common.settings.duration
    }

    /// Returns the transport of a workload.
    fn transport(&self, workload: &WorkloadPlan) -> Result<Box<dyn Transport>> {
        workload.transport.as_ref().unwrap_or(&self.policy.transport).build()
    }
}

/// The flows of a file, each later by its own random time.
fn jittered(replay: &Replay, plan: &WorkloadPlan, seed: Seed) -> Replay {
    if plan.jitter == Duration::ZERO {
        return replay.clone();
    }
    let mut rng = seed.part(&format!("workload/{}", plan.name)).stream("jitter");
    let most = plan.jitter.as_ps();
    let later = |flow: &FlowSpec| {
        let start = flow.start.as_ps().saturating_add(rng.random_range(0..=most));
        FlowSpec { start: Time::from_ps(start), ..*flow }
    };
    Replay::new(replay.flows().iter().map(later).collect())
}

//! The compared policies: `[[policy]]`, a transport with the policies at ports of switches and of hosts.

use super::limits::{self, Largest};
use super::node_policy::{Place, Stand};
use super::seer_plan::{SENDING, SeerPlan};
use super::service_order::{ServiceOrder, advice};
use super::state_policy::StatePolicy;
use super::states::StatePlan;
use super::topology::Topology;
use super::transport_plan::TransportPlan;
use crate::document::Node;
use crate::error::{Result, UserError};
use crate::scenario::{Files, Offered, Plan, label, positive};
use crate::sweep::Point;
use forebay_core::Duration;
use forebay_sim::net::{Graph, NodeId};

/// A checked policy.
#[derive(Debug, Clone)]
pub(super) struct PolicyPlan {
    pub(super) name: String,
    pub(super) transport: TransportPlan,
    /// The policy's own cache policy, in place of that of every `[[state]]`.
    pub(super) state_policy: Option<StatePolicy>,
    /// The policy's own use of notifications, in place of that of every `[[state]]`.
    pub(super) state_seer: Option<SeerPlan>,
    /// The latency of a fetch, in place of that of every `[[state]]`.
    state_latency: Option<Duration>,
    /// Whether the state of a packet that is held up is fetched meanwhile, in place of what every `[[state]]` says.
    state_lookahead: Option<bool>,
    /// The place of this field in the scenario.
    pub(super) seer_place: Option<Node>,
    /// The orders of switches and of hosts, if they are known when packets arrive; otherwise the advice.
    orders: [std::result::Result<ServiceOrder, String>; 2],
    pub(super) largest: Largest,
    switches: Stand,
    hosts: Stand,
}

impl PolicyPlan {
    /// Reads one policy for this topology and traffic.
    pub(super) fn read(
        point: &Point,
        topology: &Topology,
        offered: &Offered,
        states: &[StatePlan],
        files: &dyn Files,
    ) -> Result<Self> {
        let node = &point.node;
        let table = node.table("[[policy]]")?;
        let transport = TransportPlan::read(table.require("transport", "transport = \"newreno\"")?, files)?;
        let state_policy = table.get("state_policy").map(|node| state_policy(node, states)).transpose()?;
        let seer = table.get("state_seer");
        let state_seer = seer.map(|node| state_seer(node, states, &topology.graph)).transpose()?;
        let lookahead = table.get("state_lookahead");
        let state_lookahead = lookahead.map(|node| state_lookahead(node, states)).transpose()?;
        let state_latency = table.get("state_latency").map(|node| state_latency(node, states)).transpose()?;
        // Where it is an axis, that shows it.
        let is_axis = point.choices.iter().any(|choice| choice.path.last().is_some_and(|name| name == "state_policy"));
        let name = match (table.get("name"), &state_policy) {
            (Some(name), _) => label(name)?,
            (None, Some(policy)) if !is_axis => format!("{}, {policy}", transport.name()),
            (None, _) => transport.name().to_owned(),
        };
        let example = "port = { rank = \"arrival\", queue = \"fifo\", buffer = \"100 packets\" }";
        let port = table.require("port", example)?;
        // Hosts do as switches do unless the policy says otherwise, as in the simulators of the published results.
        let nic = table.get("nic").unwrap_or(port);
        table.finish()?;
        let graph = &topology.graph;
        let nic_name = if table.get("nic").is_some() { "`nic`" } else { "`port`" };
        let switches = Stand::read(&Place { node: port, what: "`port`", is_host: false, graph }, offered, files)?;
        let hosts = Stand::read(&Place { node: nic, what: nic_name, is_host: true, graph }, offered, files)?;
        let largest = Largest::of(transport.segment_bytes()?.0, states);
        let all_switches = switches.plans().into_iter().map(|plan| (port, plan));
        for (place, plan) in all_switches.chain(hosts.plans().into_iter().map(|plan| (nic, plan))) {
            limits::check_buffer(place, plan, &largest)?;
        }
        let order = |stand: &Stand| {
            let mut orders = stand.plans().into_iter().map(|plan| ServiceOrder::of(plan, offered));
            let first = orders.next().unwrap_or_else(|| Err(String::new()))?;
            // A policy with a rate of its own may be slower than some links.
            orders.try_fold(first, |first, order| order.map(|_| first))
        };
        let orders = [order(&switches), order(&hosts)];
        let seer_place = seer.cloned();
        let policy = Self {
            name,
            transport,
            state_policy,
            state_seer,
            state_latency,
            state_lookahead,
            seer_place,
            orders,
            largest,
            switches,
            hosts,
        };
        for plan in states {
            if policy.looks_ahead(plan) && policy.of_states(plan).choice.offline() {
                return Err(lookahead.or(table.get("state_policy")).unwrap_or(node).error(format!(
                    "`{}` knows all future requests; use `lookahead` with another policy",
                    policy.of_states(plan)
                )));
            }
            policy.check_orders(plan, &topology.graph, [port, nic])?;
        }
        policy.check_seer(states, &topology.graph)?;
        Ok(policy)
    }

    /// Rejects ports of neighbours that do not know when their packets will depart. `nodes`: the policies at switches and hosts.
    fn check_orders(&self, state: &StatePlan, graph: &Graph, nodes: [&Node; 2]) -> Result<()> {
        let Some(seer) = self.seer(state) else { return Ok(()) };
        let links = graph.links().iter().enumerate();
        let telling = links.filter(|(_, link)| state.is_at(link.to) && seer.tells(link.from));
        let mut telling: Vec<usize> = telling.map(|(link, _)| link).collect();
        telling.extend(seer.telling_neighbours(graph, &telling));
        for link in telling {
            let spec = &graph.links()[link];
            let place = nodes[usize::from(graph.is_host(spec.from))];
            let refused = |advice: &str| {
                let name = &state.name;
                place.error(format!(
                    "this port notifies the cache of `{name}` of its packets and their departure times, so both must be known in advance: \
                     {advice}"
                ))
            };
            let order = self.order(graph, spec.from).map_err(|advice| refused(advice))?;
            if order.needs_corrections() && !seer.corrections {
                let advice = advice(self.plan(graph, link));
                return Err(refused(&format!(
                    "{advice}; or add `corrections = true` to `seer`, so that the port sends corrections"
                )));
            }
            if seer.relay && !order.is_by_class() {
                return Err(place.error(format!(
                    "with `relay` a port forwards notifications of packets before they arrive, but `{}` knows their place in the queue \
                     only on arrival; use rank = \
                     \"arrival\" or \"strict\", or leave `relay` out",
                    self.plan(graph, link).queue()
                )));
            }
        }
        Ok(())
    }

    /// Returns the cache policy for states of a kind.
    pub(super) fn of_states<'a>(&'a self, state: &'a StatePlan) -> &'a StatePolicy {
        self.state_policy.as_ref().unwrap_or(&state.policy)
    }

    /// Returns how caches of a kind are notified of packets, if they are.
    pub(super) fn seer<'a>(&'a self, state: &'a StatePlan) -> Option<&'a SeerPlan> {
        let plan = self.state_seer.as_ref().unwrap_or(&state.seer);
        self.of_states(state).is_told.then_some(plan)
    }

    /// Rejects caches of a node that the same ports notify, each in its own way.
    fn check_seer(&self, states: &[StatePlan], graph: &Graph) -> Result<()> {
        for (number, one) in states.iter().enumerate() {
            for other in &states[..number] {
                let (Some(seer), Some(earlier)) = (self.seer(one), self.seer(other)) else { continue };
                let Some(both) = one.shared_node(other).filter(|_| !seer.tells_as(earlier)) else { continue };
                let message = format!(
                    "`{}` and `{}` receive the same notifications at `{}`; give both the same {SENDING} in `seer`",
                    other.name,
                    one.name,
                    graph.nodes()[both.index()].name
                );
                let place = one.seer_place.as_ref().or(other.seer_place.as_ref());
                return Err(place.map_or_else(|| UserError::new(&message), |node| node.error(&message)));
            }
        }
        Ok(())
    }

    /// Returns the latency of all fetches, if the policy states it.
    pub(super) fn latency(&self) -> Option<Duration> {
        self.state_latency
    }

    /// Returns whether the state of a packet that waits behind another one is fetched in the meantime.
    pub(super) fn looks_ahead(&self, state: &StatePlan) -> bool {
        self.state_lookahead.unwrap_or(state.lookahead)
    }

    /// Returns the order in which the ports of a node serve, if the departure times of waiting packets are known.
    ///
    /// # Errors If they are not known, says what to write.
    pub(super) fn order(&self, graph: &Graph, node: NodeId) -> std::result::Result<&ServiceOrder, &String> {
        self.orders[usize::from(graph.is_host(node))].as_ref()
    }

    /// Returns the plan at the tail of a link.
    pub(super) fn plan(&self, graph: &Graph, link: usize) -> &Plan {
        let of_host = graph.is_host(graph.links()[link].from);
        if of_host { self.hosts.at(graph, link) } else { self.switches.at(graph, link) }
    }

    /// Returns whether the ports of each switch share a policy.
    pub(super) fn shares_switches(&self) -> bool {
        self.switches.plans().iter().any(|plan| plan.is_of_node())
    }
}

/// Rejects fields of a policy about states where there are none.
fn for_states(node: &Node, name: &str, states: &[StatePlan]) -> Result<()> {
    if states.is_empty() {
        return Err(node.error(format!("`{name}` is for the states in nodes, and there is no [[state]]")));
    }
    Ok(())
}

/// Reads the latency of every fetch in a policy.
fn state_latency(node: &Node, states: &[StatePlan]) -> Result<Duration> {
    for_states(node, "state_latency", states)?;
    positive(node, "state_latency")
}

/// Whether states of packets that are held up are fetched meanwhile in a policy.
fn state_lookahead(node: &Node, states: &[StatePlan]) -> Result<bool> {
    for_states(node, "state_lookahead", states)?;
    node.boolean("state_lookahead")
}

/// The policy of all states in a policy.
fn state_policy(node: &Node, states: &[StatePlan]) -> Result<StatePolicy> {
    let policy = StatePolicy::read(node)?;
    for_states(node, "state_policy", states)?;
    states.iter().try_for_each(|plan| plan.check(&policy, node))?;
    Ok(policy)
}

/// Reads how the caches of all states in a policy are notified of packets.
fn state_seer(node: &Node, states: &[StatePlan], graph: &Graph) -> Result<SeerPlan> {
    for_states(node, "state_seer", states)?;
    let at: Vec<NodeId> = states.iter().flat_map(|plan| plan.nodes.iter().copied()).collect();
    SeerPlan::read(node, graph, &at)
}

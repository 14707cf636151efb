//! A policy in OpenQueue with a port for each link of a host or switch.

use super::oq::PlannedChange;
use crate::document::Node;
use crate::error::Result;
use forebay_core::Rate;
use forebay_lang::Policy;
use forebay_lang::ir::Astray;

/// The value of a param that is the number of links: `params = { ports = "links" }`.
pub(super) const LINKS: &str = "links";

/// The links that leave a host or switch.
#[derive(Debug, Clone, Copy)]
pub struct NodeLinks<'a> {
    /// The name of the node.
    pub name: &'a str,
    /// Whether the node is a host.
    pub is_host: bool,
    /// The rates of the node's links, in their order.
    pub rates: &'a [Rate],
}

impl NodeLinks<'_> {
    /// Rejects a policy that does not have one port for each link, or whose packets may leave over another link than the one to which their
    /// route leads. `what` is the field of the scenario that names the policy.
    pub(super) fn check(&self, node: &Node, what: &str, file: &str, policy: &Policy) -> Result<()> {
        let (ports, links) = (policy.ports.len(), self.rates.len());
        if ports != links {
            return Err(node.error(format!(
                "{file} has {}, and {self} has {}; {}",
                counted(ports, "port"),
                counted(links, "link"),
                self.advice(what, policy)
            )));
        }
        match policy.astray() {
            None => Ok(()),
            Some(Astray { egress, queue }) => {
                let queue = &policy.queues[usize::from(queue.0)];
                let port = |port: forebay_lang::ir::PortId| &policy.ports[usize::from(port.0)].name;
                Err(node.error(format!(
                    "{file} may put packets for port `{}` (queue = {}) into `{}`, which port `{}` serves; in a network the route of \
                     a packet chooses its link, so enter a queue of that port, as `enter(q[p.queue + 1])` does",
                    port(egress),
                    egress.0,
                    queue.name,
                    port(queue.port)
                )))
            }
        }
    }

    /// Returns the advice for a number of ports that does not fit.
    fn advice(&self, what: &str, policy: &Policy) -> String {
        let ports = forebay_lang::Ratio::from_integer(policy.ports.len() as i128);
        if self.is_host && what == "`port`" {
            return "without `nic`, hosts use the policy of `port`: add nic = { rank = \"arrival\", queue = \"fifo\", buffer = \"100 \
                    packets\" }"
                .to_owned();
        }
        let is_number = |value| value == ports && policy.ports.len() > 1;
        match policy.params.iter().find(|param| is_number(param.value) && !param.in_packets) {
            Some(param) => format!(
                "a policy with several ports needs one for each link: write params = {{ {} = \"{LINKS}\" }}",
                param.name
            ),
            None => {
                "a policy with several ports needs one for each link, and one with a single port stands at each link"
                    .to_owned()
            }
        }
    }
}

impl std::fmt::Display for NodeLinks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} `{}`", if self.is_host { "host" } else { "switch" }, self.name)
    }
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Rejects a later version that could send waiting packets over another link: links are numbered as the ports of the first version.
pub(super) fn check_change(node: &Node, first: &Policy, earlier: &[PlannedChange], policy: &Policy) -> Result<()> {
    let names = |policy: &Policy| policy.ports.iter().map(|port| port.name.clone()).collect::<Vec<_>>();
    if names(policy) != names(first) {
        let (present, wanted) = (names(first).join(", "), names(policy).join(", "));
        return Err(node.error(format!(
            "the links are numbered as the ports {present}, but this version has the order {wanted}; keep their order"
        )));
    }
    for version in std::iter::once(first).chain(earlier.iter().map(|change| &change.policy)) {
        for queue in &policy.queues {
            let same = version.queues.iter().find(|other| other.name == queue.name);
            if let Some(before) = same.filter(|before| before.port != queue.port) {
                let port = |of: &forebay_lang::ir::Queue| policy.ports[usize::from(of.port.0)].name.clone();
                return Err(node.error(format!(
                    "port `{}` serves queue `{}`, and port `{}` in this version; its packets could not reach their link: keep the \
                     port or take another name for the queue",
                    port(before),
                    queue.name,
                    port(queue)
                )));
            }
        }
    }
    Ok(())
}

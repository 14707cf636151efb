//! The hosts of a network, as a workload sees them: names, racks and link rates.

use crate::net::flow::HostId;
use crate::net::graph::{Graph, GraphError};
use forebay_core::Rate;
use forebay_core::registry::Suggestion;
use std::collections::BTreeMap;

/// Above this, a message does not list all names.
const MAX_NAMES_LISTED: usize = 16;

/// The hosts of a graph, at least two.
#[derive(Debug, Clone)]
pub struct Hosts {
    hosts: Vec<Host>,
    by_name: BTreeMap<String, HostId>,
    /// If there is one, hosts cannot be named by number: `1` would be ambiguous.
    name_that_is_a_number: Option<String>,
}

#[derive(Debug, Clone)]
struct Host {
    name: String,
    rack: u32,
    rate: Rate,
}

/// A host that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no host `{name}`; {numbers}{names}")]
pub struct UnknownHost {
    /// The text that should name a host.
    pub name: String,
    /// Whether hosts can be found by number.
    pub numbers: HostNumbers,
    /// The names of hosts.
    pub names: HostNames,
}

/// Whether a number identifies a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostNumbers {
    /// Numbers up to this one are.
    #[error("hosts are numbered from 0 to {0}")]
    UpTo(usize),
    /// They are not, since this host has a number as its name.
    #[error("since one is called `{0}`, numbers are names here")]
    Names(String),
}

/// The names of hosts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostNames {
    /// There are few of them.
    #[error("{0}")]
    Few(Suggestion),
    /// There are many; this is one.
    #[error("; they have names like `{0}`")]
    Like(String),
}

/// A rack that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no rack `{rack}`{}", racks(known))]
pub struct UnknownRack {
    /// The text that should name a rack.
    pub rack: String,
    /// The racks that have hosts, rising.
    pub known: Vec<u32>,
}

fn racks(known: &[u32]) -> String {
    match known {
        [only] => format!(": all hosts of this topology are in rack {only}"),
        _ => format!("; known are {}", known.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
    }
}

impl Hosts {
    /// Returns the hosts of `graph`.
    ///
    /// # Errors
    /// If there are fewer than two, or one has no link.
    pub fn of(graph: &Graph) -> Result<Self, GraphError> {
        let mut rates = vec![None; graph.nodes().len()];
        for link in graph.links() {
            rates[link.from.index()].get_or_insert(link.rate);
        }
        let host = |node: &crate::net::graph::NodeId| {
            let spec = &graph.nodes()[node.index()];
            let rate =
                rates[node.index()].ok_or_else(|| GraphError::HostLinks { name: spec.name.clone(), links: 0 })?;
            Ok(Host { name: spec.name.clone(), rack: spec.rack, rate })
        };
        let hosts = graph.hosts().iter().map(host).collect::<Result<Vec<Host>, GraphError>>()?;
        if hosts.len() < 2 {
            return Err(GraphError::TooFewHosts(hosts.len()));
        }
        let by_name = (0..).zip(&hosts).map(|(id, host)| (host.name.clone(), HostId(id))).collect();
        let name_that_is_a_number =
            hosts.iter().map(|host| &host.name).find(|name| name.parse::<u64>().is_ok()).cloned();
        Ok(Self { hosts, by_name, name_that_is_a_number })
    }

    /// The number of hosts.
    #[must_use]
    pub fn count(&self) -> usize {
        self.hosts.len()
    }

    /// All hosts, by number.
    pub fn all(&self) -> impl Iterator<Item = HostId> + '_ {
        (0..).zip(&self.hosts).map(|(id, _)| HostId(id))
    }

    /// The name of a host.
    #[must_use]
    pub fn name(&self, host: HostId) -> &str {
        &self.hosts[host.index()].name
    }

    /// Returns the rack of a host.
    #[must_use]
    pub fn rack(&self, host: HostId) -> u32 {
        self.hosts[host.index()].rack
    }

    /// The rate at which a host sends.
    #[must_use]
    pub fn rate(&self, host: HostId) -> Rate {
        self.hosts[host.index()].rate
    }

    /// Returns the sum of the rates of `hosts`, in bits per second.
    #[must_use]
    pub fn capacity_bps(&self, hosts: &[HostId]) -> f64 {
        // A sum of whole numbers does not depend on their order.
        let bits: u128 = hosts.iter().map(|host| u128::from(self.rate(*host).bits_per_second())).sum();
        bits as f64
    }

    /// Finds a host by name or, unless some host has a number as its name, by number.
    ///
    /// # Errors
    /// If there is no such host; the error describes the existing hosts.
    pub fn find(&self, text: &str) -> Result<HostId, UnknownHost> {
        let text = text.trim();
        if let Some(host) = self.by_name.get(text) {
            return Ok(*host);
        }
        let number = || text.parse().ok().map(HostId).filter(|host| host.index() < self.hosts.len());
        if let (None, Some(host)) = (&self.name_that_is_a_number, number()) {
            return Ok(host);
        }
        let numbers = match &self.name_that_is_a_number {
            None => HostNumbers::UpTo(self.hosts.len() - 1),
            Some(name) => HostNumbers::Names(name.clone()),
        };
        let names = if self.hosts.len() <= MAX_NAMES_LISTED {
            HostNames::Few(Suggestion::new(text, self.hosts.iter().map(|host| host.name.as_str())))
        } else {
            HostNames::Like(self.hosts[0].name.clone())
        };
        Err(UnknownHost { name: text.to_owned(), numbers, names })
    }

    /// Returns the hosts of a rack, by number.
    ///
    /// # Errors
    /// If there is no such rack; the error lists the existing racks.
    pub fn in_rack(&self, text: &str) -> Result<Vec<HostId>, UnknownRack> {
        let rack: Option<u32> = text.trim().parse().ok();
        let hosts: Vec<HostId> = self.all().filter(|host| Some(self.rack(*host)) == rack).collect();
        if hosts.is_empty() {
            let racks: std::collections::BTreeSet<u32> = self.hosts.iter().map(|host| host.rack).collect();
            return Err(UnknownRack { rack: text.to_owned(), known: racks.into_iter().collect() });
        }
        Ok(hosts)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::net::graph::NodeKind;
    use forebay_core::Duration;

    /// `racks` racks of `per_rack` hosts `h0`, `h1`, … at 1 Gb/s.
    pub(crate) fn hosts(racks: u32, per_rack: u32) -> Hosts {
        Hosts::of(&graph(racks, per_rack)).unwrap()
    }

    fn graph(racks: u32, per_rack: u32) -> Graph {
        let mut graph = Graph::default();
        for rack in 0..racks {
            let leaf = graph.add_node(format!("leaf{rack}"), NodeKind::Switch, rack);
            for place in 0..per_rack {
                let host = graph.add_node(format!("h{}", rack * per_rack + place), NodeKind::Host, rack);
                graph.connect(host, leaf, Rate::parse("1 Gbps").unwrap(), Duration::ZERO);
            }
        }
        graph
    }

    #[test]
    fn hosts_are_found_by_name_and_by_number() {
        let hosts = hosts(2, 3);
        assert_eq!((hosts.find("h4"), hosts.find(" 4 ")), (Ok(HostId(4)), Ok(HostId(4))));
        assert_eq!((hosts.rack(HostId(4)), hosts.name(HostId(4))), (1, "h4"));
        assert_eq!(hosts.in_rack("1").unwrap(), [HostId(3), HostId(4), HostId(5)]);
        assert_eq!(hosts.capacity_bps(&[HostId(0), HostId(5)]), 2e9);
        let error = hosts.find("6").unwrap_err().to_string();
        assert!(error.starts_with("there is no host `6`; hosts are numbered from 0 to 5"), "{error}");
        assert_eq!(hosts.in_rack("2").unwrap_err().to_string(), "there is no rack `2`; known are 0, 1");
    }

    #[test]
    fn where_a_name_is_a_number_all_numbers_are_names() {
        let mut graph = Graph::default();
        let [a, b] = ["1", "x"].map(|name| graph.add_node(name, NodeKind::Host, 0));
        graph.connect(a, b, Rate::parse("1 Gbps").unwrap(), Duration::ZERO);
        let hosts = Hosts::of(&graph).unwrap();
        assert_eq!((hosts.find("1"), hosts.find("x")), (Ok(HostId(0)), Ok(HostId(1))));
        let error = hosts.find("0").unwrap_err().to_string();
        assert!(error.contains("since one is called `1`, numbers are names here"), "{error}");
    }

    #[test]
    fn what_cannot_send_is_refused() {
        let mut graph = Graph::default();
        let a = graph.add_node("a", NodeKind::Host, 0);
        assert!(matches!(Hosts::of(&graph), Err(GraphError::HostLinks { links: 0, .. })));
        let s = graph.add_node("s", NodeKind::Switch, 0);
        graph.connect(a, s, Rate::parse("1 Gbps").unwrap(), Duration::ZERO);
        assert!(matches!(Hosts::of(&graph), Err(GraphError::TooFewHosts(1))));
    }
}

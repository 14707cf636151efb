//! Every host sends to any other host, or to any host of another rack.

use super::{Pattern, PatternEntry, about};
use crate::net::flow::HostId;
use crate::net::workload::Hosts;
use forebay_core::{ParamError, ParamSpec, Rng};
use rand::RngExt as _;

/// The registry's entry.
pub const ENTRY: PatternEntry = PatternEntry {
    about: about(
        "all-to-all",
        "Any host to any other, both at random",
        "pFabric, SIGCOMM'13, section 5",
        &[ParamSpec::choice(
            "racks",
            &["any", "other"],
            "any",
            "`any`: to all other hosts; `other`: only to those in another rack",
        )],
    ),
    build: |params, hosts, _| {
        let between_racks = params.text("racks") == "other";
        AllToAll::new(hosts, between_racks).map(|pattern| Box::new(pattern) as Box<dyn Pattern>)
    },
};

/// Hosts in groups, one after the other; flows leave their group.
#[derive(Debug)]
struct AllToAll {
    order: Vec<HostId>,
    /// For each place in the order, where its group begins and how many are in it.
    groups: Vec<(usize, usize)>,
}

impl AllToAll {
    fn new(hosts: &Hosts, between_racks: bool) -> Result<Self, ParamError> {
        let mut order: Vec<HostId> = hosts.all().collect();
        if between_racks {
            order.sort_by_key(|host| hosts.rack(*host));
        }
        let mut groups = Vec::new();
        let share_group = |a: &HostId, b: &HostId| between_racks && hosts.rack(*a) == hosts.rack(*b);
        for group in order.chunk_by(share_group) {
            let begin = groups.len();
            groups.resize(begin + group.len(), (begin, group.len()));
        }
        if groups[0].1 == order.len() {
            return Err(ParamError::of("racks", "all hosts are in one rack; use `any`"));
        }
        Ok(Self { order, groups })
    }
}

impl Pattern for AllToAll {
    fn senders(&self) -> &[HostId] {
        &self.order
    }

    fn flows_per_arrival(&self) -> u64 {
        1
    }

    fn next_pairs(&mut self, rng: &mut Rng, pairs: &mut Vec<(HostId, HostId)>) {
        let src = rng.random_range(0..self.order.len());
        let (begin, count) = self.groups[src];
        // Of those outside the group: the ones after it move up to where it begins.
        let outside = rng.random_range(0..self.order.len() - count);
        let dst = if outside < begin { outside } else { outside + count };
        pairs.push((self.order[src], self.order[dst]));
    }
}

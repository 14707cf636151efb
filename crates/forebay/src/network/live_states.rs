//! The number of states that are alive at once, for caches whose size is a share of this number. It is counted in a run without caches of
//! states.

use super::cell::Cell;
use crate::document::Value;
use crate::error::Result;
use crate::run::hex;
use crate::sweep::Point;
use forebay_core::Seed;
use forebay_sim::net::StatesOfFlows;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The fields of a `[[state]]` that determine which states exist.
const ASKED: [&str; 3] = ["key", "objects", "acknowledgements"];
/// The fields of a policy that concern only caches.
const OF_CACHES: [&str; 5] = ["name", "state_policy", "state_seer", "state_latency", "state_lookahead"];

/// The counts for each kind of states.
type Counted = Arc<[StatesOfFlows]>;

/// The counts of a scenario, by a checksum of the run's inputs and its seed. Each is counted by one thread at a time.
#[derive(Debug, Default)]
pub(super) struct CountedOnce(Mutex<BTreeMap<(String, u64), Arc<Once>>>);

/// A count that is made while this is locked, and kept afterwards.
type Once = Mutex<Option<Counted>>;

/// The count that a cell shares with cells whose runs without states are the same: they differ only in caches.
#[derive(Debug)]
pub(super) struct Shared {
    counted: Arc<CountedOnce>,
    /// Checksum of what the run depends on, except for the seed.
    key: String,
}

impl Shared {
    /// Creates the shared count of a point and a policy, and of the other inputs of the run.
    pub(super) fn new(counted: &Arc<CountedOnce>, point: &Point, policy: &Point, files: &str) -> Self {
        let (mut network, mut ports) = (point.node.sorted(), policy.node.sorted());
        if let Some(Value::Array(states)) = network.value_at(&["state"]) {
            for state in states {
                if let Value::Table(fields) = &mut state.value {
                    fields.retain(|(name, _)| ASKED.contains(&name.as_str()));
                }
            }
        }
        OF_CACHES.iter().for_each(|field| ports.remove(&[field]));
        let text = format!("{}\n[policy]\n{}\n{files}", network.to_toml(), ports.to_toml());
        Self { counted: Arc::clone(counted), key: hex(text.as_bytes()) }
    }

    /// Returns the result of `count` with this seed, from an earlier call if there was one; [`None`] if it was interrupted.
    fn get(&self, seed: Seed, count: impl FnOnce() -> Result<Option<Vec<StatesOfFlows>>>) -> Result<Option<Counted>> {
        let own = {
            let mut all = self.counted.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry((self.key.clone(), seed.0)).or_default())
        };
        let mut counted = own.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.is_none() {
            *counted = count()?.map(Into::into);
        }
        Ok(counted.clone())
    }
}

impl Cell {
    /// Returns the states that are alive at once in the run with this seed, if the size of a cache depends on them; otherwise they are not
    /// counted. `count` counts them. Returns [`None`] if it was interrupted.
    pub(super) fn alive(
        &self,
        seed: Seed,
        count: impl FnOnce() -> Result<Option<Vec<StatesOfFlows>>>,
    ) -> Result<Option<Counted>> {
        self.shared.as_ref().map_or_else(|| Ok(Some(Arc::default())), |shared| shared.get(seed, count))
    }
}

#[cfg(test)]
mod tests {
    use crate::Silent;
    use crate::document::Node;
    use crate::network::{self, NetworkReport, NetworkScenario};
    use crate::run::Part;
    use crate::scenario::Beside;
    use std::path::Path;

    const SCENARIO: &str = r#"
        repetitions = 2
        [network]
        topology = { name = "star", hosts = 6 }
        duration = "300 us"
        [[workload]]
        sizes = { name = "exponential", mean_bytes = 20_000 }
        load = 0.6
        [[state]]
        name = "flows"
        at = "switch"
        key = "flow"
        capacity = ["20 %", "60 %"]
        of = "alive"
        policy = "lru"
        [[policy]]
        name = "a"
        transport = "dctcp"
        port = { rank = "arrival", queue = "fifo", buffer = "50 packets" }
        state_policy = ["lru", "fifo"]
        [[policy]]
        name = "b"
        transport = "dctcp"
        port = { rank = "arrival", queue = "fifo", buffer = "10 packets" }
    "#;

    fn scenario(text: &str) -> NetworkScenario {
        let document = Node::parse("s.toml", text).unwrap();
        NetworkScenario::read(&document, "s", None, &Beside(Path::new("s.toml"))).unwrap()
    }

    fn run(scenario: &NetworkScenario) -> NetworkReport {
        network::run(scenario, None, &Part::default(), &Silent).unwrap()
    }

    #[test]
    fn cells_that_differ_in_caches_alone_count_once_and_what_they_would_alone() {
        let whole = scenario(SCENARIO);
        let report = run(&whole);
        // Of two repetitions, and of ports of two kinds.
        assert_eq!(whole.cells[0].shared.as_ref().unwrap().counted.0.lock().unwrap().len(), 4);
        assert_eq!(report.results.len(), 6);
        for cell in &report.results {
            let value = |name: &str| cell.axes.iter().find(|(axis, _)| axis == name).map(|(_, value)| &value.text);
            let mut text = SCENARIO.replace("[\"20 %\", \"60 %\"]", &format!("\"{}\"", value("capacity").unwrap()));
            if let Some(policy) = value("state_policy") {
                text = text.replace("[\"lru\", \"fifo\"]", &format!("\"{policy}\""));
            }
            let alone = run(&scenario(&text));
            let same = alone.results.iter().find(|other| other.policy == cell.policy).unwrap();
            let shown = |cell: &network::CellReport| format!("{:?} {:?}", cell.quantities, cell.states);
            assert_eq!(shown(same), shown(cell));
        }
    }
}

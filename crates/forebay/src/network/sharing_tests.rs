//! Tests that scenarios that share their runs have the same results as alone.

use super::{NetworkReport, NetworkScenario, run};
use crate::Silent;
use crate::document::Node;
use crate::run::{MadeOnce, Part};
use crate::scenario::Beside;
use std::path::Path;
use std::sync::Arc;

const ONE_SIZE: &str = r#"
    repetitions = 2
    [network]
    topology = { name = "star", hosts = 4 }
    duration = "100 us"
    [[workload]]
    sizes = { name = "fixed", bytes = 20_000 }
    load = 0.6
    [[policy]]
    name = "a"
    transport = "dctcp"
    port = { rank = "arrival", queue = "fifo", buffer = "50 packets" }
"#;

fn scenario(text: &str) -> NetworkScenario {
    let document = Node::parse("s.toml", text).unwrap();
    NetworkScenario::read(&document, "s", None, &Beside(Path::new("s.toml"))).unwrap()
}

fn shown(scenario: &NetworkScenario) -> String {
    let report: NetworkReport = run(scenario, None, &Part::default(), &Silent).unwrap();
    format!("{:?}", report.results)
}

#[test]
fn a_run_is_made_once_for_scenarios_that_share_theirs() {
    let several = ONE_SIZE.replace("bytes = 20_000", "bytes = [10_000, 20_000]");
    let made_once = Arc::new(MadeOnce::default());
    let alone = [ONE_SIZE, &several].map(|text| shown(&scenario(text)));
    let shared = [ONE_SIZE, &several].map(|text| {
        let shown = shown(&scenario(text).sharing(&made_once));
        (shown, made_once.len())
    });
    assert_eq!(shared, [(alone[0].clone(), 2), (alone[1].clone(), 4)]);
    // Another seed makes other runs.
    shown(&scenario(&format!("seed = 2\n{ONE_SIZE}")).sharing(&made_once));
    assert_eq!(made_once.len(), 6);
}

//! `forebay run SCENARIO`, where the scenario is a network.

use super::reported::{Reported, finish};
use crate::args::{Format, RunArgs};
use crate::terminal::TERMINAL;
use crate::{Done, note};
use forebay::document::Node;
use forebay::error::{Result, UserError};
use forebay::network::{self, NetworkReport, NetworkScenario, RegularBeside};
use forebay::scenario::Beside;
use std::time::Instant;

/// Runs the scenario in `document`, which was read from `text`; `prepare` is called when it has been checked.
pub(super) fn run(
    args: &RunArgs,
    document: &Node,
    default_name: &str,
    text: &str,
    prepare: impl Fn() -> Result<()>,
) -> Result<Done> {
    if args.record_ops.is_some() {
        let message = "a network has many queues; record that of one port, in a scenario with [port] and [traffic]";
        return Err(UserError::at("--record-ops", message));
    }
    let scenario = NetworkScenario::read(document, default_name, args.seed, &RegularBeside(Beside(&args.scenario)))?;
    prepare()?;
    let start = Instant::now();
    let network::Ran { report, found } = network::run(&scenario, args.out.as_deref(), &TERMINAL)?;
    if found > 0 {
        note(&format!("{found} of {} runs were there already", report.network.runs));
    }
    finish(args, text, scenario.seed.0, start, &report)
}

impl Reported for NetworkReport {
    fn table(&self) -> String {
        network::table(self)
    }

    fn csv(&self) -> String {
        network::csv(self)
    }

    fn plots(&self) -> Result<Vec<(String, String)>> {
        network::plots(self)
    }

    fn warnings(&self, format: Format) -> &[String] {
        // The table has them in its notes.
        if format == Format::Table { &[] } else { &self.warnings }
    }

    fn is_complete(&self) -> bool {
        self.is_complete()
    }
}

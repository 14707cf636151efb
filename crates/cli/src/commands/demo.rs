//! `forebay demo`: the embedded scenario on the embedded recording.

use crate::args::DemoArgs;
use crate::commands::run::{measure, status};
use crate::{Done, interrupt};
use forebay::document::Node;
use forebay::error::{Result, UserError};
use forebay::output::{folder, table};
use forebay::scenario::{Files, Scenario};
use std::path::Path;

const SCENARIO: &str = include_str!("../../../forebay/demo/scenario.toml");
const RECORDING: &[u8] = include_bytes!("../../../../testdata/recording/mixed.pcap");
const RECORDING_NAME: &str = "mixed.pcap";

/// The recording that is part of the program.
struct Embedded;

impl Files for Embedded {
    fn open(&self, name: &str) -> Result<(String, Box<dyn std::io::Read + Send + '_>)> {
        if name == RECORDING_NAME {
            Ok((name.to_owned(), Box::new(RECORDING)))
        } else {
            Err(UserError::at(name, "the demo has only its own recording"))
        }
    }
}

pub(crate) fn run(args: &DemoArgs) -> Result<Done> {
    let scenario = Scenario::read(&Node::parse("demo", SCENARIO)?, "demo", None, &Embedded)?;
    interrupt::watch();
    folder::create(&args.out)?;
    let (report, manifest) = measure(&scenario, SCENARIO, None)?;
    folder::write_report(&args.out, &report, &manifest)?;
    folder::write(&args.out, "scenario.toml", SCENARIO.as_bytes())?;
    folder::write(&args.out, RECORDING_NAME, RECORDING)?;

    let first = &report.results[0];
    let text = format!(
        "A recording of real TCP and UDP traffic ({} packets in 5 classes) is sent through a port of {} with a\n\
         buffer of {}, at {:.0} % of its capacity. Each policy decides who waits and who is dropped.\n\n\
         {}\n\
         Delay is from arrival to the last bit sent. An inversion is a packet that leaves while one of lower rank\n\
         waits; exact queues have none. EF is voice, AF41 video, AF21 and BE short and long TCP flows, CS1 bulk.\n\n\
         plot: {}/plot.svg\n\n\
         Next:\n{}",
        first.counts.packets_in,
        scenario.rate,
        scenario.buffer.map_or_else(String::new, |buffer| buffer.to_string()),
        first.offered_load * 100.0,
        table::overview(&report),
        args.out.display(),
        next_commands(&args.out),
    );
    Ok(Done { text, status: status(&report) })
}

/// Three commands to go on with, as this program was called.
fn next_commands(out: &Path) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "forebay".to_owned());
    let out = out.display();
    let commands = [
        (format!("{program} run {out}/scenario.toml --set port.rate=16Mbps"), "make the port slower"),
        (format!("{program} explain sp-pifo"), "what it is, needs and costs"),
        (format!("{program} trace info {out}/{RECORDING_NAME}"), "what is in the recording"),
    ];
    let width = commands.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    commands.iter().map(|(command, what)| format!("  {command:width$}  # {what}\n")).collect()
}

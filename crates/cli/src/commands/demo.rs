//! `forebay demo`: the embedded scenario on the embedded recording.

use super::run::{answer, status};
use crate::Done;
use crate::args::DemoArgs;
use forebay::demo::{Embedded, RECORDING, RECORDING_NAME, SCENARIO};
use forebay::error::Result;
use forebay::output::folder;
use forebay::port;
use forebay::question::Kind;
use forebay::{Answer, Changes, Question};
use std::path::Path;

pub(crate) fn run(args: &DemoArgs) -> Result<Done> {
    let question = Question::parse("demo", SCENARIO, &Embedded, &Changes::default())?;
    let answer = answer(&question, Some(&args.out), None)?;
    folder::write(&args.out, "scenario.toml", SCENARIO.as_bytes())?;
    folder::write(&args.out, RECORDING_NAME, RECORDING)?;
    let (Kind::Port(scenario), Answer::Port(report)) = (question.kind(), &answer) else {
        unreachable!("the demonstration has one port");
    };
    let (first, setting) = (&report.results[0].runs[0], scenario.setting());
    let text = format!(
        "A recording of real TCP and UDP traffic ({} packets in 5 classes) is sent through a port of {} with a\n\
         buffer of {}, at {:.0} % of its capacity. Each policy decides which packets wait and which are dropped.\n\n\
         {}\n\
         Delay is from arrival to the last bit sent. An inversion is a packet that departs while one of lower rank\n\
         waits; exact queues have none. EF is voice, AF41 video, AF21 and BE short and long TCP flows, CS1 bulk.\n\n\
         plot: {}/delays.svg\n\n\
         Next:\n{}",
        first.counts.packets_in,
        setting.rate,
        setting.buffer.map_or_else(String::new, |buffer| buffer.to_string()),
        first.offered_load * 100.0,
        port::overview(report),
        args.out.display(),
        next_commands(&args.out),
    );
    Ok(Done { text, status: status(&answer) })
}

/// Three commands to try next, with the program's name as it was called.
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

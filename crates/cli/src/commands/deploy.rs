//! `forebay deploy`, `undeploy`, `set` and `stats`: policies in the running kernel.

use crate::args::{DeployArgs, DeviceArgs, Format, SetArgs, StatsArgs, UndeployArgs};
use crate::atomic_write::write_text;
use crate::policy_file::PolicyFile;
use crate::{Done, note};
use forebay::error::{Result, UserError};
use forebay::output::table::plain_table;
use forebay_core::Rate;
use forebay_core::registry::find;
use forebay_lang::ir::{Parameter, PortRate, not_live};
use forebay_lang::{Fixed, Policy, Unit};
use forebay_linux::kernel::{Built, Deployment, Device, ParameterValue, QueueCounters, RULES, Rates, Statistics};
use forebay_targets::TARGETS;

fn device(args: &DeviceArgs) -> Device {
    Device { name: args.device.clone(), netns: args.netns.clone() }
}

fn wrong(args: &DeviceArgs) -> impl Fn(forebay_linux::kernel::Error) -> UserError {
    let name = args.device.clone();
    move |error| UserError::at(&name, error.to_string())
}

pub(crate) fn deploy(args: &DeployArgs) -> Result<Done> {
    let file = PolicyFile::read(&args.file)?;
    let policy = file.policy(&args.params)?;
    let rates = rates(&policy, args.rate)?;
    forebay_linux::kernel::check().map_err(wrong(&args.device))?;
    let folder =
        tempfile::tempdir().map_err(|error| UserError::new(format!("cannot make a temporary folder: {error}")))?;
    let built = match &args.built {
        Some(folder) => Built::in_folder(folder).map_err(wrong(&args.device))?,
        None => {
            write_program(args, &file, &policy, folder.path())?;
            forebay_linux::kernel::build(folder.path()).map_err(wrong(&args.device))?
        }
    };
    let programs = forebay_linux::kernel::KernelPolicy {
        name: file.name.clone(),
        built,
        queues: policy.queues.iter().map(|queue| queue.name.clone()).collect(),
        ports: policy.ports.iter().map(|port| port.name.clone()).collect(),
        seed: args.seed,
        digest: forebay_targets::digest(&policy),
    };
    let mut deployment = Deployment::put(&device(&args.device), &programs, &rates).map_err(wrong(&args.device))?;
    let now = deployment.statistics().map_err(wrong(&args.device))?;
    let mut text = format!("{}: {} is version {}", args.device.device, now.policy, now.version);
    if now.draining != 0 {
        text.push_str(&format!("; {} packets depart under older versions first", now.draining));
    }
    text.push('\n');
    Ok(Done::ok(text + &cleared(deployment.cleared())))
}

/// A line for each device from which remains are removed.
fn cleared(devices: &[Device]) -> String {
    devices.iter().map(|own| format!("{}: removed the remains of an earlier policy\n", own.name)).collect()
}

fn write_program(args: &DeployArgs, file: &PolicyFile, policy: &Policy, folder: &std::path::Path) -> Result<()> {
    let target = find("target", TARGETS, "bpf").map_err(UserError::new)?;
    let made = target.emit(policy, &args.frames.options());
    let files = made.map_err(|refusals| file.cannot_be_made(&refusals, &args.params))?;
    for made in files {
        let path = folder.join(made.name);
        write_text(&path, &made.text)?;
    }
    Ok(())
}

/// The rates of the ports, which the policy states as percentages of the link or as rates.
fn rates(policy: &Policy, link: Option<Rate>) -> Result<Rates> {
    let of_port = |rate: PortRate| match (rate, link) {
        (PortRate::Rate(rate), _) => Ok(rate.bits_per_second()),
        (PortRate::Percent(percent), None) if *percent.numer() == 100 * *percent.denom() => Ok(0),
        (PortRate::Percent(percent), None) => Err(percent),
        (PortRate::Percent(percent), Some(link)) => {
            let bits = i128::from(link.bits_per_second()) * percent.numer() / (100 * percent.denom());
            Ok(u64::try_from(bits).unwrap_or(u64::MAX).max(1))
        }
    };
    let one = |port: &forebay_lang::ir::Port| {
        of_port(port.rate).map_err(|percent| {
            let message = format!(
                "is needed: port `{}` sends at {percent} % of the link; for example --rate '1 Gbps'",
                port.name
            );
            UserError::argument("rate", message)
        })
    };
    policy.ports.iter().map(one).collect()
}

pub(crate) fn undeploy(args: &UndeployArgs) -> Result<Done> {
    let removed = Deployment::remove_at(&device(&args.device)).map_err(wrong(&args.device))?;
    let packets = &removed.packets;
    let dropped = packets.refused + packets.pushed_out + packets.no_place + packets.no_policy;
    Ok(Done::ok(format!(
        "{}: the kernel's default queueing discipline is back; {} packets arrived, {} were sent, {dropped} dropped, {} freed that \
         waited\n{}",
        args.device.device,
        packets.arrived,
        packets.sent,
        packets.emptied,
        cleared(&removed.cleared)
    )))
}

pub(crate) fn stats(args: &StatsArgs) -> Result<Done> {
    let mut deployment = Deployment::at(&device(&args.device)).map_err(wrong(&args.device))?;
    let seen = deployment.statistics().map_err(wrong(&args.device))?;
    if args.format != Format::Table {
        cleared(deployment.cleared()).lines().for_each(note);
    }
    match args.format {
        Format::Json => {
            let text = serde_json::to_string_pretty(&seen).map_err(|error| UserError::new(error.to_string()))?;
            Ok(Done::ok(text + "\n"))
        }
        Format::Csv => {
            let (header, rows) = queues(&seen);
            let lines = [header].into_iter().chain(rows).map(|row| row.join(",") + "\n");
            Ok(Done::ok(lines.collect::<String>()))
        }
        Format::Table => Ok(Done::ok(shown(&args.device.device, &seen) + &cleared(deployment.cleared()))),
    }
}

/// Sets live parameters: all of them, or none if one cannot be set.
pub(crate) fn set(args: &SetArgs) -> Result<Done> {
    let deployment = Deployment::at(&device(&args.device)).map_err(wrong(&args.device))?;
    let present = deployment.parameters().map_err(wrong(&args.device))?;
    let refused = |message: String| UserError::at(&args.device.device, message);
    let mut values = Vec::new();
    let mut text = String::new();
    for (name, value) in &args.values {
        let Some(place) = present.iter().position(|parameter| parameter.name == *name) else {
            let (policy, version) = deployment.policy();
            let names: Vec<&str> = present.iter().map(|parameter| parameter.name.as_str()).collect();
            return Err(refused(not_live(name, &format!("{policy}, version {version}"), &names).to_string()));
        };
        let parameter = known(&present[place]);
        let units = parameter.accept(*value).map_err(|why| refused(why.to_string()))?;
        text.push_str(&format!("{}: {name} = {}\n", args.device.device, parameter.shown(units)));
        values.push((place, units.0));
    }
    deployment.set(&values).map_err(wrong(&args.device))?;
    Ok(Done::ok(text + &cleared(deployment.cleared())))
}

/// A live parameter as the kernel reports it.
fn known(parameter: &ParameterValue) -> Parameter {
    let unit = Unit::of_symbol(&parameter.unit).unwrap_or(Unit::None);
    Parameter { name: parameter.name.clone(), unit, initial: Fixed(parameter.units) }
}

fn shown(device: &str, seen: &Statistics) -> String {
    let packets = &seen.packets;
    let mut text = format!(
        "{device}: {}, version {}\n{} packets arrived, {} sent, {} wait ({} under older versions)\n",
        seen.policy, seen.version, packets.arrived, packets.sent, seen.waiting, seen.draining
    );
    text.push_str(&format!(
        "dropped: {} refused, {} pushed out, {} without a place, {} without a policy, {} when the device was emptied\n",
        packets.refused, packets.pushed_out, packets.no_place, packets.no_policy, packets.emptied
    ));
    let by_rule = RULES.iter().zip(seen.counters.dropped).filter(|(_, count)| *count > 0);
    let by_rule: Vec<String> = by_rule.map(|(rule, count)| format!("{count} by {rule}")).collect();
    if !by_rule.is_empty() {
        text.push_str(&format!("the policy refused and pushed out {}\n", by_rule.join(", ")));
    }
    text.push_str(&format!(
        "{} marked, {} notified ({} notifications written into packets)\n\n",
        seen.counters.marked, seen.counters.notified, packets.notified
    ));
    for parameter in &seen.parameters {
        text.push_str(&format!("live: {} = {}\n", parameter.name, known(parameter).shown(Fixed(parameter.units))));
    }
    if !seen.parameters.is_empty() {
        text.push('\n');
    }
    let (header, rows) = queues(seen);
    text.push_str(&plain_table(header, rows));
    text
}

/// The queues with their contents and counters.
fn queues(seen: &Statistics) -> (Vec<String>, Vec<Vec<String>>) {
    // Unclassified packets belong to no queue.
    let rules = || RULES.iter().enumerate().filter(|(_, rule)| **rule != "unclassified");
    let header = ["queue", "waiting", "bytes", "arrived", "sent"].map(str::to_owned);
    let header = header.into_iter().chain(rules().map(|(_, rule)| format!("dropped by {rule}"))).collect();
    let row = |queue: &QueueCounters| {
        let counts = [queue.packets, queue.bytes, queue.arrived, queue.sent];
        let dropped = rules().map(|(index, _)| queue.dropped[index]);
        let counts = counts.into_iter().chain(dropped).map(|count| count.to_string());
        [queue.queue.clone()].into_iter().chain(counts).collect()
    };
    (header, seen.queues.iter().map(row).collect())
}

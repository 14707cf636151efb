//! `forebay switch`: a software switch between network interfaces.

use super::switch_table;
use crate::args::{ControlArgs, CountersFormat, SwitchArgs};
use crate::policy_file::PolicyFile;
use crate::{Done, interrupt, note, warn};
use forebay::error::{Result, UserError};
use forebay::output::folder;
use forebay_clock::{Clock, MonotonicClock};
use forebay_core::convert::saturate;
use forebay_core::registry::find;
use forebay_core::{Rate, Seed};
use forebay_linux::switch::control::Control;
use forebay_linux::switch::{
    BACKENDS, Ended, Event, Forwarding, Interface as _, News, PortSetup, Setting, Setup, Stats, Stopping, Switch,
    Table, Tap, Watched, check, run as run_switch,
};
use forebay_targets::headers::Mapping;
use forebay_targets::stages;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(crate) fn run(args: &SwitchArgs) -> Result<Done> {
    let backend =
        find("backend", BACKENDS, &args.backend).map_err(|message| UserError::argument("backend", message))?;
    check_ports(&args.ports)?;
    let (usual_rate, rates) = rates(args)?;
    let mut mapping = Mapping::default();
    for (field, source) in &args.fields {
        mapping.set(*field, *source);
    }
    let setting = setting(args)?;
    let forwarding = forwarding(args)?;
    check(&setting.policy, &mapping, &forwarding, &rates)
        .map_err(|why| UserError::at(&setting.name, why.to_string()))?;
    // From here on, Ctrl-C stops the switch.
    interrupt::watch();
    let path = control_path(&args.control);
    let control = Control::bind(&path).map_err(|error| UserError::at(path.display(), error.to_string()))?;
    let mut ports = Vec::new();
    for (name, rate) in args.ports.iter().zip(rates) {
        let interface = Watched::open(*backend, name)
            .map_err(|error| UserError::argument(format!("port {name}"), error.to_string()))?;
        if let Some(mode) = interface.mode() {
            note(&format!("{name}: {mode}"));
        }
        ports.push(PortSetup { name: name.clone(), interface: Box::new(interface), rate });
    }
    let records = records(args, &setting)?;
    let clock = MonotonicClock::start();
    let tap = args.tap.as_deref().map(|path| tap(path, &clock)).transpose()?;
    let (names, name) = (args.ports.join(", "), setting.name.clone());
    let setup = Setup { setting, mapping, forwarding, tap, seed: Seed(args.seed), records };
    let mut switch = Switch::new(ports, setup).with_backend(*backend, usual_rate);
    note(&format!("switching between {names} ({}) under {name}; control socket {}", args.backend, path.display()));
    let stopping = Stopping { asked: &interrupt::requested, drain_for: args.drain_for };
    let mut said = |event: Event| match event {
        Event::Link(port, news @ (News::Back | News::Left)) => note(&format!("port {port}: {news}")),
        Event::Link(port, news) => warn(&format!("port {port}: {news}")),
        Event::Stops(waiting) => note(&format!("stopping; {waiting} frames wait")),
    };
    let ended = run_switch(&mut switch, Some(control), &clock, &stopping, &mut said)
        .map_err(|error| UserError::new(format!("the switch cannot wait for frames: {error}")))?;
    report(args, &ended)
}

/// The counters at the end, and warnings about faults during the run.
fn report(args: &SwitchArgs, ended: &Ended) -> Result<Done> {
    if let (Some(path), Some(error)) = (&args.tap, &ended.tap_error) {
        warn(&format!("{}: the recording is incomplete: {error}", path.display()));
    }
    for port in &ended.stats.ports {
        if let Some(error) = &port.record_error {
            warn(&format!("port {}: the record of operations is incomplete: {error}", port.name));
        }
    }
    if let Err(what) = ended.stats.check() {
        warn(&format!("the counters do not add up, which is a defect of the switch: {what}"));
    }
    Ok(Done::ok(counters(&ended.stats, args.format)?))
}

/// Counters in the wanted format.
pub(super) fn counters(stats: &Stats, format: CountersFormat) -> Result<String> {
    match format {
        CountersFormat::Table => Ok(switch_table::text(stats)),
        CountersFormat::Json => folder::json(stats),
    }
}

/// The given path, or the default one.
pub(super) fn control_path(args: &ControlArgs) -> PathBuf {
    args.control.clone().unwrap_or_else(|| {
        let folder = std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty());
        folder.map_or_else(|| PathBuf::from("/run"), PathBuf::from).join("forebay-switch.sock")
    })
}

fn check_ports(ports: &[String]) -> Result<()> {
    if let Some(twice) = ports.iter().enumerate().find(|(at, name)| ports[..*at].contains(name)) {
        return Err(UserError::argument("port", format!("`{}` is given twice", twice.1)));
    }
    if ports.len() < 2 {
        return Err(UserError::argument("port", "a switch needs two interfaces or more; give --port once for each"));
    }
    Ok(())
}

/// The number of a port.
fn port(args: &SwitchArgs, option: &str, name: &str) -> Result<usize> {
    args.ports.iter().position(|port| port == name).ok_or_else(|| {
        UserError::argument(
            option,
            format!("`{name}` is not a port of the switch; its ports are {}", args.ports.join(", ")),
        )
    })
}

/// The default rate of all ports, and the rate of each port.
fn rates(args: &SwitchArgs) -> Result<(Option<Rate>, Vec<Option<Rate>>)> {
    let (mut all, mut own) = (None, vec![None; args.ports.len()]);
    for text in &args.rates {
        let parse = |text: &str| Rate::parse(text).map_err(|error| UserError::argument("rate", error.to_string()));
        match text.split_once('=') {
            Some((name, rate)) => own[port(args, "rate", name)?] = Some(parse(rate)?),
            None => all = Some(parse(text)?),
        }
    }
    Ok((all, own.into_iter().map(|rate| rate.or(all)).collect()))
}

fn forwarding(args: &SwitchArgs) -> Result<Forwarding> {
    if args.forwards.is_empty() {
        return Ok(Forwarding::Learning(Table::new(args.ports.len(), args.ageing)));
    }
    let mut table = vec![Vec::new(); args.ports.len()];
    for text in &args.forwards {
        let (from, to) = text
            .split_once('=')
            .ok_or_else(|| UserError::argument("forward", format!("`{text}` should be FROM=TO, such as eth1=eth2")))?;
        let (from, to) = (port(args, "forward", from)?, port(args, "forward", to)?);
        if from == to {
            return Err(UserError::argument(
                "forward",
                format!("`{text}`: a frame is never sent back to the port at which it arrived; name another port"),
            ));
        }
        if !table[from].contains(&to) {
            table[from].push(to);
        }
    }
    Ok(Forwarding::Static(table))
}

fn setting(args: &SwitchArgs) -> Result<Setting> {
    let file = PolicyFile::read(&args.policy)?;
    let policy = file.policy(&args.params)?;
    if let Some(refusal) = stages::refused(&policy) {
        return Err(file.cannot_be_made(&[refusal], &args.params));
    }
    Ok(Setting { name: file.name, policy: policy.into() })
}

fn create(path: &Path) -> Result<Box<dyn Write>> {
    let file = File::create(path).map_err(|error| UserError::io(path, "written", &error))?;
    Ok(Box::new(BufWriter::new(file)))
}

/// The files for the operations of each port, or of the policy that all ports share.
fn records(args: &SwitchArgs, setting: &Setting) -> Result<Vec<Option<Box<dyn Write>>>> {
    let Some(folder) = &args.record else { return Ok(Vec::new()) };
    std::fs::create_dir_all(folder).map_err(|error| UserError::io(folder, "made", &error))?;
    let shared = ["switch".to_owned()];
    let names = if setting.policy.ports.len() > 1 { &shared[..] } else { &args.ports };
    names.iter().map(|name| create(&folder.join(format!("{name}.ops"))).map(Some)).collect()
}

fn tap(path: &Path, clock: &MonotonicClock) -> Result<Tap> {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let epoch = since_1970.saturating_sub(clock.now());
    let epoch_ns = saturate(epoch.as_nanos());
    Tap::new(create(path)?, epoch_ns).map_err(|error| UserError::at(path.display(), error.to_string()))
}

//! Checks which policies a switch can run, which policies can replace others, and where they direct packets.

use crate::switch::forwarding::Forwarding;
use crate::switch::interface::OpenError;
use forebay_core::Rate;
use forebay_engine::Transition;
use forebay_engine::live::Refused;
use forebay_lang::ir::{NotLive, PortRate, WrongUnit};
use forebay_lang::{Policy, Ratio};
use forebay_targets::headers::{Field, Mapping, Part, Source};
use std::sync::Arc;

/// The most queues of a policy. More would take too long to exchange between two rounds of forwarding.
pub const MOST_QUEUES: usize = 8_192;

/// A policy with the name of its file.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The name of the file.
    pub name: String,
    /// The policy.
    pub policy: Arc<Policy>,
}

/// Why a policy cannot run in a switch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotRun {
    /// The policy has several ports, and the switch has more or fewer.
    #[error(
        "the policy has {policy} ports and the switch {switch}; give as many (--port), or change the number of the \
         policy's ports (--param, if a param sets it)"
    )]
    Ports {
        /// The number of ports of the policy.
        policy: usize,
        /// The number of ports of the switch.
        switch: usize,
    },
    /// The policy has more queues than a switch allows.
    #[error("the policy has {0} queues, and a switch accepts at most {MOST_QUEUES}; use fewer")]
    Queues(usize),
    /// The policy declares its own actions.
    #[error(
        "the policy declares the action `{0}`, which the switch does not have; leave it out, or embed the engine in a program"
    )]
    Routine(String),
    /// The policy reads `policyId`, which chooses among its versions for each packet.
    #[error(
        "the policy has a `policyId`, and a switch counts packets by the queues of its newest policy; leave `policyId` out"
    )]
    Versions,
    /// A port of the policy leads to queues of a later stage.
    #[error(
        "port `{0}` of the policy leads into queues of a later stage (`next`), and in a switch, frames depart from \
         every port; leave `next` out, or run the policy in a scenario with [port]"
    )]
    Stages(String),
    /// The policy reads a field that the mapping does not define.
    #[error("{}", untold(*field, *ports))]
    Untold {
        /// The field.
        field: Field,
        /// The ports of the policy.
        ports: usize,
    },
    /// The mapping reads a field from a source that interfaces do not have.
    #[error(
        "--field {}={source_of}: interfaces give no mark and no priority; use bytes of a header, such as udp[8:4]",
        field.name()
    )]
    NoMetadata {
        /// The field.
        field: Field,
        /// The source of the field.
        source_of: Source,
    },
    /// The policy and the forwarding table both say where frames go.
    #[error(
        "the policy has {ports} ports and no field from `egress`, so the policy alone chooses the port of a frame; \
         leave --forward out, or read a field from `egress`, such as --field queue=egress"
    )]
    ForwardedTwice {
        /// The ports of the policy.
        ports: usize,
    },
    /// A port has a share of its link's rate, and that rate is unknown.
    #[error("port `{port}` has {percent}% of its link; give the link's rate with --rate")]
    UnknownRate {
        /// The port of the policy.
        port: String,
        /// The port's share.
        percent: Ratio,
    },
}

/// A request names one port, and all ports share a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("all {ports} ports share one policy, and a change applies to all of them; leave --port out")]
pub struct OnePolicy {
    /// The number of ports.
    pub ports: usize,
}

/// Why a policy cannot replace the running ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotChange {
    /// The request names one port, and all ports share a policy.
    #[error(transparent)]
    OnePolicy(#[from] OnePolicy),
    /// The policy has one port and the running ones have several, or the reverse.
    #[error(
        "the policy has {}, and the switch's ports run {}; stop the switch, and start it with this policy",
        if *count == 1 { "1 port".to_owned() } else { format!("{count} ports") },
        if *shared { "one policy with several ports together" } else { "a policy with one port at each" }
    )]
    Ports {
        /// The number of ports of the policy.
        count: usize,
        /// Whether the switch's ports share one policy.
        shared: bool,
    },
    /// The named port does not exist.
    #[error("there is no port `{name}`; there are {}", ports.join(", "))]
    NoPort {
        /// The name in the request.
        name: String,
        /// The names of the switch's ports.
        ports: Vec<String>,
    },
    /// The switch was changed while this change was prepared.
    #[error("the switch was changed while this change was prepared; try again")]
    Outdated,
    /// There is no earlier change to undo.
    #[error("the policy was not changed since the switch started, or the switch keeps no earlier policy")]
    NothingBefore,
    /// The policy cannot run in the switch at all.
    #[error(transparent)]
    CannotRun(#[from] CannotRun),
    /// The policy cannot adopt the packets that are queued now.
    #[error("{}{why}", port.as_ref().map_or_else(String::new, |port| format!("port {port}: ")))]
    Now {
        /// The port, if each port has its own policy.
        port: Option<String>,
        /// The loss that the change would cause, and its remedy.
        why: String,
    },
    /// The engine rejects the policy.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// Why a live parameter cannot have a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotSet {
    /// The request names one port, and all ports share a policy.
    #[error(transparent)]
    OnePolicy(#[from] OnePolicy),
    /// The parameter is not live.
    #[error(transparent)]
    NotLive(#[from] NotLive),
    /// The value has another unit.
    #[error(transparent)]
    Unit(#[from] WrongUnit),
    /// The parameter cannot have the value at this port.
    #[error("port {port}: {why}")]
    AtPort {
        /// The port.
        port: String,
        /// The reason.
        why: Box<CannotSet>,
    },
}

/// Why a port cannot be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotAdd {
    /// The port exists already.
    #[error("`{name}` is a port of the switch already; there are {}", ports.join(", "))]
    Twice {
        /// The port's name.
        name: String,
        /// The names of the switch's ports.
        ports: Vec<String>,
    },
    /// All ports share a policy.
    #[error(
        "all {ports} ports share one policy, which has as many ports; stop the switch, and start it with this port \
         and a policy that has one port more"
    )]
    Shared {
        /// The number of ports.
        ports: usize,
    },
    /// A forwarding table chooses the ports of frames.
    #[error(
        "--forward chooses the ports of frames, and has no entry for the new port; stop the switch, and start it \
             with this port"
    )]
    Table,
    /// The policy cannot run at the new port.
    #[error(transparent)]
    CannotRun(#[from] CannotRun),
    /// The switch was created from open interfaces, and has no back end to open another one.
    #[error("this switch cannot open interfaces")]
    NoBackend,
    /// The interface cannot be opened.
    #[error("port {name}: {why}")]
    NotOpened {
        /// The interface's name.
        name: String,
        /// The reason.
        why: OpenError,
    },
    /// The switch was changed while the port was prepared.
    #[error("the switch was changed while this port was prepared; try again")]
    Outdated,
}

/// Why a port cannot be removed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotRemove {
    /// There is no port of this name.
    #[error("there is no port `{name}`; there are {}", ports.join(", "))]
    NoPort {
        /// The name in the request.
        name: String,
        /// The names of the switch's ports.
        ports: Vec<String>,
    },
    /// All ports share a policy.
    #[error(
        "all {ports} ports share one policy, which has as many ports; stop the switch, and start it without this port \
         and with a policy that has one port less"
    )]
    Shared {
        /// The number of ports.
        ports: usize,
    },
    /// A forwarding table chooses the ports of frames.
    #[error(
        "--forward chooses the ports of frames, and may name this port; stop the switch, and start it without this port"
    )]
    Table,
    /// Fewer than two ports would be left.
    #[error("a switch needs two ports or more, and there are {}; add another one first, or stop the switch", ports.join(" and "))]
    TooFew {
        /// The names of the switch's ports.
        ports: Vec<String>,
    },
}

/// Checks whether a policy can run in a switch whose ports have these rates, with fields from this mapping. A policy with one port runs at
/// each port. A policy with several ports runs at all of them, and must have as many ports as the switch.
///
/// # Errors
/// If the policy cannot run. The error gives the reason and the remedy.
pub fn check(
    policy: &Policy,
    mapping: &Mapping,
    forwarding: &Forwarding,
    rates: &[Option<Rate>],
) -> Result<(), CannotRun> {
    check_beside(policy, mapping, matches!(forwarding, Forwarding::Static(_)), rates)
}

/// Checks as [`check`] does, for a switch that forwards by a table or learns.
pub(crate) fn check_beside(
    policy: &Policy,
    mapping: &Mapping,
    has_table: bool,
    rates: &[Option<Rate>],
) -> Result<(), CannotRun> {
    let (ports, interfaces) = (policy.ports.len(), rates.len());
    if policy.queues.len() > MOST_QUEUES {
        return Err(CannotRun::Queues(policy.queues.len()));
    }
    if let Some(routine) = policy.routines.first() {
        return Err(CannotRun::Routine(routine.name.clone()));
    }
    if policy.policy_id.is_some() {
        return Err(CannotRun::Versions);
    }
    if let Some(port) = policy.ports.iter().find(|port| port.next.is_some()) {
        return Err(CannotRun::Stages(port.name.clone()));
    }
    if ports > 1 && ports != interfaces {
        return Err(CannotRun::Ports { policy: ports, switch: interfaces });
    }
    if let Some(unsaid) = mapping.unsaid(policy).first() {
        return Err(CannotRun::Untold { field: unsaid.0, ports });
    }
    for field in Field::ALL {
        if let Some(source) = mapping.source(field)
            && matches!(source.part, Part::Mark | Part::Priority)
        {
            return Err(CannotRun::NoMetadata { field, source_of: source });
        }
    }
    if has_table && forwards(policy, mapping) {
        return Err(CannotRun::ForwardedTwice { ports });
    }
    for (number, rate) in rates.iter().enumerate() {
        let port = &policy.ports[number.min(ports - 1)];
        if let (PortRate::Percent(percent), None) = (port.rate, rate)
            && percent < 100.into()
        {
            return Err(CannotRun::UnknownRate { port: port.name.clone(), percent });
        }
    }
    Ok(())
}

/// Whether a policy itself chooses the ports of frames: it has several ports, and no field that it reads comes from forwarding.
pub(crate) fn forwards(policy: &Policy, mapping: &Mapping) -> bool {
    policy.ports.len() > 1 && mapping.from_egress(policy).is_none()
}

/// Returns an error text if queued packets would leave by another port than the one for which they wait. `occupied` lists the queues with
/// packets: name, port number and packet count.
pub(crate) fn moved<'a>(
    present: &Policy,
    next: &Policy,
    transition: Transition,
    occupied: impl Iterator<Item = (&'a str, usize, usize)>,
) -> Option<String> {
    for (queue, port, packets) in occupied {
        let waiting = if packets == 1 { "1 packet waits".to_owned() } else { format!("{packets} packets wait") };
        let here = &present.ports[port].name;
        match transition {
            Transition::Drain if *here != next.ports[port].name => {
                return Some(format!(
                    "{waiting} at port `{here}`, which is number {} of the ports, and has another number in the new \
                     version; keep the order of the ports, or let this one empty first",
                    port + 1
                ));
            }
            Transition::Rerank => {
                let there = next.queues.iter().find(|other| other.name == queue)?.port;
                if usize::from(there.0) != port {
                    let there = &next.ports[usize::from(there.0)].name;
                    return Some(format!(
                        "{waiting} in `{queue}` for port `{here}`, and the new version has it at port `{there}`; change \
                         with drain, or let it empty first"
                    ));
                }
            }
            Transition::Drain => {}
        }
    }
    None
}

/// Returns the remedy for a field that the policy reads and the mapping does not define.
fn untold(field: Field, ports: usize) -> String {
    let example = match field {
        Field::Queue if ports > 1 => "egress (the port to which it forwards a frame)",
        Field::Queue => "dscp>>3",
        Field::Class => "dscp",
        Field::Flow => "flow-hash",
        Field::Value | Field::Rank | Field::Processing | Field::Slack | Field::Remaining => "udp[8:4]",
    };
    let name = field.name();
    let why = if field == Field::Queue { " (it has several queues and no `classify`)" } else { "" };
    format!(
        "the policy reads `{name}` of packets{why}, and no header implies it; start the switch with \
         --field {name}={example} or the like (interfaces give no mark and no priority)"
    )
}

//! Which policies a switch can run, which policies can replace others, and where they direct packets.

use crate::switch::forwarding::Forwarding;
use crate::switch::interface::OpenError;
use forebay_core::Rate;
use forebay_engine::Transition;
use forebay_engine::live::Refused;
use forebay_lang::ir::{NotLive, PortRate, WrongUnit};
use forebay_lang::{Policy, Ratio};
use forebay_targets::headers::{Field, Mapping, Part, Source};
use std::sync::Arc;

/// More queues would take too long to exchange between two rounds of forwarding.
pub const MOST_QUEUES: usize = 8_192;

/// A policy with the name of its file.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The name.
    pub name: String,
    /// The policy.
    pub policy: Arc<Policy>,
}

/// Why a policy cannot run in a switch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotRun {
    /// It has several ports, and the switch has more or fewer.
    #[error(
        "the policy has {policy} ports and the switch {switch}; give as many (--port), or change the number of the \
         policy's ports (--param, if a param sets it)"
    )]
    Ports {
        /// Those of the policy.
        policy: usize,
        /// Those of the switch.
        switch: usize,
    },
    /// It has more queues than a switch takes.
    #[error("the policy has {0} queues, and a switch accepts at most {MOST_QUEUES}; use fewer")]
    Queues(usize),
    /// It declares actions of its own.
    #[error(
        "the policy declares the action `{0}`, which the switch does not have; leave it out, or embed the engine in a program"
    )]
    Routine(String),
    /// It chooses among versions of itself for each packet.
    #[error(
        "the policy has a `policyId`, and a switch counts packets by the queues of its newest policy; leave `policyId` out"
    )]
    Versions,
    /// A port of it leads into queues of a later stage.
    #[error(
        "port `{0}` of the policy leads into queues of a later stage (`next`), and in a switch, frames depart from \
         every port; leave `next` out, or run the policy in a scenario with [port]"
    )]
    Stages(String),
    /// It reads a field, and nothing says where the field comes from.
    #[error("{}", untold(*field, *ports))]
    Untold {
        /// The field.
        field: Field,
        /// The ports of the policy.
        ports: usize,
    },
    /// A field comes from what interfaces do not tell.
    #[error(
        "--field {}={source_of}: interfaces give no mark and no priority; use bytes of a header, such as udp[8:4]",
        field.name()
    )]
    NoMetadata {
        /// The field.
        field: Field,
        /// Where it should come from.
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
    /// A port has a part of its link's rate, which is unknown.
    #[error("port `{port}` has {percent}% of its link; give the link's rate with --rate")]
    UnknownRate {
        /// The port of the policy.
        port: String,
        /// Its part.
        percent: Ratio,
    },
}

/// One port is named where all share a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("all {ports} ports share one policy, and a change applies to all of them; leave --port out")]
pub struct OnePolicy {
    /// How many ports there are.
    pub ports: usize,
}

/// Why a policy cannot take the place of those that run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotChange {
    /// One port is named where all share a policy.
    #[error(transparent)]
    OnePolicy(#[from] OnePolicy),
    /// It has one port and those that run have several, or the other way about.
    #[error(
        "the policy has {}, and the switch's ports run {}; stop the switch, and start it with this policy",
        if *count == 1 { "1 port".to_owned() } else { format!("{count} ports") },
        if *shared { "one policy with several ports together" } else { "a policy with one port at each" }
    )]
    Ports {
        /// The ports of the policy.
        count: usize,
        /// Whether the switch's ports share one.
        shared: bool,
    },
    /// A port is named that there is not.
    #[error("there is no port `{name}`; there are {}", ports.join(", "))]
    NoPort {
        /// The name.
        name: String,
        /// The ports that there are.
        ports: Vec<String>,
    },
    /// Something else was changed while this change was prepared.
    #[error("the switch was changed while this change was prepared; try again")]
    Outdated,
    /// There was no change.
    #[error("the policy was not changed since the switch started, or the switch keeps no earlier policy")]
    NothingBefore,
    /// It cannot run in the switch at all.
    #[error(transparent)]
    CannotRun(#[from] CannotRun),
    /// It cannot take over the packets that wait now.
    #[error("{}{why}", port.as_ref().map_or_else(String::new, |port| format!("port {port}: ")))]
    Now {
        /// The port, if each has a policy.
        port: Option<String>,
        /// What would be lost, and what to do.
        why: String,
    },
    /// The engine rejects it.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// Why a live parameter cannot have a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotSet {
    /// One port is named where all share a policy.
    #[error(transparent)]
    OnePolicy(#[from] OnePolicy),
    /// It is not live.
    #[error(transparent)]
    NotLive(#[from] NotLive),
    /// The value has another unit.
    #[error(transparent)]
    Unit(#[from] WrongUnit),
    /// It cannot at this port.
    #[error("port {port}: {why}")]
    AtPort {
        /// The port.
        port: String,
        /// Why.
        why: Box<CannotSet>,
    },
}

/// Why a port cannot be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotAdd {
    /// It is there.
    #[error("`{name}` is a port of the switch already; there are {}", ports.join(", "))]
    Twice {
        /// Its name.
        name: String,
        /// The ports that there are.
        ports: Vec<String>,
    },
    /// All ports share a policy.
    #[error(
        "all {ports} ports share one policy, which has as many ports; stop the switch, and start it with this port \
         and a policy that has one port more"
    )]
    Shared {
        /// How many there are.
        ports: usize,
    },
    /// Frames go where a table says.
    #[error(
        "--forward chooses the ports of frames, and has no entry for the new port; stop the switch, and start it \
             with this port"
    )]
    Table,
    /// The policy cannot run there.
    #[error(transparent)]
    CannotRun(#[from] CannotRun),
    /// The switch was made of interfaces that are open, and knows no way to open another one.
    #[error("this switch cannot open interfaces")]
    NoBackend,
    /// The interface cannot be opened.
    #[error("port {name}: {why}")]
    NotOpened {
        /// Its name.
        name: String,
        /// Why.
        why: OpenError,
    },
    /// The switch was changed while the port was prepared.
    #[error("the switch was changed while this port was prepared; try again")]
    Outdated,
}

/// Why a port cannot be removed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotRemove {
    /// There is none of this name.
    #[error("there is no port `{name}`; there are {}", ports.join(", "))]
    NoPort {
        /// The name.
        name: String,
        /// The ports that there are.
        ports: Vec<String>,
    },
    /// All ports share a policy.
    #[error(
        "all {ports} ports share one policy, which has as many ports; stop the switch, and start it without this port \
         and with a policy that has one port less"
    )]
    Shared {
        /// How many there are.
        ports: usize,
    },
    /// Frames go where a table says.
    #[error(
        "--forward chooses the ports of frames, and may name this port; stop the switch, and start it without this port"
    )]
    Table,
    /// Two would not be left.
    #[error("a switch needs two ports or more, and there are {}; add another one first, or stop the switch", ports.join(" and "))]
    TooFew {
        /// The ports that there are.
        ports: Vec<String>,
    },
}

/// Whether a policy can run in a switch with ports of these rates, with fields from this mapping. A policy with one port
/// runs at each port. A policy with several ports runs at all of them, and has as many ports.
///
/// # Errors
/// If it cannot run. The error says why, and what to do.
pub fn check(
    policy: &Policy,
    mapping: &Mapping,
    forwarding: &Forwarding,
    rates: &[Option<Rate>],
) -> Result<(), CannotRun> {
    check_beside(policy, mapping, matches!(forwarding, Forwarding::Static(_)), rates)
}

/// The same, of a switch that forwards by a table or learns.
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

/// Whether a policy says itself where frames go: it has several ports, and no field that it reads comes from forwarding.
pub(crate) fn forwards(policy: &Policy, mapping: &Mapping) -> bool {
    policy.ports.len() > 1 && mapping.from_egress(policy).is_none()
}

/// Why packets would leave by another port than that for which they wait, if they would. `occupied` are queues in which
/// packets wait: name, number of the port, and how many.
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

/// What to do where nothing is said of a field that the policy reads.
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

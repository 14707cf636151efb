//! Which policies a switch can run, which can take the place of others, and where they direct packets.

use crate::switch::forwarding::Forwarding;
use forebay_core::Rate;
use forebay_engine::Transition;
use forebay_lang::Policy;
use forebay_lang::ir::PortRate;
use forebay_targets::headers::{Field, Mapping, Part};

/// A policy with the name of its file.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The name.
    pub name: String,
    /// What it says.
    pub policy: Policy,
}

/// Whether a policy can run in a switch whose ports have these rates, with fields that come from there: one with one port
/// at each of them, one with several ports at all of them, which must be as many.
///
/// # Errors
/// What is wrong, and what to do.
pub fn check(
    policy: &Policy,
    mapping: &Mapping,
    forwarding: &Forwarding,
    rates: &[Option<Rate>],
) -> Result<(), String> {
    let (ports, interfaces) = (policy.ports.len(), rates.len());
    if ports > 1 && ports != interfaces {
        return Err(format!(
            "the policy has {ports} ports and the switch {interfaces}; give as many (--port), or change the policy's \
             (--param, if it says their number)"
        ));
    }
    if let Some(unsaid) = mapping.unsaid(policy).first() {
        return Err(untold(unsaid.0, ports));
    }
    for field in Field::ALL {
        if let Some(source) = mapping.source(field)
            && matches!(source.part, Part::Mark | Part::Priority)
        {
            return Err(format!(
                "--field {}={source}: interfaces tell no mark and no priority; use bytes of a header, such as udp[8:4]",
                field.name()
            ));
        }
    }
    if forwards(policy, mapping) && matches!(forwarding, Forwarding::Static(_)) {
        return Err(format!(
            "the policy has {ports} ports and no field from `egress`, so it alone says where frames go; leave --forward \
             out, or let a field come from there, such as --field queue=egress"
        ));
    }
    for (number, rate) in rates.iter().enumerate() {
        let port = &policy.ports[number.min(ports - 1)];
        if let (PortRate::Percent(percent), None) = (port.rate, rate)
            && percent < 100.into()
        {
            return Err(format!("port `{}` has {percent}% of its link; say the link's rate with --rate", port.name));
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
                    "{waiting} at port `{here}`, which is number {} of the ports and another one in the new version; keep \
                     its place, or let it empty first",
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
        "the policy reads `{name}` of packets{why}, and no header is known to say it; start the switch with \
         --field {name}={example} or the like (interfaces tell no mark and no priority)"
    )
}

//! Which policies an egress can run.

use forebay_core::QueueId;
use forebay_core::{Packet, Time};
use forebay_engine::fields;
use forebay_lang::ir::{PacketRef, ParameterId, PortRate, Read};
use forebay_lang::{Fixed, Policy};
use forebay_targets::headers::{Field, Mapping, Part};

/// A policy with the name of its file.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The name.
    pub name: String,
    /// What it says.
    pub policy: Policy,
}

/// Whether a policy can run at each egress, with fields that come from there; `has_rate` if all ports have a rate.
///
/// # Errors
/// What is wrong, and what to do.
pub fn check(policy: &Policy, mapping: &Mapping, has_rate: bool) -> Result<(), String> {
    if policy.ports.len() != 1 {
        return Err(format!(
            "the policy has {} ports, but every interface runs its own copy of it with one port; list all queues in one \
             `Port(...)`",
            policy.ports.len()
        ));
    }
    if let Some(unsaid) = mapping.unsaid(policy).first() {
        return Err(untold(unsaid.0));
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
    match policy.ports[0].rate {
        PortRate::Percent(percent) if percent < 100.into() && !has_rate => {
            Err(format!("port `{}` has {percent}% of its link; say the link's rate with --rate", policy.ports[0].name))
        }
        _ => Ok(()),
    }
}

/// What to do where nothing is said of a field that the policy reads.
fn untold(field: Field) -> String {
    let example = match field {
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

/// The queue to which a policy directs a packet (`docs/openqueue-semantics.md`, section 5); `None` if there is none.
///
/// `parameter` has the values of live parameters.
pub(crate) fn queue_of(
    policy: &Policy,
    policy_id: u32,
    now: Time,
    packet: &Packet,
    parameter: impl Fn(ParameterId) -> Option<Fixed>,
) -> Option<QueueId> {
    if policy.classify.is_empty() {
        let queue = if policy.queues.len() == 1 { QueueId(0) } else { packet.queue };
        return (usize::from(queue.0) < policy.queues.len()).then_some(queue);
    }
    // A classifier reads the packet, the time and live parameters, and nothing else.
    let mut read = |what: Read| match what {
        Read::Packet(PacketRef::This, field) => fields::field(packet, policy_id, field),
        Read::Now => Fixed::nanoseconds_of_ps(now.as_ps()),
        Read::Parameter(id) => parameter(id).unwrap_or_default(),
        _ => Fixed::whole(0),
    };
    let entry = policy.classify.iter().find(|entry| entry.when.holds(&mut read))?;
    let index = entry.index.value(&mut read).floor().to_integer() - i128::from(entry.first);
    entry.queues.get(usize::try_from(index).ok()?).copied()
}

//! This machine's kernel, with real frames between a pair of devices in a network namespace of their own.

use super::{Datapath, Played, Unplayed};
use forebay_conform::{Answer, Frames, Marked, Operation, Verdict};
use forebay_core::Packet;
use forebay_core::registry::find;
use forebay_kernel::{Built, Error, Player};
use forebay_lang::Policy;
use forebay_targets::{Options, TARGETS};
use std::collections::HashMap;
use std::path::Path;

pub(super) const DATAPATH: Datapath = Datapath { name: "bpf", title: "the kernel's queueing discipline", play };

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    if played.operations.iter().any(|operation| matches!(operation, Operation::Cycle(..))) {
        return Err(Unplayed::Skipped("it serves whole packets, and the stream has `cycle`".to_owned()));
    }
    forebay_kernel::check().map_err(|error| Unplayed::Skipped(error.to_string()))?;
    let temporary = tempfile::tempdir().map_err(|error| Unplayed::Failed(error.to_string()))?;
    let built = match played.built {
        Some(folder) => Built::in_folder(folder).map_err(|error| failed(&error))?,
        None => build(played, temporary.path())?,
    };
    let policy = forebay_kernel::Policy {
        name: played.name.to_owned(),
        built,
        queues: played.policy.queues.iter().map(|queue| queue.name.clone()).collect(),
        ports: played.policy.ports.iter().map(|port| port.name.clone()).collect(),
        seed: played.seed.0,
    };
    forebay_kernel::alone(|| {
        let mut player = Player::new(&policy)?;
        let mut arrived = HashMap::new();
        let mut one = |operation| answer(&mut player, played.policy, &mut arrived, operation);
        let answers = played.operations.iter().map(&mut one).collect();
        player.end()?;
        answers
    })
    .map_err(|error| failed(&error))
}

pub(super) fn failed(error: &Error) -> Unplayed {
    match error {
        Error::Missing { .. } => Unplayed::Skipped(error.to_string()),
        _ => Unplayed::Failed(error.to_string()),
    }
}

pub(super) fn build(played: &Played<'_>, folder: &Path) -> Result<Built, Unplayed> {
    let target = find("target", TARGETS, "bpf").map_err(Unplayed::Failed)?;
    let options = Options { mapping: Frames::mapping(), ..Options::default() };
    let files = target.emit(played.policy, &options).map_err(|refusals| {
        Unplayed::Skipped(refusals.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    })?;
    for file in files {
        std::fs::write(folder.join(file.name), file.text).map_err(|error| Unplayed::Failed(error.to_string()))?;
    }
    forebay_kernel::build(folder).map_err(|error| failed(&error))
}

/// Plays one operation. Of a packet that the policy does not change, its frame says what it is worth; its marks are those
/// that it came with and those that the policy gave it. `arrived` has the packets by their numbers.
fn answer(
    player: &mut Player,
    policy: &Policy,
    arrived: &mut HashMap<u64, Packet>,
    operation: &Operation,
) -> forebay_kernel::Result<Answer> {
    let now = operation.time().as_ps() / 1_000;
    let played = match operation {
        Operation::Enqueue(_, packet) => {
            arrived.insert(packet.id, *packet);
            player.enqueue(now, &Frames::of(packet))?
        }
        Operation::Dequeue(_, port) | Operation::Cycle(_, port) => player.dequeue(now, port.0)?,
    };
    let verdict = match played {
        forebay_kernel::Played::Queued => Verdict::Queued,
        forebay_kernel::Played::Refused(rule) => Verdict::Refused(rule.to_owned()),
        forebay_kernel::Played::Nothing => Verdict::Nothing,
        forebay_kernel::Played::Sent(frame, value, marks) => {
            // A frame that is not of the stream gets a number that no packet has.
            let id = Frames::id(&frame).unwrap_or(u64::MAX);
            let packet = arrived.remove(&id).unwrap_or_default();
            let value = if policy.modifies_values() { value } else { packet.value };
            let own = u8::from(packet.marks.eligible_to_drop()) | u8::from(packet.marks.congested()) << 1;
            Verdict::Sent(Marked { id, value, marks: marks & 3 | own })
        }
    };
    Ok(Answer { verdict, pushed: None })
}

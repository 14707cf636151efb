//! This machine's kernel, with real frames between a pair of devices in a separate network namespace.

use super::emitted::folder;
use super::{Datapath, Played, Unplayed};
use crate::{Answer, Marked, Operation, Verdict, bits};
use forebay_core::{About, Exactness};
use forebay_linux::kernel::{Built, Error, Player};
use forebay_targets::TargetOptions;
use forebay_targets::headers::{Field, Metadata};
use tempfile::TempDir;

pub(super) const DATAPATH: Datapath = Datapath {
    about: About {
        name: "bpf",
        title: "the kernel's queueing discipline",
        exactness: Exactness::NotApplicable,
        hardware: "Linux 6.16 or later with CONFIG_NET_SCH_BPF, clang 19, permission to create devices",
        cost: "the build; a frame for each packet",
        source: "docs/targets/bpf.md",
        params: &[],
    },
    holds: super::in_slots,
    expected: super::exact,
    play,
};

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    played.has_frames()?;
    forebay_linux::kernel::check().map_err(|error| Unplayed::Skipped(error.to_string()))?;
    let programs = Programs::of(played)?;
    let policy = forebay_linux::kernel::KernelPolicy {
        name: played.name.to_owned(),
        built: programs.built.clone(),
        queues: played.policy.queues.iter().map(|queue| queue.name.clone()).collect(),
        ports: played.policy.ports.iter().map(|port| port.name.clone()).collect(),
        seed: played.seed.0,
        digest: forebay_targets::digest(played.policy),
    };
    forebay_linux::kernel::alone(|| {
        let mut player = Player::new(&policy)?;
        let mut one = |operation| answer(&mut player, played, operation);
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

/// The policy's programs; a folder with programs built for this run is removed with them.
pub(super) struct Programs {
    pub(super) built: Built,
    _folder: Option<TempDir>,
}

impl Programs {
    pub(super) fn of(played: &Played<'_>) -> Result<Self, Unplayed> {
        if let Some(built) = played.built {
            return Ok(Self { built: built.clone(), _folder: None });
        }
        let folder = folder("bpf", played, &TargetOptions { mapping: played.mapping(), ..played.options() })?;
        let built = forebay_linux::kernel::build(folder.path()).map_err(|error| failed(&error))?;
        Ok(Self { built, _folder: Some(folder) })
    }
}

/// Plays one operation. The value and the marks of a departing packet come from the kernel if the policy uses them, and
/// otherwise from the frame that was sent.
fn answer(player: &mut Player, played: &Played<'_>, operation: &Operation) -> forebay_linux::kernel::Result<Answer> {
    let now = operation.time().as_ps() / 1_000;
    let policy = played.policy;
    let became = match operation {
        Operation::Enqueue(_, packet) => player.enqueue(now, &played.frame(packet))?,
        Operation::Set(_, parameter, value) => player.set(parameter.0, value.0)?,
        Operation::Dequeue(_, port) | Operation::Cycle(_, port) => player.dequeue(now, port.0)?,
        // There is one policy.
        Operation::Replace(..) => return Ok(Answer::of(Verdict::Draining)),
    };
    let verdict = match became {
        forebay_linux::kernel::Played::Queued => Verdict::Queued,
        forebay_linux::kernel::Played::Refused(rule) => Verdict::Refused(rule.to_owned()),
        forebay_linux::kernel::Played::Set => Verdict::Set,
        forebay_linux::kernel::Played::Nothing => Verdict::Nothing,
        forebay_linux::kernel::Played::Sent(frame, value, marks) => {
            let (id, mapping) = (played.id(&frame), played.mapping());
            let left = mapping.packet(&frame, Metadata::default());
            let knows_value = mapping.only_read_by(policy).source(Field::Value).is_some();
            let own = bits(left.marks);
            let value = if knows_value { value } else { left.value };
            Verdict::Sent(Marked { id, value, marks: if policy.marks() { marks & 3 } else { own } })
        }
    };
    Ok(Answer { verdict, pushed: None })
}

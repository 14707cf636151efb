//! Arguments of `forebay compile`.

use super::ParamArgs;
use super::hardware::HardwareArgs;
use super::number::whole;
use clap::Args;
use forebay::error::{Result, UserError};
use forebay_targets::headers::{Field, Mapping, Source};
use forebay_targets::option::{
    ARCH, FIELD, ID_BITS, QUEUES, RANK, REPLACE_BY, RESUBMIT, SLOTS, SMALLEST_PACKET, STAGES, TRIAL_SEED,
};
use forebay_targets::sv::Hardware;
use forebay_targets::{Switch, SwitchRank, TARGETS, Target, TargetOption, TargetOptions};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CompileArgs {
    /// An OpenQueue file; - is standard input
    #[arg(value_name = "POLICY")]
    pub(crate) file: PathBuf,
    /// Target to compile for (`forebay list targets`)
    #[arg(long, default_value = "c", value_name = "NAME")]
    pub(crate) target: String,
    /// Folder for the files. A missing folder is created, and files of the same names are replaced
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) params: ParamArgs,
    #[command(flatten)]
    pub(crate) made: TargetArgs,
}

/// The form of packets on the network.
#[derive(Debug, Args)]
pub(crate) struct FrameArgs {
    /// Source of a packet field, for programs that see real frames; may be given several times. NAME is queue, value,
    /// processing, slack, flow, remaining, class or rank. SOURCE is dscp, pcp, priority, mark, flow-hash, egress, a number, or
    /// bytes such as udp[8:4]; >>BITS and &MASK may follow. Sources inside a tunnel, such as inner.dscp, are only for `forebay
    /// switch`
    #[arg(long = "field", value_name = "NAME=SOURCE", value_parser = Mapping::read_setting)]
    pub(crate) fields: Vec<(Field, Source)>,
    /// Size of the smallest packet in bytes; with it, buffers sized in bytes are converted to packets [default: 64]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true, value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) smallest_packet: Option<u32>,
}

/// Decisions that are made when a program is compiled.
#[derive(Debug, Args)]
pub(crate) struct TargetArgs {
    #[command(flatten)]
    pub(crate) frames: FrameArgs,
    /// Maximum number of packets for which the program has room [default: 65536]
    #[arg(long, value_name = "PACKETS", allow_negative_numbers = true, value_parser = whole::<u32>(1..=1 << 24))]
    pub(crate) slots: Option<u32>,
    /// Number of strict-priority queues of a switch port (target p4); a policy with several queues uses as many as it has
    /// [default: 8]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = whole::<u8>(1..=32))]
    pub(crate) queues: Option<u8>,
    /// Access a register once in each pass, as hardware requires, and give packets a second pass at inversions (target p4)
    #[arg(long)]
    pub(crate) resubmit: bool,
    /// Compute ranks by a function whose state the switch keeps, in place of procPrio (target p4): stfq or fifo-plus
    #[arg(long, value_name = "NAME", value_parser = switch_rank)]
    pub(crate) rank: Option<SwitchRank>,
    /// Reject a program that needs more stages of a pipeline like Tofino's, by the estimate that `check` prints (target p4)
    /// [default: no limit]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = whole::<u8>(1..=64))]
    pub(crate) stages: Option<u8>,
    /// Architecture of the program (target p4): v1model, or tna for Tofino, for which no program was ever compiled [default:
    /// v1model]
    #[arg(long, value_name = "NAME", value_parser = ["v1model", "tna"])]
    pub(crate) arch: Option<String>,
    #[command(flatten)]
    pub(crate) hardware: HardwareArgs,
    /// Bits of the number by which the host identifies a packet (target sv) [default: 16]
    #[arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = whole::<u8>(1..=32))]
    pub(crate) id_bits: Option<u8>,
    /// Seed of the trials of drops (target sv); the engines make the same trials from the same seed [default: 0]
    #[arg(long = "trial-seed", value_name = "NUMBER")]
    pub(crate) trial_seed: Option<u64>,
    /// Put another policy into the same hardware (target sv). Writing a register replaces one policy by the other while
    /// packets wait. --param sets the constant in every policy that declares it
    #[arg(long, value_name = "POLICY")]
    pub(crate) replace_by: Option<PathBuf>,
}

impl FrameArgs {
    /// These options in the form that targets take.
    pub(crate) fn options(&self) -> TargetOptions {
        let usual = TargetOptions::default();
        let smallest_packet = self.smallest_packet.unwrap_or(usual.smallest_packet);
        TargetOptions { smallest_packet, mapping: usual.mapping.with(&self.fields), ..usual }
    }
}

impl TargetArgs {
    /// The options that were given and that only some targets use.
    fn given(&self) -> impl Iterator<Item = TargetOption> {
        let own = [
            (FIELD, !self.frames.fields.is_empty()),
            (SMALLEST_PACKET, self.frames.smallest_packet.is_some()),
            (SLOTS, self.slots.is_some()),
            (QUEUES, self.queues.is_some()),
            (RESUBMIT, self.resubmit),
            (RANK, self.rank.is_some()),
            (STAGES, self.stages.is_some()),
            (ARCH, self.arch.is_some()),
            (ID_BITS, self.id_bits.is_some()),
            (TRIAL_SEED, self.trial_seed.is_some()),
            (REPLACE_BY, self.replace_by.is_some()),
        ];
        own.into_iter().chain(self.hardware.given()).filter(|(_, given)| *given).map(|(option, _)| option)
    }

    /// Rejects options that only targets use, if no target is given.
    pub(crate) fn are_without_target(&self) -> Result<()> {
        match self.given().next() {
            None => Ok(()),
            Some(option) => {
                let message = format!("is for target {}; name one with --target, or leave it out", readers(&option));
                Err(UserError::argument(option.name.trim_start_matches('-'), message))
            }
        }
    }

    /// These options in the form that `target` takes; rejects options that it does not use.
    pub(crate) fn options(&self, target: &dyn Target) -> Result<TargetOptions> {
        if let Some(option) = self.given().find(|option| !target.options().contains(option)) {
            let (readers, name) = (readers(&option), target.about().name);
            let message = format!("is for target {readers}, and `{name}` does not use it; leave it out");
            return Err(UserError::argument(option.name.trim_start_matches('-'), message));
        }
        let usual = Switch::default();
        let switch = Switch {
            queues: self.queues.unwrap_or(usual.queues),
            rank_bits: self.hardware.rank_bits.unwrap_or(usual.rank_bits),
            resubmit: self.resubmit,
            rank: self.rank,
            stages: self.stages,
            is_tna: self.arch.as_deref() == Some("tna"),
        };
        let usual = Hardware::default();
        let hardware = self.hardware.asked().applied_to(Hardware {
            id_bits: self.id_bits.unwrap_or(usual.id_bits),
            seed: self.trial_seed.unwrap_or(usual.seed),
            ..usual
        });
        let common = self.frames.options();
        Ok(TargetOptions { most_slots: self.slots.unwrap_or(common.most_slots), switch, hardware, ..common })
    }
}

/// The rank function of this name.
fn switch_rank(name: &str) -> std::result::Result<SwitchRank, String> {
    let known = SwitchRank::ALL.iter().find(|(known, _)| *known == name);
    known.map(|(_, rank)| *rank).ok_or_else(|| {
        let names: Vec<&str> = SwitchRank::ALL.iter().map(|(name, _)| *name).collect();
        format!("unknown rank function; switches have {}", names.join(" and "))
    })
}

/// The names of the targets that use an option.
fn readers(option: &TargetOption) -> String {
    let readers = TARGETS.iter().filter(|target| target.options().contains(option));
    readers.map(|target| target.about().name).collect::<Vec<_>>().join(", ")
}

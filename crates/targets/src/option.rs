//! Options that belong to some targets: each target states those that it reads.

/// An option of `forebay compile` and `forebay check`.
#[derive(Debug, PartialEq, Eq)]
pub struct TargetOption {
    /// The option's name on the command line.
    pub name: &'static str,
    /// The option's help, in one line.
    pub help: &'static str,
}

macro_rules! options {
    ($($(#[$meta:meta])* $option:ident = $name:literal, $help:literal;)*) => {
        $($(#[$meta])* pub const $option: TargetOption = TargetOption { name: $name, help: $help };)*
    };
}

options! {
    /// Where fields come from.
    FIELD = "--field", "Header or number from which a field of packets is read; required for fields that no header implies";
    /// The shortest packet.
    SMALLEST_PACKET = "--smallest-packet", "Smallest packet in bytes; it says how many packets fit into a buffer \
         sized in bytes";
    /// Room for packets.
    SLOTS = "--slots", "Most packets that the program may hold";
    /// Queues of a switch.
    QUEUES = "--queues", "Number of strict-priority queues of a port, 1 to 32";
    /// A second pass.
    RESUBMIT = "--resubmit", "Access each register once in a pass, and resubmit packets at inversions";
    /// A rank function with state.
    RANK = "--rank", "Rank function for which the switch keeps state, in place of procPrio: stfq or fifo-plus";
    /// The architecture of a switch.
    ARCH = "--arch", "Architecture of the switch's program: v1model, or tna, which was never compiled";
    /// Stages of a switch.
    STAGES = "--stages", "Stages of the switch's pipeline; a program that is estimated to need more is rejected";
    /// Bits of ranks.
    RANK_BITS = "--rank-bits", "Bits of a rank, and of the bound of a queue in a switch";
    /// Widths of fields.
    BITS = "--bits", "Bits of a field of packets, or of the time";
    /// The block that sorts.
    QUEUE = "--queue", "Queue block that sorts: auto, bbq, bbq-front or pifo";
    /// Bits of ids.
    ID_BITS = "--id-bits", "Bits of the id that the host gives a packet";
    /// Random trials.
    TRIAL_SEED = "--trial-seed", "Seed of the random trials of drops";
    /// A second policy.
    REPLACE_BY = "--replace-by", "Second policy in the same hardware; a register switches to it";
}

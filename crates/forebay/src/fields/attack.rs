//! Tables within fields of scenarios of attacks.

use super::{Field, Manual, Range, Table, Type, Within};
use crate::catalogue::Kind;
use forebay_core::Packet;

/// The longest job in nanoseconds: a thousand seconds.
pub(super) const MAX_JOB_NS: u64 = 1_000_000_000_000;

/// A kind of packets that the attacker sends.
pub(super) static PACKETS: Table = Table {
    name: "`strategy`",
    word: "strategy",
    scenario: "attacks",
    title: "A kind of packets that the attacker sends",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: Some("field of a kind in `strategy`") },
    readers: &["a kind of `strategy`"],
    needs: &[],
    within: &[],
    fields: &[
        Field {
            name: "size_bytes",
            takes: Type::Integer { min: 1, max: Packet::MAX_BYTES as u64, unit: "bytes" },
            meaning: "Size of a packet, at least `min_packet`",
            default: Some("`min_packet`"),
            example: "64",
        },
        Field {
            name: "job",
            takes: Type::Duration,
            meaning: "Job of a packet, at most `max_job`",
            default: Some("`max_job`"),
            example: "\"10 us\"",
        },
        Field {
            name: "estimate",
            takes: Type::Duration,
            meaning: "Estimate that the attacker makes the scheduler believe; the `estimate` of the processor is \
                      applied on top",
            default: Some("the job"),
            example: "\"1 us\"",
        },
        Field {
            name: "flows",
            takes: Type::Integer { min: 0, max: 1 << 20, unit: "flows" },
            meaning: "Number of flows over which packets are spread in turn; 0: each packet is a flow of its own \
                      (numbers begin again after 1,048,576)",
            default: Some("0"),
            example: "1",
        },
        Field {
            name: "share",
            takes: Type::Number { range: Range::Above(0.0, 1e9), unit: "" },
            meaning: "Share of the attack's bits, compared with the other kinds",
            default: Some("1"),
            example: "0.5",
        },
    ],
};

/// The policy that takes over below a watermark of goodput.
pub(super) static BELOW: Table = Table {
    name: "`below`",
    word: "below",
    scenario: "attacks",
    title: "The policy that takes over below a watermark of goodput",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: Some("field of `below`") },
    readers: &["`below`"],
    needs: &[&["goodput"]],
    within: &[
        Within { name: "rank", takes: Type::Named(Kind::RankFunction), is_required: true },
        Within { name: "queue", takes: Type::Named(Kind::Queue), is_required: true },
        Within { name: "drop", takes: Type::Named(Kind::DropRule), is_required: false },
    ],
    fields: &[
        Field {
            name: "goodput",
            takes: Type::Rate,
            meaning: "The watermark: bits per second of all packets that enter service",
            default: None,
            example: "\"8 Gbps\"",
        },
        Field {
            name: "window",
            takes: Type::PositiveDuration,
            meaning: "Time over which goodput is measured; the policy is switched at the end of a window in which \
                      packets waited throughout",
            default: Some("`\"100 us\"`"),
            example: "\"100 us\"",
        },
    ],
};

/// The work that policies expect of a packet, if it differs from the true work.
pub(super) static ESTIMATE: Table = Table {
    name: "`estimate`",
    word: "estimate",
    scenario: "attacks",
    title: "The work that policies expect of a packet, if it differs from the true work",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: None },
    readers: &["`estimate`"],
    needs: &[&["sigma", "constant"]],
    within: &[],
    fields: &[
        Field {
            name: "sigma",
            takes: Type::Number { range: Range::Above(0.0, 10.0), unit: "" },
            meaning: "Standard deviation of the logarithm of a factor with median 1",
            default: None,
            example: "0.5",
        },
        Field {
            name: "constant",
            takes: Type::Duration,
            meaning: "Work that policies expect of every packet",
            default: None,
            example: "\"1 us\"",
        },
    ],
};

/// Servers that are reserved for suspected packets.
pub(super) static SUSPECTED: Table = Table {
    name: "`suspected`",
    word: "suspected",
    scenario: "attacks",
    title: "Servers that are reserved for suspected packets",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: Some("field of `suspected`") },
    readers: &["`suspected`"],
    needs: &[&["servers"]],
    within: &[],
    fields: &[
        Field {
            name: "servers",
            takes: Type::Integer { min: 0, max: 999, unit: "servers" },
            meaning: "Number of the processor's servers that work on suspected packets only; fewer than all. 0: none \
                      is reserved",
            default: None,
            example: "1",
        },
        Field {
            name: "job",
            takes: Type::PositiveDuration,
            meaning: "A packet is suspected if policies expect a job longer than this",
            default: Some("not by its job"),
            example: "\"5 us\"",
        },
        Field {
            name: "flow_work",
            takes: Type::PositiveDuration,
            meaning: "A packet is suspected if more work than this has been done for its flow in the present `window`, or in the \
                      one before",
            default: Some("not by its flow"),
            example: "\"100 us\"",
        },
        Field {
            name: "window",
            takes: Type::PositiveDuration,
            meaning: "Length of the windows in which the work for a flow is added up",
            default: Some("`\"1 ms\"`"),
            example: "\"1 ms\"",
        },
    ],
};

/// Work that grows with the size of a packet.
pub(super) static LINEAR: Table = Table {
    name: "`job_ns`",
    word: "job_ns",
    scenario: "attacks",
    title: "Work that grows with the size of a packet",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: None },
    readers: &["`job_ns`"],
    needs: &[&["ns_per_byte"]],
    within: &[],
    fields: &[
        Field {
            name: "ns_per_byte",
            takes: Type::Number { range: Range::Above(0.0, 1e9), unit: "ns per byte" },
            meaning: "Work for each byte",
            default: None,
            example: "0.8",
        },
        Field {
            name: "more_ns",
            takes: Type::Drawn { min: 0, max: MAX_JOB_NS },
            meaning: "Additional work for each packet",
            default: Some("0"),
            example: "20",
        },
    ],
};

/// An attack in periods that are ON and OFF.
pub(super) static ON_OFF: Table = Table {
    name: "`on_off`",
    word: "on_off",
    scenario: "attacks",
    title: "An attack in periods that are ON and OFF",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: None },
    readers: &["`on_off`"],
    needs: &[&["period"], &["duty"]],
    within: &[],
    fields: &[
        Field {
            name: "period",
            takes: Type::PositiveDuration,
            meaning: "Length of an ON and an OFF period together",
            default: None,
            example: "\"1 ms\"",
        },
        Field {
            name: "duty",
            takes: Type::Number { range: Range::Above(0.0, 1.0), unit: "of the period" },
            meaning: "Share of the period that is ON",
            default: None,
            example: "0.1",
        },
    ],
};

/// Periods of attacks that are searched.
pub(super) static PERIOD: Table = Table {
    name: "`period`",
    word: "period",
    scenario: "attacks",
    title: "Periods of attacks that are searched",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: None },
    readers: &["`period`"],
    needs: &[&["from"], &["to"]],
    within: &[],
    fields: &[
        Field {
            name: "from",
            takes: Type::PositiveDuration,
            meaning: "The shortest period",
            default: None,
            example: "\"20 us\"",
        },
        Field { name: "to", takes: Type::Duration, meaning: "The longest period", default: None, example: "\"1 ms\"" },
    ],
};

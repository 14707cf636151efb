//! Fields of queue studies.

use super::policy::{OPENQUEUE, RANK_UNIT};
use super::port::{NAME, REPETITIONS, SEED};
use super::traffic::RANKS;
use super::{Field, Manual, Range, Table, Type, Within};
use crate::catalogue::Kind;
use forebay_core::Packet;

/// The top level.
pub(super) static TOP: Table = Table {
    name: "top level",
    word: "queue_study",
    scenario: "queue_study",
    title: "Fields of every scenario",
    manual: Manual { page: "docs/scenario.md", section: "Top level", column: None },
    readers: &["the scenario"],
    needs: &[],
    within: &[
        Within { name: "queue_study", takes: Type::Table(&STUDY), is_required: true },
        Within {
            name: "queue",
            takes: Type::List { of: &Type::Any(&[Type::Table(&QUEUE), Type::Table(&OPENQUEUE)]), most: 100_000 },
            is_required: true,
        },
    ],
    fields: &[NAME, SEED, REPETITIONS],
};

/// A study of queues on ranks that are drawn.
pub(super) static STUDY: Table = Table {
    name: "[queue_study]",
    word: "queue_study",
    scenario: "queue_study",
    title: "A study of queues on ranks that are drawn",
    manual: Manual { page: "docs/scenario.md", section: "A queue study", column: Some("field of `[queue_study]`") },
    readers: &["[queue_study]"],
    needs: &[&["ranks"], &["load"], &["buffer"], &["arrivals"]],
    within: &[
        // As those of [traffic].
        Within { name: "on", takes: Type::PositiveDuration, is_required: false },
        Within { name: "off", takes: Type::PositiveDuration, is_required: false },
        Within { name: "flows", takes: Type::Integer { min: 1, max: 1 << 20, unit: "flows" }, is_required: false },
        Within { name: "flow_packets", takes: Type::Drawn { min: 1, max: u64::MAX }, is_required: false },
        Within {
            name: "access",
            takes: Type::Number { range: Range::Above(0.0, 1e6), unit: "times the port's rate" },
            is_required: false,
        },
    ],
    fields: &[
        Field {
            name: "ranks",
            takes: RANKS,
            meaning: "Distribution of the ranks that packets carry, or an order, or a list of \
                      several; each may have a `name`",
            default: Some("named as the distribution or order"),
            example: "[{ distribution = \"uniform\", min = 0, max = 100 }]",
        },
        Field {
            name: "load",
            takes: Type::Number { range: Range::Above(0.0, 1_000.0), unit: "of the port's rate" },
            meaning: "Mean rate as a share of the port's rate; a list compares several",
            default: None,
            example: "[0.8, 0.99]",
        },
        Field {
            name: "packets",
            takes: Type::Integer { min: 1, max: i64::MAX as u64, unit: "packets" },
            meaning: "Packets that arrive in each repetition",
            default: Some("1,000,000"),
            example: "1000000",
        },
        Field {
            name: "buffer",
            takes: Type::Buffer,
            meaning: "Room for waiting packets, as in `[port]`",
            default: None,
            example: "\"80 packets\"",
        },
        Field {
            name: "rate",
            takes: Type::Rate,
            meaning: "Rate of the port. It scales delays and throughput and nothing else, except with \
                      `on-off`, whose periods are absolute",
            default: Some("`\"10 Gbps\"`"),
            example: "\"10 Gbps\"",
        },
        Field {
            name: "arrivals",
            takes: Type::Choice(&["poisson", "constant", "on-off", "flows"]),
            meaning: "When packets arrive: as in `[traffic]`, with `on`, `off` and `flows`, or \
                      `flow_packets` and `access`",
            default: None,
            example: "\"poisson\"",
        },
        Field {
            name: "size_bytes",
            takes: Type::Drawn { min: 1, max: Packet::MAX_BYTES as u64 },
            meaning: "Size of a packet, as in `[traffic]`",
            default: Some("1500"),
            example: "1500",
        },
        Field {
            name: "baseline",
            takes: Type::Text,
            meaning: "Name of the queue with which the others are compared",
            default: Some("the first"),
            example: "\"FIFO\"",
        },
    ],
};

/// A queue that the study compares.
pub(super) static QUEUE: Table = Table {
    name: "[[queue]]",
    word: "queue",
    scenario: "queue_study",
    title: "A queue that the study compares",
    manual: Manual { page: "docs/scenario.md", section: "A queue study", column: Some("field of `[[queue]]`") },
    readers: &["[[queue]]"],
    needs: &[&["queue"]],
    within: &[],
    fields: &[
        Field {
            name: "queue",
            takes: Type::Named(Kind::Queue),
            meaning: "Rank queue",
            default: None,
            example: "{ name = \"sp-pifo\", queues = 8 }",
        },
        Field {
            name: "drop",
            takes: Type::Named(Kind::DropRule),
            meaning: "Drop rule",
            default: Some("`\"tail\"`"),
            example: "\"tail\"",
        },
        Field {
            name: "name",
            takes: Type::Label,
            meaning: "Name of the queue in results; no two alike",
            default: Some("the queue"),
            example: "\"SP-PIFO\"",
        },
        Field {
            name: "buffer",
            takes: Type::Buffer,
            meaning: "Room for waiting packets, instead of the study's",
            default: Some("the study's"),
            example: "\"80 packets\"",
        },
        Field {
            name: "rank_unit",
            takes: RANK_UNIT,
            meaning: "Divides ranks before they enter the queue, rounding down",
            default: Some("1"),
            example: "1",
        },
    ],
};

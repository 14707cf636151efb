//! Fields of queue studies.

use super::{Field, Manual, Table, Type};

/// A study of queues on ranks that are drawn.
pub(super) const STUDY: Table = Table {
    name: "[queue_study]",
    word: "queue_study",
    scenario: "queue_study",
    title: "A study of queues on ranks that are drawn",
    manual: Manual { page: "docs/scenario.md", section: "A queue study", column: "field of `[queue_study]`" },
    readers: &["[queue_study]"],
    fields: &[
        Field {
            name: "ranks",
            takes: Type::Drawn,
            meaning: "Distribution of the ranks that packets carry, or an order, or a list of \
                      several; each may have a `name`",
            default: Some("named as the distribution or order"),
            example: "[{ distribution = \"uniform\", min = 0, max = 100 }]",
        },
        Field {
            name: "loads",
            takes: Type::List("shares of the port's rate"),
            meaning: "Mean rates as shares of the port's rate; `load` for a single one",
            default: None,
            example: "[0.8, 0.99]",
        },
        Field {
            name: "seeds",
            takes: Type::Integer("repetitions"),
            meaning: "Number of independent repetitions, 1 to 10,000. Repetitions times ranks, loads \
                      and queues: at most 100,000",
            default: Some("10"),
            example: "10",
        },
        Field {
            name: "packets",
            takes: Type::Integer("packets"),
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
            takes: Type::Drawn,
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
pub(super) const QUEUE: Table = Table {
    name: "[[queue]]",
    word: "queue",
    scenario: "queue_study",
    title: "A queue that the study compares",
    manual: Manual { page: "docs/scenario.md", section: "A queue study", column: "field of `[[queue]]`" },
    readers: &["[[queue]]"],
    fields: &[
        Field {
            name: "queue",
            takes: Type::Name("queue"),
            meaning: "Rank queue",
            default: None,
            example: "{ name = \"sp-pifo\", queues = 8 }",
        },
        Field {
            name: "drop",
            takes: Type::Name("drop rule"),
            meaning: "Drop rule",
            default: Some("`\"tail\"`"),
            example: "\"tail\"",
        },
        Field {
            name: "name",
            takes: Type::Text,
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
            takes: Type::Integer(""),
            meaning: "Divides ranks before they enter the queue, rounding down",
            default: Some("1"),
            example: "1",
        },
    ],
};

//! Fields of scenarios with a `[port]`: the top level and the port.

use super::{Field, Manual, Table, Type};

/// Fields of every scenario.
pub(super) const TOP: Table = Table {
    name: "top level",
    word: "scenario",
    scenario: "scenario",
    title: "Fields of every scenario",
    manual: Manual { page: "docs/scenario.md", section: "Top level", column: "field" },
    readers: &["the scenario"],
    fields: &[
        Field {
            name: "name",
            takes: Type::Text,
            meaning: "Name of the scenario in results",
            default: Some("the file's name"),
            example: "\"my-link\"",
        },
        Field {
            name: "seed",
            takes: Type::Integer(""),
            meaning: "Root of all random streams, 0 to 2^63 - 1; `--seed` replaces it",
            default: Some("1"),
            example: "7",
        },
        Field {
            name: "until",
            takes: Type::Duration,
            meaning: "The run ends at this time; packets that wait then are counted as queued",
            default: Some("until the last packet has left"),
            example: "\"2 s\"",
        },
    ],
};

/// The port at which every policy stands.
pub(super) const PORT: Table = Table {
    name: "[port]",
    word: "port",
    scenario: "scenario",
    title: "The port at which every policy stands",
    manual: Manual { page: "docs/scenario.md", section: "`[port]`", column: "field" },
    readers: &["[port]"],
    fields: &[
        Field {
            name: "rate",
            takes: Type::Rate,
            meaning: "Rate of the link, or of each link of a policy with several ports: `\"10 \
                      Gbps\"`, `\"56 kbps\"` (bps, kbps, Mbps, Gbps, Tbps; powers of 1000)",
            default: None,
            example: "\"10 Gbps\"",
        },
        Field {
            name: "buffer",
            takes: Type::Buffer,
            meaning: "Room for waiting packets, for policies without a `buffer` of their own: `\"80 \
                      packets\"`, `\"150 KB\"`, `\"64 KiB\"`. The packet being sent takes no buffer, \
                      but a packet must find room when it arrives, also at an idle link. At most \
                      67,108,864 packets",
            default: None,
            example: "\"80 packets\"",
        },
    ],
};

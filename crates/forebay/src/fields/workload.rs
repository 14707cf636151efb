//! Fields of the flows of a network, and of the schemes that carry them.

use super::{Field, Manual, Table, Type};

/// Flows: sizes, senders, receivers and starts.
pub(super) const WORKLOAD: Table = Table {
    name: "[[workload]]",
    word: "workload",
    scenario: "network",
    title: "Flows: sizes, senders, receivers and starts",
    manual: Manual { page: "docs/network.md", section: "`[[workload]]`", column: "field" },
    readers: &["[[workload]]"],
    fields: &[
        Field {
            name: "name",
            takes: Type::Text,
            meaning: "Name of the workload in results; its random numbers depend on it",
            default: Some("the name of the sizes or of the pattern"),
            example: "\"web\"",
        },
        Field {
            name: "sizes",
            takes: Type::Name("flow size"),
            meaning: "Sizes of flows: a name, or a table with parameters; `{ name = \"cdf\", file = \
                      \"sizes.cdf\" }` reads points of a distribution (lines `bytes share`). \
                      `\"endless\"` flows send until the run ends",
            default: None,
            example: "\"web-search\"",
        },
        Field {
            name: "pattern",
            takes: Type::Name("traffic pattern"),
            meaning: "Who sends to whom",
            default: Some("`\"all-to-all\"`"),
            example: "\"all-to-all\"",
        },
        Field {
            name: "arrivals",
            takes: Type::Choice(&["poisson", "constant"]),
            meaning: "When flows start. `\"poisson\"`, or `\"constant\"`: equal gaps, the first flow \
                      at once",
            default: Some("`\"poisson\"`"),
            example: "\"poisson\"",
        },
        Field {
            name: "load",
            takes: Type::Number("of the hosts' links"),
            meaning: "Bits of the flows on the wire, with headers, as a share of what the links of \
                      all hosts that may send carry, up to 1. Give exactly one of `load`, \
                      `flows_per_second` and `every`, or a `replay`",
            default: None,
            example: "0.6",
        },
        Field {
            name: "flows_per_second",
            takes: Type::Number("flows per second"),
            meaning: "Flows of all hosts together, instead of `load`",
            default: None,
            example: "1000",
        },
        Field {
            name: "every",
            takes: Type::Duration,
            meaning: "Mean gap between two arrivals, instead of `load`; an arrival of an incast is \
                      many flows",
            default: None,
            example: "\"1 ms\"",
        },
        Field {
            name: "start",
            takes: Type::Duration,
            meaning: "No flow starts before this time",
            default: Some("`\"0 s\"`"),
            example: "\"0 s\"",
        },
        Field {
            name: "duration",
            takes: Type::Duration,
            meaning: "Flows start within this time after `start`, and within the `duration` of the \
                      network",
            default: None,
            example: "\"50 ms\"",
        },
        Field {
            name: "flows",
            takes: Type::Integer("flows"),
            meaning: "Largest number of flows",
            default: Some("no limit"),
            example: "1000",
        },
        Field {
            name: "replay",
            takes: Type::File,
            meaning: "Flows from a CSV, instead of the fields from `sizes` on: columns `start_ns`, \
                      `src`, `dst` (hosts), `size_bytes`, such as those in `flows` of a result. Flows \
                      that start after `duration` are left out",
            default: None,
            example: "\"flows.csv\"",
        },
        Field {
            name: "class",
            takes: Type::Integer(""),
            meaning: "Class (DSCP) of the packets, 0 to 255",
            default: Some("0"),
            example: "46",
        },
        Field {
            name: "rank",
            takes: Type::Drawn,
            meaning: "Ranks that data packets carry, for `rank = \"packet-rank\"`: as `rank` of \
                      traffic. Distributions or orders in a list have their own names, or a `name`",
            default: Some("none"),
            example: "{ distribution = \"uniform\", min = 0, max = 100 }",
        },
        Field {
            name: "rank_all",
            takes: Type::Boolean,
            meaning: "Whether acknowledgements carry such ranks, too, and not rank 0",
            default: Some("`false`"),
            example: "true",
        },
        Field {
            name: "transport",
            takes: Type::Name("transport"),
            meaning: "Transport of this workload in every scheme",
            default: Some("the transport of the scheme"),
            example: "\"udp\"",
        },
    ],
};

/// A transport, and what stands at the ports.
pub(super) const SCHEME: Table = Table {
    name: "[[scheme]]",
    word: "scheme",
    scenario: "network",
    title: "A transport, and what stands at the ports",
    manual: Manual { page: "docs/network.md", section: "`[[scheme]]`", column: "field" },
    readers: &["[[scheme]]"],
    fields: &[
        Field {
            name: "name",
            takes: Type::Text,
            meaning: "Name of the scheme in results",
            default: Some("the name of the transport"),
            example: "\"DCTCP\"",
        },
        Field {
            name: "transport",
            takes: Type::Name("transport"),
            meaning: "Transport: a name, or a table with parameters",
            default: None,
            example: "\"dctcp\"",
        },
        Field {
            name: "port",
            takes: Type::Table,
            meaning: "Policy at every port of a switch: the fields of a policy, with its own `buffer`",
            default: None,
            example: "{ rank = \"arrival\", queue = \"fifo\", buffer = \"1 MB\" }",
        },
        Field {
            name: "nic",
            takes: Type::Table,
            meaning: "Policy at the ports of hosts, with the same fields as `port`",
            default: Some("as `port`"),
            example: "{ rank = \"arrival\", queue = \"fifo\", buffer = \"1 MB\" }",
        },
        Field {
            name: "state_policy",
            takes: Type::Name("cache policy"),
            meaning: "Replaces the `policy` of every `[[state]]`",
            default: Some("theirs"),
            example: "\"lru\"",
        },
        Field {
            name: "state_seer",
            takes: Type::Table,
            meaning: "Replaces the `seer` of every `[[state]]`",
            default: Some("theirs"),
            example: "{ relay = true }",
        },
        Field {
            name: "state_latency",
            takes: Type::Duration,
            meaning: "Replaces the `latency` of every `[[state]]`. With `\"1 ps\"` misses cost \
                      nothing, which no policy can beat",
            default: Some("theirs"),
            example: "\"1 us\"",
        },
    ],
};

//! Fields of the flows of a network, and of the policies that carry them.

use super::policy::{OPENQUEUE, POLICY};
use super::seer::SEER;
use super::traffic::ORDER;
use super::{CLASS, Field, Manual, Range, Table, Type};
use crate::catalogue::Kind;

/// Ranks that packets of flows carry.
const CARRIED_RANKS: Type =
    Type::Any(&[Type::Drawn { min: 0, max: u64::MAX }, Type::Table(&ORDER), Type::Choice(&["flow-size"])]);

/// The policy of a port.
const PORT_POLICY: Type = Type::Any(&[Type::Table(&POLICY), Type::Table(&OPENQUEUE)]);

/// Flows: sizes, senders, receivers and starts.
pub(super) static WORKLOAD: Table = Table {
    name: "[[workload]]",
    word: "workload",
    scenario: "network",
    title: "Flows: sizes, senders, receivers and starts",
    manual: Manual { page: "docs/network.md", section: "`[[workload]]`", column: Some("field") },
    readers: &["[[workload]]"],
    needs: &[&["sizes", "replay"]],
    within: &[],
    fields: &[
        Field {
            name: "name",
            takes: Type::Label,
            meaning: "Name of the workload in results; its random numbers depend on it",
            default: Some("the name of the sizes or of the pattern"),
            example: "\"web\"",
        },
        Field {
            name: "sizes",
            takes: Type::Named(Kind::FlowSize),
            meaning: "Sizes of flows: a name, or a table with parameters; `{ name = \"cdf\", file = \
                      \"sizes.cdf\" }` reads points of a distribution (lines `bytes share`; a line \
                      `packets of 1460 bytes` before them says that sizes are packets, which files of ns-2 with three columns \
                      need). `\"endless\"` flows send until the run ends",
            default: None,
            example: "\"web-search\"",
        },
        Field {
            name: "pattern",
            takes: Type::Named(Kind::Pattern),
            meaning: "Senders and receivers of flows",
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
            takes: Type::Number { range: Range::Above(0.0, 1.0), unit: "of the hosts' links" },
            meaning: "Bits of the flows on the wire, with headers, as a share of the capacity of the links of all \
                      hosts that may send, up to 1. Give exactly one of `load`, `flows_per_second` and `every`, or a \
                      `replay`",
            default: None,
            example: "0.6",
        },
        Field {
            name: "flows_per_second",
            takes: Type::Number { range: Range::Above(0.0, 1e12), unit: "flows per second" },
            meaning: "Flows of all hosts together, instead of `load`",
            default: None,
            example: "1000",
        },
        Field {
            name: "every",
            takes: Type::PositiveDuration,
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
            takes: Type::PositiveDuration,
            meaning: "Flows start within this time after `start`, and within the `duration` of the \
                      network",
            default: None,
            example: "\"50 ms\"",
        },
        Field {
            name: "flows",
            takes: Type::Integer { min: 1, max: i64::MAX as u64, unit: "flows" },
            meaning: "Maximum number of flows",
            default: Some("no limit"),
            example: "1000",
        },
        Field {
            name: "replay",
            takes: Type::File,
            meaning: "Flows from a CSV, instead of the fields from `sizes` on: columns `start_ns`, \
                      `src`, `dst` (hosts), `size_bytes`; or the lines of one run in `flows.csv` of a \
                       result; or a list of flows of ns-3 or htsim; or the `recording` of the topology, by the same name. \
                       Flows that start after `duration` are left out",
            default: None,
            example: "\"flows.csv\"",
        },
        Field {
            name: "start_unit",
            takes: Type::Choice(&["ps", "ns", "us"]),
            meaning: "Unit of `start` in a `replay` of htsim, which does not say it",
            default: None,
            example: "\"ps\"",
        },
        Field {
            name: "jitter",
            takes: Type::Duration,
            meaning: "Each flow of `replay` starts later by a random time up to this (uniform), another one in each repetition",
            default: Some("`\"0 s\"`"),
            example: "\"10 ms\"",
        },
        Field {
            name: "dscp",
            takes: Type::Integer { min: 0, max: 63, unit: "" },
            meaning: "Only flows of the topology's `recording` whose first packet has this DSCP, which is then their \
                      class",
            default: Some("all flows"),
            example: "46",
        },
        Field {
            name: "class",
            takes: CLASS,
            meaning: "Class (DSCP) of the packets, 0 to 255",
            default: Some("`dscp`, or 0"),
            example: "46",
        },
        Field {
            name: "rank",
            takes: CARRIED_RANKS,
            meaning: "Ranks that data packets carry, for `rank = \"packet-rank\"`: as `rank` of \
                      traffic. Distributions or orders in a list have their own names, or a `name`. `\"flow-size\"`: the \
                      bytes of the packet's flow",
            default: Some("none"),
            example: "{ distribution = \"uniform\", min = 0, max = 100 }",
        },
        Field {
            name: "rank_all",
            takes: Type::Boolean,
            meaning: "Whether acknowledgements carry such ranks as well, in place of rank 0",
            default: Some("`false`"),
            example: "true",
        },
        Field {
            name: "slack",
            takes: Type::Duration,
            meaning: "How long each packet may wait in all queues on its way, for `edf` (which is LSTF then), \
                      `fifo-plus` and `arriving.slack`: each wait reduces it. Acknowledgements have it, too",
            default: Some("none"),
            example: "\"100 us\"",
        },
        Field {
            name: "slack_per_byte",
            takes: Type::Duration,
            meaning: "Additional slack for each byte of the packet's flow",
            default: Some("`\"0 s\"`"),
            example: "\"8 ns\"",
        },
        Field {
            name: "deadline",
            takes: Type::Duration,
            meaning: "Time after the start of its flow by which each packet should have arrived, in place of `slack`: \
                      a port sees the time that is left",
            default: Some("none"),
            example: "\"10 ms\"",
        },
        Field {
            name: "deadline_per_byte",
            takes: Type::Duration,
            meaning: "Additional time until the deadline for each byte of the packet's flow",
            default: Some("`\"0 s\"`"),
            example: "\"8 ns\"",
        },
        Field {
            name: "transport",
            takes: Type::Named(Kind::Transport),
            meaning: "Transport of this workload under every policy",
            default: Some("the transport of the policy"),
            example: "\"udp\"",
        },
    ],
};

/// A transport, and the policies at the ports.
pub(super) static SCHEME: Table = Table {
    name: "[[policy]]",
    word: "policy",
    scenario: "network",
    title: "A transport, and the policies at the ports",
    manual: Manual { page: "docs/network.md", section: "`[[policy]]`", column: Some("field") },
    readers: &["[[policy]]"],
    needs: &[&["transport"], &["port"]],
    within: &[],
    fields: &[
        Field {
            name: "name",
            takes: Type::Label,
            meaning: "Name of the policy in results",
            default: Some("the name of the transport"),
            example: "\"DCTCP\"",
        },
        Field {
            name: "transport",
            takes: Type::Named(Kind::Transport),
            meaning: "Transport: a name, or a table with parameters",
            default: None,
            example: "\"dctcp\"",
        },
        Field {
            name: "port",
            takes: PORT_POLICY,
            meaning: "Policy at every port of a switch: the fields of a policy, with its own `buffer`. An \
                      OpenQueue policy with several ports is one for all ports of a switch (how)",
            default: None,
            example: "{ rank = \"arrival\", queue = \"fifo\", buffer = \"1 MB\" }",
        },
        Field {
            name: "nic",
            takes: PORT_POLICY,
            meaning: "Policy at the ports of hosts, with the same fields as `port`",
            default: Some("as `port`"),
            example: "{ rank = \"arrival\", queue = \"fifo\", buffer = \"1 MB\" }",
        },
        Field {
            name: "state_policy",
            takes: Type::StatePolicy,
            meaning: "Replaces the `policy` of every `[[state]]`",
            default: Some("theirs"),
            example: "\"lru\"",
        },
        Field {
            name: "state_seer",
            takes: Type::Table(&SEER),
            meaning: "Replaces the `seer` of every `[[state]]`",
            default: Some("theirs"),
            example: "{ relay = true }",
        },
        Field {
            name: "state_lookahead",
            takes: Type::Boolean,
            meaning: "Replaces the `lookahead` of every `[[state]]`. With `waits = \"packet\"` it changes \
                      nothing, as no packet waits behind another one",
            default: Some("theirs"),
            example: "true",
        },
        Field {
            name: "state_latency",
            takes: Type::PositiveDuration,
            meaning: "Replaces the `latency` of every `[[state]]`. With `\"1 ps\"` misses cost \
                      nothing, which no policy can beat",
            default: Some("theirs"),
            example: "\"1 us\"",
        },
    ],
};

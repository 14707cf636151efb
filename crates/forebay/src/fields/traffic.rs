//! Fields of `[traffic]`, and of ranks in an order.

use super::{Field, Key, Manual, Range, Table, Type};
use forebay_core::Packet;
use forebay_traces::{IpHeader, RankOrder};

/// Ranks: a number, a distribution, or an order.
const RANKS: Type = Type::Any(&[Type::Drawn { min: 0, max: u64::MAX }, Type::Table(&ORDER)]);

// Fields that a recipe draws, and that are drawn for the packets of a recording, which has none of them.

const RANK: Field = Field {
    name: "rank",
    takes: RANKS,
    meaning: "Rank that a packet carries, for `rank = \"packet-rank\"`; ranks may also follow an order",
    default: Some("none"),
    example: "{ distribution = \"uniform\", min = 0, max = 100 }",
};

const QUEUE: Field = Field {
    name: "queue",
    takes: Type::Drawn { min: 0, max: u16::MAX as u64 },
    meaning: "Queue to which a packet is directed, numbered from 0, for OpenQueue policies with several queues; all \
              packets of a flow go to one queue",
    default: Some("none"),
    example: "{ distribution = \"uniform\", min = 0, max = 3 }",
};

const VALUE: Field = Field {
    name: "value",
    takes: Type::Drawn { min: 0, max: u32::MAX as u64 },
    meaning: "Value of a packet, for `rank = \"value\"`",
    default: Some("none"),
    example: "{ distribution = \"uniform\", min = 1, max = 8 }",
};

const PROCESSING: Field = Field {
    name: "processing_ns",
    takes: Type::Drawn { min: 0, max: u64::MAX / 1_000 },
    meaning: "Job size in nanoseconds, for `job-size`, `job-ratio`, `job-fair`, `job-clock`, `job-finish`, `drfq` and \
              the flow ranks; the link still sends by bytes",
    default: Some("none"),
    example: "1000",
};

const SLACK: Field = Field {
    name: "slack_ns",
    takes: Type::Drawn { min: 0, max: u64::MAX / 1_000 },
    meaning: "Slack in nanoseconds. For `edf`: how late a packet may be. For `fifo-plus`: how \
              much less earlier hops have delayed the packet than others",
    default: Some("none"),
    example: "50000",
};

/// Packets from a recording.
pub(super) static RECORDING: Table = Table {
    name: "[traffic]",
    word: "traffic",
    scenario: "scenario",
    title: "Packets from a recording",
    manual: Manual { page: "docs/scenario.md", section: "`[traffic]` from a recording", column: Some("field") },
    readers: &["[traffic]"],
    needs: &[&["trace"]],
    within: &[],
    fields: &[
        Field {
            name: "trace",
            takes: Type::File,
            meaning: "The recording: a pcap, pcapng, packet CSV or flow CSV (traces.md), relative to \
                      the scenario",
            default: None,
            example: "\"packets.pcap\"",
        },
        Field {
            name: "filter",
            takes: Type::Text,
            meaning: "Filter for the packets of a pcap or pcapng: an expression like tcpdump's (traces.md)",
            default: Some("all"),
            example: "\"src net 10.0.0.0/8\"",
        },
        Field {
            name: "ip_header",
            takes: Type::Choice(IpHeader::NAMES),
            meaning: "IP header that gives the class and flow of a packet in a tunnel: that of the tunnel, the second \
                      one (in the outermost tunnel), or the innermost (traces.md)",
            default: Some("`\"outer\"`"),
            example: "\"inner\"",
        },
        Field {
            name: "speed",
            takes: Type::Number { range: Range::Above(0.0, 1e9), unit: "" },
            meaning: "Divides all gaps between packets",
            default: Some("1"),
            example: "2",
        },
        Field {
            name: "packet_bytes",
            takes: Type::Any(&[Type::Integer { min: 1, max: Packet::MAX_BYTES as u64, unit: "bytes" }, Type::Bytes]),
            meaning: "Bytes of a full packet of a flow CSV",
            default: Some("1500"),
            example: "1500",
        },
        Field {
            name: "access_rate",
            takes: Type::Rate,
            meaning: "Rate at which a flow of a flow CSV sends",
            default: Some("the port's rate"),
            example: "\"1 Gbps\"",
        },
        RANK,
        QUEUE,
        VALUE,
        PROCESSING,
        SLACK,
        Field {
            name: "ecn",
            takes: Type::Boolean,
            meaning: "Whether all packets are ECN-capable, for marks",
            default: Some("as the IP headers of a pcap or pcapng say"),
            example: "true",
        },
    ],
};

/// Packets from a recipe.
pub(super) static RECIPE: Table = Table {
    name: "[traffic]",
    word: "traffic",
    scenario: "scenario",
    title: "Packets from a recipe",
    manual: Manual { page: "docs/scenario.md", section: "`[traffic]` from a recipe", column: Some("field") },
    readers: &["[traffic]"],
    needs: &[&["arrivals"], &["load", "rate"]],
    within: &[],
    fields: &[
        Field {
            name: "arrivals",
            takes: Type::Choice(&["poisson", "constant", "on-off", "flows"]),
            meaning: "When packets arrive. `\"poisson\"`; `\"constant\"`: equal gaps; `\"on-off\"`: \
                      every flow sends evenly while ON and nothing while OFF; `\"flows\"`: flows \
                      start after a Poisson process, and each sends its packets evenly and ends",
            default: None,
            example: "\"poisson\"",
        },
        Field {
            name: "on",
            takes: Type::PositiveDuration,
            meaning: "Mean length of ON periods (exponential), like `\"1 ms\"`, for `\"on-off\"`",
            default: None,
            example: "\"1 ms\"",
        },
        Field {
            name: "off",
            takes: Type::PositiveDuration,
            meaning: "Mean length of OFF periods (exponential), for `\"on-off\"`",
            default: None,
            example: "\"9 ms\"",
        },
        Field {
            name: "flow_packets",
            takes: Type::Drawn { min: 1, max: u64::MAX },
            meaning: "Packets of a flow, for `\"flows\"`",
            default: None,
            example: "{ distribution = \"exponential\", min = 1, max = 1000 }",
        },
        Field {
            name: "access",
            takes: Type::Number { range: Range::Above(0.0, 1e6), unit: "times the port's rate" },
            meaning: "Rate at which a flow sends, as a multiple of the port's rate, for `\"flows\"`",
            default: Some("1"),
            example: "0.1",
        },
        Field {
            name: "load",
            takes: Type::Number { range: Range::Above(0.0, 1_000.0), unit: "of the port's rate" },
            meaning: "Mean rate as a share of the port's rate; may be above 1",
            default: None,
            example: "0.9",
        },
        Field {
            name: "rate",
            takes: Type::Rate,
            meaning: "Mean rate of all flows together, instead of `load`",
            default: None,
            example: "\"9 Gbps\"",
        },
        Field {
            name: "packets",
            takes: Type::Integer { min: 1, max: i64::MAX as u64, unit: "packets" },
            meaning: "Maximum number of packets",
            default: Some("1,000,000 if neither `duration` nor `until` is given"),
            example: "1000000",
        },
        Field {
            name: "duration",
            takes: Type::PositiveDuration,
            meaning: "No packet arrives after this time",
            default: Some("none"),
            example: "\"1 s\"",
        },
        Field {
            name: "flows",
            takes: Type::Integer { min: 1, max: 1 << 20, unit: "flows" },
            meaning: "Number of flows that send at the same time, 1 to 1,048,576; not for `\"flows\"`",
            default: Some("100"),
            example: "100",
        },
        Field {
            name: "flow_bytes",
            takes: Type::Drawn { min: 1, max: u64::MAX },
            meaning: "Size of each flow. A new flow follows one that has sent all its bytes; the last packet of a flow \
                      carries the remaining bytes. Not for `\"flows\"`",
            default: Some("flows never end"),
            example: "10000",
        },
        Field {
            name: "size_bytes",
            takes: Type::Drawn { min: 1, max: Packet::MAX_BYTES as u64 },
            meaning: "Size of a packet, 1 to 1,000,000",
            default: Some("1500"),
            example: "1500",
        },
        Field {
            name: "classes",
            takes: Type::Map { key: Key::Class, of: &Type::Number { range: Range::Above(0.0, 1e9), unit: "" } },
            meaning: "DSCP (or any number to 255) and share of flows: `{ 46 = 0.1, 0 = 0.9 }`",
            default: Some("all 0"),
            example: "{ 46 = 0.1, 0 = 0.9 }",
        },
        RANK,
        QUEUE,
        VALUE,
        PROCESSING,
        SLACK,
        Field {
            name: "ecn",
            takes: Type::Boolean,
            meaning: "Whether packets are ECN-capable, for marks",
            default: Some("`false`"),
            example: "true",
        },
    ],
};

/// Ranks in an order: `rank` of `[traffic]` and `[[workload]]`.
pub(super) static ORDER: Table = Table {
    name: "rank",
    word: "ranks",
    scenario: "scenario",
    title: "Ranks in an order: `rank` of [traffic] and [[workload]]",
    manual: Manual { page: "docs/scenario.md", section: "Ranks in an order", column: Some("field of an order") },
    readers: &["rank", "`ranks`"],
    needs: &[&["order"]],
    within: &[],
    fields: &[
        Field {
            name: "order",
            takes: Type::Choice(&["ramps", "list"]),
            meaning: "`\"ramps\"`: ranks that rise evenly and start again, like `{ order = \"ramps\", \
                      length = 50, min = 0, max = 100 }`; `\"list\"`: the ranks in a file, like `{ \
                      order = \"list\", file = \"ranks.csv\" }`",
            default: None,
            example: "\"ramps\"",
        },
        Field {
            name: "length",
            takes: Type::Integer { min: 1, max: RankOrder::MAX_RANKS as u64, unit: "ranks" },
            meaning: "Number of ranks in a ramp",
            default: None,
            example: "50",
        },
        Field {
            name: "min",
            takes: Type::Integer { min: 0, max: u64::MAX, unit: "" },
            meaning: "First rank of a ramp",
            default: None,
            example: "0",
        },
        Field {
            name: "max",
            takes: Type::Integer { min: 0, max: u64::MAX, unit: "" },
            meaning: "Limit of a ramp: ranks rise evenly to it, rounded down",
            default: None,
            example: "100",
        },
        Field {
            name: "file",
            takes: Type::File,
            meaning: "File of a list, relative to the scenario: one rank per line, or a CSV whose first line has names, \
                      with a column `rank`",
            default: None,
            example: "\"ranks.csv\"",
        },
    ],
};

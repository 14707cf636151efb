//! Fields of scenarios with a `[network]`: the network and its failures.

use super::port::{BASELINE, NAME, REPETITIONS, SEED, ZIP};
use super::state::STATE;
use super::workload::{SCHEME, WORKLOAD};
use super::{Field, Manual, Range, Table, Type, Within};
use crate::catalogue::Kind;
use forebay_traces::IpHeader;

/// The top level of a scenario with a `[network]`.
pub(crate) static TOP: Table = Table {
    name: "top level",
    word: "network",
    scenario: "network",
    title: "Fields of every scenario",
    manual: Manual { page: "docs/scenario.md", section: "Top level", column: None },
    readers: &["the scenario"],
    needs: &[],
    within: &[
        Within { name: "network", takes: Type::Table(&NETWORK), is_required: true },
        Within { name: "workload", takes: Type::List { of: &Type::Table(&WORKLOAD), most: 65_536 }, is_required: true },
        Within { name: "policy", takes: Type::List { of: &Type::Table(&SCHEME), most: 100_000 }, is_required: true },
        Within { name: "failure", takes: Type::List { of: &Type::Table(&FAILURE), most: 100_000 }, is_required: false },
        Within { name: "state", takes: Type::List { of: &Type::Table(&STATE), most: 100_000 }, is_required: false },
    ],
    fields: &[NAME, SEED, REPETITIONS, ZIP, BASELINE],
};

/// The network, its duration and its measurements.
pub(super) static NETWORK: Table = Table {
    name: "[network]",
    word: "network",
    scenario: "network",
    title: "The network, its duration and its measurements",
    manual: Manual { page: "docs/network.md", section: "`[network]`", column: Some("field") },
    readers: &["[network]"],
    needs: &[&["topology"]],
    within: &[],
    fields: &[
        Field {
            name: "topology",
            takes: Type::Any(&[Type::Named(Kind::Topology), Type::Table(&TOPOLOGY_FILE), Type::Table(&RECORDING)]),
            meaning: "Topology: a name, or a table with `name` and parameters, or `{ file = \
                      \"network.txt\" }`, relative to the scenario: one line for each host, switch \
                      and link (below); or `{ recording = \"capture.pcap\", rate = \"20 Mbps\" }` (below)",
            default: None,
            example: "{ name = \"leaf-spine\", leaves = 4, spines = 2 }",
        },
        Field {
            name: "duration",
            takes: Type::PositiveDuration,
            meaning: "Flows start within this time. Required, unless every workload has a `duration` or the topology \
                      comes from a recording; then all flows of the recording start",
            default: None,
            example: "\"100 ms\"",
        },
        Field {
            name: "warmup",
            takes: Type::Duration,
            meaning: "Flows that start before this time are carried but not counted. Port counters start at this time",
            default: Some("`\"0 s\"`"),
            example: "\"10 ms\"",
        },
        Field {
            name: "cooldown",
            takes: Type::Duration,
            meaning: "Flows that start in the last part of `duration` are not counted. Port counters \
                      stop when that part begins",
            default: Some("`\"0 s\"`"),
            example: "\"10 ms\"",
        },
        Field {
            name: "until",
            takes: Type::PositiveDuration,
            meaning: "The run ends at this time at the latest",
            default: Some("when no flow is left, or 1,000 s after `duration`; at `duration`, if some flows never end"),
            example: "\"1 s\"",
        },
        Field {
            name: "completion",
            takes: Type::Choice(&["received", "acknowledged"]),
            meaning: "A flow is complete when the receiver has every byte (`\"received\"`), or when \
                      the sender knows that (`\"acknowledged\"`). Flows of transports without \
                      acknowledgements, such as `udp`, are always complete when received; a warning \
                      says so",
            default: Some("`\"received\"`"),
            example: "\"acknowledged\"",
        },
        Field {
            name: "size_classes",
            takes: Type::List { of: &Type::Bytes, most: 16 },
            meaning: "Limits of the classes of flow sizes that are reported",
            default: Some("`[\"100 KB\", \"1 MB\"]`"),
            example: "[\"100 KB\", \"1 MB\"]",
        },
        Field {
            name: "shared_buffer",
            takes: Type::Table(&SHARED_BUFFER),
            meaning: "Memory that the ports of each switch share, in addition to their own limits: `{ size = \"1 MB\", \
                      alpha = 1 }`. A port may hold `alpha` times the free memory (dynamic thresholds)",
            default: Some("none"),
            example: "{ size = \"1 MB\", alpha = 1 }",
        },
        Field {
            name: "reroute_after",
            takes: Type::Duration,
            meaning: "Time from the failure or repair of a link until switches know of it",
            default: Some("`\"0 s\"`"),
            example: "\"10 ms\"",
        },
        Field {
            name: "series",
            takes: Type::Table(&SERIES),
            meaning: "Records over time: `{ every = \"100 us\", links = [\"leaf0>h3\"], flows = [0] }` records the \
                      backlog of these links in bytes, and the windows of these flows (numbered in order of their \
                      starts)",
            default: Some("none"),
            example: "{ every = \"100 us\", links = [\"leaf0>h3\"], flows = [0] }",
        },
        Field {
            name: "inversions",
            takes: Type::List { of: &Type::Text, most: 100_000 },
            meaning: "Links, like `[\"leaf0>h3\"]`, at which inversions are counted over the whole run, in total and \
                      by rank: packets that depart while a packet of lower rank waits",
            default: Some("none"),
            example: "[\"leaf0>h3\"]",
        },
        Field {
            name: "pace",
            takes: Type::Choice(&["own", "predecessor"]),
            meaning: "Time for which a link sends a packet. `\"own\"`: the time that its bytes take; \
                      `\"predecessor\"`: if the packet waited, the time that the bytes of the packet before it take, \
                      as in a published simulator",
            default: Some("`\"own\"`"),
            example: "\"own\"",
        },
    ],
};

/// A link that fails, slows down or loses packets.
pub(super) static FAILURE: Table = Table {
    name: "[[failure]]",
    word: "failure",
    scenario: "network",
    title: "A link that fails, slows down or loses packets",
    manual: Manual { page: "docs/network.md", section: "`[[failure]]`", column: Some("field") },
    readers: &["[[failure]]"],
    needs: &[&["link"], &["at"], &["down", "up", "rate", "loss"]],
    within: &[],
    fields: &[
        Field {
            name: "link",
            takes: Type::Text,
            meaning: "The link. `\"leaf0-spine1\"`: both directions; `\"leaf0>spine1\"`: one",
            default: None,
            example: "\"leaf0-spine1\"",
        },
        Field {
            name: "at",
            takes: Type::Duration,
            meaning: "Time of the failure",
            default: None,
            example: "\"20 ms\"",
        },
        Field {
            name: "down",
            takes: Type::Boolean,
            meaning: "`true`: the link fails. Packets that wait for the link or are on it are lost, except those that \
                      a shaper holds back",
            default: None,
            example: "true",
        },
        Field {
            name: "up",
            takes: Type::Boolean,
            meaning: "`true`: the link works again",
            default: None,
            example: "true",
        },
        Field {
            name: "rate",
            takes: Type::Rate,
            meaning: "The link sends at this rate from now on. A shaper or another part that was built for a rate \
                      keeps that rate; notifications use the new one",
            default: None,
            example: "\"1 Gbps\"",
        },
        Field {
            name: "loss",
            takes: Type::Number { range: Range::From(0.0, 1.0), unit: "of packets" },
            meaning: "The link loses each packet, including control packets, with this probability",
            default: None,
            example: "0.001",
        },
    ],
};

/// A topology in a file.
pub(crate) static TOPOLOGY_FILE: Table = Table {
    name: "`topology`",
    word: "topology",
    scenario: "network",
    title: "A topology in a file",
    manual: Manual { page: "docs/network.md", section: "`[network]`", column: None },
    readers: &["`topology`"],
    needs: &[&["file"]],
    within: &[],
    fields: &[Field {
        name: "file",
        takes: Type::File,
        meaning: "The file, relative to the scenario: a line for each host, switch and link",
        default: None,
        example: "\"network.txt\"",
    }],
};

/// A topology that is made from a recording.
pub(crate) static RECORDING: Table = Table {
    name: "`topology`",
    word: "recording",
    scenario: "network",
    title: "A topology that is made from a recording",
    manual: Manual { page: "docs/network.md", section: "Topologies of recordings", column: Some("field") },
    readers: &["`topology`"],
    needs: &[&["recording"], &["rate"]],
    within: &[],
    fields: &[
        Field {
            name: "recording",
            takes: Type::File,
            meaning: "A pcap or pcapng file, relative to the scenario, whose TCP flows are replayed",
            default: None,
            example: "\"capture.pcap\"",
        },
        Field {
            name: "rate",
            takes: Type::Rate,
            meaning: "Rate of the bottleneck",
            default: None,
            example: "\"20 Mbps\"",
        },
        Field {
            name: "access_rate",
            takes: Type::Rate,
            meaning: "Rate of the links of hosts",
            default: Some("ten times `rate`, at least 1 Gbps"),
            example: "\"1 Gbps\"",
        },
        Field {
            name: "filter",
            takes: Type::Text,
            meaning: "Filter for the packets of the recording: an expression like tcpdump's (traces.md)",
            default: Some("all"),
            example: "\"net 10.0.0.0/8\"",
        },
        Field {
            name: "ip_header",
            takes: Type::Choice(IpHeader::NAMES),
            meaning: "IP header that gives the addresses and ports of a packet in a tunnel: that of the tunnel, the \
                      second one (in the outermost tunnel), or the innermost (traces.md)",
            default: Some("`\"outer\"`"),
            example: "\"inner\"",
        },
        Field {
            name: "direction",
            takes: Type::Choice(&["main", "other"]),
            meaning: "Direction of the recorded link that goes through the bottleneck: `\"main\"`, the one with more \
                      bytes of data, or `\"other\"`",
            default: Some("`\"main\"`"),
            example: "\"other\"",
        },
        Field {
            name: "pause",
            takes: Type::PositiveDuration,
            meaning: "Data that a connection sends after a pause of this length is a new flow",
            default: Some("`\"500 ms\"`"),
            example: "\"1 s\"",
        },
        Field {
            name: "round_trip",
            takes: Type::PositiveDuration,
            meaning: "Round-trip time between addresses for which the recording shows none",
            default: Some("the median of those that it shows"),
            example: "\"40 ms\"",
        },
    ],
};

/// Memory that the ports of a switch share.
pub(super) static SHARED_BUFFER: Table = Table {
    name: "`shared_buffer`",
    word: "shared_buffer",
    scenario: "network",
    title: "Memory that the ports of a switch share",
    manual: Manual { page: "docs/network.md", section: "`[network]`", column: None },
    readers: &["`shared_buffer`"],
    needs: &[&["size"]],
    within: &[],
    fields: &[
        Field { name: "size", takes: Type::Bytes, meaning: "Size of the memory", default: None, example: "\"1 MB\"" },
        Field {
            name: "alpha",
            takes: Type::Number { range: Range::Above(0.0, 1e6), unit: "" },
            meaning: "A port may hold this many times the free memory",
            default: Some("1"),
            example: "1",
        },
    ],
};

/// Values that are recorded over time.
pub(super) static SERIES: Table = Table {
    name: "`series`",
    word: "series",
    scenario: "network",
    title: "Values that are recorded over time",
    manual: Manual { page: "docs/network.md", section: "`[network]`", column: None },
    readers: &["`series`"],
    needs: &[&["every"]],
    within: &[],
    fields: &[
        Field {
            name: "every",
            takes: Type::PositiveDuration,
            meaning: "Time between two samples",
            default: None,
            example: "\"100 us\"",
        },
        Field {
            name: "links",
            takes: Type::List { of: &Type::Text, most: 100_000 },
            meaning: "Links whose backlog is recorded",
            default: Some("none"),
            example: "[\"leaf0>h3\"]",
        },
        Field {
            name: "flows",
            takes: Type::List { of: &Type::Integer { min: 0, max: u32::MAX as u64, unit: "" }, most: 100_000 },
            meaning: "Flows whose windows are recorded, numbered in order of their starts",
            default: Some("none"),
            example: "[0]",
        },
    ],
};

//! Parameters of the applications of scenarios of attacks, and of attacks on them.

use super::{Field, Manual, Range, Table, Type, Within};
use forebay_core::Packet;

/// The sizes of packets of applications that are one recipe.
pub(super) static SIZES: Type = Type::Drawn { min: 1, max: Packet::MAX_BYTES as u64 };

/// TCP reassembly as an `application` of innocent traffic.
pub(super) static REASSEMBLY: Table = Table {
    name: "`tcp-reassembly`",
    word: "tcp-reassembly",
    scenario: "attacks",
    title: "TCP reassembly as an `application` of innocent traffic",
    manual: Manual {
        page: "docs/scenario.md",
        section: "An application",
        column: Some("parameter of `tcp-reassembly`"),
    },
    readers: &["`application`"],
    needs: &[],
    within: &[Within { name: "name", takes: Type::Choice(&["tcp-reassembly"]), is_required: true }],
    fields: &[
        Field {
            name: "fixed",
            takes: Type::Duration,
            meaning: "Cost of each segment, up to `\"1 s\"`",
            default: Some("`\"677 ns\"`"),
            example: "\"677 ns\"",
        },
        Field {
            name: "traversal",
            takes: Type::Duration,
            meaning: "Cost of each visited node of the list of waiting segments, up to `\"1 s\"`",
            default: Some("`\"4 ns\"`"),
            example: "\"4 ns\"",
        },
        Field {
            name: "window_bytes",
            takes: Type::Integer { min: 2, max: 1 << 20, unit: "bytes" },
            meaning: "Window, 2 to 1,048,576 bytes. A flow with data further ahead than this is \
                      dropped. The largest job is `fixed`, and a `traversal` for every second byte",
            default: Some("16,384"),
            example: "16384",
        },
        Field {
            name: "structure",
            takes: Type::Choice(&["list", "tree", "buffer"]),
            meaning: "Data structure of waiting segments: a list; a balanced tree, in which a `traversal` is a level; \
                      or a buffer of the size of the window for each flow, which needs no search",
            default: Some("`\"list\"`"),
            example: "\"tree\"",
        },
        Field {
            name: "max_nodes",
            takes: Type::Integer { min: 1, max: 1 << 20, unit: "nodes" },
            meaning: "Maximum number of nodes in a flow's list or tree. A flow that needs more is reset",
            default: Some("as many as fit into the window"),
            example: "4",
        },
        Field {
            name: "memory",
            takes: Type::Bytes,
            meaning: "Maximum number of bytes that all flows hold together: waiting data and 64 B for each node, or \
                      their buffers. While they hold more, flows are reset",
            default: Some("no limit"),
            example: "\"64 MB\"",
        },
        Field {
            name: "victim",
            takes: Type::Choice(&["oldest", "largest"]),
            meaning: "For `memory`: the flow that is reset. `\"oldest\"`: the flow whose last segment arrived longest \
                      ago; `\"largest\"`: the flow that holds the most",
            default: Some("`\"oldest\"`"),
            example: "\"largest\"",
        },
        Field {
            name: "flows",
            takes: Type::Integer { min: 1, max: 1 << 20, unit: "flows" },
            meaning: "Number of flows that send at the same time; when one ends the next begins",
            default: Some("1,000"),
            example: "1000",
        },
        Field {
            name: "flow_bytes",
            takes: Type::Table(&FLOW_BYTES),
            meaning: "Sizes of flows: `{ min = 5000, max = 100_000_000, shape = 1.2 }` is a Pareto distribution with \
                      this minimum size and shape, cut off at `max`",
            default: Some("this"),
            example: "{ min = 5000, max = 100_000_000, shape = 1.2 }",
        },
        Field {
            name: "acknowledgements",
            takes: Type::Number { range: Range::From(0.0, 1.0), unit: "of packets" },
            meaning: "Share of packets without data, 0 to 1",
            default: Some("0.27"),
            example: "0.27",
        },
        Field {
            name: "lost",
            takes: Type::Number { range: Range::From(0.0, 0.4), unit: "of segments" },
            meaning: "Share of segments with data that arrive again three to eight segments later, 0 to 0.4",
            default: Some("0.005"),
            example: "0.005",
        },
        Field {
            name: "overtaken",
            takes: Type::Number { range: Range::From(0.0, 0.4), unit: "of segments" },
            meaning: "Share of segments with data that one to three others overtake, 0 to 0.4",
            default: Some("0.005"),
            example: "0.005",
        },
        Field {
            name: "pcap",
            takes: Type::File,
            meaning: "Instead of the last five: a recording, whose TCP segments are played at the rates of the \
                      scenario, repeatedly (each time its flows have other numbers); each seed begins at another \
                      segment. Capacity and bounds are computed from up to 1,048,576 of its segments, attacks from \
                      100,000, beginning at some segment",
            default: None,
            example: "\"segments.pcap\"",
        },
    ],
};

/// A two-stage matcher as an `application` of innocent traffic.
pub(super) static MATCHER: Table = Table {
    name: "`two-stage-matcher`",
    word: "two-stage-matcher",
    scenario: "attacks",
    title: "A two-stage matcher as an `application` of innocent traffic",
    manual: Manual {
        page: "docs/scenario.md",
        section: "An application",
        column: Some("parameter of `two-stage-matcher`"),
    },
    readers: &["`application`"],
    needs: &[],
    within: &[Within { name: "name", takes: Type::Choice(&["two-stage-matcher"]), is_required: true }],
    fields: &[
        Field {
            name: "filter",
            takes: Type::Duration,
            meaning: "Cost of the first stage for each packet, up to `\"1 s\"`",
            default: Some("`\"200 ns\"`"),
            example: "\"200 ns\"",
        },
        Field {
            name: "rules",
            takes: Type::Integer { min: 1, max: 1000, unit: "rules" },
            meaning: "Number of rules of the second stage, 1 to 1,000. They are evaluated one after \
                      another until one matches",
            default: Some("40"),
            example: "40",
        },
        Field {
            name: "decades",
            takes: Type::Number { range: Range::From(0.0, 9.0), unit: "" },
            meaning: "Spread of rules: the last rule is this many decades more expensive, and more rarely a candidate, \
                      than the first, 0 to 9",
            default: Some("2"),
            example: "2",
        },
        Field {
            name: "candidates",
            takes: Type::Number { range: Range::From(0.0, 1000.0), unit: "rules" },
            meaning: "Mean number of rules that the filter names for a packet, up to all of them",
            default: Some("1.1457"),
            example: "1.1457",
        },
        Field {
            name: "matches",
            takes: Type::Number { range: Range::From(0.0, 1.0), unit: "of candidates" },
            meaning: "Share of its candidates that a rule matches",
            default: Some("0.02"),
            example: "0.02",
        },
        Field {
            name: "ns_per_byte",
            takes: Type::Number { range: Range::From(0.0, 1e6), unit: "ns per byte" },
            meaning: "Mean cost of the first rule; the last one may cost up to 1,000,000",
            default: Some("1.5"),
            example: "1.5",
        },
        Field {
            name: "spread",
            takes: Type::Number { range: Range::From(0.0, 1.0), unit: "" },
            meaning: "Standard deviation of a rule's cost from packet to packet, as a share of the \
                      mean; none differs by more than half",
            default: Some("0.15"),
            example: "0.15",
        },
        Field {
            name: "size_bytes",
            takes: Type::Drawn { min: 1, max: Packet::MAX_BYTES as u64 },
            meaning: "Size of a packet: a number or a distribution",
            default: Some("Gaussian, 800 +- 400, from 64 to 1,514"),
            example: "800",
        },
        Field {
            name: "flows",
            takes: Type::Integer { min: 1, max: 1 << 20, unit: "flows" },
            meaning: "Number of flows; the flow of each packet is drawn",
            default: Some("100"),
            example: "100",
        },
    ],
};

/// Parameters of `strategy = { name = "application" }`.
pub(super) static OWN_ATTACK: Table = Table {
    name: "`strategy` of an application",
    word: "strategy",
    scenario: "attacks",
    title: "Parameters of `strategy = { name = \"application\" }`",
    manual: Manual { page: "docs/scenario.md", section: "An application", column: Some("parameter of the strategy") },
    readers: &["`strategy`"],
    needs: &[],
    within: &[Within { name: "name", takes: Type::Choice(&["application"]), is_required: true }],
    fields: &[
        Field {
            name: "out_of_order",
            takes: Type::Integer { min: 1, max: 1 << 20, unit: "segments" },
            meaning: "For `tcp-reassembly`: number of segments of an attack flow, each of one byte \
                      beyond a gap; then the next flow begins",
            default: Some(
                "as many as fit into the window, and, for policies that look at jobs, also \
                           as many as make the jobs of equations 3.8 and 3.9 on average",
            ),
            example: "64",
        },
        Field {
            name: "repeats",
            takes: Type::Integer { min: 0, max: u32::MAX as u64, unit: "segments" },
            meaning: "How often the last segment of a flow is sent again",
            default: Some("0"),
            example: "0",
        },
        Field {
            name: "flows",
            takes: Type::Integer { min: 1, max: 1000, unit: "flows" },
            meaning: "Number of attack flows that are sent in turn, 1 to 1,000",
            default: Some("1"),
            example: "1",
        },
        Field {
            name: "searched",
            takes: Type::Integer { min: 1, max: 1000000, unit: "payloads" },
            meaning: "For `two-stage-matcher`: number of innocent payloads, 1 to 1,000,000, of which \
                      the one with the longest job is sent. `max_job` defaults to its job",
            default: Some("100,000"),
            example: "100000",
        },
    ],
};

/// Sizes of flows: a bounded Pareto distribution.
pub(super) static FLOW_BYTES: Table = Table {
    name: "`flow_bytes` of `tcp-reassembly`",
    word: "flow_bytes",
    scenario: "attacks",
    title: "Sizes of flows: a bounded Pareto distribution",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: None },
    readers: &["`flow_bytes`"],
    needs: &[&["min"], &["max"], &["shape"]],
    within: &[],
    fields: &[
        Field {
            name: "min",
            takes: Type::Integer { min: 1, max: 1 << 40, unit: "bytes" },
            meaning: "Minimum size of a flow",
            default: None,
            example: "5000",
        },
        Field {
            name: "max",
            takes: Type::Integer { min: 1, max: 1 << 40, unit: "bytes" },
            meaning: "Maximum size of a flow",
            default: None,
            example: "100_000_000",
        },
        Field {
            name: "shape",
            takes: Type::Number { range: Range::Above(0.0, 100.0), unit: "" },
            meaning: "Shape of the distribution: the smaller, the heavier its tail",
            default: None,
            example: "1.2",
        },
    ],
};

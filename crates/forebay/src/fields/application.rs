//! Parameters of the applications of attack studies, and of attacks on them.

use super::{Field, Manual, Table, Type};

/// TCP reassembly as an `application` of innocent traffic.
pub(super) const REASSEMBLY: Table = Table {
    name: "`tcp-reassembly`",
    word: "tcp-reassembly",
    scenario: "attack_study",
    title: "TCP reassembly as an `application` of innocent traffic",
    manual: Manual { page: "docs/scenario.md", section: "An application", column: "parameter of `tcp-reassembly`" },
    readers: &["`application`"],
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
            meaning: "Cost of each node of the list of waiting segments that is looked at, up to `\"1 \
                      s\"`",
            default: Some("`\"4 ns\"`"),
            example: "\"4 ns\"",
        },
        Field {
            name: "window_bytes",
            takes: Type::Integer("bytes"),
            meaning: "Window, 2 to 1,048,576 bytes. A flow with data further ahead than this is \
                      dropped. The largest job is `fixed`, and a `traversal` for every second byte",
            default: Some("16,384"),
            example: "16384",
        },
        Field {
            name: "flows",
            takes: Type::Integer("flows"),
            meaning: "Number of flows that send at the same time; when one ends the next begins",
            default: Some("1,000"),
            example: "1000",
        },
        Field {
            name: "flow_bytes",
            takes: Type::Table,
            meaning: "Sizes of flows: `{ min = 5000, max = 100_000_000, shape = 1.2 }` is a Pareto \
                      distribution of this least size and shape, cut off at `max`",
            default: Some("this"),
            example: "{ min = 5000, max = 100_000_000, shape = 1.2 }",
        },
        Field {
            name: "acknowledgements",
            takes: Type::Number("of packets"),
            meaning: "Share of packets without data, 0 to 1",
            default: Some("0.27"),
            example: "0.27",
        },
        Field {
            name: "lost",
            takes: Type::Number("of segments"),
            meaning: "Share of segments with data that come again three to eight segments later, 0 to 0.4",
            default: Some("0.005"),
            example: "0.005",
        },
        Field {
            name: "overtaken",
            takes: Type::Number("of segments"),
            meaning: "Share of segments with data that one to three others overtake, 0 to 0.4",
            default: Some("0.005"),
            example: "0.005",
        },
        Field {
            name: "pcap",
            takes: Type::File,
            meaning: "instead of the last five: a recording, whose TCP segments are played at the \
                      rates of the study, again and again (its flows have other numbers each time); a \
                      seed begins somewhere else in it. Capacity and bounds are computed from up to \
                      1,048,576 of its segments, attacks from 100,000, from some place on",
            default: None,
            example: "\"segments.pcap\"",
        },
    ],
};

/// A two-stage matcher as an `application` of innocent traffic.
pub(super) const MATCHER: Table = Table {
    name: "`two-stage-matcher`",
    word: "two-stage-matcher",
    scenario: "attack_study",
    title: "A two-stage matcher as an `application` of innocent traffic",
    manual: Manual { page: "docs/scenario.md", section: "An application", column: "parameter of `two-stage-matcher`" },
    readers: &["`application`"],
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
            takes: Type::Integer("rules"),
            meaning: "Number of rules of the second stage, 1 to 1,000. They are evaluated one after \
                      another until one matches",
            default: Some("40"),
            example: "40",
        },
        Field {
            name: "decades",
            takes: Type::Number(""),
            meaning: "Spread of rules: the last rule is so many decades more expensive, and more \
                      rarely a candidate, than the first, 0 to 9",
            default: Some("2"),
            example: "2",
        },
        Field {
            name: "candidates",
            takes: Type::Number("rules"),
            meaning: "Mean number of rules that the filter names for a packet, up to all of them",
            default: Some("1.1457"),
            example: "1.1457",
        },
        Field {
            name: "matches",
            takes: Type::Number("of candidates"),
            meaning: "Share of its candidates that a rule matches",
            default: Some("0.02"),
            example: "0.02",
        },
        Field {
            name: "ns_per_byte",
            takes: Type::Number("ns per byte"),
            meaning: "Mean cost of the first rule; the last one may cost up to 1,000,000",
            default: Some("1.5"),
            example: "1.5",
        },
        Field {
            name: "spread",
            takes: Type::Number(""),
            meaning: "Standard deviation of a rule's cost from packet to packet, as a share of the \
                      mean; none differs by more than half",
            default: Some("0.15"),
            example: "0.15",
        },
        Field {
            name: "size_bytes",
            takes: Type::Drawn,
            meaning: "Size of a packet: a number or a distribution",
            default: Some("Gaussian, 800 +- 400, from 64 to 1,514"),
            example: "800",
        },
        Field {
            name: "flows",
            takes: Type::Integer("flows"),
            meaning: "Number of flows; the flow of each packet is drawn",
            default: Some("100"),
            example: "100",
        },
    ],
};

/// Parameters of `strategy = { name = "application" }`.
pub(super) const OWN_ATTACK: Table = Table {
    name: "`strategy` of an application",
    word: "strategy",
    scenario: "attack_study",
    title: "Parameters of `strategy = { name = \"application\" }`",
    manual: Manual { page: "docs/scenario.md", section: "An application", column: "parameter of the strategy" },
    readers: &["`strategy`"],
    fields: &[
        Field {
            name: "out_of_order",
            takes: Type::Integer("segments"),
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
            takes: Type::Integer("segments"),
            meaning: "How often the last segment of a flow is sent again",
            default: Some("0"),
            example: "0",
        },
        Field {
            name: "flows",
            takes: Type::Integer("flows"),
            meaning: "Number of attack flows that are sent in turn, 1 to 1,000",
            default: Some("1"),
            example: "1",
        },
        Field {
            name: "searched",
            takes: Type::Integer("payloads"),
            meaning: "For `two-stage-matcher`: number of innocent payloads, 1 to 1,000,000, of which \
                      the dearest is sent. `max_job` defaults to its job",
            default: Some("100,000"),
            example: "100000",
        },
    ],
};

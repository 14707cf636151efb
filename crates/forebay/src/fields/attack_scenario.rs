//! Fields of scenarios of attacks.

use super::attack::{ESTIMATE, LINEAR, MAX_JOB_NS, ON_OFF, PACKETS, PERIOD, SUSPECTED};
use super::port::{BASELINE, NAME, REPETITIONS, SEED, ZIP};
use super::{Field, Manual, Table, Type, Within, application, policy};
use crate::catalogue::Kind;
use forebay_core::Packet;
use forebay_sim::attack::search::Space;

/// The top level of a scenario of attacks.
pub(crate) static TOP: Table = Table {
    name: "top level",
    word: "attacks",
    scenario: "attacks",
    title: "Fields of every scenario",
    manual: Manual { page: "docs/scenario.md", section: "Top level", column: None },
    readers: &["the scenario"],
    needs: &[],
    within: &[
        Within { name: "processor", takes: Type::Table(&PROCESSOR), is_required: true },
        Within { name: "innocent", takes: Type::Table(&INNOCENT), is_required: true },
        Within { name: "attack", takes: Type::Table(&ATTACK), is_required: true },
        Within { name: "search", takes: Type::Table(&SEARCH), is_required: false },
        Within { name: "policy", takes: Type::List { of: &policy::ANY, most: 100_000 }, is_required: true },
    ],
    fields: &[NAME, SEED, REPETITIONS, ZIP, BASELINE],
};

/// The processor of packets.
pub(super) static PROCESSOR: Table = Table {
    name: "[processor]",
    word: "processor",
    scenario: "attacks",
    title: "The processor for which every policy schedules packets",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: Some("field of `[processor]`") },
    readers: &["[processor]"],
    needs: &[],
    within: &[],
    fields: &[
        Field {
            name: "buffer",
            takes: Type::Buffer,
            meaning: "Room for waiting packets, for policies without a `buffer` of their own",
            default: None,
            example: "\"1000 packets\"",
        },
        Field {
            name: "servers",
            takes: Type::Integer { min: 1, max: 1000, unit: "servers" },
            meaning: "Number of servers, 1 to 1,000; each works on one packet at a time",
            default: Some("1"),
            example: "1",
        },
        Field {
            name: "estimate",
            takes: Type::Any(&[Type::Choice(&["truth", "application"]), Type::Table(&ESTIMATE)]),
            meaning: "Work that policies expect of a packet. `\"truth\"`; `{ sigma = 0.5 }`: the truth times a factor \
                      that is drawn log-normally for every packet, with median 1 and this deviation of its logarithm; \
                      `{ constant = \"1 us\" }`: always this; `\"application\"`: what the application estimates",
            default: Some("the CSV's `estimate_ns` if it has one, otherwise the truth"),
            example: "{ sigma = 0.5 }",
        },
        Field {
            name: "link",
            takes: Type::Rate,
            meaning: "Rate of the link in front of the processor. Innocent traffic and attack together may not exceed \
                      it",
            default: Some("no limit"),
            example: "\"100 Gbps\"",
        },
        Field {
            name: "slice",
            takes: Type::Any(&[Type::PositiveDuration, Type::Choice(&["estimate"])]),
            meaning: "Time after which an unfinished job returns to the queue. It is then ranked by the greater of its \
                      estimate and twice its cost so far. `\"estimate\"`: the estimate with which it was enqueued",
            default: Some("jobs run to completion"),
            example: "\"2 us\"",
        },
        Field {
            name: "switch_cost",
            takes: Type::Duration,
            meaning: "Time that a server needs when a job returns to the queue, for `slice`",
            default: Some("`\"100 ns\"`"),
            example: "\"100 ns\"",
        },
        Field {
            name: "suspected",
            takes: Type::Table(&SUSPECTED),
            meaning: "Servers that are reserved for suspected packets, like `{ servers = 1, job = \"5 us\" }`",
            default: Some("every server takes every packet"),
            example: "{ servers = 1, job = \"5 us\" }",
        },
    ],
};

/// The innocent traffic.
pub(super) static INNOCENT: Table = Table {
    name: "[innocent]",
    word: "innocent",
    scenario: "attacks",
    title: "The innocent traffic",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: Some("field of `[innocent]`") },
    readers: &["[innocent]"],
    needs: &[&["rate"]],
    within: &[],
    fields: &[
        Field {
            name: "rate",
            takes: Type::Rate,
            meaning: "Mean rate of innocent traffic",
            default: None,
            example: "\"5 Gbps\"",
        },
        Field {
            name: "packets",
            takes: Type::Integer { min: 1, max: i64::MAX as u64, unit: "packets" },
            meaning: "Innocent packets that arrive in each repetition and are counted",
            default: Some("1,000,000"),
            example: "1000000",
        },
        Field {
            name: "warmup",
            takes: Type::Integer { min: 0, max: i64::MAX as u64, unit: "packets" },
            meaning: "Innocent packets that arrive before anything is counted",
            default: Some("a tenth of `packets`"),
            example: "100000",
        },
        Field {
            name: "gaps",
            takes: Type::Choice(&["constant", "poisson"]),
            meaning: "Gaps between packets: `\"constant\"` or `\"poisson\"`",
            default: Some("`\"constant\"`"),
            example: "\"poisson\"",
        },
        Field {
            name: "flows",
            takes: Type::Integer { min: 1, max: 1 << 20, unit: "flows" },
            meaning: "Number of flows; the flow of each packet is drawn",
            default: Some("100"),
            example: "100",
        },
        Field {
            name: "size_bytes",
            takes: Type::Drawn { min: 1, max: Packet::MAX_BYTES as u64 },
            meaning: "Size of a packet: a number or a distribution",
            default: None,
            example: "1500",
        },
        Field {
            name: "job_ns",
            takes: Type::Any(&[Type::Drawn { min: 0, max: MAX_JOB_NS }, Type::Table(&LINEAR)]),
            meaning: "Job of a packet in nanoseconds, drawn independently: a number or a distribution; or `{ \
                      ns_per_byte = 0.8, more_ns = 20 }`, work that grows with the size, plus a number or a \
                      distribution",
            default: None,
            example: "1000",
        },
        Field {
            name: "jobs",
            takes: Type::File,
            meaning: "Instead of `size_bytes` and `job_ns`: a CSV with the columns `size_bytes`, \
                      `job_ns` and, if the scheduler does not know the truth, `estimate_ns`; packets \
                      are drawn from its lines",
            default: None,
            example: "\"jobs.csv\"",
        },
        Field {
            name: "application",
            takes: Type::Any(&[
                Type::Named(Kind::Application),
                Type::Table(&application::REASSEMBLY),
                Type::Table(&application::MATCHER),
            ]),
            meaning: "Instead of all fields except `rate`, `packets` and `warmup`: an application that makes the jobs \
                      of its own packets",
            default: None,
            example: "\"tcp-reassembly\"",
        },
        Field {
            name: "replay",
            takes: Type::File,
            meaning: "Instead of all fields except `rate`, `packets` and `warmup`: a CSV with the columns `time_ns`, \
                      `flow`, `size_bytes`, `job_ns` and, if the scheduler does not know the truth, `estimate_ns`. Its \
                      packets are played in order with their flows, repeatedly, at the rate of the scenario; each seed \
                      begins at another packet",
            default: None,
            example: "\"trace.csv\"",
        },
    ],
};

/// The attacker's budget and strategy.
pub(super) static ATTACK: Table = Table {
    name: "[attack]",
    word: "attack",
    scenario: "attacks",
    title: "The attacker's budget and strategy",
    manual: Manual { page: "docs/scenario.md", section: "Attacks", column: Some("field of `[attack]`") },
    readers: &["[attack]"],
    needs: &[&["rate"]],
    within: &[],
    fields: &[
        Field {
            name: "rate",
            takes: Type::Rate,
            meaning: "Mean rate of the attack",
            default: None,
            example: "\"100 Mbps\"",
        },
        Field {
            name: "min_packet",
            takes: Type::Integer { min: 1, max: Packet::MAX_BYTES as u64, unit: "bytes" },
            meaning: "Smallest packet that can be sent, in bytes",
            default: Some("64"),
            example: "64",
        },
        Field {
            name: "max_job",
            takes: Type::PositiveDuration,
            meaning: "Largest job that a packet can make, like `\"10 us\"`",
            default: Some("that of the application, if it has one"),
            example: "\"10 us\"",
        },
        Field {
            name: "strategy",
            takes: Type::Any(&[
                Type::Choice(&["optimal", "application"]),
                Type::List { of: &Type::Table(&PACKETS), most: 100 },
                Type::Table(&application::OWN_ATTACK),
                Type::ApplicationAttack,
            ]),
            meaning: "Packets that the attacker sends. `\"optimal\"`: each policy is attacked in up to three ways, and \
                      the most harmful counts; or a list of kinds of packets that are sent together; or \
                      `\"application\"`: packets on which the application works as on innocent ones",
            default: Some("`\"optimal\"`"),
            example: "\"optimal\"",
        },
        Field {
            name: "on_off",
            takes: Type::Table(&ON_OFF),
            meaning: "When the attack is sent. `{ period = \"1 ms\", duty = 0.1 }`: all of it in a tenth of each \
                      millisecond",
            default: Some("evenly"),
            example: "{ period = \"1 ms\", duty = 0.1 }",
        },
    ],
};

/// Limits of `forebay attack --search`.
pub(super) static SEARCH: Table = Table {
    name: "[search]",
    word: "search",
    scenario: "attacks",
    title: "Limits of `forebay attack --search`",
    manual: Manual {
        page: "docs/scenario.md",
        section: "Attacks",
        column: Some("field of `[search]`, for `--search`"),
    },
    readers: &["[search]"],
    needs: &[],
    within: &[],
    fields: &[
        Field {
            name: "packets",
            takes: Type::Integer { min: 100, max: 1 << 40, unit: "packets" },
            meaning: "Innocent packets that arrive while an attack is tried; up to 32 times as many if the attack \
                      sends less than 1 Mbit or fewer than 20 periods in that time. The attack that is found is \
                      measured with ten times as many",
            default: Some("5,000"),
            example: "5000",
        },
        Field {
            name: "max_packet",
            takes: Type::Integer { min: 1, max: Packet::MAX_BYTES as u64, unit: "bytes" },
            meaning: "Largest packet that is tried, in bytes",
            default: Some("the largest of 100,000 innocent ones"),
            example: "1500",
        },
        Field {
            name: "min_job",
            takes: Type::PositiveDuration,
            meaning: "Smallest job that is tried",
            default: Some("a ten-thousandth of `max_job`"),
            example: "\"1 ns\"",
        },
        Field {
            name: "flows",
            takes: Type::Integer { min: 1, max: 1 << 20, unit: "flows" },
            meaning: "Maximum number of flows of a kind of packets; each packet may also be a flow of its own",
            default: Some("64"),
            example: "64",
        },
        Field {
            name: "kinds",
            takes: Type::Integer { min: 1, max: Space::MAX_KINDS as u64, unit: "kinds" },
            meaning: "Maximum number of kinds of packets in an attack, up to 4",
            default: Some("2"),
            example: "2",
        },
        Field {
            name: "period",
            takes: Type::Table(&PERIOD),
            meaning: "Period of attacks that are on and off: `{ from = \"20 us\", to = \"1 ms\" }`",
            default: Some("up to the time in which a quarter of `packets` arrive, starting from a fiftieth of it"),
            example: "{ from = \"20 us\", to = \"1 ms\" }",
        },
    ],
};

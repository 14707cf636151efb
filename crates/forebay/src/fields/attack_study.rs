//! Fields of attack studies.

use super::{Field, Manual, Table, Type};

/// How much innocent traffic an attacker displaces.
pub(super) const STUDY: Table = Table {
    name: "[attack_study]",
    word: "attack_study",
    scenario: "attack_study",
    title: "How much innocent traffic an attacker displaces",
    manual: Manual { page: "docs/scenario.md", section: "An attack study", column: "field of `[attack_study]`" },
    readers: &["[attack_study]"],
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
            takes: Type::Integer("servers"),
            meaning: "Number of servers, 1 to 1,000; each works on one packet at a time",
            default: Some("1"),
            example: "1",
        },
        Field {
            name: "packets",
            takes: Type::Integer("packets"),
            meaning: "Innocent packets that arrive in each repetition while all is counted",
            default: Some("1,000,000"),
            example: "1000000",
        },
        Field {
            name: "warmup",
            takes: Type::Integer("packets"),
            meaning: "Innocent packets that arrive before anything is counted",
            default: Some("a tenth of `packets`"),
            example: "100000",
        },
        Field {
            name: "seeds",
            takes: Type::Integer("repetitions"),
            meaning: "Number of independent repetitions, 1 to 10,000; the displacement is computed \
                      seed by seed against the baseline with the same packets",
            default: Some("3"),
            example: "3",
        },
        Field {
            name: "estimate",
            takes: Type::Choice(&["truth", "application"]),
            meaning: "what policies are told of the work of a packet. `\"truth\"`; `{ sigma = 0.5 }`: \
                      times a factor that is drawn log-normally for every packet, with median 1 and \
                      this deviation of its logarithm; `{ constant = \"1 us\" }`: always this; \
                      `\"application\"`: what the application estimates",
            default: Some("the CSV's `estimate_ns` if it has one, otherwise the truth"),
            example: "{ sigma = 0.5 }",
        },
    ],
};

/// The innocent traffic.
pub(super) const INNOCENT: Table = Table {
    name: "[attack_study.innocent]",
    word: "innocent",
    scenario: "attack_study",
    title: "The innocent traffic",
    manual: Manual {
        page: "docs/scenario.md",
        section: "An attack study",
        column: "field of `[attack_study.innocent]`",
    },
    readers: &["[attack_study.innocent]"],
    fields: &[
        Field {
            name: "rates",
            takes: Type::List("rates"),
            meaning: "Mean rates of innocent traffic: a list, or `{ from = \"1 Gbps\", to = \"10 \
                      Gbps\", steps = 4 }`, in equal ratios; `rate` for a single one",
            default: None,
            example: "{ from = \"1 Gbps\", to = \"10 Gbps\", steps = 4 }",
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
            takes: Type::Integer("flows"),
            meaning: "Number of flows; the flow of each packet is drawn",
            default: Some("100"),
            example: "100",
        },
        Field {
            name: "size_bytes",
            takes: Type::Drawn,
            meaning: "Size of a packet: a number or a distribution",
            default: None,
            example: "1500",
        },
        Field {
            name: "job_ns",
            takes: Type::Drawn,
            meaning: "Job of a packet in nanoseconds, drawn independently: a number or a \
                      distribution; or `{ ns_per_byte = 0.8, more_ns = 20 }`, work that grows with \
                      the size, and a number or distribution besides",
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
            takes: Type::Name("application"),
            meaning: "Instead of all fields but `rates`: an application that makes the jobs of its \
                      own packets",
            default: None,
            example: "\"tcp-reassembly\"",
        },
    ],
};

/// The attacker's budget and strategy.
pub(super) const ATTACK: Table = Table {
    name: "[attack_study.attack]",
    word: "attack",
    scenario: "attack_study",
    title: "The attacker's budget and strategy",
    manual: Manual { page: "docs/scenario.md", section: "An attack study", column: "field of `[attack_study.attack]`" },
    readers: &["[attack_study.attack]"],
    fields: &[
        Field {
            name: "rates",
            takes: Type::List("rates"),
            meaning: "Attack rates, written as the innocent `rates`; `rate` for a single one",
            default: None,
            example: "[\"10 Mbps\", \"100 Mbps\"]",
        },
        Field {
            name: "min_packet",
            takes: Type::Integer("bytes"),
            meaning: "Smallest packet that can be sent, in bytes",
            default: Some("64"),
            example: "64",
        },
        Field {
            name: "max_job",
            takes: Type::Duration,
            meaning: "Largest job that a packet can make, like `\"10 us\"`",
            default: Some("that of the application, if it has one"),
            example: "\"10 us\"",
        },
        Field {
            name: "strategy",
            takes: Type::Choice(&["optimal", "application"]),
            meaning: "What is sent. `\"optimal\"`: each policy is attacked in up to three ways, and \
                      the most harmful counts; or a list of kinds of packets that are sent together; \
                      or `\"application\"`: packets on which the application works as on innocent \
                      ones",
            default: Some("`\"optimal\"`"),
            example: "\"optimal\"",
        },
        Field {
            name: "on_off",
            takes: Type::Table,
            meaning: "When it is sent. `{ period = \"1 ms\", duty = 0.1 }`: all in a tenth of each \
                      millisecond",
            default: Some("evenly"),
            example: "{ period = \"1 ms\", duty = 0.1 }",
        },
    ],
};

/// A kind of packets that the attacker sends.
pub(super) const PACKETS: Table = Table {
    name: "`strategy`",
    word: "strategy",
    scenario: "attack_study",
    title: "A kind of packets that the attacker sends",
    manual: Manual { page: "docs/scenario.md", section: "An attack study", column: "field of a kind in `strategy`" },
    readers: &["a kind of `strategy`"],
    fields: &[
        Field {
            name: "size_bytes",
            takes: Type::Integer("bytes"),
            meaning: "Size of a packet, at least `min_packet`",
            default: Some("`min_packet`"),
            example: "64",
        },
        Field {
            name: "job",
            takes: Type::Duration,
            meaning: "Job of a packet, at most `max_job`",
            default: Some("`max_job`"),
            example: "\"10 us\"",
        },
        Field {
            name: "estimate",
            takes: Type::Duration,
            meaning: "Estimate that the attacker makes the scheduler believe; `estimate` of the study \
                      comes on top",
            default: Some("the job"),
            example: "\"1 us\"",
        },
        Field {
            name: "flows",
            takes: Type::Integer("flows"),
            meaning: "Number of flows over which packets are spread in turn; 0: each is a flow of its \
                      own (numbers begin again after 1,048,576)",
            default: Some("0"),
            example: "1",
        },
        Field {
            name: "share",
            takes: Type::Number(""),
            meaning: "Share of the attack's bits, compared with the other kinds",
            default: Some("1"),
            example: "0.5",
        },
    ],
};

/// Limits of `forebay attack --search`.
pub(super) const SEARCH: Table = Table {
    name: "[attack_study.search]",
    word: "search",
    scenario: "attack_study",
    title: "Limits of `forebay attack --search`",
    manual: Manual {
        page: "docs/scenario.md",
        section: "An attack study",
        column: "field of `[attack_study.search]`, for `--search`",
    },
    readers: &["[attack_study.search]"],
    fields: &[
        Field {
            name: "packets",
            takes: Type::Integer("packets"),
            meaning: "Innocent packets that arrive while an attack is tried; up to 32 times as many \
                      where it sends less than 1 Mbit or fewer than 20 periods in that time. The \
                      attack that is found is measured with ten times as many",
            default: Some("5,000"),
            example: "5000",
        },
        Field {
            name: "max_packet",
            takes: Type::Integer("bytes"),
            meaning: "Largest packet that is tried, in bytes",
            default: Some("the largest of 100,000 innocent ones"),
            example: "1500",
        },
        Field {
            name: "min_job",
            takes: Type::Duration,
            meaning: "Smallest job that is tried",
            default: Some("a ten-thousandth of `max_job`"),
            example: "\"1 ns\"",
        },
        Field {
            name: "flows",
            takes: Type::Integer("flows"),
            meaning: "Most flows of a kind of packets; each packet may also be a flow of its own",
            default: Some("64"),
            example: "64",
        },
        Field {
            name: "kinds",
            takes: Type::Integer("kinds"),
            meaning: "Most kinds of packets in an attack, up to 4",
            default: Some("2"),
            example: "2",
        },
        Field {
            name: "period",
            takes: Type::Table,
            meaning: "Period of attacks that are on and off: `{ from = \"20 us\", to = \"1 ms\" }`",
            default: Some("up to the time in which a quarter of `packets` arrive, from a fiftieth of that"),
            example: "{ from = \"20 us\", to = \"1 ms\" }",
        },
    ],
};

//! Fields of `seer`: how caches of states are notified.

use super::{Field, Manual, Range, Table, Type};

/// Notification of caches about packets that are on their way.
pub(super) static SEER: Table = Table {
    name: "`seer`",
    word: "seer",
    scenario: "network",
    title: "How caches are notified of packets that are on their way",
    manual: Manual { page: "docs/network.md", section: "`seer`", column: Some("field") },
    readers: &["`seer`"],
    needs: &[],
    within: &[],
    fields: &[
        Field {
            name: "from",
            takes: Type::Text,
            meaning: "Nodes that notify, switches and hosts by name as in `at`: `\"spine* leaf*\"`. Each word must \
                      name a neighbour of such a switch or, with `relay`, a neighbour of a neighbour",
            default: Some("all neighbours"),
            example: "\"spine* leaf*\"",
        },
        Field {
            name: "taking_part",
            takes: Type::Number { range: Range::From(0.0, 1.0), unit: "of the links" },
            meaning: "Share of the links to each cache that notify, from 0 to 1, rounded; the seed \
                      decides which",
            default: Some("1"),
            example: "0.5",
        },
        Field {
            name: "relay",
            takes: Type::Boolean,
            meaning: "Whether neighbours pass notifications on",
            default: Some("`false`"),
            example: "true",
        },
        Field {
            name: "corrections",
            takes: Type::Boolean,
            meaning: "Whether ports that sort packets by any rank, or push packets out, notify as well, and correct \
                      their notifications. docs/seer.md says how",
            default: Some("`false`"),
            example: "true",
        },
        Field {
            name: "per_gap",
            takes: Type::Integer { min: 0, max: 1000000, unit: "notifications" },
            meaning: "Notifications that fit between two packets",
            default: Some("2"),
            example: "2",
        },
        Field {
            name: "threshold",
            takes: Type::Any(&[
                Type::Integer { min: 0, max: 1_000_000, unit: "notifications" },
                Type::Choice(&["never"]),
            ]),
            meaning: "When more notifications than this wait at a port, a control packet goes before \
                      the next packet (the paper's m); or `\"never\"`",
            default: Some("8"),
            example: "8",
        },
        Field {
            name: "interval",
            takes: Type::Duration,
            meaning: "Minimum time from one control packet of a port to the next (the paper's t)",
            default: Some("`\"500 ns\"`"),
            example: "\"500 ns\"",
        },
        Field {
            name: "per_control",
            takes: Type::Integer { min: 1, max: 1000000, unit: "notifications" },
            meaning: "Notifications in a control packet, at most as many as fit into `control_bytes` \
                      less 18 B",
            default: Some("8"),
            example: "8",
        },
        Field {
            name: "control_bytes",
            takes: Type::Integer { min: 1, max: 65535, unit: "bytes" },
            meaning: "Bytes that a control packet takes on the link",
            default: Some("64"),
            example: "64",
        },
        Field {
            name: "queue",
            takes: Type::Integer { min: 1, max: 1000000, unit: "notifications" },
            meaning: "Notifications that may wait at a port; more are dropped",
            default: Some("1024"),
            example: "1024",
        },
        Field {
            name: "idle",
            takes: Type::Choice(&["before", "after"]),
            meaning: "Whether the notification of a packet that finds the link idle is sent `\"before\"` or \
                      `\"after\"` the packet; with `\"after\"` it arrives too late",
            default: Some("`\"before\"`"),
            example: "\"before\"",
        },
        Field {
            name: "list",
            takes: Type::Integer { min: 1, max: 1000000, unit: "packets" },
            meaning: "Packets that may be expected on a port of the cache; notifications of more are \
                      dropped",
            default: Some("1024"),
            example: "1024",
        },
        Field {
            name: "clock",
            takes: Type::Frequency,
            meaning: "Clock of the manager of the cache. It sets how long an iteration takes; an \
                      iteration begins one fetch at most",
            default: Some("`\"1 GHz\"`"),
            example: "\"1 GHz\"",
        },
        Field {
            name: "iteration",
            takes: Type::Duration,
            meaning: "Duration of an iteration, instead of `clock`; with `\"0 ns\"`, all possible work is done at once",
            default: None,
            example: "\"0 ns\"",
        },
        Field {
            name: "after_failure",
            takes: Type::Choice(&["block", "next", "stop"]),
            meaning: "Reaction if no entry can be evicted for a fetch. `\"block\"`: the port of that packet waits \
                      until something changes; `\"next\"`: the next packet of any port is tried; `\"stop\"`: the \
                      iteration fetches nothing more (algorithm 1 of the paper)",
            default: Some("`\"block\"`"),
            example: "\"next\"",
        },
        Field {
            name: "to_x",
            takes: Type::Choice(&["at-once", "next-iteration"]),
            meaning: "When a packet whose fetch has begun is done. `\"at-once\"`; `\"next-iteration\"`: if no entry \
                      had to be evicted, in the next iteration, which finds its state in the cache (algorithm 1 of the \
                      paper)",
            default: Some("`\"at-once\"`"),
            example: "\"at-once\"",
        },
        Field {
            name: "unannounced",
            takes: Type::Choice(&["last", "recency"]),
            meaning: "Assumed next use of entries that no expected packet needs. `\"last\"`: after all others, so that \
                      they are evicted first (algorithm 2); `\"recency\"`: as far ahead as their last use lies back. \
                      docs/seer.md says which is better where",
            default: Some("`\"last\"`"),
            example: "\"recency\"",
        },
        Field {
            name: "admit",
            takes: Type::Choice(&["belady", "always"]),
            meaning: "When a missed state is inserted. `\"belady\"`: if another entry is needed later; `\"always\"`: \
                      in any case",
            default: Some("`\"belady\"`"),
            example: "\"always\"",
        },
        Field {
            name: "enters",
            takes: Type::Choice(&["begin", "end"]),
            meaning: "When a prefetch takes its slot in its set and an entry is evicted for it. `\"begin\"`: when the \
                      fetch begins (algorithm 1); `\"end\"`: when it ends, as for a miss. docs/seer.md compares them",
            default: Some("`\"begin\"`"),
            example: "\"end\"",
        },
        Field {
            name: "after_eviction",
            takes: Type::Choice(&["keep", "refetch"]),
            meaning: "Treatment of expected packets whose state has been evicted again. `\"keep\"`: they fetch it \
                      themselves when they arrive (algorithm 1 of the paper); `\"refetch\"`: it is fetched again in \
                      time, which takes more fetches",
            default: Some("`\"keep\"`"),
            example: "\"refetch\"",
        },
        Field {
            name: "horizon",
            takes: Type::Any(&[Type::Duration, Type::Choice(&["none"])]),
            meaning: "How long before its packet a fetch may begin; `\"none\"`: as soon as the packet is known. Early \
                      fetches hold entries longer; a horizon slightly above the latency needs fewer fetches",
            default: Some("`\"none\"`"),
            example: "\"2 us\"",
        },
        Field {
            name: "patience",
            takes: Type::Any(&[Type::Duration, Type::Choice(&["none"])]),
            meaning: "How late a packet may be before it is given up; `\"none\"`: it is never given up. Keep this time \
                      short if expected packets may never arrive, since their states stay in the cache",
            default: Some(
                "`\"1 us\"` with `jitter`, else `\"10 us\"` with `relay` or if a \
                           `[[failure]]` has `down` or `loss`, otherwise `\"none\"`",
            ),
            example: "\"10 us\"",
        },
        Field {
            name: "loss",
            takes: Type::Number { range: Range::From(0.0, 1.0), unit: "of notifications" },
            meaning: "Probability that a notification is lost, from 0 to 1; control packets still take their time on \
                      the link",
            default: Some("0"),
            example: "0.01",
        },
        Field {
            name: "jitter",
            takes: Type::Duration,
            meaning: "Each notification is delayed by a random time up to this (uniform), so it may be overtaken; the \
                      delay that it states is not corrected. If it arrives after its packet, the packet is expected in \
                      vain",
            default: Some("`\"0 s\"`"),
            example: "\"100 ns\"",
        },
        Field {
            name: "clock_rate",
            takes: Type::Number { range: Range::From(0.001, 1_000.0), unit: "" },
            meaning: "Factor on the delays in notifications, from 0.001 to 1000: the sender's clock, \
                      or its idea of the rate of its link, is wrong",
            default: Some("1"),
            example: "1.001",
        },
        Field {
            name: "clock_error",
            takes: Type::Duration,
            meaning: "Random error of the delays in notifications, up to this to either side \
                      (uniform); no delay falls below 0",
            default: Some("`\"0 s\"`"),
            example: "\"10 ns\"",
        },
        Field {
            name: "clock_step",
            takes: Type::PositiveDuration,
            meaning: "Delays in notifications are rounded to multiples of this",
            default: Some("to the picosecond"),
            example: "\"10 ns\"",
        },
    ],
};

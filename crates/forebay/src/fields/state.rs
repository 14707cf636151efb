//! Fields of states in nodes.

use super::seer::SEER;
use super::state_store::{DRAWN, OBJECTS, STORE};
use super::{Field, Manual, Table, Type};

/// Switches and hosts that need a state for each packet, and their caches.
pub(super) static STATE: Table = Table {
    name: "[[state]]",
    word: "state",
    scenario: "network",
    title: "Switches and hosts that need a state for each packet, and their caches",
    manual: Manual { page: "docs/network.md", section: "`[[state]]`", column: Some("field") },
    readers: &["[[state]]"],
    needs: &[&["at"], &["key"], &["capacity"], &["policy"]],
    within: &[],
    fields: &[
        Field {
            name: "name",
            takes: Type::Label,
            meaning: "Name of the states in results",
            default: Some("its `key` and `at`"),
            example: "\"connections\"",
        },
        Field {
            name: "at",
            takes: Type::Text,
            meaning: "Switches and hosts by name, with spaces between them; `*` stands for any letters: \
                      `\"leaf* h0\"`. A word that names switches names no hosts. A node may have \
                      several kinds of states, an application for each",
            default: None,
            example: "\"leaf* spine0\"",
        },
        Field {
            name: "key",
            takes: Type::Choice(&[
                "flow",
                "connection",
                "source",
                "destination",
                "pair",
                "source-port",
                "destination-port",
                "object",
            ]),
            // prose: allow long-sentence: a list of values
            meaning: "Owner of a state: `\"flow\"` (one direction of a flow, like a 5-tuple), `\"connection\"` (both), \
                      `\"source\"`, `\"destination\"` (of a host), `\"pair\"` (from one host to another), \
                      `\"source-port\"`, `\"destination-port\"` (an address and a port) or `\"object\"` (what a flow \
                      carries)",
            default: None,
            example: "\"connection\"",
        },
        Field {
            name: "objects",
            takes: Type::Table(&OBJECTS),
            meaning: "With `key = \"object\"`: the number of objects, and the skew of their popularity",
            default: Some("`{ count = 10000, skew = 0.9 }`"),
            example: "{ count = 10000, skew = 0.9 }",
        },
        Field {
            name: "capacity",
            takes: Type::Any(&[Type::Integer { min: 1, max: 50_000_000, unit: "entries" }, Type::Percent]),
            meaning: "Entries of each cache, or a share of the states like `\"20 %\"`, rounded down \
                      to whole sets, at least one set",
            default: None,
            example: "\"20 %\"",
        },
        Field {
            name: "of",
            takes: Type::Choice(&["node", "alive", "network"]),
            meaning: "States of which `capacity` is a share. `\"node\"`: those of packets that pass the switch if \
                      nothing fails; `\"alive\"`: the most of these that are alive at once; `\"network\"`: those of \
                      all packets of the run",
            default: Some("`\"node\"`"),
            example: "\"node\"",
        },
        Field {
            name: "ways",
            takes: Type::Any(&[Type::Integer { min: 1, max: 50_000_000, unit: "entries" }, Type::Choice(&["full"])]),
            meaning: "Entries of a set, or `\"full\"` for one set",
            default: Some("8"),
            example: "8",
        },
        Field {
            name: "policy",
            takes: Type::StatePolicy,
            meaning: "A cache policy, with parameters like `\"lru-k(k=3)\"`; MAD forms, too. With \
                      `-seer`, as in `\"lru-seer\"` or `\"lru-k-seer(k=3)\"`, neighbours notify the \
                      cache of packets; `\"seer\"` is `\"lru-seer\"`",
            default: None,
            example: "\"lru-seer\"",
        },
        Field {
            name: "seer",
            takes: Type::Table(&SEER),
            meaning: "How neighbours notify the cache: a table of the fields below",
            default: Some("their defaults"),
            example: "{ relay = true }",
        },
        Field {
            name: "latency",
            takes: Type::Any(&[Type::PositiveDuration, Type::Table(&DRAWN)]),
            meaning: "Time that a fetch takes at the store, or the distribution from which each is drawn",
            default: Some("`\"100 ns\"`"),
            example: "\"100 ns\"",
        },
        Field {
            name: "store",
            takes: Type::Table(&STORE),
            meaning: "The host that has the store, if fetches travel over the network",
            default: Some("a local store"),
            example: "{ at = \"h0\" }",
        },
        Field {
            name: "parallel",
            takes: Type::Integer { min: 1, max: 1000000, unit: "fetches" },
            meaning: "Fetches that the store serves at a time; others wait for their turn",
            default: Some("no limit"),
            example: "16",
        },
        Field {
            name: "acknowledgements",
            takes: Type::Boolean,
            meaning: "Whether packets without data need a state, too",
            default: Some("`true`"),
            example: "false",
        },
        Field {
            name: "waits",
            takes: Type::Choice(&["packet", "link"]),
            meaning: "Packets that wait together with a packet whose state is missing. `\"packet\"`: none, others \
                      overtake it; `\"link\"`: all packets behind it on the same link, as in a stalled pipeline",
            default: Some("`\"packet\"`"),
            example: "\"link\"",
        },
        Field {
            name: "lookahead",
            takes: Type::Boolean,
            meaning: "With `waits = \"link\"`: whether the state of a packet that is held up behind \
                      another one is fetched meanwhile",
            default: Some("`false`"),
            example: "true",
        },
        Field {
            name: "waiting_packets",
            takes: Type::Integer { min: 0, max: u32::MAX as u64, unit: "packets" },
            meaning: "Packets that may wait in a switch at a time. A further packet that would have \
                      to wait is dropped, and its fetch goes on",
            default: Some("no limit"),
            example: "1000",
        },
        Field {
            name: "optimum",
            takes: Type::Boolean,
            meaning: "Whether Bélády's algorithm, which knows the whole future, replays the same accesses in caches \
                      like these. This needs 16 bytes of memory for each access and, at the end, 40 more for each \
                      access of one cache",
            default: Some("`false`"),
            example: "true",
        },
    ],
};

//! The target `p4`: what is written is run, by an interpreter of that part of P4, and compared with the Rust SP-PIFO.

mod choices;
mod classes;
mod frames;
mod mutants;
mod pipeline;
mod ranks;
mod rejections;
mod resubmitted;
mod stateful;
mod tna;

use crate::headers::mapping;
use forebay_core::registry::find;
use forebay_lang::{Overrides, Policy, analyse};
use forebay_targets::{TARGETS, TargetOptions};

/// A policy with one queue and this order of service, and how its fields are found.
struct Order {
    text: &'static str,
    fields: &'static [&'static str],
    rank_bits: u8,
    /// What the rank of a packet has to be.
    rank: fn(&forebay_core::Packet) -> u64,
}

const ORDERS: [Order; 10] = [
    Order {
        text: "q.procPrio(p1, p2) = (p1.remaining < p2.remaining);",
        fields: &["remaining=udp[12:4]"],
        rank_bits: 32,
        rank: |p| p.remaining_bytes,
    },
    Order {
        text: "q.procPrio(p1, p2) = (p1.value > p2.value);",
        fields: &["value=tcp[26:2]"],
        rank_bits: 32,
        rank: |p| 65_535 - u64::from(p.value),
    },
    Order {
        text: "q.procPrio(p1, p2) = (p1.class > p2.class || p1.class == p2.class && p1.remaining < p2.remaining);",
        fields: &["remaining=udp[12:4]&0xffffff"],
        rank_bits: 32,
        rank: |p| (63 - u64::from(p.class.0)) << 24 | p.remaining_bytes,
    },
    Order {
        text: "q.procPrio(p1, p2) = (p1.slack + p1.arrival < p2.slack + p2.arrival);",
        fields: &["slack=udp[13:2]>>2&0xffff"],
        rank_bits: 32,
        rank: |p| p.slack.as_ns() + p.arrival.as_ps() / 1_000,
    },
    Order {
        // 2^47 is the greatest number: 48 bits.
        text: "q.procPrio(p1, p2) = (p1.rank < p2.rank);",
        fields: &["rank=udp[8:8]"],
        rank_bits: 32,
        rank: |p| p.rank.min(1 << 47) >> 16,
    },
    Order {
        text: "q.procPrio(p1, p2) = (p1.rank < p2.rank);",
        fields: &["rank=udp[10:8]>>8"],
        rank_bits: 60,
        rank: |p| p.rank.min(1 << 47),
    },
    Order {
        text: "q.procPrio(p1, p2) = (2 * p1.remaining - 3 * p1.value < 2 * p2.remaining - 3 * p2.value);",
        fields: &["remaining=udp[14:2]", "value=udp[22:2]"],
        rank_bits: 20,
        rank: |p| 2 * p.remaining_bytes + 3 * 65_535 - 3 * u64::from(p.value),
    },
    Order {
        text: "q.procPrio(p1, p2) = (p1.class >= 40 && p2.class < 40)
            || ((p1.class >= 40 || p2.class < 40) && p1.rank > p2.rank);",
        fields: &["rank=ip[16:4]", "class=pcp>>0"],
        rank_bits: 40,
        rank: |p| u64::from(u32::MAX) - p.rank,
    },
    Order {
        text: "q.procPrio(p1, p2) = (min(p1.remaining, 5000) + max(p1.value, 9) - mod(p1.rank, 16)
            < min(p2.remaining, 5000) + max(p2.value, 9) - mod(p2.rank, 16));",
        fields: &["remaining=udp[12:4]", "value=udp[2:8]", "rank=ether[4:8]&0xffffffff"],
        rank_bits: 40,
        rank: |p| p.remaining_bytes.min(5_000) + u64::from(p.value.max(9)) + 15 - p.rank % 16,
    },
    Order { text: "q.admPrio = rfifo();", fields: &[], rank_bits: 32, rank: |_| 0 },
];

/// The policy of a text.
fn policy(text: &str) -> Policy {
    analyse(text, &Overrides::new()).policy.unwrap_or_else(|| panic!("{text}"))
}

impl Order {
    fn policy(&self) -> Policy {
        policy(&format!("q = Queue(64 pkts);\nout = Port(100);\n{}\n", self.text))
    }

    fn options(&self, queues: u8, resubmit: bool) -> TargetOptions {
        let mut options = TargetOptions { mapping: mapping(self.fields), ..TargetOptions::default() };
        options.switch = forebay_targets::Switch { queues, rank_bits: self.rank_bits, resubmit, ..Default::default() };
        options
    }

    /// The bits of bounds.
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - u32::from(self.rank_bits))
    }
}

/// A file of the program of a policy.
///
/// # Panics
/// If it is rejected.
fn made(policy: &Policy, options: &TargetOptions, name: &str) -> String {
    let target = find("target", TARGETS, "p4").unwrap();
    let files = target.emit(policy, options).unwrap_or_else(|refusals| panic!("{refusals:?}"));
    files.into_iter().find(|file| file.name == name).unwrap_or_else(|| panic!("no {name}")).text
}

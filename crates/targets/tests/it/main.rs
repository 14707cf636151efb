//! Tests of the targets.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[allow(dead_code, reason = "the engines' tests use the rest")]
#[path = "../../../engine/tests/it/build.rs"]
mod build;
mod changes;
mod dpdk;
mod dpdk_frames;
mod dpdk_network;
mod encapsulations;
mod every_sequence;
mod freestanding;
mod headers;
mod headers_in_c;
mod instances;
mod live_parameters;
#[path = "../../../engine/tests/it/live_policy.rs"]
mod live_policy;
mod numbers;
mod numbers_at_edges;
mod p4;
mod policies;
mod program;
mod random_policies;
#[allow(dead_code, reason = "the engines' tests use the rest")]
#[path = "../../../engine/tests/it/random_policy.rs"]
mod random_policy;
mod rejections;
mod routines;
mod same;
mod sv;
mod traffic;
mod tunnels;

//! Decompression: bodies that are written out byte by byte.

use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::decompression::{Body, Decompressor};
use forebay_sim::attack::applications::{Application as _, Request};
use rand::RngExt as _;

#[test]
fn the_work_is_that_of_writing_bytes_until_the_limit() {
    let mut rng = Seed(7).stream("bodies");
    let mut given_up = 0;
    for _ in 0..200 {
        let limit = rng.random_range(1..2_000);
        let (fixed, byte) = (rng.random_range(0..1_000), rng.random_range(0..100));
        let mut fast = Decompressor::new((Duration::from_ns(fixed), Duration::from_ns(byte)), limit);
        for _ in 0..20 {
            let content = Body { bytes: rng.random_range(0..4_000), declared: rng.random_range(0..4_000) };
            let request = Request { arrival: forebay_core::Time::ZERO, flow: 0, size_bytes: 64, content };
            let (mut ns, mut written) = (fixed, 0);
            while written < content.bytes && written < limit {
                written += 1;
                ns += byte;
            }
            assert_eq!(fast.serve(&request), Duration::from_ns(ns));
            let mut resets = 0;
            fast.drain_resets(&mut |_| resets += 1);
            assert_eq!(resets, u64::from(written < content.bytes));
            assert_eq!(fast.estimate(&request), Duration::from_ns(fixed + byte * content.declared.min(limit)));
            given_up += u64::from(written < content.bytes);
        }
    }
    assert!(given_up > 1_000, "{given_up}");
}

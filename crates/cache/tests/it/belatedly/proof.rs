//! Certificates: the checker accepts what a search proves, and notices everything else.

use crate::belatedly::against_optimum::{crowd, random_trace};
use forebay_cache::belatedly::{BoundOptions, Bounds, bound};
use forebay_cache::verify::{Certificate, VerifyError};
use forebay_core::{Request, Rng, Seed};
use rand::RngExt as _;
use std::ops::ControlFlow;

fn proven(requests: &[Request], capacity: u64, latency_of: impl Fn(&Request) -> u64 + Sync) -> (Bounds, Vec<u8>) {
    let options = BoundOptions { iterations: 60, proves: true, ..BoundOptions::default() };
    let bounds = bound(requests, capacity, &latency_of, &options, |_| ControlFlow::Continue(())).unwrap();
    let mut text = Vec::new();
    let proof = bounds.proof.as_ref().unwrap();
    proof.write(&mut text, requests, (capacity, "bytes"), latency_of, bounds.lower).unwrap();
    (bounds, text)
}

/// A trace whose bound needs a division.
fn divided(rng: &mut Rng) -> (Vec<Request>, Vec<u8>) {
    loop {
        let requests = random_trace(rng, 14, 4, true);
        let (bounds, text) = proven(&requests, 4, |_| 4);
        if bounds.proof.is_some_and(|proof| proof.leaves.len() > 1) {
            return (requests, text);
        }
    }
}

/// Writes the digest anew, as a forger would.
fn forge(text: &str) -> Vec<u8> {
    let body = text.split("digest").next().unwrap();
    let digest =
        body.bytes().fold(0xcbf2_9ce4_8422_2325u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{body}digest {digest:016x}\n").into_bytes()
}

#[test]
fn the_checker_accepts_what_searches_prove() {
    let mut rng = Seed(21).stream("proofs");
    let mut leaves = 0;
    for round in 0..300 {
        let count = rng.random_range(0..60);
        let mut requests = random_trace(&mut rng, count, 8, round % 2 == 0);
        if round % 3 == 0 {
            crowd(&mut requests);
        }
        let (capacity, base) = (rng.random_range(0..12), rng.random_range(1..10));
        let spread = if round % 4 == 0 { 3 } else { 0 };
        let (bounds, text) = proven(&requests, capacity, |request| base + spread * request.key);
        let certificate = Certificate::read(text.as_slice()).unwrap();
        certificate.check(&requests).unwrap();
        assert_eq!((certificate.lower, certificate.capacity), (bounds.lower, capacity));
        leaves += bounds.proof.unwrap().leaves.len();
    }
    assert!(leaves > 600, "{leaves} leaves");
}

#[test]
fn a_higher_bound_is_not_proven_by_the_same_prices() {
    let mut rng = Seed(22).stream("proofs");
    for _ in 0..50 {
        let requests = random_trace(&mut rng, 40, 6, true);
        let (bounds, text) = proven(&requests, 6, |_| 5);
        let text = String::from_utf8(text).unwrap();
        let (said, more) = (format!("lower {}\n", bounds.lower), format!("lower {}\n", bounds.lower + 1));
        let certificate = Certificate::read(forge(&text.replace(&said, &more)).as_slice()).unwrap();
        let error = certificate.check(&requests).unwrap_err();
        assert!(matches!(error, VerifyError::Unproven { proven, .. } if proven == bounds.lower), "{error}");
    }
}

#[test]
fn every_changed_byte_is_noticed() {
    let (requests, text) = divided(&mut Seed(23).stream("proofs"));
    Certificate::read(text.as_slice()).unwrap().check(&requests).unwrap();
    for place in 0..text.len() - 1 {
        for change in [1, 0x10, 0x80] {
            let mut changed = text.clone();
            changed[place] ^= change;
            let result = Certificate::read(changed.as_slice()).and_then(|certificate| certificate.check(&requests));
            assert!(result.is_err(), "byte {place}");
        }
        assert!(Certificate::read(&text[..place]).is_err(), "cut off at {place}");
    }
}

#[test]
fn leaves_must_cover_all_schedules() {
    let (requests, text) = divided(&mut Seed(24).stream("proofs"));
    let text = String::from_utf8(text).unwrap();
    let (head, leaves) = text.split_once("leaf\n").unwrap();
    let (_, others) = leaves.split_once("leaf\n").unwrap();
    let certificate = Certificate::read(forge(&format!("{head}leaf\n{others}")).as_slice()).unwrap();
    assert!(matches!(certificate.check(&requests), Err(VerifyError::Uncovered)));
}

#[test]
fn another_trace_is_noticed() {
    let mut rng = Seed(25).stream("proofs");
    let requests = random_trace(&mut rng, 30, 5, true);
    let (_, text) = proven(&requests, 5, |_| 6);
    let certificate = Certificate::read(text.as_slice()).unwrap();
    for position in 0..requests.len() {
        let mut others = requests.clone();
        others[position].key += 1;
        assert!(matches!(certificate.check(&others), Err(VerifyError::OtherTrace(_))));
    }
    assert!(matches!(certificate.check(&requests[1..]), Err(VerifyError::OtherTrace(_))));
}

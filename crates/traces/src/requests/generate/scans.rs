//! Scans: Zipf, and now and then a run over objects that are cold.

use super::common::{SKEW, params};
use super::{GeneratorEntry, Popularity, about, independent};
use forebay_core::ParamSpec;
use forebay_core::params::ParamKind;
use rand::RngExt as _;

/// The registry's entry.
pub const ENTRY: GeneratorEntry = GeneratorEntry {
    about: about(
        "scans",
        "Zipf with scans mixed in: runs over cold objects, one after the other",
        "common practice",
        params![
            SKEW,
            ParamSpec {
                name: "share",
                kind: ParamKind::Number { min: 0.0, max: 0.99, default: 0.2 },
                meaning: "share of the requests that belong to scans",
            },
            ParamSpec {
                name: "length",
                kind: ParamKind::Integer { min: 1, max: 1 << 40, default: Some(1_000) },
                meaning: "requests of a scan",
            },
            ParamSpec {
                name: "cold",
                kind: ParamKind::Integer { min: 0, max: 1 << 53, default: Some(0) },
                meaning: "objects that scans request in turn; 0: each is requested once",
            }
        ],
    ),
    also_known_as: &["scan"],
    open: |common, params| {
        let (objects, requests) = (common.objects, common.requests);
        let (share, length) = (params.number("share"), params.integer("length").unwrap_or(1));
        let cold = params.integer("cold").filter(|&cold| cold > 0).unwrap_or(requests);
        let (popularity, mut rng) = (Popularity::new(objects, params.number("skew"))?, common.rng("objects"));
        let mut choice = common.rng("scans");
        // Outside of scans, so that they have their share: length / (length + (1 - begin) / begin).
        let begin = if share > 0.0 { 1.0 / (1.0 + length as f64 * (1.0 - share) / share) } else { 0.0 };
        let (mut left, mut next) = (0_u64, 0_u64);
        Ok(independent(common, objects.saturating_add(cold), move || {
            if left == 0 && choice.random::<f64>() < begin {
                left = length;
            }
            if left == 0 {
                return popularity.draw(&mut rng);
            }
            left -= 1;
            let key = objects + next;
            next = (next + 1) % cold;
            key
        }))
    },
};

//! Drift: Zipf, but the set of popular objects changes with time.

use super::common::{SKEW, params};
use super::{GeneratorEntry, Popularity, about, independent};
use forebay_core::ParamSpec;
use forebay_core::params::ParamKind;

/// The registry's entry.
pub const ENTRY: GeneratorEntry = GeneratorEntry {
    about: about(
        "drift",
        "Zipf with drifting popularity: every `period` requests all objects rise by a rank, and the first becomes the last",
        "ours",
        params![
            SKEW,
            ParamSpec {
                name: "period",
                kind: ParamKind::Integer { min: 1, max: 1 << 53, default: Some(1_000) },
                meaning: "requests between two steps of the drift",
            }
        ],
    ),
    also_known_as: &[],
    open: |common, params| {
        let (objects, period) = (common.objects, params.integer("period").unwrap_or(1));
        let (popularity, mut rng) = (Popularity::new(objects, params.number("skew"))?, common.rng("objects"));
        let mut requests = 0_u64;
        Ok(independent(common, objects, move || {
            let moved = requests / period;
            requests += 1;
            (popularity.draw(&mut rng) + moved) % objects
        }))
    },
};

//! Zipf: few objects are requested often, each request on its own.

use super::common::{SKEW, params};
use super::{GeneratorEntry, Popularity, about, independent};

/// The registry's entry.
pub const ENTRY: GeneratorEntry = GeneratorEntry {
    about: about(
        "zipf",
        "Independent requests, few objects popular (Zipf), with Poisson arrivals; object 0 is the most popular",
        "Breslau et al., INFOCOM'99; thesis, section 2.6.1",
        params![SKEW],
    ),
    also_known_as: &[],
    open: |common, params| {
        let objects = common.objects;
        let (popularity, mut rng) = (Popularity::new(objects, params.number("skew"))?, common.rng("objects"));
        Ok(independent(common, objects, move || popularity.draw(&mut rng)))
    },
};

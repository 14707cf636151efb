//! Deviations of the order of service, or of drops, from the order of ranks.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Distance of the order of service from the order of ranks: packets that depart while one of lower rank \
                 waits, each counted once; and the distance of drops from the highest ranks",
    better: Better::Lower,
    cost: FREE,
    source: Some("Alcoz, Dietmüller and Vanbever: SP-PIFO, NSDI'20, section 4.2"),
    metrics: &[
        metric(
            "inversions",
            Unit::Counted("packets"),
            "Packets that departed while one of lower rank waited",
            &[
                Of::Packets(|counts| Some(counts.inversions as f64)),
                Of::RankBin(|bin| Some(bin.inversions as f64)),
                Of::Network(|run| {
                    let counts = run.inversions.iter().map(|link| link.inversions as f64);
                    (!run.inversions.is_empty()).then(|| counts.sum())
                }),
            ],
        ),
        metric(
            "inversions_per_packet",
            Unit::Ratio,
            "Inversions over packets that departed",
            &[Of::Packets(|counts| {
                (counts.packets_out > 0).then(|| counts.inversions as f64 / counts.packets_out as f64)
            })],
        ),
        metric(
            "inversions_vs_baseline",
            Unit::Ratio,
            "Inversions over those of the baseline with the same packets",
            &[Of::BesideBaseline(|beside| {
                let theirs = beside.baseline?.inversions;
                (theirs > 0).then(|| beside.own.inversions as f64 / theirs as f64)
            })],
        ),
        metric(
            "overtaken",
            Unit::Counted("packets"),
            "Waiting packets of lower rank, summed over all departures",
            &[Of::Packets(|counts| Some(counts.overtaken as f64)), Of::RankBin(|bin| Some(bin.overtaken as f64))],
        ),
        metric(
            "drop_inversions",
            Unit::Counted("packets"),
            "Packets that were dropped while one of higher rank waited",
            &[
                Of::RankBin(|bin| Some(bin.drop_inversions as f64)),
                Of::PortRun(|run| {
                    let of_bins = run.ranks.as_ref()?.values("drop_inversions")?;
                    Some(of_bins.iter().flatten().sum())
                }),
            ],
        ),
    ],
};

//! Flow sizes: means, quantiles, shapes.

use crate::net::workload::support::sizes;
use forebay_core::{ParamValue, Params, Seed};
use forebay_sim::net::FlowSpec;
use forebay_sim::net::workload::read_cdf;
use forebay_sim::net::workload::size::{FlowSizes, SIZES};
use rand::{Rng as _, RngExt as _};

const DRAWS: u32 = 200_000;

/// Every distribution of the registry with its defaults, and some with other parameters.
fn all() -> Vec<(String, Box<dyn FlowSizes>)> {
    let mut all: Vec<(String, Box<dyn FlowSizes>)> = SIZES
        .iter()
        .filter(|entry| entry.about.name != "endless")
        .map(|entry| {
            let file = entry.needs_file.then(|| read_cdf("0 0\n100 0.5\n1000 0.5\n2000 1\n").unwrap());
            let params = Params::defaults(entry.about.params);
            (entry.about.name.to_owned(), entry.build(&params, file).unwrap())
        })
        .collect();
    let integer = |name: &'static str, value: i64| (name, ParamValue::Integer(value));
    let shape = |value: f64| ("shape", ParamValue::Number(value));
    for (name, given) in [
        ("exponential", vec![integer("mean_bytes", 1)]),
        ("exponential", vec![integer("mean_bytes", 2)]),
        ("uniform", vec![integer("min_bytes", 7), integer("max_bytes", 7)]),
        ("uniform", vec![integer("min_bytes", 5), integer("max_bytes", 6)]),
        ("pareto", vec![shape(3.0), integer("min_bytes", 1), integer("max_bytes", 4)]),
        ("pareto", vec![shape(1.0), integer("mean_bytes", 50), integer("max_bytes", 1_000)]),
        ("pareto", vec![shape(0.2), integer("mean_bytes", 1_000_000), integer("max_bytes", 10_000_000)]),
    ] {
        all.push((format!("{name} {given:?}"), sizes(name, &given).unwrap()));
    }
    all
}

fn draws(sizes: &dyn FlowSizes) -> Vec<u64> {
    let mut rng = Seed(1).stream("draws");
    let mut draws: Vec<u64> = (0..DRAWS).map(|_| sizes.draw(&mut rng)).collect();
    draws.sort_unstable();
    draws
}

#[test]
fn draws_have_the_exact_mean() {
    for (name, sizes) in all() {
        let draws = draws(sizes.as_ref());
        assert!(draws[0] >= 1, "{name}");
        let count = f64::from(DRAWS);
        let mean = draws.iter().map(|size| *size as f64).sum::<f64>() / count;
        let variance = draws.iter().map(|size| (*size as f64 - mean).powi(2)).sum::<f64>() / count;
        // Five standard deviations. The tail of `pareto` with its defaults is heavier than any sample shows.
        let heavy = if name == "pareto" { 0.2 * mean } else { 0.0 };
        let allowed = 5.0 * (variance / count).sqrt() + 1e-9 * mean + heavy;
        assert!((mean - sizes.mean_bytes()).abs() <= allowed, "{name}: {mean} {}", sizes.mean_bytes());
    }
}

#[test]
fn draws_have_the_quantiles() {
    for (name, sizes) in all() {
        let draws = draws(sizes.as_ref());
        let share_up_to = |size: u64| draws.partition_point(|draw| *draw <= size) as f64 / f64::from(DRAWS);
        let mut last = 0;
        for percent in [0, 1, 10, 25, 50, 75, 90, 99, 100] {
            let share = f64::from(percent) / 100.0;
            let quantile = sizes.quantile(share);
            assert!(quantile >= last.max(1), "{name}");
            last = quantile;
            // Five standard deviations of a share. What is below the quantile must not suffice, and what is up to it must;
            // Pareto's rounding moves a flow by up to a byte.
            let allowed = 5.0 * (0.25 / f64::from(DRAWS)).sqrt();
            let (below, up_to) = if name.starts_with("pareto") { (2, 0) } else { (1, 0) };
            assert!(share_up_to(quantile + up_to) >= share - allowed, "{name} {percent}");
            assert!(share_up_to(quantile.saturating_sub(below)) <= share + allowed, "{name} {percent}");
        }
    }
}

/// What the points of a file mean, at a glance: the least size whose share, in 1,024ths, is above the draw of 53 bits.
fn naive(points: &[(u64, u64)], discrete: bool, draw: u64) -> u64 {
    let is_above = |numerator: u64, denominator: u64| {
        u128::from(draw) * u128::from(denominator) < u128::from(numerator) << (53 - 10)
    };
    if discrete {
        return points.iter().find(|(_, share)| is_above(*share, 1)).unwrap().0;
    }
    let is_enough = |size: u64| {
        let after = points.partition_point(|point| point.0 <= size);
        match (points[..after].last(), points.get(after)) {
            (None, _) => false,
            (Some((_, share)), None) => is_above(*share, 1),
            (Some((size_a, share_a)), Some((size_b, share_b))) => {
                let span = size_b - size_a;
                is_above(share_a * span + (share_b - share_a) * (size - size_a), span)
            }
        }
    };
    (0..=points.last().unwrap().0).find(|size| is_enough(*size)).unwrap()
}

#[test]
fn random_files_give_what_a_scan_over_all_sizes_gives() {
    let mut rng = Seed(9).stream("files");
    for case in 0..400 {
        let (discrete, percent, packets) = (rng.random_bool(0.3), rng.random_bool(0.3), rng.random_bool(0.3));
        let mut shares: Vec<u64> = (0..rng.random_range(0..7)).map(|_| rng.random_range(0..=1_024)).collect();
        shares.sort_unstable();
        shares.push(1_024);
        let mut size = rng.random_range(1..4);
        let mut points = if rng.random_bool(0.5) { vec![(0, 0)] } else { Vec::new() };
        for share in shares {
            points.push((size, share));
            size += if rng.random_bool(0.2) { 0 } else { rng.random_range(1..50) };
        }
        let unit = if packets { 1_460 } else { 1 };
        let whole = if percent { 100.0 } else { 1.0 };
        let mut text = format!("{}\n", if discrete { "discrete" } else { "interpolated" });
        text += if packets { "packets of 1460 bytes\n" } else { "" };
        for (size, share) in &points {
            text += &format!("{size} {}\n", *share as f64 / 1_024.0 * whole);
        }
        let sizes = read_cdf(&text).unwrap();
        let (mut rng, mut same) = (Seed(case).stream("draws"), Seed(case).stream("draws"));
        for _ in 0..200 {
            let expected = naive(&points, discrete, same.next_u64() >> 11) * unit;
            assert_eq!(sizes.draw(&mut rng), expected, "{text}");
        }
    }
}

#[test]
fn published_sizes_have_the_means_that_their_sources_state() {
    let mean = |name: &str| sizes(name, &[]).unwrap().mean_bytes();
    // The simulations of pFabric state 1,138 and 5,117 packets; the first is rounded in the source.
    assert!((mean("web-search") / 1_460.0 - 1_138.0).abs() < 5.0, "{}", mean("web-search"));
    assert!((mean("data-mining") / 1_460.0 - 5_117.0).abs() < 1.0, "{}", mean("data-mining"));
    // 987,600, and 0.15 of a byte.
    assert!((mean("web-search-discrete") - 987_600.15).abs() < 1e-3, "{}", mean("web-search-discrete"));
    assert!((mean("data-mining-twelve") - 2_116_608.6).abs() < 1.0, "{}", mean("data-mining-twelve"));
    assert!((mean("data-mining-discrete") / 1_460.0 - 766.1).abs() < 1e-3, "{}", mean("data-mining-discrete"));
    assert!((mean("imc10") / 1_460.0 - 134.056_25).abs() < 1e-3, "{}", mean("imc10"));
}

#[test]
fn published_sizes_have_their_quantiles() {
    let quantiles = |name: &str, shares: &[f64]| -> Vec<u64> {
        let sizes = sizes(name, &[]).unwrap();
        shares.iter().map(|share| sizes.quantile(*share)).collect()
    };
    let packets = |packets: [u64; 4]| packets.map(|packets| packets * 1_460);
    assert_eq!(quantiles("web-search", &[0.15, 0.53, 0.9, 1.0]), packets([6, 53, 3_333, 20_000]));
    assert_eq!(quantiles("data-mining", &[0.5, 0.6, 0.95, 1.0]), packets([1, 2, 2_107, 666_667]));
    assert_eq!(quantiles("imc10", &[0.5, 0.8, 0.9, 1.0]), packets([1, 7, 267, 2_107]));
    assert_eq!(quantiles("web-search-discrete", &[0.1, 0.16, 0.6, 1.0]), [1, 10_000, 80_000, 10_000_000]);
    assert_eq!(quantiles("data-mining-discrete", &[0.6, 0.61, 0.95, 1.0]), packets([1, 2, 267, 66_667]));
}

#[test]
fn what_never_ends_says_so() {
    let endless = sizes("endless", &[]).unwrap();
    assert_eq!(endless.draw(&mut Seed(1).stream("draws")), FlowSpec::ENDLESS);
    assert!(endless.mean_bytes().is_infinite() && endless.quantile(0.5) == FlowSpec::ENDLESS);
}

#[test]
fn what_does_not_fit_is_refused() {
    assert!(sizes("cdf", &[]).unwrap_err().contains("`file` must name a distribution"));
    let error = sizes("uniform", &[("min_bytes", ParamValue::Integer(9)), ("max_bytes", ParamValue::Integer(8))]);
    assert_eq!(error.unwrap_err(), "`max_bytes` must be at least `min_bytes`, which is 9");
}

//! Every policy under the attack that is best against it, if all work is known: figures 3.17 and 3.18.
//!
//! Names of values are like `FCFS: largest displacement`, of all rates, or `FCFS: 10 Gbps: largest displacement`, of one innocent rate.
//! `FCFS: 10 Gbps: share lost at 0.03 Gbps` is at a rate of the attack, and `FCFS: least share lost at 0.03 Gbps` is of all innocent rates.
//! `WSJF: largest displacement over load` is at most 1 (theorem 3). With other innocents of an application the policy's name is followed by
//! theirs: `WSJF, lists: largest displacement`.

use super::attacked_policy::ALL;
use super::{MIN_BYTES, Others, SAMPLE, Simulated, each, greatest, setting};
use crate::Measured;
use forebay::Observer;
use forebay::error::Result;
use forebay::figure::{Axis, Figure, Point as Plotted, Unit};
use forebay::output::csv;
use forebay_core::Seed;
use forebay_sim::attack::applications::Told;
use forebay_sim::attack::optimal;

/// Rates in Gb/s.
pub(crate) struct Rates<'a> {
    pub(crate) innocent: &'a [f64],
    pub(crate) attack: &'a [f64],
}

/// A point of the figures.
struct Point {
    /// The policy's name, and its application's if that is not the usual one.
    name: String,
    innocent: f64,
    attack: f64,
    goodput: f64,
    baseline: f64,
}

impl Point {
    fn displacement(&self) -> f64 {
        (self.baseline - self.goodput) / self.attack
    }

    fn share_lost(&self) -> f64 {
        1.0 - self.goodput / self.baseline
    }
}

/// Measures an application at all rates, and with its other innocents if these are `wanted`.
pub(crate) fn measure(
    application: &impl Simulated,
    rates: &Rates<'_>,
    wanted: bool,
    seed: Seed,
    observer: &dyn Observer,
) -> Result<Measured> {
    let usual = Others {
        name: "",
        innocent: application.innocent(Told::Truth),
        max_work: application.max_work(),
        span: None,
        contenders: &ALL,
    };
    let means = usual.innocent.means();
    let mut measured = Measured::default();
    measured.value("capacity", means.capacity_bps(1) / 1e9);
    measured.value("mean packet", means.size_bits / 8.0);
    // The bound of theorem 2 at the highest innocent rate.
    let load = (greatest(rates.innocent.iter().copied()) * 1e9 / means.capacity_bps(1)).min(1.0);
    measured.value("mean packet / least packet x load", means.size_bits / 8.0 / f64::from(MIN_BYTES) * load);
    let others = if wanted { application.others(&usual.innocent, seed)? } else { Vec::new() };
    let mut all = Vec::new();
    for innocents in std::iter::once(&usual).chain(&others) {
        let points = points(application, rates, innocents, seed, observer)?;
        add_values(&mut measured, rates, innocents, &points);
        all.extend(points);
    }
    add_files(&mut measured, application, rates, &all)?;
    Ok(measured)
}

fn add_values(measured: &mut Measured, rates: &Rates<'_>, innocents: &Others, points: &[Point]) {
    let capacity = innocents.innocent.means().capacity_bps(1) / 1e9;
    for contender in innocents.contenders {
        let name = innocents.called(*contender);
        let of = |innocent: Option<f64>, attack: Option<f64>| {
            let is = |wanted: Option<f64>, rate: f64| wanted.is_none_or(|wanted| wanted.total_cmp(&rate).is_eq());
            let name = &name;
            points
                .iter()
                .filter(move |point| point.name == *name && is(innocent, point.innocent) && is(attack, point.attack))
        };
        let largest = |innocent| greatest(of(innocent, None).map(Point::displacement));
        measured.value(format!("{name}: largest displacement"), largest(None));
        for &gbps in rates.innocent {
            measured.value(format!("{name}: {gbps} Gbps: largest displacement"), largest(Some(gbps)));
        }
        let over_load = of(None, None).map(|point| point.displacement() / (point.innocent / capacity).min(1.0));
        measured.value(format!("{name}: largest displacement over load"), greatest(over_load));
        for &gbps in rates.attack {
            let least = of(None, Some(gbps)).map(Point::share_lost).fold(f64::INFINITY, f64::min);
            measured.value(format!("{name}: least share lost at {gbps} Gbps"), least);
            for point in of(None, Some(gbps)) {
                let name = format!("{name}: {} Gbps: share lost at {gbps} Gbps", point.innocent);
                measured.value(name, point.share_lost());
            }
        }
    }
}

fn points(
    application: &impl Simulated,
    rates: &Rates<'_>,
    innocents: &Others,
    seed: Seed,
    observer: &dyn Observer,
) -> Result<Vec<Point>> {
    let sample = innocents.innocent.sample(SAMPLE);
    let mut jobs = Vec::new();
    for &contender in innocents.contenders {
        for &innocent in rates.innocent {
            jobs.push((contender, innocent, None));
            jobs.extend(rates.attack.iter().map(|&attack| (contender, innocent, Some(attack))));
        }
    }
    let goodputs = each(&jobs, observer, |&(contender, gbps, attack)| {
        let attack = attack.map(|attack| {
            let job = optimal::attack(contender.order, &setting(&sample, gbps, attack, innocents.max_work));
            (job, attack)
        });
        let span = innocents.span.unwrap_or_else(|| application.span(gbps));
        application.goodput_in(span, contender, (&innocents.innocent, gbps), seed, attack)
    })?;
    let mut baseline = f64::NAN;
    let mut points = Vec::new();
    for (&(contender, innocent, attack), goodput) in jobs.iter().zip(goodputs) {
        match attack {
            None => baseline = goodput,
            Some(attack) => {
                points.push(Point { name: innocents.called(contender), innocent, attack, goodput, baseline });
            }
        }
    }
    Ok(points)
}

/// A number of a point.
type Value = fn(&Point) -> f64;

fn add_files(measured: &mut Measured, application: &impl Simulated, rates: &Rates<'_>, points: &[Point]) -> Result<()> {
    let x = Axis::logarithmic("attack rate", Unit::BitsPerSecond);
    let rows: [(Axis, Value); 2] = [
        (Axis::logarithmic("displacement factor", Unit::Plain), Point::displacement),
        (Axis::linear("goodput", Unit::BitsPerSecond), |point| point.goodput * 1e9),
    ];
    let title = format!("{}: displacement factor and goodput over the attack rate", application.name());
    let mut figure = Figure::titled(title, "policy");
    for (y, value) in &rows {
        for innocent in rates.innocent {
            let panel = figure.panel(&format!("innocent {innocent} Gbit/s"), [&x, y]);
            for contender in ALL {
                let of = points
                    .iter()
                    .filter(|point| point.name == contender.name && point.innocent.total_cmp(innocent).is_eq());
                panel.add(contender.name, of.map(|point| Plotted::of(point.attack * 1e9, value(point))));
            }
        }
    }
    figure.across = Some(rates.innocent.len());
    measured.draw("attack", "lines", figure)?;
    let header = ["policy", "innocent_gbps", "attack_gbps", "goodput_gbps", "baseline_gbps", "displacement"];
    let lines = points.iter().map(|point| {
        let numbers = [point.innocent, point.attack, point.goodput, point.baseline, point.displacement()];
        std::iter::once(point.name.clone()).chain(numbers.map(|number| number.to_string())).collect()
    });
    measured.files.push(("attack.csv".to_owned(), csv::lines(&header, lines)));
    Ok(())
}

//! The search against real queues.

use forebay_core::{BufferSize, Duration, Element, Rate, Seed};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use forebay_sim::attack::bounds::Terms;
use forebay_sim::attack::optimal::{self, Order, Setting};
use forebay_sim::attack::search::{Candidate, Harm, Search, Space, Target};
use forebay_sim::attack::traffic::Gaps;
use forebay_sim::attack::trial::Span;
use forebay_sim::attack::{Attack, Estimator, Innocent, Jobs, Quantity};

const MAX_WORK: Duration = Duration::from_us(10);

fn innocent() -> Innocent {
    let jobs = Jobs::Independent {
        size_bytes: Quantity::Normal { mean: 1_250.0, deviation: 100.0, min: 64.0, max: 9_000.0 },
        work_ns: Quantity::Normal { mean: 1_000.0, deviation: 100.0, min: 1.0, max: 10_000.0 },
    };
    Innocent::new(jobs, Gaps::Constant, 16)
}

fn made(rank: &str, drop: &str) -> Option<Box<dyn Element>> {
    let spec = DisciplineSpec {
        rank: Part::named(rank),
        queue: Part::named("pifo"),
        drop: Part::named(drop),
        mark: None,
        pace: None,
        buffer: BufferSize::Packets(1_000),
        rank_unit: RankUnit::ONE,
        link_rate: Rate::parse("10 Gbps").expect("a rate"),
    };
    Some(Box::new(RankDiscipline::new(&spec).expect("parts that fit")))
}

fn space(rate_bps: (f64, f64)) -> Space {
    Space {
        rate_bps,
        size_bytes: (64, 1_500),
        work: (Duration::from_ns(10), MAX_WORK),
        flows: 64,
        period: (Duration::from_us(20), Duration::from_us(400)),
        kinds: 2,
    }
}

/// Searches for some generations, chooses among the finalists on other seeds, and measures on further ones.
fn worst(target: &Target<'_>, space: Space, generations: u32) -> (Candidate, Vec<Harm>) {
    let on_seed = Seed(1);
    let baseline = target.baseline(on_seed, &|| true);
    let mut search = Search::new(space, Seed(1));
    for _ in 0..generations {
        let scores: Vec<f64> = search
            .ask()
            .iter()
            .map(|one| target.harm(one, &baseline, on_seed, &|| true).map_or(f64::NAN, |harm| harm.score))
            .collect();
        search.tell(&scores);
    }
    let finalists = search.finalists(6).into_iter().map(|(candidate, _)| candidate);
    let chosen = finalists.max_by(|a, b| mean(&harms(target, a, 11)).total_cmp(&mean(&harms(target, b, 11))));
    let chosen = chosen.expect("a search has a leader");
    let measured = harms(target, &chosen, 21);
    (chosen, measured)
}

/// On three seeds that the search did not see.
fn harms(target: &Target<'_>, candidate: &Candidate, first_seed: u64) -> Vec<Harm> {
    (first_seed..first_seed + 3)
        .map(|seed| {
            let baseline = target.baseline(Seed(seed), &|| true);
            target.harm(candidate, &baseline, Seed(seed), &|| true).expect("it sends something")
        })
        .collect()
}

fn mean(harms: &[Harm]) -> f64 {
    harms.iter().map(|harm| harm.displacement).sum::<f64>() / harms.len() as f64
}

fn target<'a>(
    innocent: &'a Innocent,
    innocent_bps: f64,
    build: &'a (dyn Fn(Seed) -> Option<Box<dyn Element>> + Sync),
) -> Target<'a> {
    // Over a shorter window the search fits its timing to the few packets that it sees.
    let (warmup, window) = (Duration::from_ms(1), Duration::from_ms(10));
    Target { innocent, innocent_bps, servers: 1, estimator: Estimator::Told, build, span: Span { warmup, window } }
}

#[test]
fn a_blind_queue_is_found_to_be_open_to_attack() {
    let innocent = innocent();
    let build = |_| made("arrival", "tail");
    let target = target(&innocent, 10e9, &build);
    let (found, harms) = worst(&target, space((1e7, 1e10)), 10);
    assert!(mean(&harms) > 100.0, "{found:?} {harms:?}");
}

#[test]
fn it_finds_as_much_harm_as_the_closed_forms() {
    let innocent = innocent();
    let sample = innocent.sample(20_000);
    for (rank, order) in [("job-size", Order::Work), ("job-ratio", Order::Ratio)] {
        let build = |_| made(rank, "worst-first");
        let (innocent_bps, attack_bps) = (9e9, 1e9);
        let target = target(&innocent, innocent_bps, &build);
        let setting =
            Setting { sample: &sample, innocent_bps, attack_bps, min_bytes: 64, max_work: MAX_WORK, servers: 1 };
        let attack = Attack::steady(optimal::attack(order, &setting));
        let closed = mean(&harms(&target, &Candidate { attack, rate_bps: attack_bps }, 21));
        let (found, found_harms) = worst(&target, space((attack_bps, attack_bps)), 60);
        let found_mean = mean(&found_harms);
        assert!(found_mean > 0.98 * closed, "{rank}: {found_mean} of {closed}, {found:?}");
    }
}

#[test]
fn weighted_shortest_job_first_keeps_its_bound_against_the_search() {
    let innocent = innocent();
    let build = |_| made("job-ratio", "worst-first");
    for innocent_bps in [5e9, 9e9] {
        let target = target(&innocent, innocent_bps, &build);
        let terms = Terms { means: innocent.means(), innocent_bps, min_bytes: 64, max_work: MAX_WORK, servers: 1 };
        let (found, harms) = worst(&target, space((1e7, 1e10)), 15);
        let bound = terms.weighted_shortest_job_first();
        assert!(mean(&harms) <= bound * 1.02, "{} of {bound}: {found:?}", mean(&harms));
    }
}

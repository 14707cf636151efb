//! What every application of the registry promises, tried on all of them.

use forebay_core::{Duration, ParamValue, Params, Seed, Time};
use forebay_sim::attack::applications::{APPLICATIONS, ApplicationEntry, Attackable, LiveTrial, Told};
use forebay_sim::attack::quantity::Quantity;
use forebay_sim::attack::trial::Span;
use std::sync::Arc;

use crate::attack::support::policy;

/// Those that a recipe makes, with their defaults.
fn made() -> Vec<(&'static ApplicationEntry, Arc<dyn Attackable>)> {
    let with = |entry| Some((entry, with_params(entry, &[])?));
    let made: Vec<_> = APPLICATIONS.iter().filter_map(with).collect();
    assert!(made.len() >= 3, "{}", made.len());
    made
}

/// An application with these parameters, if a recipe makes it.
fn with_params(entry: &ApplicationEntry, params: &[(&str, ParamValue)]) -> Option<Arc<dyn Attackable>> {
    let given = params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Some((entry.make?)(&Params::check(entry.about.params, given).unwrap()).unwrap())
}

/// The strongest attack that the parameters of the attack describe.
fn strongest(entry: &ApplicationEntry, made: &Arc<dyn Attackable>) -> Arc<dyn Attackable> {
    made.attacked(&Params::defaults(entry.attack)).unwrap()
}

#[test]
fn innocents_have_the_rate_and_the_sizes_that_are_asked_for() {
    for (entry, made) in made() {
        let sized = made.sized(Quantity::constant(500.0));
        let arrivals = sized.arrivals(2e9, Seed(1), Told::Truth);
        let sent: Vec<_> = arrivals.take_while(|arrival| arrival.at <= Time::from_ns(1_000_000)).collect();
        assert_eq!(sent.len(), 500, "{}", entry.about.name);
        assert!(sent.iter().all(|arrival| arrival.job.size_bytes == 500 && arrival.flow < made.flows()));
        let again = sized.arrivals(2e9, Seed(1), Told::Truth).take(500);
        assert!(again.eq(sent.iter().copied()), "{}: the same for the same seed", entry.about.name);
        assert_eq!(made.arrivals(0.0, Seed(1), Told::Truth).next(), None);
    }
}

#[test]
fn no_packet_of_an_attack_makes_more_than_the_largest_job_and_the_mean_is_as_stated() {
    let universal = [("hash", ParamValue::Text("universal".to_owned())), ("buckets", ParamValue::Integer(64))];
    let variants = APPLICATIONS.iter().filter(|entry| entry.about.name == "hash-table");
    let variants = variants.map(|entry| (entry, with_params(entry, &universal).unwrap()));
    for (entry, made) in made().into_iter().chain(variants) {
        let name = entry.about.name;
        let strong = strongest(entry, &made);
        for share in [1.0, 0.3, 0.03] {
            let wanted = Duration::from_secs_f64(strong.attack_job().unwrap().work.as_secs_f64() * share);
            let attack = strong.of_mean_work(wanted);
            let stated = attack.attack_job().unwrap();
            assert!(stated.work >= wanted && stated.work <= made.max_work(), "{name} {share}: {stated:?}");
            assert_eq!(stated.size_bytes, made.attack_bytes());
            // Served alone and slowly enough that all is served, in whole rounds after it has come to its full work.
            let packets = attack.warmup_packets();
            let bits = f64::from(stated.size_bytes) * 8.0;
            let per_packet_s = made.max_work().as_secs_f64() * 1.5;
            let span = |packets: u64| Duration::from_secs_f64(per_packet_s * packets as f64);
            let span = Span { warmup: span(2 * packets), window: span((2 + 40 / packets) * packets) };
            let trial = LiveTrial {
                workload: &*Arc::clone(&attack).workload(),
                innocent_bps: 0.0,
                attack_bps: Some(bits / per_packet_s),
                span,
                servers: 1,
                seed: Seed(1),
            };
            let measured = trial.run(&mut policy("arrival", 100), &|_| true);
            let mean_s = measured.busy * per_packet_s;
            assert!((mean_s / stated.work.as_secs_f64() - 1.0).abs() < 0.02, "{name} {share}: {mean_s} {stated:?}");
        }
    }
}

#[test]
fn an_attack_at_full_load_costs_innocents_more_than_its_bits_where_jobs_are_not_looked_at() {
    for (entry, made) in made() {
        let (attack, name) = (strongest(entry, &made), entry.about.name);
        let means = forebay_sim::attack::Innocent::made_by(Arc::clone(&made).workload(), Told::Truth).means();
        let innocent_bps = means.capacity_bps(1);
        let attacked = |rank: &str, attack_bps| {
            let span = Span::ms(40, 40);
            let workload = Arc::clone(&attack).workload();
            let trial = LiveTrial { workload: &*workload, innocent_bps, attack_bps, span, servers: 1, seed: Seed(1) };
            trial.run(&mut policy(rank, 1_000), &|_| true)
        };
        let attack_bps = 100e6;
        let harm = |rank| {
            let (without, with) = (attacked(rank, None), attacked(rank, Some(attack_bps)));
            (without.goodput_bps - with.goodput_bps) / attack_bps
        };
        let (fcfs, wsjf) = (harm("arrival"), harm("job-ratio"));
        assert!(fcfs > 5.0 && wsjf < fcfs / 3.0, "{name}: {fcfs} {wsjf}");
    }
}

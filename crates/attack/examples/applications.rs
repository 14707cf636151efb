//! TCP reassembly and a two-stage matcher under attack: tables like figures 3.13, 3.14 and 3.17 to 3.19 of
//! SurgeProtector.
//!
//! `cargo run --release -p forebay-attack --example applications [tcp|degree|displacement|estimate|matcher|worst-seen]`

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example prints, and may stop")]

#[path = "../tests/it/support.rs"]
mod support;

use forebay_attack::applications::matcher::{InnocentPayloads, Rules, TwoStage, WorstSeen};
use forebay_attack::applications::tcp::{AttackFlows, InnocentFlows, Reassembler};
use forebay_attack::applications::{Application as _, Merged, Told};
use forebay_attack::jobs::Means;
use forebay_attack::optimal::{self, Order, Setting};
use forebay_attack::traffic::Stream;
use forebay_attack::{Job, Quantity};
use forebay_core::{Duration, Seed};
use support::{Innocents, Span, known, served};

/// Policies, the attack on each, and its name in the source.
const POLICIES: [(&str, Order, &str); 6] = [
    ("arrival", Order::Blind, "FCFS"),
    ("job-fair", Order::Blind, "FQ"),
    ("job-size", Order::Work, "SJF"),
    ("job-size-inorder", Order::Work, "SJF in order"),
    ("job-ratio", Order::Ratio, "WSJF"),
    ("job-ratio-inorder", Order::Ratio, "WSJF in order"),
];

fn main() {
    let only = std::env::args().nth(1);
    let parts: [(&str, fn()); 6] = [
        ("tcp", reassembly_at_attack_rates),
        ("degree", reassembly_at_degrees),
        ("displacement", reassembly_displacement),
        ("estimate", reassembly_estimate),
        ("matcher", matcher_displacement),
        ("worst-seen", matcher_estimate),
    ];
    for (name, part) in parts {
        if only.as_ref().is_none_or(|only| only == name) {
            part();
        }
    }
}

/// Two rounds of the longest attack flow at 0.1 Gb/s.
const ROUNDS: Span = Span { warmup: Duration::from_ms(84), window: Duration::from_ms(84) };

fn tcp_jobs(rate_bps: f64, seed: u64, told: Told) -> Stream {
    Reassembler::pigasus().arrivals(InnocentFlows::default().segments(rate_bps, Seed(seed)), told)
}

fn sample_of(stream: Stream) -> Vec<Job> {
    stream.take(300_000).map(|arrival| arrival.job).collect()
}

fn reassembled(rank: &str, attack: Option<(AttackFlows, f64)>) -> f64 {
    let inputs = || {
        let innocent = InnocentFlows::default().segments(10e9, Seed(1));
        Merged::new(innocent, attack.map(|(flows, gbps)| flows.segments(gbps * 1e9)), ROUNDS.end())
    };
    served(ROUNDS, rank, Reassembler::pigasus(), &inputs)
}

fn setting(sample: &[Job], innocent_gbps: f64, attack_gbps: f64, max_work: Duration) -> Setting<'_> {
    let (innocent_bps, attack_bps) = (innocent_gbps * 1e9, attack_gbps * 1e9);
    Setting { sample, innocent_bps, attack_bps, min_bytes: 64, max_work, servers: 1 }
}

fn reassembly_at_attack_rates() {
    println!("Figure 3.13: innocents 10 Gb/s, lists of what is served; Gb/s lost");
    let sample = sample_of(tcp_jobs(10e9, 9, Told::Truth));
    let means = Means::of(&sample);
    println!("mean packet {:.0} B, capacity {:.2} Gb/s", means.size_bits / 8.0, means.capacity_bps(1) / 1e9);
    println!("attack Gb/s    FCFS  repeated  |  segments  WSJF in order  longest  repeated");
    for gbps in [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0] {
        let best = optimal::attack(Order::Ratio, &setting(&sample, 10.0, gbps, Reassembler::pigasus().max_work()));
        let short = AttackFlows::of_mean_work(best.work, Reassembler::pigasus().costs());
        let repeated = AttackFlows { repeats: u32::MAX, ..AttackFlows::longest() };
        let lost = |rank: &str, flows| reassembled(rank, None) - reassembled(rank, Some((flows, gbps)));
        println!(
            "{gbps:11.2}  {:6.2}  {:8.2}  |  {:8}  {:13.3}  {:7.3}  {:8.3}",
            lost("arrival", AttackFlows::longest()),
            lost("arrival", repeated),
            short.out_of_order,
            lost("job-ratio-inorder", short),
            lost("job-ratio-inorder", AttackFlows::longest()),
            lost("job-ratio-inorder", repeated),
        );
    }
}

fn reassembly_at_degrees() {
    println!("Figure 3.14: innocents 10 Gb/s, attack 0.3 Gb/s; goodput in Gb/s");
    println!("degree    FCFS  WSJF in order");
    for out_of_order in [1, 4, 16, 64, 256, 1_024, 4_096, 8_192] {
        let flows = AttackFlows { out_of_order, ..AttackFlows::longest() };
        let goodput = |rank: &str| reassembled(rank, Some((flows, 0.3)));
        println!("{out_of_order:6}  {:6.2}  {:13.3}", goodput("arrival"), goodput("job-ratio-inorder"));
    }
}

/// Prints the largest displacement of each policy at one innocent rate, where it was reached, and what is served then.
fn displacements(span: Span, sample: &[Job], innocents: Innocents<'_>, gbps: f64, attacks: &[f64], max_work: Duration) {
    for (rank, order, name) in POLICIES {
        let alone = known(span, rank, innocents, Told::Truth, None);
        let rows = attacks.iter().map(|&attack_gbps| {
            let job = optimal::attack(order, &setting(sample, gbps, attack_gbps, max_work));
            let goodput = known(span, rank, innocents, Told::Truth, Some((job, attack_gbps)));
            ((alone - goodput) / attack_gbps, attack_gbps, goodput)
        });
        let (factor, attack_gbps, goodput) = rows.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        println!("{gbps:8.1}  {name:13}  {factor:7.2}  {attack_gbps:8.3}  {goodput:7.3}  {alone:7.3}");
    }
}

fn rates(from: f64, steps: i32) -> Vec<f64> {
    (0..=steps).map(|step| from * 10_f64.powf(f64::from(step) / 4.0)).collect()
}

fn reassembly_displacement() {
    println!("Figure 3.17: TCP reassembly, all work known, attacker of footnote 5; attack 0.01 to 10 Gb/s");
    println!("innocent  policy         largest  at attack  goodput  without");
    let sample = sample_of(tcp_jobs(10e9, 9, Told::Truth));
    for gbps in [1.0, 5.0, 10.0] {
        let innocents = |told| tcp_jobs(gbps * 1e9, 1, told);
        let span = if gbps < 2.0 { Span::ms(40, 200) } else { Span::ms(20, 80) };
        displacements(span, &sample, &innocents, gbps, &rates(0.01, 12), Reassembler::pigasus().max_work());
    }
}

/// Jobs of innocents at a rate in Gb/s, with a seed.
type JobsAt<'a> = &'a dyn Fn(f64, u64, Told) -> Stream;

/// Prints how much more is displaced where the scheduler is told estimates. The attacker knows them, and takes the
/// better of what is best against the truth and what is best against the estimates.
fn changes(span: Span, rank: &str, jobs: JobsAt<'_>, innocent_gbps: &[f64], attacks: &[f64], max_work: Duration) {
    println!("innocent  attack    truth  estimate   change");
    let sample = sample_of(jobs(1.0, 9, Told::Truth));
    let estimated = sample_of(jobs(1.0, 9, Told::Estimate));
    let estimated: Vec<Job> = estimated.iter().map(|job| Job { work: job.estimate, ..*job }).collect();
    for &gbps in innocent_gbps {
        let goodput = |told, attack| known(span, rank, &|told| jobs(gbps, 1, told), told, attack);
        let alone = [Told::Truth, Told::Estimate].map(|told| goodput(told, None));
        for &attack_gbps in attacks {
            let best = |sample| optimal::attack(Order::Ratio, &setting(sample, gbps, attack_gbps, max_work));
            let truth = (alone[0] - goodput(Told::Truth, Some((best(&sample), attack_gbps)))) / attack_gbps;
            let estimate = [best(&sample), best(&estimated)]
                .map(|job| (alone[1] - goodput(Told::Estimate, Some((job, attack_gbps)))) / attack_gbps);
            let estimate = estimate[0].max(estimate[1]);
            println!("{gbps:8.1}  {attack_gbps:6.3}  {truth:7.3}  {estimate:8.3}  {:+7.3}", estimate - truth);
        }
    }
}

fn reassembly_estimate() {
    println!("Figure 3.19: WSJF in order told the length of the list");
    let jobs = |gbps: f64, seed, told| tcp_jobs(gbps * 1e9, seed, told);
    let attacks = [0.03, 0.1, 0.3, 1.0, 3.0, 10.0];
    let max_work = Reassembler::pigasus().max_work();
    changes(Span::ms(20, 80), "job-ratio-inorder", &jobs, &[1.0, 5.0, 10.0], &attacks, max_work);
}

/// Largest job of the matcher: 158 times the mean cost per byte, on 64 B.
const MATCHER_MAX_WORK: Duration = Duration::from_us(81);

fn matcher_jobs(gbps: f64, seed: u64, told: Told) -> Stream {
    let size_bytes = Quantity::Normal { mean: 800.0, deviation: 400.0, min: 64.0, max: 1_514.0 };
    let recipe = InnocentPayloads { rules: Rules::graded(40), size_bytes, flows: 100 };
    let matcher = TwoStage::new(Duration::from_ns(200), WorstSeen::new(40, 0));
    matcher.arrivals(recipe.payloads(gbps * 1e9, Seed(seed)), told)
}

fn matcher_displacement() {
    println!("Figure 3.18: two-stage matcher, all work known; attack 0.001 to 1 Gb/s");
    println!("innocent  policy         largest  at attack  goodput  without");
    let sample = sample_of(matcher_jobs(1.0, 9, Told::Truth));
    for gbps in [0.1, 0.5, 0.9] {
        let innocents = |told| matcher_jobs(gbps, 1, told);
        displacements(Span::ms(100, 800), &sample, &innocents, gbps, &rates(0.001, 12), MATCHER_MAX_WORK);
    }
}

fn matcher_estimate() {
    println!("Two-stage matcher: WSJF told the worst seen of each candidate");
    let attacks = [0.01, 0.03, 0.1, 0.3, 1.0];
    changes(Span::ms(100, 800), "job-ratio", &matcher_jobs, &[0.1, 0.5, 0.9], &attacks, MATCHER_MAX_WORK);
}

//! A web application firewall under attack: its rules, what innocent and attack payloads cost, and the
//! goodput that each scheduler keeps.
//!
//!     cargo xtask fetch-debian
//!     cargo run --release --package forebay-matcher --example waf_attack [POLICY...]

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to whoever runs it")]

use forebay_clock::{nanoseconds, thread_cpu};
use forebay_core::{Duration, Seed};
use forebay_matcher::{
    Attack, Comparison, Innocent, Job, Policy, Rule, RuleSet, Run, SEARCH_REVISION, SearchLimits, Setup, Traffic,
    TwoStage, Verdict, mean_bytes, process, quiet, search, variety,
};
use forebay_native::{Debian, Pcre2, Vectorscan};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::error::Error;
use std::path::{Path, PathBuf};

/// Attacks in the table.
const SHOWN: usize = 12;

const SEEDS: u64 = 3;
const INNOCENT: usize = 4_000;
const LIMITS: SearchLimits = SearchLimits { bytes: (400, 1_400), work: Duration::from_ms(20_000) };
const SETUP: Setup = Setup {
    load: 0.8,
    attack_share: 0.01,
    // An attack that runs for half a second lets 25,000 payloads come in until all of them are filtered.
    queue: 65_536,
    learning: Duration::from_ms(1_000),
    counted: Duration::from_ms(1_000),
    grace: Duration::from_ms(4_000),
};

fn main() -> Result<(), Box<dyn Error>> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let debian = Debian::new(&target.join("debian"));
    let folders = debian.library_folders();
    let (vectorscan, pcre2) = (Vectorscan::load(&folders)?, Pcre2::load(&folders)?);
    let rules = read_rules(&debian)?;
    let mut source = Innocent::new(Seed(1));
    let innocent: Vec<Vec<u8>> = (0..INNOCENT).map(|_| source.payload()).collect();
    let quiet = quiet(&pcre2, &rules, &innocent[..500]);
    println!("{} of these match less than 5 % of innocent payloads and are used", quiet.len());
    let mut clock = cpu_clock();
    let begin = clock();
    let mut stages = TwoStage::compile(&vectorscan, &pcre2, &quiet)?;
    let support = &stages.support;
    println!(
        "Vectorscan {}: {} as they are, {} as prefilters, {} not at all; PCRE2 {}: {} compiled, {} to machine code, \
         {} refused; {:.1} s",
        vectorscan.version().trim(),
        support.filtered,
        support.prefiltered,
        support.unfiltered,
        pcre2.version(),
        stages.rules().len(),
        support.jit,
        support.refused.len(),
        (clock() - begin).as_secs_f64()
    );
    costs(&mut stages, &innocent, &mut clock);
    let key = format!("{SEARCH_REVISION} {} {} {LIMITS:?} {quiet:?}", vectorscan.version(), pcre2.version());
    let attacks = attacks(&mut stages, &mut clock, &target.join("matcher/attacks.json"), &key)?;
    table_of_attacks(&mut stages, &attacks);
    let chosen = [("worst", attacks.first()), ("varied", attacks.iter().find(|attack| attack.is_varied))];
    compare(&mut stages, &innocent, &mut clock, &chosen)
}

/// CPU time of this thread.
fn cpu_clock() -> impl FnMut() -> Duration {
    || Duration::from_ns(nanoseconds(thread_cpu()))
}

fn read_rules(debian: &Debian) -> Result<Vec<Rule>, Box<dyn Error>> {
    let folder = debian.rules().ok_or("modsecurity-crs is missing; run: cargo xtask fetch-debian")?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "conf"));
    files.sort();
    let mut set = RuleSet::default();
    for file in &files {
        set.read(&file.display().to_string(), &std::fs::read_to_string(file)?)?;
    }
    println!(
        "{}: {} rules, {} with @rx: {} different patterns; {} repeat one, {} negated and {} with macros are left out; \
         transformations of {} are ignored",
        folder.display(),
        set.directives,
        set.regular,
        set.rules.len(),
        set.repeated,
        set.negated,
        set.macros,
        set.transformed
    );
    Ok(set.rules)
}

/// What innocent payloads cost.
fn costs(stages: &mut TwoStage, innocent: &[Vec<u8>], clock: &mut impl FnMut() -> Duration) {
    let (mut filter, mut confirm, mut matched, mut candidates) = (0.0, 0.0, 0, 0);
    let mut per_byte = Vec::new();
    for payload in innocent.iter().chain(innocent) {
        let (found, cost) = stages.filter_cost(payload, clock);
        candidates += found.len();
        let mut job = Job::new(found);
        matched += usize::from(job.run(stages, payload, clock) != Verdict::Pass);
        filter += cost.as_ns_f64();
        confirm += job.spent().as_ns_f64();
        per_byte.push((cost + job.spent()).as_ns_f64() / payload.len() as f64);
    }
    let count = per_byte.len() as f64;
    per_byte.sort_by(f64::total_cmp);
    let at = |percent: usize| per_byte[(per_byte.len() - 1) * percent / 100];
    println!(
        "innocent: {:.0} B, filter {:.1} us, confirmation {:.1} us, {:.1} candidates in the mean; {:.1} % match a rule; \
         ns/B: 1 % {:.0}, median {:.0}, 99 % {:.0}, most {:.0}",
        mean_bytes(innocent),
        filter / count / 1e3,
        confirm / count / 1e3,
        candidates as f64 / count,
        100.0 * matched as f64 / count,
        at(1),
        at(50),
        at(99),
        at(100)
    );
}

#[derive(Serialize, Deserialize)]
struct Saved {
    key: String,
    attacks: Vec<SavedAttack>,
}

#[derive(Serialize, Deserialize)]
struct SavedAttack {
    payload: Vec<u8>,
    cost_ns: u64,
    rule: u32,
    is_varied: bool,
}

/// The attacks that were saved if they were found for the same rules, libraries and limits, else newly found ones.
fn attacks(
    stages: &mut TwoStage,
    clock: &mut impl FnMut() -> Duration,
    file: &Path,
    key: &str,
) -> Result<Vec<Attack>, Box<dyn Error>> {
    let saved = std::fs::read_to_string(file).ok().and_then(|text| serde_json::from_str::<Saved>(&text).ok());
    if let Some(saved) = saved.filter(|saved| saved.key == key) {
        println!("attacks: read from {}", file.display());
        let attack = |saved: SavedAttack| Attack {
            payload: saved.payload,
            cost: Duration::from_ns(saved.cost_ns),
            rule: saved.rule,
            is_varied: saved.is_varied,
        };
        return Ok(saved.attacks.into_iter().map(attack).collect());
    }
    eprintln!("searching for attacks: {} of work", LIMITS.work);
    let attacks = search(stages, clock, Seed(1), LIMITS);
    let save = |attack: &Attack| SavedAttack {
        payload: attack.payload.clone(),
        cost_ns: attack.cost.as_ns(),
        rule: attack.rule,
        is_varied: attack.is_varied,
    };
    let saved = Saved { key: key.to_owned(), attacks: attacks.iter().map(save).collect() };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, serde_json::to_string(&saved)?)?;
    Ok(attacks)
}

fn table_of_attacks(stages: &mut TwoStage, attacks: &[Attack]) {
    println!("{:>8} {:>6} {:>10} {:>7} {:>6} {:>10}  begins", "rule", "bytes", "us", "ns/B", "class", "candidates");
    let ids: Vec<u64> = stages.rules().map(|rule| rule.id.unwrap_or(0)).collect();
    for attack in attacks.iter().take(SHOWN) {
        let begin: String = attack.payload.iter().take(24).map(|byte| byte.escape_ascii().to_string()).collect();
        println!(
            "{:>8} {:>6} {:>10} {:>7.0} {:>6} {:>10}  {begin}",
            ids[attack.rule as usize],
            attack.payload.len(),
            attack.cost.as_ns() / 1_000,
            attack.ns_per_byte(),
            variety(&attack.payload),
            stages.candidates(&attack.payload).len()
        );
    }
}

/// Every scheduler under each attack, with as many seeds as there are.
fn compare(
    stages: &mut TwoStage,
    innocent: &[Vec<u8>],
    clock: &mut impl FnMut() -> Duration,
    attacks: &[(&str, Option<&Attack>)],
) -> Result<(), Box<dyn Error>> {
    let capacity = SETUP.capacity(stages, innocent, clock, Seed(1))?;
    println!(
        "capacity {capacity:.0} payloads/s, {:.1} Mb/s; innocent load {} of it, attack {} of the innocent bits; \
         {} learning, {} counted, {} grace, {} payloads may wait",
        capacity * mean_bytes(innocent) * 8e-6,
        SETUP.load,
        SETUP.attack_share,
        SETUP.learning,
        SETUP.counted,
        SETUP.grace,
        SETUP.queue
    );
    println!(
        "{:<15} {:<7} {:>15} {:>15} {:>18} {:>8} {:>8} {:>10}",
        "policy", "attack", "baseline Mb/s", "goodput Mb/s", "displacement", "load", "attack", "longest"
    );
    let quiet = SETUP.traffic(innocent, capacity, &[]);
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for policy in Policy::ALL {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == policy.name()) {
            continue;
        }
        let mut run = |traffic: &Traffic, seed: u64, grace: Duration| {
            let seed = Seed(1).part(&format!("repetition {seed}"));
            process(stages, traffic, traffic.arrivals(seed), clock, Run { grace, ..SETUP.run(policy) })
        };
        // Without an attack nothing waits for long.
        let baseline_grace = Duration::from_ms(200);
        let baselines = (0..SEEDS).map(|seed| run(&quiet, seed, baseline_grace)).collect::<Result<Vec<_>, _>>()?;
        for (name, attack) in attacks {
            let Some(attack) = attack else { continue };
            let traffic = SETUP.traffic(innocent, capacity, std::slice::from_ref(&attack.payload));
            let mut comparisons = Vec::new();
            for (seed, baseline) in (0..SEEDS).zip(&baselines) {
                comparisons.push(Comparison { baseline: *baseline, attacked: run(&traffic, seed, SETUP.grace)? });
            }
            row(policy, name, &comparisons);
        }
    }
    Ok(())
}

fn row(policy: Policy, attack: &str, comparisons: &[Comparison]) {
    let megabits = |bytes: u64| bytes as f64 * 8e-6 / SETUP.counted.as_secs_f64();
    let of = |value: fn(&Comparison) -> f64| estimate(&comparisons.iter().map(value).collect::<Vec<_>>());
    let all = |value: &dyn Fn(&Comparison) -> f64| estimate(&comparisons.iter().map(value).collect::<Vec<_>>());
    let (baseline, baseline_ci) = all(&|comparison| megabits(comparison.baseline.innocent_served));
    let (goodput, goodput_ci) = all(&|comparison| megabits(comparison.attacked.innocent_served));
    let (displacement, displacement_ci) = of(Comparison::displacement);
    let (load, _) = of(|comparison| comparison.baseline.load());
    let (work, _) = of(|comparison| {
        comparison.attacked.attack_work.as_secs_f64() / comparison.attacked.end.as_secs_f64().max(1e-12)
    });
    let longest = comparisons.iter().map(|comparison| comparison.attacked.longest).max().unwrap_or(Duration::ZERO);
    println!(
        "{:<15} {attack:<7} {:>15} {:>15} {:>18} {load:>8.2} {work:>8.2} {:>10}",
        policy.name(),
        format!("{baseline:.1} +- {baseline_ci:.1}"),
        format!("{goodput:.1} +- {goodput_ci:.1}"),
        format!("{displacement:.2} +- {displacement_ci:.2}"),
        longest.to_string()
    );
}

/// The mean and half the width of its 95 % confidence interval.
fn estimate(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let student = StudentsT::new(0.0, 1.0, count - 1.0).map_or(f64::NAN, |student| student.inverse_cdf(0.975));
    (mean, student * (squares / (count - 1.0) / count).sqrt())
}

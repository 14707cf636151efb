//! Tests of runs of ports whose numbers are known.

use super::*;
use crate::document::Node;
use crate::observer::Silent;
use crate::run::Part;
use crate::scenario::Beside;
use std::path::Path;

/// Every packet arrives while the first is being sent, and finds room.
const BACKLOG: &str = r#"
    repetitions = 3
    baseline = "fifo"
    port = { rate = "10 Gbps", buffer = "1000 packets" }
    [traffic]
    rank = [
        { distribution = "uniform", min = 0, max = 3 },
        { name = "alike", distribution = "constant", min = 7 },
    ]
    load = 1000
    packets = 1000
    arrivals = "constant"
    flows = 1
    [[policy]]
    name = "fifo"
    rank = "packet-rank"
    queue = "fifo"
    [[policy]]
    name = "pifo"
    rank = "packet-rank"
    queue = "pifo"
    [[policy]]
    name = "sp-pifo"
    rank = "packet-rank"
    queue = { name = "sp-pifo", queues = 2, queue_packets = 1000 }
"#;

fn scenario(text: &str) -> PortScenario {
    PortScenario::read(&Node::parse("s.toml", text).unwrap(), "s", None, &Beside(Path::new("s.toml"))).unwrap()
}

fn report(scenario: &PortScenario) -> Report {
    run(scenario, None, None, &Part::default(), &Silent).unwrap()
}

fn values(report: &Report, ranks: &str, policy: &str, name: &str) -> Vec<Option<f64>> {
    let is_wanted = |cell: &&CellReport| cell.policy == policy && cell.axes[0].1.text == ranks;
    report.results.iter().find(is_wanted).unwrap().quantities.get(name).unwrap().values.clone()
}

#[test]
fn a_fifo_with_everything_in_it_inverts_what_its_packets_say() {
    let scenario = scenario(BACKLOG);
    let report = report(&scenario);
    for repetition in 0..3 {
        let mut source = scenario.setting().traffic.open(scenario.seed_of(repetition));
        let ranks: Vec<u64> = std::iter::from_fn(|| source.next_packet()).map(|packet| packet.rank).collect();
        // The first packet leaves before the second comes.
        let overtaken: Vec<usize> = (1..ranks.len())
            .map(|place| ranks[place..].iter().filter(|&&behind| behind < ranks[place]).count())
            .collect();
        let inversions = overtaken.iter().filter(|&&behind| behind > 0).count() as f64;
        assert!(inversions > 500.0);
        let repetition = usize::try_from(repetition).unwrap();
        assert_eq!(values(&report, "uniform", "fifo", "inversions")[repetition], Some(inversions));
        let overtaken = overtaken.iter().sum::<usize>() as f64;
        assert_eq!(values(&report, "uniform", "fifo", "overtaken")[repetition], Some(overtaken));
    }
}

#[test]
fn a_pifo_inverts_nothing_and_equal_ranks_cannot_be_inverted() {
    let report = report(&scenario(BACKLOG));
    assert_eq!(values(&report, "uniform", "pifo", "inversions"), [Some(0.0); 3]);
    for policy in ["fifo", "pifo", "sp-pifo"] {
        assert_eq!(values(&report, "alike", policy, "inversions"), [Some(0.0); 3]);
        assert_eq!(values(&report, "alike", policy, "packets_out"), [Some(1000.0); 3]);
    }
    assert_eq!(
        values(&report, "alike", "sp-pifo", "inversions_vs_baseline"),
        [None; 3],
        "the baseline has none either"
    );
}

#[test]
fn the_ratio_is_that_of_each_repetition() {
    let report = report(&scenario(BACKLOG));
    let [own, other] = ["sp-pifo", "fifo"].map(|policy| values(&report, "uniform", policy, "inversions"));
    let ratios: Vec<Option<f64>> = own.iter().zip(other).map(|(own, other)| Some((*own)? / other?)).collect();
    assert_eq!(values(&report, "uniform", "sp-pifo", "inversions_vs_baseline"), ratios);
    assert!(ratios.iter().flatten().all(|&ratio| ratio > 0.0 && ratio < 1.0), "{ratios:?}");
}

#[test]
fn bins_of_ranks_add_up_to_all_packets() {
    let report = report(&scenario(BACKLOG));
    for cell in &report.results {
        let ranks = cell.per_rank.as_ref().unwrap();
        for name in ["packets_in", "inversions", "overtaken", "packets_dropped"] {
            let sum: f64 = ranks.column(name).unwrap().mean.iter().flatten().sum();
            assert!((sum - cell.quantities.mean(name).unwrap()).abs() < 1e-6, "{name} of {}", cell.title());
        }
    }
}

#[test]
fn without_repetitions_the_seed_is_that_of_the_scenario() {
    let once = scenario(&BACKLOG.replace("repetitions = 3", "seed = 9"));
    assert_eq!((once.seed_of(0), report(&once).results[0].seeds[0]), (Seed(9), 9));
}

#[test]
fn runs_are_kept_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = scenario(BACKLOG);
    let keep = |part: &Part| run(&scenario, Some(&folder.path().into()), None, part, &Silent).unwrap();
    keep(&"0/2".parse().unwrap());
    keep(&"1/2".parse().unwrap());
    let all = serde_json::to_string(&report(&scenario)).unwrap();
    assert_eq!(serde_json::to_string(&keep(&Part::default())).unwrap(), all);
    let merged = crate::run::merge(folder.path(), &[], None, &Silent).unwrap();
    assert!(merged.missing.is_empty() && merged.runs == 18);
    let whole = crate::Answer::Port(report(&scenario));
    assert!(serde_json::to_string(&merged.answer).unwrap() == serde_json::to_string(&whole).unwrap());
}

#[test]
fn a_backlog_that_drains_is_half_as_long_on_average() {
    let report = report(&scenario(BACKLOG));
    // All but the first wait when the last has come; then one less with each that leaves.
    let most = values(&report, "uniform", "fifo", "max_queue_packets");
    let mean = values(&report, "uniform", "fifo", "mean_queue_packets");
    assert!(most.iter().flatten().all(|most| (998.0..=999.0).contains(most)), "{most:?}");
    assert!(mean.iter().flatten().all(|mean| (mean - 499.0).abs() < 2.0), "{mean:?}");
}

#[test]
fn resubmissions_are_the_packets_below_all_bounds() {
    let scenario = scenario(&BACKLOG.replace("queue_packets = 1000 }", "queue_packets = 1000, second_pass = 0 }"));
    let report = report(&scenario);
    for repetition in 0..3 {
        let mut source = scenario.setting().traffic.open(scenario.seed_of(repetition));
        let (mut low, mut high, mut resubmitted) = (0, 0, 0.0);
        while let Some(packet) = source.next_packet() {
            match packet.rank {
                rank if rank >= high => high = rank,
                rank if rank >= low => low = rank,
                rank => {
                    (low, high) = (rank, high - (low - rank));
                    resubmitted += 1.0;
                }
            }
        }
        assert!(resubmitted > 100.0);
        let share = values(&report, "uniform", "sp-pifo", "resubmissions_per_packet");
        assert_eq!(share[usize::try_from(repetition).unwrap()], Some(resubmitted / 1000.0));
    }
    assert_eq!(values(&report, "alike", "sp-pifo", "resubmissions_per_packet"), [Some(0.0); 3]);
    assert_eq!(values(&report, "uniform", "fifo", "resubmissions_per_packet"), [None; 3], "a FIFO has no second pass");
}

/// What the sources sum up to is what the port's probe counts; who does not ask has none.
#[test]
fn the_sources_of_inversions_are_all_inversions() {
    let scenario = scenario(&BACKLOG.replace("queue_packets = 1000 }", "queue_packets = 1000, sources = true }"));
    let report = report(&scenario);
    let of = |policy, metric| values(&report, "uniform", policy, metric);
    let sources = ["inversions_in_first_queue", "inversions_behind_sunk_bounds", "inversions_between_queues"];
    let [first, sunk, between] = sources.map(|metric| of("sp-pifo", metric));
    for (number, inversions) in of("sp-pifo", "inversions").into_iter().enumerate() {
        let parts = [&first, &sunk, &between].map(|source| source[number].unwrap());
        assert_eq!(Some(parts.iter().sum()), inversions);
        // One queue is empty before the other sends, so that hardly any packet is overtaken from there.
        assert!(parts[0] > 100.0 && parts[1] > 100.0 && parts[2] < 10.0, "{parts:?}");
    }
    assert!(of("sp-pifo", "cost_at_enqueue").iter().all(|cost| (0.1..3.0).contains(&cost.unwrap())));
    assert_eq!(values(&report, "alike", "sp-pifo", "cost_at_enqueue"), [Some(0.0); 3]);
    assert_eq!(of("fifo", "inversions_between_queues"), [None; 3]);
}

/// A tree counts at the nodes whose queues are told to, all together.
#[test]
fn the_sources_of_a_tree_are_those_of_its_nodes() {
    let plain = r#"rank = "packet-rank"
    queue = { name = "sp-pifo", queues = 2, queue_packets = 1000 }"#;
    let counting = plain.replace("1000 }", "1000, sources = true }");
    let as_root = counting.replace("rank = \"packet-rank\"", "tree = { rank = \"packet-rank\" }");
    let own = "{ name = \"sp-pifo\", queues = 2, queue_packets = 1000, sources = true }";
    let below = format!(
        "tree = {{ rank = \"packet-rank\", queue = {own}, children = [{{ rank = \"packet-rank\", queue = {own} }}] }}\n queue = \"pifo\""
    );
    let quantities = |policy: &str| {
        let report = report(&scenario(&BACKLOG.replace(plain, policy)));
        let names = [
            "inversions_in_first_queue",
            "inversions_behind_sunk_bounds",
            "inversions_between_queues",
            "cost_at_enqueue",
        ];
        names.map(|name| values(&report, "uniform", "sp-pifo", name))
    };
    let known = quantities(&counting);
    assert_eq!(quantities(&as_root), known);
    // Both nodes get the same ranks in the same order.
    let twice =
        known.clone().map(|values| values.into_iter().map(|value| value.map(|value| 2.0 * value)).collect::<Vec<_>>());
    assert_eq!(quantities(&below), twice);
    assert_eq!(quantities(&as_root.replace(", sources = true", "")), [const { [None; 3] }; 4].map(Vec::from));
}

/// The best bound of two queues: with a constant cost the median of the ranks, else higher where few ranks are very high.
#[test]
fn optimal_bounds_know_the_cost_of_an_inversion() {
    let policy =
        r#"queue = { name = "fixed-bounds", queues = 2, bounds = "optimal", cost = ["distance", "constant"] }"#;
    let text = BACKLOG.replace(r#"queue = { name = "sp-pifo", queues = 2, queue_packets = 1000 }"#, policy);
    let skewed = text.replace(
        r#"distribution = "uniform", min = 0, max = 3"#,
        r#"distribution = "exponential", min = 0, max = 100"#,
    );
    let scenario = scenario(&skewed);
    let mut source = scenario.setting().traffic.open(scenario.seed_of(0));
    let mut ranks: Vec<u64> = std::iter::from_fn(|| source.next_packet()).map(|packet| packet.rank).collect();
    ranks.sort_unstable();
    let report = report(&scenario);
    let bounds = report.results.iter().filter(|cell| cell.policy == "sp-pifo" && cell.axes[0].1.text == "exponential");
    let bounds = bounds.map(|cell| cell.runs[0].parts.parameters["bounds"][1].as_u64().unwrap());
    let [distance, constant] = bounds.collect::<Vec<_>>().try_into().unwrap();
    assert!(constant.abs_diff(ranks[ranks.len() / 2]) <= 2, "{constant}");
    assert!(distance > constant + 2, "{distance}");
}

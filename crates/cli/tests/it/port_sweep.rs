//! `forebay run` on a port with axes and repetitions.

use crate::support::{Folder, STUDY};
use serde_json::Value;

/// The value of an axis.
fn axis<'a>(cell: &'a Value, name: &str) -> &'a str {
    let axes = cell["axes"].as_array().unwrap();
    axes.iter().find(|axis| axis["name"] == name).and_then(|axis| axis["text"].as_str()).unwrap_or_default()
}

/// The values of a quantity by policy, for some ranks at a load.
fn means(report: &Value, ranks: &str, load: f64, quantity: &str) -> Vec<f64> {
    let cells = report["results"].as_array().unwrap().iter();
    cells
        .filter(|cell| axis(cell, "rank") == ranks && axis(cell, "load") == load.to_string())
        .map(|cell| cell["quantities"][quantity]["mean"].as_f64().unwrap_or_else(|| panic!("{quantity} in {cell}")))
        .collect()
}

#[test]
fn the_report_has_what_tools_are_built_on() {
    let report = Folder::new().json(STUDY, &["--seed", "7"]);
    assert_eq!(report["seed"], 7);
    let port = &report["port"];
    assert_eq!((&port["rate_bps"], &port["repetitions"]), (&Value::from(10_000_000_000_u64), &Value::from(3)));
    assert_eq!((&port["baseline"], &port["runs"]), (&Value::from("FIFO"), &Value::from(36)));
    let cells = report["results"].as_array().unwrap();
    let places: Vec<String> = cells
        .iter()
        .map(|cell| format!("{} {} {}", axis(cell, "rank"), axis(cell, "load"), cell["policy"].as_str().unwrap()))
        .collect();
    assert_eq!(places.len(), 12);
    assert_eq!((&places[0][..], &places[11][..]), ("uniform 0.8 SP-PIFO 8", "wide 1.1 pifo"));
    for cell in cells {
        assert_eq!(cell["complete"], true);
        assert_eq!(cell["repetitions"], serde_json::json!([0, 1, 2]));
        let quantities = &cell["quantities"];
        let mean = |quantity: &str| quantities[quantity]["mean"].as_f64().unwrap();
        let sum = mean("packets_out") + mean("packets_dropped");
        assert!((sum - 20_000.0).abs() < 1e-6, "{cell}");
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
        assert!(close(mean("throughput_bps"), mean("utilisation") * 1e10));
        for quantity in ["inversions", "overtaken", "drop_share", "delay_ns_mean", "delay_ns_p99"] {
            let values = quantities[quantity]["values"].as_array().unwrap();
            let of_values = values.iter().map(|value| value.as_f64().unwrap()).sum::<f64>() / 3.0;
            assert!((mean(quantity) - of_values).abs() <= 1e-9 * of_values, "{quantity}");
            assert!(quantities[quantity]["ci95"].as_f64().unwrap() >= 0.0);
        }
        let per_rank = &cell["per_rank"];
        let (width, bins) = if axis(cell, "rank") == "wide" { (8, 125) } else { (1, 101) };
        assert_eq!(per_rank["bin_width"], width);
        assert_eq!(per_rank["lowest_rank"].as_array().unwrap().len(), bins);
        let total = |quantity: &str| {
            let column = per_rank[quantity]["mean"].as_array().unwrap();
            assert_eq!(column.len(), bins);
            column.iter().map(|mean| mean.as_f64().unwrap()).sum::<f64>()
        };
        assert!((total("packets_in") - 20_000.0).abs() < 1e-6);
        for quantity in ["inversions", "overtaken", "packets_dropped"] {
            assert!((total(quantity) - mean(quantity)).abs() < 1e-6, "{quantity}");
        }
    }
}

#[test]
fn exact_queues_have_no_inversions_and_approximate_ones_fewer_than_a_fifo() {
    let report = Folder::new().json(STUDY, &[]);
    for (ranks, load) in [("uniform", 0.8), ("uniform", 1.1), ("wide", 0.8), ("wide", 1.1)] {
        let [sp_pifo, fifo, pifo] = means(&report, ranks, load, "inversions")[..] else { panic!() };
        assert!(sp_pifo > 0.0 && sp_pifo < fifo * 0.8 && pifo == 0.0, "{ranks} {load}: {sp_pifo} {fifo} {pifo}");
        let ratios = means(&report, ranks, load, "inversions_vs_baseline");
        assert!(ratios[0] < 0.8 && ratios[1] == 1.0 && ratios[2] == 0.0, "{ratios:?}");
    }
    // A PIFO that drops the worst sends low ranks first and drops high ones.
    let pifo = &report["results"][8];
    assert_eq!((&pifo["policy"], axis(pifo, "load")), (&Value::from("pifo"), "1.1"));
    let drops = pifo["per_rank"]["drop_share"]["mean"].as_array().unwrap();
    assert_eq!(drops[0], 0.0);
    assert!(drops[100].as_f64().unwrap() > 0.5, "{drops:?}");
}

#[test]
fn the_same_bytes_on_any_number_of_threads_and_others_with_another_seed() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY);
    let json = |arguments: &[&str]| folder.run(&[&["run", "s.toml", "--format", "json"], arguments].concat()).ok();
    let one = json(&["--threads", "1"]);
    assert_eq!(one, json(&["--threads", "5"]));
    assert_ne!(one, json(&["--seed", "2"]));
}

#[test]
fn every_queue_sees_the_same_packets_whatever_else_is_studied() {
    let folder = Folder::new();
    let all = folder.json(STUDY, &[]);
    let only = ["--set", "policy=[{name='FIFO', rank='packet-rank', queue='fifo'}]", "--set", "traffic.load=[1.1]"];
    let alone = folder.json(STUDY, &only);
    let cells = alone["results"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    assert_eq!(cells[0], all["results"][7], "uniform ranks");
    assert_eq!(cells[1], all["results"][10], "wide ranks");
    let arrivals = |cell: usize| all["results"][cell]["per_rank"]["packets_in"].clone();
    assert_eq!(arrivals(0), arrivals(1));
    assert_eq!(arrivals(0), arrivals(8), "the ranks of a repetition are the same at every load");
}

#[test]
fn one_seed_has_no_interval_and_the_table_says_so() {
    let folder = Folder::new();
    let report = folder.json(STUDY, &["--set", "repetitions=1"]);
    let inversions = &report["results"][0]["quantities"]["inversions"];
    assert!(inversions["mean"].as_f64().is_some() && inversions["ci95"].is_null(), "{inversions}");
    let table = folder.run(&["run", "s.toml", "--set", "repetitions=1"]).ok();
    assert!(table.contains("one repetition: no confidence intervals") && !table.contains("+-"), "{table}");
}

#[test]
fn the_table_has_a_line_for_each_policy_and_value() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY);
    let table = folder.run(&["run", "s.toml"]).ok();
    // Packets in one table, their order in another one, and differences to the baseline in a third one.
    assert_eq!(table.lines().filter(|line| line.starts_with("SP-PIFO 8 ")).count(), 16, "{table}");
    assert!(table.contains(" vs  overtaken") && table.contains(" +- "), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 120), "{table}");
    let long = "policy.FIFO.name=FIFO, as every switch has it";
    let baseline = "baseline=FIFO, as every switch has it";
    let table = folder.run(&["run", "s.toml", "--set", long, "--set", baseline]).ok();
    assert!(table.lines().any(|line| line.trim_start().starts_with("baseline ")), "{table}");
    assert!(table.contains("\nbaseline: FIFO, as every switch has it\n"), "{table}");
}

#[test]
fn csv_has_one_line_per_number() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY);
    let csv = folder.run(&["run", "s.toml", "--format", "csv"]).ok();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("load,rank,policy,subject,item,metric,unit,repetition,value"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 9), "{csv}");
    // For each of 3 policies and 2 loads in 3 repetitions: all packets, those of the class, and of each bin of ranks.
    let arrivals = rows.iter().filter(|row| row[5] == "packets_in").count();
    assert_eq!(arrivals, 3 * (6 * 103 + 6 * 127));
    assert_eq!(rows[0], ["0.8", "uniform", "SP-PIFO 8", "all", "", "packets_in", "packets", "0", "20000"]);
    let report = folder.json(STUDY, &[]);
    let inversions = rows.iter().find(|row| row[5] == "inversions").unwrap();
    let value = report["results"][0]["quantities"]["inversions"]["values"][0].as_f64();
    assert_eq!(inversions[8].parse::<f64>().ok(), value);
    let last = rows.last().unwrap();
    assert_eq!(last[..5], ["1.1", "wide", "pifo", "rank", "992"]);
}

#[test]
fn the_folder_has_the_report_and_its_pictures() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY);
    let printed = folder.run(&["run", "s.toml", "--format", "json", "--out", "out"]).ok();
    assert_eq!(printed, folder.read("out/result.json"));
    let manifest: Value = serde_json::from_str(&folder.read("out/manifest.json")).unwrap();
    assert_eq!(manifest["seed"], 1);
    for file in ["inversions.svg", "drops.svg", "delay.svg", "delay-p99.svg"] {
        let svg = folder.read(&format!("out/{file}"));
        assert!(svg.starts_with("<svg") && svg.contains("SP-PIFO 8") && svg.contains(">load 1.1, wide<"), "{file}");
    }
}

#[test]
fn the_example_runs() {
    let example = include_str!("../../../../docs/studies/sp-pifo.toml");
    let report = Folder::new().json(example, &["--set", "traffic.packets=20_000", "--set", "repetitions=2"]);
    for ranks in ["uniform", "exponential", "inverse-exponential", "poisson", "convex"] {
        let ratios = means(&report, ranks, 0.8, "inversions_vs_baseline");
        let [fifo, sp_pifo_8, sp_pifo_32, .., pifo] = ratios[..] else { panic!("{ratios:?}") };
        assert!(fifo == 1.0 && sp_pifo_8 < 0.6 && sp_pifo_32 < 0.5 * sp_pifo_8 && pifo == 0.0, "{ranks}: {ratios:?}");
    }
}

#[test]
fn the_study_of_the_manual_runs() {
    let page = include_str!("../../../../docs/scenario.md");
    let section = page.split("## Which queue for these ranks").nth(1).unwrap();
    let study = section.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let report = Folder::new().json(study, &["--set", "traffic.packets=2000"]);
    assert_eq!(report["results"].as_array().unwrap().len(), 6);
    assert_eq!((&report["port"]["repetitions"], &report["port"]["baseline"]), (&Value::from(10), &Value::from("FIFO")));
}

#[test]
fn optimal_bounds_are_those_of_the_ranks() {
    let policies = "policy = [\
        { name = 'even', rank = 'packet-rank', queue = { name = 'fixed-bounds', max_rank = 101 } },\
        { name = 'best', rank = 'packet-rank', queue = { name = 'fixed-bounds', bounds = 'optimal' } },\
        { name = 'in units', rank = 'packet-rank', rank_unit = 10, queue = { name = 'fixed-bounds', queues = 3, bounds = 'optimal' } }]";
    let ranks = "traffic.rank = [\
        { distribution = 'uniform', min = 0, max = 100 },\
        { distribution = 'exponential', min = 0, max = 100 }]";
    let set = ["--set", policies, "--set", ranks, "--set", "baseline=even", "--set", "traffic.load=[0.9]"];
    let report = Folder::new().json(STUDY, &set);
    let bounds = |cell: usize| {
        let list = report["results"][cell]["parameters"]["bounds"].as_array().unwrap();
        list.iter().map(|bound| bound.as_u64().unwrap()).collect::<Vec<u64>>()
    };
    let (uniform, exponential) = (bounds(1), bounds(4));
    assert_eq!((uniform.len(), exponential.len()), (8, 8));
    // 101 uniform ranks over 8 queues: 12 or 13 each. Where ranks are frequent, queues are narrow.
    let widths: Vec<u64> = uniform.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(widths.iter().all(|width| (12..=13).contains(width)), "{uniform:?}");
    assert!(exponential[1] < 8 && exponential[7] < 80, "{exponential:?}");
    assert_eq!(bounds(2).len(), 3);
    assert!(bounds(2)[2] <= 10, "ranks in units of 10: {:?}", bounds(2));
    let ratio = means(&report, "exponential", 0.9, "inversions_vs_baseline")[1];
    assert!(ratio < 0.95, "{ratio}");
}

#[test]
fn an_interrupted_study_keeps_what_is_finished() {
    let folder = Folder::new();
    folder.write(
        "s.toml",
        STUDY.replace("repetitions = 3", "repetitions = 4_000").replace("packets = 20_000", "packets = 200"),
    );
    // Each of the cells has made a run by then, as runs are made repetition by repetition.
    let output = folder.interrupt_after(100, &["run", "s.toml", "--format", "json"]);
    assert_eq!(output.status, 130);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    for cell in report["results"].as_array().unwrap() {
        let finished = cell["repetitions"].as_array().unwrap().len();
        assert_eq!(cell["complete"], false);
        assert!(finished > 0 && finished < 4_000, "{finished}");
        assert_eq!(cell["quantities"]["inversions"]["values"].as_array().unwrap().len(), finished);
    }
    assert!(folder.path("out/inversions.svg").exists());
}

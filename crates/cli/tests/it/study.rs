//! `forebay run` on a queue study.

use crate::support::{Folder, STUDY};
use serde_json::Value;
use std::time::Duration;

/// The values of a quantity by queue, for some ranks at a load.
fn means(report: &Value, ranks: &str, load: f64, quantity: &str) -> Vec<f64> {
    let cells = report["results"].as_array().unwrap().iter();
    cells
        .filter(|cell| cell["ranks"] == ranks && cell["load"] == load)
        .map(|cell| cell["quantities"][quantity]["mean"].as_f64().unwrap_or_else(|| panic!("{quantity} in {cell}")))
        .collect()
}

#[test]
fn the_report_has_what_tools_are_built_on() {
    let report = Folder::new().json(STUDY, &["--seed", "7"]);
    assert_eq!(report["seed"], 7);
    let study = &report["queue_study"];
    assert_eq!((&study["packets"], &study["seeds"]), (&Value::from(20_000), &Value::from(3)));
    assert_eq!((&study["baseline"], &study["arrivals"]), (&Value::from("FIFO"), &Value::from("poisson")));
    let cells = report["results"].as_array().unwrap();
    let places: Vec<String> =
        cells.iter().map(|cell| format!("{} {} {}", cell["ranks"], cell["load"], cell["queue"])).collect();
    assert_eq!(places.len(), 12);
    assert_eq!(places[0], r#""uniform" 0.8 "SP-PIFO 8""#);
    assert_eq!(places[11], r#""wide" 1.1 "pifo""#);
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
        let (width, bins) = if cell["ranks"] == "wide" { (8, 125) } else { (1, 101) };
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
    let pifo = &report["results"][5];
    assert_eq!((&pifo["queue"], &pifo["load"]), (&Value::from("pifo"), &Value::from(1.1)));
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
    let only = ["--set", "queue=[{name='FIFO', queue='fifo'}]", "--set", "queue_study.load=[1.1]"];
    let alone = folder.json(STUDY, &only);
    let cells = alone["results"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    assert_eq!(cells[0], all["results"][4], "uniform ranks");
    assert_eq!(cells[1], all["results"][10], "wide ranks");
    let arrivals = |cell: usize| all["results"][cell]["per_rank"]["packets_in"].clone();
    assert_eq!(arrivals(0), arrivals(1));
    assert_eq!(arrivals(0), arrivals(5), "the ranks of a repetition are the same at every load");
}

#[test]
fn one_seed_has_no_interval_and_the_table_says_so() {
    let folder = Folder::new();
    let report = folder.json(STUDY, &["--set", "repetitions=1"]);
    let inversions = &report["results"][0]["quantities"]["inversions"];
    assert!(inversions["mean"].as_f64().is_some() && inversions["ci95"].is_null(), "{inversions}");
    let table = folder.run(&["run", "s.toml", "--set", "repetitions=1"]).ok();
    assert!(table.contains("one seed: no confidence intervals") && !table.contains("+-"), "{table}");
}

#[test]
fn the_table_has_a_block_per_ranks_and_load() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY);
    let table = folder.run(&["run", "s.toml"]).ok();
    for block in ["uniform, load 0.8", "uniform, load 1.1", "wide, load 0.8", "wide, load 1.1"] {
        assert_eq!(table.lines().filter(|line| *line == block).count(), 1, "{table}");
    }
    assert_eq!(table.lines().filter(|line| line.starts_with("SP-PIFO 8 ")).count(), 4, "{table}");
    assert!(table.contains("vs FIFO") && table.contains(" +- "), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 120), "{table}");
    let long = "queue.FIFO.name=FIFO, as every switch has it";
    let baseline = "queue_study.baseline=FIFO, as every switch has it";
    let table = folder.run(&["run", "s.toml", "--set", long, "--set", baseline]).ok();
    assert!(table.contains("vs baseline ") && table.contains("\nbaseline: FIFO, as every switch has it\n"), "{table}");
}

#[test]
fn csv_has_one_line_per_number() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY);
    let csv = folder.run(&["run", "s.toml", "--format", "csv"]).ok();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("ranks,load,policy,subject,item,metric,unit,repetition,value"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 9), "{csv}");
    // For each of 3 queues and 2 loads in 3 repetitions: arrivals of all ranks, and of each bin.
    let arrivals = rows.iter().filter(|row| row[5] == "packets_in").count();
    assert_eq!(arrivals, 3 * (6 * 101 + 6 * 125));
    assert_eq!(rows[0][..8], ["uniform", "0.8", "SP-PIFO 8", "all", "", "inversions", "packets", "0"]);
    let report = folder.json(STUDY, &[]);
    assert_eq!(rows[0][8].parse::<f64>().ok(), report["results"][0]["quantities"]["inversions"]["values"][0].as_f64());
    let last = rows.last().unwrap();
    assert_eq!(last[..7], ["wide", "1.1", "pifo", "rank", "992", "delay:p99", "s"]);
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
        assert!(svg.starts_with("<svg") && svg.contains("SP-PIFO 8") && svg.contains("wide, load 1.1"), "{file}");
    }
}

#[test]
fn the_example_runs() {
    let example = include_str!("../../../../docs/studies/sp-pifo.toml");
    let report = Folder::new().json(example, &["--set", "queue_study.packets=20_000", "--set", "repetitions=2"]);
    for ranks in ["uniform", "exponential", "inverse-exponential", "poisson", "convex"] {
        let ratios = means(&report, ranks, 0.8, "inversions_vs_baseline");
        let [fifo, sp_pifo_8, sp_pifo_32, .., pifo] = ratios[..] else { panic!("{ratios:?}") };
        assert!(fifo == 1.0 && sp_pifo_8 < 0.6 && sp_pifo_32 < 0.5 * sp_pifo_8 && pifo == 0.0, "{ranks}: {ratios:?}");
    }
}

#[test]
fn the_study_of_the_manual_runs() {
    let page = include_str!("../../../../docs/scenario.md");
    let section = page.split("## A queue study").nth(1).unwrap();
    let study = section.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let report = Folder::new().json(study, &["--set", "queue_study.packets=2000"]);
    assert_eq!(report["results"].as_array().unwrap().len(), 6);
    assert_eq!(report["queue_study"]["seeds"], 10);
    assert_eq!(report["queue_study"]["baseline"], "fifo");
}

#[test]
fn optimal_bounds_are_those_of_the_ranks() {
    let queue = "queue = [\
        { name = 'even', queue = { name = 'fixed-bounds', max_rank = 101 } },\
        { name = 'best', queue = { name = 'fixed-bounds', bounds = 'optimal' } },\
        { name = 'in units', rank_unit = 10, queue = { name = 'fixed-bounds', queues = 3, bounds = 'optimal' } }]";
    let ranks = "queue_study.ranks = [\
        { distribution = 'uniform', min = 0, max = 100 },\
        { distribution = 'exponential', min = 0, max = 100 }]";
    let set = ["--set", queue, "--set", ranks, "--set", "queue_study.baseline=even", "--set", "queue_study.load=[0.9]"];
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
        STUDY.replace("repetitions = 3", "repetitions = 8_000").replace("packets = 20_000", "packets = 200"),
    );
    let output = folder.interrupt(&["run", "s.toml", "--format", "json"], Duration::from_millis(500));
    assert_eq!(output.status, 130);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    for cell in report["results"].as_array().unwrap() {
        let finished = cell["repetitions"].as_array().unwrap().len();
        assert_eq!(cell["complete"], false);
        assert!(finished > 0 && finished < 8_000, "{finished}");
        assert_eq!(cell["quantities"]["inversions"]["values"].as_array().unwrap().len(), finished);
    }
    assert!(folder.path("out/inversions.svg").exists());
}

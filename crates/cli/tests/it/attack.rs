//! `forebay attack` on a study.

use crate::support::{ATTACK, Folder};
use serde_json::Value;

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    folder.write("s.toml", ATTACK);
    let all = [&["attack", "s.toml", "--format", "json"], arguments].concat();
    serde_json::from_str(&folder.run(&all).ok()).unwrap()
}

fn rows<'a>(report: &'a Value, policy: &str) -> Vec<&'a Value> {
    report["results"].as_array().unwrap().iter().filter(|row| row["policy"] == policy).collect()
}

fn number(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or_else(|| panic!("{field} in {row}"))
}

#[test]
fn the_report_has_what_tools_are_built_on() {
    let report = json(&Folder::new(), &["--seed", "7"]);
    assert_eq!(report["seed"], 7);
    let study = &report["attack"];
    assert_eq!((&study["packets"], &study["warmup"]), (&Value::from(10_000), &Value::from(2_000)));
    assert_eq!((&study["strategy"], &study["gaps"]), (&Value::from("optimal"), &Value::from("poisson")));
    assert!((number(study, "capacity_gbps") - 10.0).abs() < 0.01);
    let places: Vec<String> = report["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| format!("{} {} {}", row["innocent_gbps"], row["policy"], row["attack_gbps"]))
        .collect();
    assert_eq!(places.len(), 2 * 4 * 3);
    assert_eq!(places[0], r#"5.0 "FCFS" 0.1"#);
    assert_eq!(places[23], r#"10.0 "WSJF" 1.0"#);
    for row in report["results"].as_array().unwrap() {
        assert_eq!(row["complete"], true);
        let displaced = number(row, "baseline_gbps") - number(row, "goodput_gbps");
        assert!((displaced / number(row, "attack_gbps") - number(row, "displacement")).abs() < 1e-9, "{row}");
        let values = row["displacement_values"].as_array().unwrap();
        let mean = values.iter().map(|value| value.as_f64().unwrap()).sum::<f64>() / 3.0;
        assert!((mean - number(row, "displacement")).abs() < 1e-9);
        for interval in ["goodput_gbps_ci95", "baseline_gbps_ci95", "displacement_ci95"] {
            assert!(number(row, interval) >= 0.0);
        }
        assert!(["largest-job", "against-sjf", "against-wsjf"].contains(&row["strategy"].as_str().unwrap()));
        assert_eq!(row["attack_packet_bytes"], 64);
        let bound = row["bound"].as_f64();
        let load = number(row, "innocent_gbps") / 10.0;
        match row["policy"].as_str().unwrap() {
            "SJF" => assert!((bound.unwrap() / (load * 1_250.0 / 64.0) - 1.0).abs() < 2e-3, "{row}"),
            "WSJF" => assert!((bound.unwrap() / load - 1.0).abs() < 2e-3 && bound.unwrap() <= 1.0, "{row}"),
            _ => assert!(bound.is_none() && row["predicted"].as_f64().is_some(), "{row}"),
        }
    }
}

#[test]
fn bounds_hold_and_first_come_first_served_has_none() {
    let report = json(&Folder::new(), &[]);
    let worst = report["worst"].as_array().unwrap();
    assert_eq!(worst.len(), 8);
    for worst in worst {
        let displacement = number(worst, "displacement");
        let of_rows = rows(&report, worst["policy"].as_str().unwrap())
            .into_iter()
            .filter(|row| row["innocent_gbps"] == worst["innocent_gbps"])
            .map(|row| number(row, "displacement"))
            .fold(f64::MIN, f64::max);
        assert_eq!(displacement, of_rows);
        match worst["policy"].as_str().unwrap() {
            "SJF" | "WSJF" => {
                assert!(displacement <= number(worst, "bound") * 1.02, "{worst}");
                assert_eq!(worst["holds"], true, "{worst}");
            }
            _ => {
                assert!(worst["bound"].is_null() && worst["holds"].is_null());
                // About what claim 3 and claim 4 say.
                assert!((displacement / number(worst, "predicted") - 1.0).abs() < 0.15, "{worst}");
            }
        }
    }
    let harm =
        |policy: &str| rows(&report, policy).into_iter().map(|row| number(row, "displacement")).fold(0.0, f64::max);
    assert!(harm("FCFS") > 40.0 && harm("FQ") > 80.0, "{} {}", harm("FCFS"), harm("FQ"));
    assert!(harm("SJF") > 8.0 && harm("SJF") < 19.6, "{}", harm("SJF"));
    assert!(harm("WSJF") > 0.5 && harm("WSJF") < 1.0, "{}", harm("WSJF"));
    // Policies that ignore jobs are harmed most by the largest; the others are not harmed by them at all.
    assert!(
        rows(&report, "FCFS").iter().all(|row| row["strategy"] == "largest-job" && row["attack_job_ns"] == 10_000.0)
    );
    assert_eq!(rows(&report, "SJF")[2]["strategy"], "against-sjf");
    assert_eq!(rows(&report, "WSJF")[5]["strategy"], "against-wsjf");
}

#[test]
fn the_same_bytes_on_any_number_of_threads_and_others_with_another_seed() {
    let folder = Folder::new();
    folder.write("s.toml", ATTACK);
    let json = |arguments: &[&str]| folder.run(&[&["attack", "s.toml", "--format", "json"], arguments].concat()).ok();
    let one = json(&["--threads", "1"]);
    assert_eq!(one, json(&["--threads", "5"]));
    assert_ne!(one, json(&["--seed", "2"]));
}

#[test]
fn every_policy_sees_the_same_packets_whatever_else_is_studied() {
    let folder = Folder::new();
    let all = json(&folder, &[]);
    let alone = json(
        &folder,
        &["--set", "policy=[{name='FCFS', rank='arrival', queue='fifo'}]", "--set", "attack.rate=['1 Gbps']"],
    );
    let (mut alone, mut all) = (alone["results"][0].clone(), rows(&all, "FCFS")[2].clone());
    for row in [&mut alone, &mut all] {
        row.as_object_mut().unwrap().remove("axes");
    }
    assert_eq!(alone, all);
}

#[test]
fn given_strategies_are_played_and_fool_who_believes_them() {
    let folder = Folder::new();
    let given = |estimate: &str| {
        let strategy = format!("attack.strategy=[{{ size_bytes=100, job='5 us'{estimate} }}]");
        json(&folder, &["--set", &strategy, "--set", "attack.rate=['300 Mbps']"])
    };
    let known = given("");
    let row = rows(&known, "WSJF")[0];
    assert_eq!((&row["strategy"], &row["attack_packet_bytes"]), (&Value::from("given"), &Value::from(100)));
    assert!(number(row, "displacement").abs() < 0.02, "WSJF does not serve what it knows to be large: {row}");
    let fooled = given(", estimate='1 ns'");
    let row = rows(&fooled, "WSJF")[0];
    assert!(number(row, "displacement") > 10.0 && number(row, "attack_served") > 0.4, "{row}");
    assert_eq!(rows(&fooled, "FCFS"), rows(&known, "FCFS"), "FCFS does not ask");
    let summary = fooled["worst"].as_array().unwrap().iter().find(|worst| worst["policy"] == "WSJF").unwrap();
    assert_eq!(summary["holds"], false, "the bound is proved for known jobs");
}

#[test]
fn estimates_measured_jobs_and_servers_work_together() {
    let folder = Folder::new();
    folder.write("jobs.csv", "size_bytes,job_ns,estimate_ns\n1000,800,700\n1500,1200,1300\n");
    let policies = "policy=[{name='SJF', rank='job-size', queue='pifo', drop='worst-first'}, \
                    {name='WSJF', rank='job-ratio', queue='pifo', drop='worst-first'}, \
                    {name='in order', rank='job-ratio-inorder', queue='pifo', drop='worst-first'}]";
    let innocent = "innocent={ rate='15 Gbps', packets=10000, warmup=2000, gaps='constant', jobs='jobs.csv' }";
    let run = |estimate: &[&str]| {
        let common = ["--set", policies, "--set", innocent, "--set", "processor.servers=2"];
        json(&folder, &[&common[..], estimate].concat())
    };
    let report = run(&[]);
    let study = &report["attack"];
    assert!((number(study, "capacity_gbps") - 20.0).abs() < 1e-9 && study["servers"] == 2);
    for row in report["results"].as_array().unwrap() {
        assert!((number(row, "baseline_gbps") / 15.0 - 1.0).abs() < 0.05, "{row}");
    }
    assert!(rows(&report, "in order").iter().all(|row| row["bound"].is_null()));
    let truth = run(&["--set", "processor.estimate=truth"]);
    let nothing = run(&["--set", "processor.estimate={ constant='1 us' }"]);
    let roughly = run(&["--set", "processor.estimate={ sigma=1 }"]);
    let harm = |report: &Value, policy: usize| number(&report["worst"][policy], "displacement");
    assert!(harm(&truth, 0) < 14.6 && harm(&truth, 1) < 0.1, "{} {}", harm(&truth, 0), harm(&truth, 1));
    assert!(harm(&nothing, 0) > 30.0, "as if first come, first served: {}", harm(&nothing, 0));
    assert_eq!(nothing["worst"][0]["holds"], false, "the bound is proved for known jobs");
    assert!(harm(&roughly, 1) > 0.1 && harm(&roughly, 1) < 0.75, "{}", harm(&roughly, 1));
}

#[test]
fn a_policy_in_openqueue_is_attacked_like_any_other() {
    let folder = Folder::new();
    folder.write("fifo.oq", include_str!("../../../../policies/fifo.oq"));
    folder.write("lqd.oq", include_str!("../../../../policies/lqd.oq"));
    let report = json(
        &folder,
        &["--set", "policy=[{policy='fifo.oq', params={ B = 1000 }}, {name='FCFS', rank='arrival', queue='fifo'}]"],
    );
    let (language, parts) = (rows(&report, "fifo"), rows(&report, "FCFS"));
    assert!(language.iter().all(|row| row["bound"].is_null() && row["predicted"].is_null()), "nobody says what it is");
    for (language, parts) in language.iter().zip(parts) {
        // The most harmful of three attacks, which is the one that the other is tried with.
        assert_eq!((&language["strategy"], &language["displacement"]), (&parts["strategy"], &parts["displacement"]));
    }
    folder.write("s.toml", ATTACK);
    let refused = folder.run(&["attack", "s.toml", "--set", "policy=[{policy='lqd.oq'}]"]).refused();
    assert!(refused.contains("lqd.oq has"), "{refused}");
}

#[test]
fn tables_csv_and_folders_are_complete() {
    let folder = Folder::new();
    folder.write("s.toml", ATTACK);
    let table = folder.run(&["attack", "s.toml", "--out", "out"]).ok();
    for part in
        ["the greatest harm over all attack rates", "innocent 5 Gbps", "innocent 10 Gbps", "predicted", "+-", "yes"]
    {
        assert!(table.contains(part), "{part}: {table}");
    }
    let csv = folder.run(&["attack", "s.toml", "--format", "csv"]).ok();
    assert!(csv.starts_with("attack.rate,innocent.rate,policy,subject,item,metric,unit,repetition,value\n"), "{csv}");
    // 4 policies at 2 innocent and 3 attack rates, in each repetition.
    assert_eq!(csv.matches(",all,,displacement,1,").count(), 4 * 2 * 3 * 3);
    assert!(csv.contains("\n100000000,5000000000,FCFS,all,,displacement,1,0,"), "{csv}");
    assert_eq!(csv, folder.read("out/result.csv"));
    let result: Value = serde_json::from_str(&folder.read("out/result.json")).unwrap();
    assert_eq!(result, json(&folder, &[]));
    assert!(folder.read("out/manifest.json").contains("wall_time_s"));
    let svg = folder.read("out/attack-by-attack.rate.svg");
    assert_eq!(svg.matches(">innocent.rate 5 Gbit/s<").count(), 2, "displacement and goodput");
}

#[test]
fn an_interrupted_study_keeps_what_is_done() {
    let folder = Folder::new();
    folder.write("s.toml", ATTACK);
    let arguments = ["attack", "s.toml", "--format", "json", "--threads", "1", "--set", "repetitions=1000"];
    let output = folder.interrupt_after(1, &arguments);
    assert_eq!(output.status, 130, "{}", output.stderr);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let row = &report["results"][0];
    assert_eq!(row["complete"], false);
    let values = row["displacement_values"].as_array().unwrap();
    assert!(values.len() < 1000 && values.len() == row["repetitions"].as_array().unwrap().len());
    assert!(values[0].is_number(), "{row}");
}

#[test]
fn the_study_of_the_documentation_runs() {
    let folder = Folder::new();
    folder.write("s.toml", include_str!("../../../../docs/studies/surgeprotector.toml"));
    let few = ["--set", "innocent.packets=1000", "--set", "innocent.rate=['10 Gbps']"];
    let json = folder.run(&[&["attack", "s.toml", "--format", "json"], &few[..]].concat()).ok();
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["results"].as_array().unwrap().len(), 4 * 13);
    // Ranks of the bounded queues are not clamped: the bound would not hold then.
    assert!(report["worst"].as_array().unwrap()[2..].iter().all(|worst| worst["holds"] == true), "{report}");
}

//! Ranks in a given order, in `[traffic]`.

use crate::support::{Folder, STUDY, UNIFORM};
use serde_json::Value;

const DISTRIBUTION: &str = "{ distribution = \"uniform\", min = 0, max = 100 }";
const RAMPS: &str = "{ order = \"ramps\", length = 50, min = 0, max = 100 }";
const LIST: &str = "{ order = \"list\", file = \"ranks.csv\" }";

/// The ranks that `[traffic]` gives to its first packets.
fn generated(folder: &Folder, rank: &str, packets: usize) -> Vec<u64> {
    let scenario = UNIFORM.replace(DISTRIBUTION, rank) + "[[policy]]\nrank = \"packet-rank\"\nqueue = \"pifo\"\n";
    folder.write("s.toml", scenario);
    folder.run(&["trace", "gen", "s.toml", "p.csv", "--set", &format!("traffic.packets={packets}")]).ok();
    let text = folder.read("p.csv");
    let mut lines = text.lines();
    let place = lines.next().unwrap().split(',').position(|column| column == "rank").unwrap();
    lines.map(|line| line.split(',').nth(place).unwrap().parse().unwrap()).collect()
}

/// A sweep whose `wide` ranks are replaced by `ranks`.
fn study(ranks: &str) -> String {
    let wide = "{ name = \"wide\", distribution = \"uniform\", min = 0, max = 999 }";
    assert!(STUDY.contains(wide));
    STUDY.replace(wide, ranks)
}

/// The value of an axis.
fn axis<'a>(cell: &'a Value, name: &str) -> Option<&'a str> {
    cell["axes"].as_array()?.iter().find(|axis| axis["name"] == name)?["text"].as_str()
}

/// The mean of a quantity of a policy with some ranks at load 1.1.
fn mean(report: &Value, ranks: &str, queue: &str, quantity: &str) -> f64 {
    let is_wanted = |cell: &&Value| {
        axis(cell, "rank") == Some(ranks) && axis(cell, "load") == Some("1.1") && cell["policy"] == queue
    };
    let cell = report["results"].as_array().unwrap().iter().find(is_wanted).unwrap();
    cell["quantities"][quantity]["mean"].as_f64().unwrap()
}

#[test]
fn packets_carry_the_order_again_and_again() {
    let folder = Folder::new();
    folder.write("ranks.csv", "7\n0\n9\n");
    assert_eq!(generated(&folder, LIST, 7), [7, 0, 9, 7, 0, 9, 7]);
    let ramps = "{ order = \"ramps\", length = 3, min = 10, max = 20 }";
    assert_eq!(generated(&folder, ramps, 5), [10, 15, 20, 10, 15]);
}

#[test]
fn the_ranks_of_a_packet_csv_are_an_order() {
    let folder = Folder::new();
    let drawn = generated(&folder, DISTRIBUTION, 50);
    folder.write("ranks.csv", folder.read("p.csv"));
    assert_eq!(generated(&folder, LIST, 50), drawn);
}

#[test]
fn an_order_leaves_arrivals_sizes_and_flows_as_they_were() {
    let folder = Folder::new();
    let without_ranks = |rank: &str| -> Vec<String> {
        generated(&folder, rank, 50);
        let cut = |line: &str| line.split(',').take(4).collect::<Vec<_>>().join(",");
        folder.read("p.csv").lines().map(cut).collect()
    };
    assert_eq!(without_ranks(RAMPS), without_ranks(DISTRIBUTION));
}

#[test]
fn a_list_of_the_ramp_is_the_ramp() {
    let folder = Folder::new();
    folder.write("ranks.csv", (0..=100).step_by(2).map(|rank| format!("{rank}\n")).collect::<String>());
    let ramps = "{ name = \"x\", order = \"ramps\", length = 51, min = 0, max = 100 }";
    let list = "{ name = \"x\", order = \"list\", file = \"ranks.csv\" }";
    assert_eq!(folder.json(&study(ramps), &[]), folder.json(&study(list), &[]));
}

#[test]
fn the_same_ranks_in_another_order_do_other_harm() {
    let folder = Folder::new();
    folder.write("ranks.csv", (0..=100).rev().map(|rank| format!("{rank}\n")).collect::<String>());
    let rising = "{ name = \"rising\", order = \"ramps\", length = 101, min = 0, max = 100 }";
    let falling = "{ name = \"falling\", order = \"list\", file = \"ranks.csv\" }";
    let report = folder.json(&study(&format!("{rising}, {falling}")), &[]);
    let inversions = |ranks: &str, queue: &str| mean(&report, ranks, queue, "inversions_per_packet");
    // With falling ranks, all ranks behind a packet are lower, except those of the next fall.
    assert!(inversions("falling", "FIFO") > 0.95);
    // In a rising ramp, inversions occur only near its end; with a load above 1, this end is longer.
    assert!(inversions("rising", "FIFO") < 0.9, "{}", inversions("rising", "FIFO"));
    assert!(inversions("falling", "SP-PIFO 8") > 1.5 * inversions("rising", "SP-PIFO 8"));
    assert_eq!((inversions("rising", "pifo"), inversions("falling", "pifo")), (0.0, 0.0));
}

#[test]
fn bins_count_the_ranks_of_the_order() {
    let report = Folder::new().json(&study(RAMPS), &[]);
    let cell = &report["results"][3];
    let per_rank = &cell["per_rank"];
    assert_eq!(
        (axis(cell, "rank"), &per_rank["bin_width"], &per_rank["greatest_rank"]),
        (Some("ramps"), &1.into(), &100.into())
    );
    // 20,000 packets are 400 ramps, and of their 50 ranks none is 1.
    let packets_in = &per_rank["packets_in"]["mean"];
    assert_eq!([&packets_in[0], &packets_in[1], &packets_in[2]], [400.0, 0.0, 400.0]);
}

#[test]
fn optimal_bounds_are_those_of_the_ranks_in_the_file() {
    let folder = Folder::new();
    // Two ranks near 0 and two far above: two queues divide them in the middle.
    folder.write("ranks.csv", "rank\n0\n9000000000000000\n1\n9000000000000007\n");
    let report = folder.json(
        &study(LIST).replace(
            "queue = \"fifo\"",
            "queue = { name = \"fixed-bounds\", queues = 2, queue_packets = 40, bounds = \"optimal\" }",
        ),
        &[],
    );
    let cell = &report["results"][4];
    assert_eq!(
        (axis(cell, "rank"), &cell["parameters"]["bounds"]),
        (Some("list"), &serde_json::json!([0, 9_000_000_000_000_000_u64]))
    );
    assert!(cell["per_rank"]["lowest_rank"].as_array().unwrap().len() <= 128);
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::new();
    folder.write("s.toml", study(RAMPS));
    let json = |threads| folder.run(&["run", "s.toml", "--format", "json", "--threads", threads]).ok();
    assert_eq!(json("1"), json("3"));
}

#[test]
fn a_wrong_file_is_named_with_its_line() {
    let folder = Folder::new();
    for (text, wanted) in [
        ("3\n-4\n", "ranks.csv:2: a rank must be a whole number from 0 to"),
        ("a,b\n1,2\n", "ranks.csv:1: there are 2 columns, but none is called `rank`"),
        ("", "ranks.csv: there are no ranks"),
    ] {
        folder.write("ranks.csv", text);
        for scenario in [study(LIST), UNIFORM.replace(DISTRIBUTION, LIST) + "[[policy]]\nqueue = \"fifo\"\n"] {
            folder.write("s.toml", scenario);
            let error = folder.run(&["run", "s.toml"]).refused();
            assert!(error.starts_with(wanted), "{error}");
        }
    }
}

#[test]
fn a_wrong_rank_says_what_else_there_is() {
    let folder = Folder::new();
    let policy = "[[policy]]\nqueue = \"fifo\"\n";
    for (rank, advice) in [("\"ramps\"", "order = \"list\""), ("{ order = \"ramps\" }", "has no `length`")] {
        folder.write("s.toml", UNIFORM.replace(DISTRIBUTION, rank) + policy);
        let error = folder.run(&["run", "s.toml"]).refused();
        assert!(error.starts_with("s.toml:12: ") && error.contains(advice), "{error}");
    }
}

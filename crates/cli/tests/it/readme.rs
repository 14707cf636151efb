//! The command prints what the README shows.

use crate::support::Folder;

const README: &str = include_str!("../../../../README.md");

#[test]
fn the_table_of_the_readme_is_that_of_the_demo() {
    let printed = Folder::new().run(&["demo"]).ok();
    let table: Vec<&str> = printed.lines().skip_while(|line| !line.starts_with("policy ")).take(9).collect();
    assert_eq!(table.len(), 9);
    for line in table {
        assert!(README.contains(&format!("    {line}\n")), "not in README.md: {line}");
    }
}

#[test]
fn the_picture_of_the_readme_is_that_of_the_demo() {
    let folder = Folder::new();
    folder.run(&["demo", "--out", "d"]).ok();
    let shown = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/demo.svg")).unwrap();
    assert!(folder.read("d/delays.svg") == shown, "copy forebay-demo/delays.svg to docs/demo.svg");
}

#[test]
fn the_scenario_of_the_readme_runs() {
    let scenario = README.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(scenario.lines().count(), 10, "a scenario of ten lines");
    let report = Folder::new().json(scenario, &["--set", "traffic.packets=1000"]);
    assert_eq!(report["results"][0]["policy"], "packet-rank sp-pifo");
}

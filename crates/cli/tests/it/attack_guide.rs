//! The command prints what docs/attack.md shows.

use crate::support::Folder;

const GUIDE: &str = include_str!("../../../../docs/attack.md");

#[test]
fn the_example_of_the_guide_is_printed() {
    let folder = Folder::new();
    let printed = folder.run(&["attack", "--out", "out"]).ok();
    assert!(printed.lines().count() > 30);
    let summary = printed.split("\ninnocent 5 Gbps\n").next().unwrap();
    for line in summary.lines().filter(|line| !line.is_empty()) {
        assert!(GUIDE.contains(&format!("    {line}\n")), "copy what the command prints to docs/attack.md: {line}");
    }
    let scenario = folder.read("out/scenario.toml");
    for line in scenario.lines().filter(|line| !line.starts_with('#')) {
        assert!(GUIDE.contains(&format!("{line}\n")), "copy the example to docs/attack.md: {line}");
    }
    // The files that it writes can be run again.
    folder.run(&["run", "out/scenario.toml", "--dry-run"]).ok();
}

//! The command prints what docs/caches.md shows.

use crate::support::Folder;

const GUIDE: &str = include_str!("../../../../docs/caches.md");

#[test]
fn the_tables_of_the_guide_are_printed() {
    let recipe = "zipf:objects=10_000,requests=200_000,occupancy=0.8";
    let arguments = ["--policy", "lru,lru-mad,arc,belady-ad", "--capacity", "100", "--latency", "1000", "--bound"];
    assert!(GUIDE.contains(recipe) && GUIDE.contains(arguments[1]));
    let all = [&["cache", recipe], &arguments[..], &["--attribute", "arc,lru-mad"]].concat();
    let printed = Folder::new().run(&all).ok();
    assert!(printed.lines().count() > 20);
    for line in printed.lines().filter(|line| !line.is_empty()) {
        assert!(GUIDE.contains(&format!("    {line}\n")), "copy what the command prints to docs/caches.md: {line}");
    }
}

#[test]
fn every_field_is_in_the_guide() {
    let folder = Folder::new();
    let recipe = "zipf:objects=100,requests=1_000";
    let common = ["--capacity", "8", "--latency", "10", "--format", "json"];
    for command in [&["cache", "--bound", "--attribute", "lru,lru-mad"][..], &["curve"], &["bound"]] {
        let json = folder.run(&[&[command[0], recipe], &command[1..], &common].concat()).ok();
        // A name before a colon.
        let names =
            json.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\": ")).map(|(name, _)| name);
        for name in names {
            assert!(GUIDE.contains(&format!("`{name}`")), "{}: {name}", command[0]);
        }
    }
}

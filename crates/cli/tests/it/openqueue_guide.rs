//! The guide `docs/openqueue.md` says what forebay does.

use crate::support::Folder;

const GUIDE: &str = include_str!("../../../../docs/openqueue.md");

fn block(kind: &str) -> &'static str {
    GUIDE.split(&format!("```{kind}\n")).nth(1).and_then(|rest| rest.split("```").next()).unwrap()
}

/// Without the indentation of a block, and without what an example leaves out.
fn has_lines(output: &str) -> bool {
    let lines: Vec<&str> = GUIDE.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    output.lines().filter(|line| !line.trim().is_empty()).all(|line| lines.contains(&line))
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("short-first.oq", block("openqueue")).write("compare.toml", block("toml"));
    folder
}

#[test]
fn the_result_of_the_example_is_the_one_that_is_printed() {
    let output = folder().run(&["run", "compare.toml"]).ok();
    let table = output.split_once("\n\n").unwrap().1;
    assert!(has_lines(table), "{table}");
}

#[test]
fn the_policy_of_the_example_is_good_formatted_and_explained_as_printed() {
    let folder = folder();
    assert_eq!(folder.run(&["check", "short-first.oq"]).ok(), "1 file can be used\n");
    assert_eq!(folder.run(&["check", "short-first.oq", "--param", "B=64 KB"]).ok(), "1 file can be used\n");
    assert_eq!(folder.run(&["fmt", "--check", "short-first.oq"]).ok(), "");
    let explained = folder.run(&["explain", "short-first.oq"]).ok();
    for line in GUIDE.split("    queue q\n").nth(1).unwrap().lines().take_while(|line| line.starts_with("    ")) {
        assert!(explained.contains(line.trim()), "{line}\n{explained}");
    }
    let clamped = block("openqueue").replace("p1.processing < p2.processing", "p1.class < p2.class");
    folder.write("clamped.oq", clamped);
    assert!(folder.run(&["explain", "clamped.oq"]).ok().contains("HFFS of 256 ranks"));
}

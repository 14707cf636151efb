//! What cargo-fuzz runs are the targets of the registry.

use forebay_fuzzing::TARGETS;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn cargo_fuzz_has_every_target() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let registered: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let files: BTreeSet<String> = fs::read_dir(fuzz.join("fuzz_targets"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(files, registered);
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    let page = fs::read_to_string(fuzz.join("../docs/fuzzing.md")).unwrap();
    for name in &registered {
        let file = fs::read_to_string(fuzz.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(file.contains(&format!("forebay_fuzzing::run(\"{name}\", data)")), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "fuzz/Cargo.toml has no target {name}");
        assert!(page.contains(&format!("| `{name}` |")), "docs/fuzzing.md has no row for {name}");
    }
}

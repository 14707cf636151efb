//! The software bill of materials of the command, as CycloneDX 1.6: every crate that its build takes, with its version,
//! licence, checksum and dependencies.
//!
//! It has no time and no serial number, so the same lock file gives the same bytes.

use super::cargo_lock::packages;
use super::tree::{self, Crate};
use crate::files::{ChoreResult, read, root};
use std::collections::{BTreeMap, BTreeSet};

/// Where it is written.
const FILE: &str = "target/sbom.json";

/// Writes it; options are those of `cargo tree`, such as `--features exact` or `--target`.
pub(crate) fn write(options: &[&str]) -> ChoreResult<String> {
    let text = document(&ask(options)?, &checksums(&read("Cargo.lock")?));
    let file = root().join(FILE);
    let failed = |error: std::io::Error| vec![format!("{FILE}: {error}")];
    std::fs::create_dir_all(root().join("target")).map_err(failed)?;
    std::fs::write(file, &text).map_err(failed)?;
    Ok(format!("{FILE}: {} components", text.matches("\"type\": \"library\"").count()))
}

/// The crates of the command, without those of tests.
fn ask(options: &[&str]) -> ChoreResult<Vec<Crate>> {
    let command = ["--package", "forebay-cli", "--edges", "normal,build"];
    tree::ask(".", &[&command, options].concat())
}

type Checksums = BTreeMap<(String, String), String>;

/// The checksums of a lock file by name and version.
fn checksums(lock: &str) -> Checksums {
    let with_sums = packages(lock).filter_map(|package| Some((package, package.checksum?)));
    with_sums.map(|(package, sum)| ((package.name.to_owned(), package.version.to_owned()), sum.to_owned())).collect()
}

/// How the document refers to a crate: those of crates.io by package URL.
fn reference(one: &Crate) -> String {
    let version = one.version.replace('+', "%2B");
    if one.is_ours { format!("{}@{version}", one.name) } else { format!("pkg:cargo/{}@{version}", one.name) }
}

/// The document; the first crate is its subject.
fn document(crates: &[Crate], checksums: &Checksums) -> String {
    let mut components = BTreeMap::<String, String>::new();
    let mut dependencies = BTreeMap::<String, BTreeSet<String>>::new();
    let mut above: Vec<String> = Vec::new();
    for one in crates {
        let own = reference(one);
        above.truncate(one.depth);
        if let Some(parent) = above.last() {
            dependencies.entry(parent.clone()).or_default().insert(own.clone());
            components.entry(own.clone()).or_insert_with(|| component("library", one, checksums));
        }
        dependencies.entry(own.clone()).or_default();
        above.push(own);
    }
    let about = crates.first().map(|one| component("application", one, checksums)).unwrap_or_default();
    let needs = |(from, to): (&String, &BTreeSet<String>)| {
        let to: Vec<String> = to.iter().map(|to| quoted(to)).collect();
        format!("    {{ \"ref\": {}, \"dependsOn\": [{}] }}", quoted(from), to.join(", "))
    };
    let components: Vec<String> = components.into_values().map(|text| format!("    {text}")).collect();
    let dependencies: Vec<String> = dependencies.iter().map(needs).collect();
    format!(
        "{{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.6\",\n  \"version\": 1,\n  \"metadata\": {{ \"component\": {about} }},\n  \
         \"components\": [\n{}\n  ],\n  \"dependencies\": [\n{}\n  ]\n}}\n",
        components.join(",\n"),
        dependencies.join(",\n")
    )
}

fn component(kind: &str, one: &Crate, checksums: &Checksums) -> String {
    let (name, version, own) = (quoted(&one.name), quoted(&one.version), quoted(&reference(one)));
    let mut text =
        format!("{{ \"type\": {}, \"bom-ref\": {own}, \"name\": {name}, \"version\": {version}", quoted(kind));
    if !one.licence.is_empty() {
        text.push_str(&format!(", \"licenses\": [{{ \"expression\": {} }}]", quoted(&one.licence)));
    }
    if !one.is_ours {
        text.push_str(&format!(", \"purl\": {own}"));
    }
    if let Some(sum) = checksums.get(&(one.name.clone(), one.version.clone())) {
        text.push_str(&format!(", \"hashes\": [{{ \"alg\": \"SHA-256\", \"content\": {} }}]", quoted(sum)));
    }
    text.push_str(" }");
    text
}

/// A string of JSON. Names, versions and licences have no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn text<'json>(value: &'json Value, key: &str) -> &'json str {
        value[key].as_str().unwrap_or_else(|| panic!("{key} is missing in {value}"))
    }

    /// The rules of CycloneDX that a schema cannot say: references are unique, and lead to components.
    #[test]
    fn the_document_of_the_command_is_whole() {
        let crates = ask(&[]).expect("cargo tree");
        let lock = checksums(&read("Cargo.lock").expect("a lock file"));
        let json: Value = serde_json::from_str(&document(&crates, &lock)).expect("JSON");
        assert_eq!((text(&json, "bomFormat"), text(&json, "specVersion")), ("CycloneDX", "1.6"));
        let about = &json["metadata"]["component"];
        assert_eq!((text(about, "type"), text(about, "name")), ("application", "forebay-cli"));
        let components = json["components"].as_array().expect("components");
        let mut known = BTreeSet::from([text(about, "bom-ref")]);
        for component in components {
            assert!(known.insert(text(component, "bom-ref")), "twice: {component}");
            assert!(!text(&component["licenses"][0], "expression").is_empty());
            if !text(component, "name").starts_with("forebay") {
                assert_eq!(text(component, "purl"), text(component, "bom-ref"));
                assert_eq!(text(&component["hashes"][0], "content").len(), 64, "{component}");
            }
        }
        let names: BTreeSet<&str> = components.iter().map(|component| text(component, "name")).collect();
        for (name, is_there) in [("serde", true), ("forebay-sched", true), ("proptest", false), ("loom", false)] {
            assert_eq!(names.contains(name), is_there, "{name}");
        }
        let dependencies = json["dependencies"].as_array().expect("dependencies");
        let from: BTreeSet<&str> = dependencies.iter().map(|entry| text(entry, "ref")).collect();
        assert_eq!(from, known, "each component says what it takes");
        for to in dependencies.iter().flat_map(|entry| entry["dependsOn"].as_array().expect("a list")) {
            assert!(known.contains(to.as_str().expect("a reference")), "{to}");
        }
    }

    #[test]
    fn what_stands_below_is_needed_by_what_stands_above() {
        let one = |depth, name: &str, is_ours| {
            let (version, licence) = ("1.0.0+x".to_owned(), "MIT".to_owned());
            Crate { depth, name: name.to_owned(), version, licence, is_ours }
        };
        let text = document(
            &[one(0, "a", true), one(1, "b", false), one(2, "c", false), one(1, "c", false)],
            &Checksums::new(),
        );
        for line in [
            "\"ref\": \"a@1.0.0%2Bx\", \"dependsOn\": [\"pkg:cargo/b@1.0.0%2Bx\", \"pkg:cargo/c@1.0.0%2Bx\"]",
            "\"ref\": \"pkg:cargo/b@1.0.0%2Bx\", \"dependsOn\": [\"pkg:cargo/c@1.0.0%2Bx\"]",
            "\"ref\": \"pkg:cargo/c@1.0.0%2Bx\", \"dependsOn\": []",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert_eq!(text.matches("\"name\": \"c\"").count(), 1);
    }
}

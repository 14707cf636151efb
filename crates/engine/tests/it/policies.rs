//! Every policy of `policies/` is without mistakes, and does what its script says, on both engines.

use crate::engines::engines;
use crate::policy_script::Script;
use forebay_lang::{Lines, Overrides, Policy, Sources};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies")
}

fn files() -> Vec<PathBuf> {
    files_of(&folder())
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "oq"));
    files
}

/// The policy in a file, or its mistakes.
fn read(file: &Path, overrides: &Overrides) -> Result<Policy, String> {
    let text = fs::read_to_string(file).unwrap();
    let open = |path: &str| fs::read_to_string(path).map_err(|error| error.to_string());
    let sources = Sources::read(&file.display().to_string(), &text, &open);
    let analysis = sources.analyse(overrides, &[]);
    let lines = Lines::new(sources.text());
    let mistakes: Vec<String> = analysis
        .diagnostics
        .iter()
        .map(|mistake| {
            let at = lines.position(mistake.span.start());
            format!("{}:{}:{}: {}", file.display(), at.line + 1, at.chars + 1, mistake.message)
        })
        .collect();
    if mistakes.is_empty() { analysis.policy.ok_or_else(|| "no policy".to_owned()) } else { Err(mistakes.join("\n")) }
}

#[test]
fn every_policy_is_without_mistakes_and_names_its_paper() {
    let files = files();
    assert!(files.len() >= 25, "only {} policies", files.len());
    for page in ["README.md", "CHANGELOG.md", "docs/openqueue.md"] {
        let text = fs::read_to_string(folder().join("..").join(page)).unwrap();
        assert!(text.contains(&format!("{} policies", files.len())), "{page}: how many policies there are");
    }
    let mut wrong = Vec::new();
    for file in files {
        wrong.extend(read(&file, &Overrides::new()).err());
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("// "), "{}: says what it is", file.display());
        assert!(text.contains("// Paper"), "{}: names its paper", file.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_policy_does_what_its_script_says() {
    play(files());
}

/// Pieces have no script of their own.
#[test]
fn a_policy_in_pieces_does_what_its_script_says() {
    let mut whole = files_of(&folder().join("in-pieces"));
    whole.retain(|file| file.with_extension("script").is_file());
    assert_eq!(whole.len(), 1);
    play(whole);
}

fn play(files: Vec<PathBuf>) {
    let mut wrong = Vec::new();
    for file in files {
        let path = file.with_extension("script");
        let Ok(text) = fs::read_to_string(&path) else {
            wrong.push(format!("{}: there is no script", path.display()));
            continue;
        };
        let script = Script::parse(&text);
        assert!(script.steps.len() >= 4, "{}: too short to show anything", path.display());
        let overrides: Overrides =
            script.params.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        let policy = read(&file, &overrides).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        for (name, mut engine) in engines(&policy) {
            if let Err(error) = script.play(&policy, engine.as_mut()) {
                wrong.push(format!("{}, {name} engine: {error}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

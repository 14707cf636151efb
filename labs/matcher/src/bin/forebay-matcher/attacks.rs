//! Attacks: searched for once, then kept in a file.

use crate::Result;
use forebay_core::{Duration, Seed};
use forebay_matcher::{Attack, Rule, SEARCH_REVISION, SearchLimits, TwoStage, search};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Shortest and longest payload.
const BYTES: (usize, usize) = (400, 1_400);

#[derive(Serialize, Deserialize)]
struct Saved {
    /// The rules and limits for which they were found.
    key: String,
    attacks: Vec<SavedAttack>,
}

#[derive(Serialize, Deserialize)]
struct SavedAttack {
    payload: Vec<u8>,
    cost_ns: u64,
    rule: u32,
    is_varied: bool,
}

/// The attacks in the file if they were found for the same rules, libraries and limits, else newly found ones; the
/// worst first.
pub(crate) fn find(
    stages: &mut TwoStage,
    clock: &mut impl FnMut() -> Duration,
    file: &Path,
    versions: &str,
    seconds: f64,
) -> Result<Vec<Attack>> {
    let limits = SearchLimits { bytes: BYTES, work: Duration::from_secs_f64(seconds) };
    let rules: Vec<&Rule> = stages.rules().collect();
    let key = format!("{SEARCH_REVISION} {versions} {limits:?} {rules:?}");
    if let Some(saved) = read(file)?.filter(|saved| saved.key == key) {
        eprintln!("attacks: read from {}", file.display());
        return Ok(saved.attacks.into_iter().map(loaded).collect());
    }
    eprintln!("searching for attacks: {} of CPU time", limits.work);
    let attacks = search(stages, clock, Seed(1), limits);
    if attacks.is_empty() {
        return Err("no attack was found: no rule is a candidate for any payload that was tried; search longer, with \
                    --search"
            .into());
    }
    let text = serde_json::to_string(&Saved { key, attacks: attacks.iter().map(saved_form).collect() })?;
    let write = || {
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(file, text)
    };
    write().map_err(|error| format!("{}: {error}; say where attacks may be kept with --attacks", file.display()))?;
    Ok(attacks)
}

/// The content of the file, if there is one. A file of another kind must not be overwritten.
fn read(file: &Path) -> Result<Option<Saved>> {
    match fs::read_to_string(file) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|_| {
            let file = file.display();
            format!("{file}: this file holds no attacks and would be overwritten; name another with --attacks").into()
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}; say where attacks may be kept with --attacks", file.display()).into()),
    }
}

fn loaded(saved: SavedAttack) -> Attack {
    Attack {
        payload: saved.payload,
        cost: Duration::from_ns(saved.cost_ns),
        rule: saved.rule,
        is_varied: saved.is_varied,
    }
}

fn saved_form(attack: &Attack) -> SavedAttack {
    SavedAttack {
        payload: attack.payload.clone(),
        cost_ns: attack.cost.as_ns(),
        rule: attack.rule,
        is_varied: attack.is_varied,
    }
}

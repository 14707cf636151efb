//! Libraries and rules, where they are there.

use forebay_core::{Duration, Seed};
use forebay_matcher::native::{Debian, Pcre2, Vectorscan};
use forebay_matcher::{Innocent, Rule, RuleSet, TwoStage, quiet};
use std::path::Path;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

pub(crate) struct Libraries {
    pub(crate) debian: Debian,
    pub(crate) vectorscan: Vectorscan,
    pub(crate) pcre2: Pcre2,
}

/// The libraries; `None`, with a message, where they are missing.
pub(crate) fn libraries() -> Option<Libraries> {
    let debian = Debian::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/debian"));
    let folders = debian.library_folders();
    match (Vectorscan::load(&folders), Pcre2::load(&folders)) {
        (Ok(vectorscan), Ok(pcre2)) => Some(Libraries { debian, vectorscan, pcre2 }),
        (Err(error), _) | (_, Err(error)) => {
            println!("skipped: {error}");
            None
        }
    }
}

/// The rules of Debian; `None`, with a message, where they are missing.
pub(crate) fn debian_rules(libraries: &Libraries) -> Option<RuleSet> {
    let Some(folder) = libraries.debian.rules() else {
        println!("skipped: modsecurity-crs is missing; run: cargo xtask fetch-debian");
        return None;
    };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "conf"));
    files.sort();
    let mut set = RuleSet::default();
    for file in files {
        set.read(&file.display().to_string(), &std::fs::read_to_string(&file).unwrap()).unwrap();
    }
    Some(set)
}

/// Innocent payloads.
pub(crate) fn innocent(count: usize) -> Vec<Vec<u8>> {
    let mut source = Innocent::new(Seed(7));
    (0..count).map(|_| source.payload()).collect()
}

/// The matcher with the rules of Debian that say something about a payload, compiled once.
pub(crate) fn debian_stages() -> MutexGuard<'static, Option<TwoStage>> {
    static STAGES: LazyLock<Mutex<Option<TwoStage>>> = LazyLock::new(|| {
        Mutex::new(libraries().and_then(|libraries| {
            let set = debian_rules(&libraries)?;
            let rules = quiet(&libraries.pcre2, &set.rules, &innocent(200));
            Some(TwoStage::compile(&libraries.vectorscan, &libraries.pcre2, &rules).unwrap())
        }))
    });
    STAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The matcher with rules of a test.
pub(crate) fn stages(patterns: &[&str]) -> Option<TwoStage> {
    let libraries = libraries()?;
    let rule = |(line, pattern): (usize, &&str)| Rule {
        file: "test".to_owned(),
        line: line + 1,
        id: None,
        pattern: (*pattern).to_owned(),
    };
    let rules: Vec<Rule> = patterns.iter().enumerate().map(rule).collect();
    Some(TwoStage::compile(&libraries.vectorscan, &libraries.pcre2, &rules).unwrap())
}

/// A clock that goes on by one microsecond whenever it is read.
pub(crate) fn ticking() -> impl FnMut() -> Duration {
    let mut now = Duration::ZERO;
    move || {
        now = now + Duration::from_us(1);
        now
    }
}

//! House rules that a machine can check.

use crate::circles;
use crate::files::{ChoreResult, all, read, root, rustfmt};
use crate::{supply, unsafe_code};
use std::path::Path;

/// A Rust file longer than this has grown a second idea.
const MAX_LINES: usize = 420;

/// Which crates of forebay a crate may use (`ARCHITECTURE.md`).
const MAY_USE: [(&str, &[&str]); 25] = [
    ("core", &[]),
    ("clock", &[]),
    ("bench", &[]),
    ("sched", &["core"]),
    ("cache", &["core"]),
    ("traces", &["core"]),
    ("lang", &["core"]),
    ("engine", &["core", "sched", "lang"]),
    ("sim", &["core", "cache", "traces"]),
    ("targets", &["core", "lang", "rtl"]),
    ("linux", &["clock", "core", "engine", "lang", "targets", "traces"]),
    ("conform", &["core", "engine", "lang", "linux", "sched", "targets", "traces"]),
    ("loading", &["clock", "core", "cache"]),
    ("proxy", &["clock", "core", "cache"]),
    ("surge", &["clock", "core", "sched"]),
    ("surge-c", &["core", "surge"]),
    (
        "forebay",
        &["clock", "core", "sched", "cache", "traces", "lang", "engine", "sim", "targets", "policies", "recording"],
    ),
    (
        "repro",
        &[
            "forebay",
            "conform",
            "core",
            "sched",
            "cache",
            "traces",
            "lang",
            "engine",
            "sim",
            "targets",
            "linux",
            "loading",
            "experiments",
        ],
    ),
    ("play", &["forebay", "core", "lang", "targets"]),
    ("web", &["forebay", "play"]),
    (
        "cli",
        &[
            "forebay", "play", "repro", "conform", "clock", "core", "cache", "traces", "lang", "engine", "targets",
            "linux",
        ],
    ),
    ("fuzzing", &["forebay", "conform", "core", "engine", "lang", "linux", "sched", "sim", "targets", "traces"]),
    ("chaos", &["forebay", "clock", "core", "lang", "linux", "loading", "surge", "targets"]),
    ("matcher", &["clock", "core", "sched"]),
    ("cache-peers", &["core", "loading"]),
];

/// The root of the library, and its modules that need no example.
const LIBRARY: &str = "crates/forebay/src/lib.rs";
const WITHOUT_EXAMPLE: [&str; 4] = ["caching", "network", "scenario", "study"];

/// Checks every rule and names every breach.
pub(crate) fn check() -> ChoreResult<String> {
    let files = all()?;
    let mut problems = Vec::new();
    for file in &files {
        problems.extend(check_name(file));
        if file.ends_with(".rs") {
            problems.extend(check_rust(file, &read(file)?));
        }
        if file.ends_with("registry.rs") {
            problems.extend(check_registry(file, &read(file)?, &files));
        }
        if file.ends_with(".md") {
            problems.extend(check_links(file, &read(file)?));
        }
    }
    problems.extend(check_dependencies(&files)?);
    problems.extend(circles::check(&files)?);
    problems.extend(supply::check(&files)?);
    problems.extend(check_changelog()?);
    for page in ["docs/promises.md", "docs/unsafe.md"] {
        problems.extend(check_promises(page, &read(page)?, &|file| read(file).ok()));
    }
    problems.extend(unsafe_code::check(&files)?);
    problems.extend(check_examples(&files)?);
    if let Err(unformatted) = rustfmt(&["--check", "--quiet"]) {
        problems.extend(unformatted);
    }
    if problems.is_empty() { Ok(format!("tidy: {} files", files.len())) } else { Err(problems) }
}

/// Every promise, and every other row of such a page, names a test that exists.
fn check_promises(name: &str, page: &str, content: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let rows = page
        .lines()
        .zip(1..)
        .filter(|(line, _)| line.starts_with("| ") && !line.ends_with(" | test |") && !line.contains("---"));
    let wrong = |(line, number): (&str, u32)| {
        let mut quoted = line.rsplit('`').skip(1).step_by(2);
        let (test, file) = (quoted.next()?, quoted.next()?);
        let calls = if file.ends_with(".py") { format!("def {test}(") } else { format!("fn {test}()") };
        let is_there = content(file).is_some_and(|text| text.contains(&calls));
        (!is_there).then(|| format!("{name}:{number}: there is no test `{test}` in {file}"))
    };
    let nameless = |(line, _): &(&str, u32)| line.matches('`').count() < 4;
    let (without, named): (Vec<_>, Vec<_>) = rows.partition(nameless);
    let without = without.into_iter().map(|(_, number)| format!("{name}:{number}: this row names no test"));
    without.chain(named.into_iter().filter_map(wrong)).collect()
}

/// Git remembers: no copies under other names.
fn check_name(file: &str) -> Option<String> {
    let stem = Path::new(file).file_stem()?.to_str()?;
    let stale =
        stem.split(['_', '-', '.']).any(|word| matches!(word, "old" | "new" | "orig" | "copy" | "v0" | "v2" | "tmp"));
    stale.then(|| format!("{file}: the name says that this is a copy; git keeps old versions"))
}

fn check_rust(file: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut say = |line: usize, what: &str| problems.push(format!("{file}:{line}: {what}"));
    if !text.starts_with("//! ") {
        say(1, "a file starts with a comment that says what it is (//!)");
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        say(lines, &format!("more than {MAX_LINES} lines; split it by its ideas"));
    }
    let is_checker = file.starts_with("xtask/");
    // What is embedded in somebody's program asks the crate `clock`, which simulations may not use (MAY_USE).
    // The proxy compares dates of HTTP with the time of day.
    let reads_clock = ["crates/cli/", "crates/clock/", "crates/proxy/", "crates/repro/", "python/", "xtask/"]
        .iter()
        .any(|folder| file.starts_with(folder))
        || ["/benches/", "/examples/"].iter().any(|folder| file.contains(folder));
    for (index, line) in text.lines().enumerate() {
        if !is_checker && ["TODO", "FIXME", "XXX"].iter().any(|mark| line.contains(mark)) {
            say(index + 1, "work left to do belongs in an issue");
        }
        if !reads_clock && ["Instant::", "SystemTime::", "ThreadTime::"].iter().any(|clock| line.contains(clock)) {
            say(
                index + 1,
                "time is an argument; only the command line, the proxy, the Python package and the crate `clock` read a clock",
            );
        }
    }
    problems
}

/// Every file of a folder with a registry is in the registry.
fn check_registry(file: &str, text: &str, files: &[String]) -> Vec<String> {
    let folder = &file[..file.len() - "registry.rs".len()];
    let registered: Vec<&str> =
        text.lines().filter_map(|line| line.trim().strip_prefix("mod ")?.strip_suffix(';')).collect();
    if registered.is_empty() {
        // The macro's own file.
        return Vec::new();
    }
    files
        .iter()
        .filter_map(|other| other.strip_prefix(folder)?.strip_suffix(".rs"))
        .filter(|name| *name != "registry" && !name.contains('/') && !registered.contains(name))
        .map(|name| format!("{folder}{name}.rs: not registered; add `mod {name};` to {file}"))
        .collect()
}

/// Links between the repository's pages lead somewhere.
fn check_links(file: &str, text: &str) -> Vec<String> {
    let folder = root().join(file).parent().map(Path::to_path_buf).unwrap_or_default();
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .map(|target| target.split('#').next().unwrap_or(target))
        .filter(|target| !target.is_empty() && !target.contains("://") && !folder.join(target).exists())
        .map(|target| format!("{file}: there is nothing at {target}"))
        .collect()
}

/// The manifest of a crate, and not that of the workspace, the chores or the fuzz targets.
fn is_crate(file: &str) -> bool {
    ["crates/", "labs/"].iter().any(|folder| file.starts_with(folder)) && file.ends_with("/Cargo.toml")
}

/// Which crates of forebay this manifest names outside of its tests.
fn used(manifest: &str) -> impl Iterator<Item = &str> {
    let normal = manifest.split("dev-dependencies]").next().unwrap_or_default();
    normal.lines().filter_map(|line| {
        line.strip_prefix("forebay")?
            .strip_prefix("-")
            .or_else(|| line.starts_with("forebay.").then_some("forebay"))?
            .split(['.', ' ', '='])
            .next()
    })
}

/// The graph of crates, one line each: its name, its lines, and what it uses.
pub(crate) fn graph() -> ChoreResult<String> {
    let files = all()?;
    let mut lines = Vec::new();
    for manifest in files.iter().filter(|file| is_crate(file)) {
        let folder = manifest.trim_end_matches("Cargo.toml");
        let sources = files.iter().filter(|file| file.starts_with(&format!("{folder}src/")) && file.ends_with(".rs"));
        let mut count = 0;
        for source in sources {
            count += read(source)?.lines().count();
        }
        let text = read(manifest)?;
        let uses: Vec<_> = used(&text).collect();
        lines.push(format!("{folder:<18}{count:>7} lines  -> {}", uses.join(" ")).trim_end_matches(" -> ").to_owned());
    }
    Ok(lines.join("\n"))
}

fn check_dependencies(files: &[String]) -> ChoreResult<Vec<String>> {
    let mut problems = Vec::new();
    for manifest in files.iter().filter(|file| is_crate(file)) {
        let name = manifest.split('/').nth(1).unwrap_or_default();
        let Some((_, allowed)) = MAY_USE.iter().find(|(krate, _)| *krate == name) else {
            problems.push(format!("{manifest}: say in xtask/src/tidy.rs and ARCHITECTURE.md what `{name}` may use"));
            continue;
        };
        let page = manifest.replace("Cargo.toml", "README.md");
        if !files.contains(&page) {
            problems.push(format!("{page}: is missing; say what the crate is and where to start reading"));
        }
        let text = read(manifest)?;
        problems.extend(
            used(&text)
                .filter(|used| !allowed.contains(used))
                .map(|used| format!("{manifest}: `{name}` may not use `{used}` (ARCHITECTURE.md)")),
        );
    }
    Ok(problems)
}

/// The present version is in the changelog.
fn check_changelog() -> ChoreResult<Option<String>> {
    let version = env!("CARGO_PKG_VERSION");
    let known = read("CHANGELOG.md")?.lines().any(|line| line.starts_with("## ") && line.contains(version));
    Ok((!known).then(|| format!("CHANGELOG.md: there is no section for version {version}")))
}

/// Every public module of the library begins with an example.
fn check_examples(files: &[String]) -> ChoreResult<Vec<String>> {
    let folder = LIBRARY.trim_end_matches("lib.rs");
    let mut problems = Vec::new();
    for module in with_example(&read(LIBRARY)?) {
        let places = [format!("{folder}{module}.rs"), format!("{folder}{module}/mod.rs")];
        for file in places.iter().filter(|file| files.contains(file)) {
            if !has_example(&read(file)?) {
                problems.push(format!("{file}:1: a public module begins with an example that runs (//! ```)"));
            }
        }
    }
    Ok(problems)
}

/// The modules of the library that need an example.
fn with_example(library: &str) -> impl Iterator<Item = &str> {
    let public = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    public.filter(|module| !WITHOUT_EXAMPLE.contains(module))
}

/// Whether the header of a module has a fenced example that rustdoc compiles and runs.
fn has_example(text: &str) -> bool {
    let header = text.lines().take_while(|line| line.starts_with("//!"));
    let fences = header.filter_map(|line| line.strip_prefix("//! ```"));
    // Every second fence opens a block; its language follows it.
    fences.step_by(2).any(str::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unregistered_file_is_found() {
        let files = ["q/registry.rs", "q/fifo.rs", "q/lost.rs", "q/deep/other.rs"].map(str::to_owned);
        let problems = check_registry("q/registry.rs", "registry! {\n        mod fifo;\n}\n", &files);
        assert_eq!(problems, ["q/lost.rs: not registered; add `mod lost;` to q/registry.rs"]);
    }

    #[test]
    fn a_promise_without_its_test_is_found() {
        let content = |file: &str| (file == "a.rs").then(|| "fn it_holds() {}".to_owned());
        let page = "| promise | test |\n| --- | --- |\n| one | `a.rs`: `it_holds` |\n";
        assert!(check_promises("page.md", page, &content).is_empty());
        for row in ["| two | `a.rs`: `it_does` |", "| two | `b.rs`: `it_holds` |", "| two | a test |"] {
            assert_eq!(check_promises("page.md", &format!("{page}{row}\n"), &content).len(), 1, "{row}");
        }
    }

    #[test]
    fn a_file_without_a_header_or_with_a_clock_is_found() {
        let problems = check_rust("crates/sim/src/x.rs", "use std::time::Instant;\nlet now = Instant::now();\n");
        assert_eq!(problems.len(), 2, "{problems:?}");
        for folder in ["cli", "clock"] {
            assert!(check_rust(&format!("crates/{folder}/src/x.rs"), "//! It is late.\nInstant::now();\n").is_empty());
        }
        for clock in ["SystemTime", "ThreadTime"] {
            assert_eq!(check_rust("crates/surge/src/x.rs", &format!("//! It is late.\n{clock}::now();\n")).len(), 1);
        }
    }

    #[test]
    fn public_modules_of_the_library_need_an_example() {
        let library = "pub mod demo;\nmod metrics;\npub mod study;\npub use demo::Embedded;\n";
        assert_eq!(with_example(library).collect::<Vec<_>>(), ["demo"]);
        assert!(has_example("//! The demo.\n//!\n//! ```\n//! assert!(true);\n//! ```\n\nuse x;\n"));
        for without in ["//! The demo.\n", "//! The demo.\n\n/// ```\n/// ```\n"] {
            assert!(!has_example(without));
        }
        for language in ["text", "ignore", "no_run"] {
            assert!(!has_example(&format!("//! ```{language}\n//! Words.\n//! ```\n")));
        }
    }

    #[test]
    fn copies_are_found_by_their_names() {
        assert!(check_name("a/queue_v2.rs").is_some() && check_name("a/old.rs").is_some());
        assert!(check_name("a/renew.rs").is_none() && check_name("a/newton.rs").is_none());
    }
}

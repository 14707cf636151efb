//! Follows pages of the manual: performs their steps, one after the other, in a copy of the repository.
//!
//! In a page, code fences have one of these attributes:
//!
//! - `file=PATH` writes the fence to a file of the repository;
//! - `after=TEXT in=PATH` inserts the fence after the first line that contains TEXT,
//!   in which `_` stands for a space;
//! - `run` runs each line as a command, with `forebay` as the program built there.
//!
//! Files are written first, those of all pages, so that the program is built once.

use crate::files::{ChoreResult, read};
use crate::program;
use crate::scratch::{built, refresh};
use std::path::Path;
use std::process::Command;

const PAGES: [&str; 5] = [
    "docs/add-a-scheduler.md",
    "docs/add-a-cache-policy.md",
    "docs/add-a-congestion-control.md",
    "docs/add-an-application.md",
    "docs/add-a-metric.md",
];

/// Built programs run for seconds: the workspace is compiled without optimisation, in half the time.
const UNOPTIMISED: (&str, &str) = ("CARGO_PROFILE_DEV_OPT_LEVEL", "0");

/// How much of a page is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it.
    Whole,
    /// All but the commands of the program and the tests of the library above the others, for which everything would be built anew.
    Tests,
}

/// Follows all pages, or the one named.
pub(crate) fn follow(only: Option<&str>, extent: Extent) -> ChoreResult<String> {
    let names: Vec<_> = PAGES.into_iter().filter(|page| only.is_none_or(|only| *page == only)).collect();
    if names.is_empty() {
        return Err(vec![format!("follow-docs: no such page; there are {}", PAGES.join(", "))]);
    }
    let copy = refresh()?;
    let pages: Vec<_> = names.iter().map(|name| Ok((*name, read(name)?))).collect::<ChoreResult<_>>()?;
    let mut commands = Vec::new();
    for (name, page) in &pages {
        let (run, write): (Vec<_>, Vec<_>) = fences(page).into_iter().partition(Fence::runs);
        for fence in &write {
            apply(&copy, fence).map_err(|problem| vec![format!("{name}:{}: {problem}", fence.line)])?;
        }
        commands.push((*name, write.len(), run));
    }
    let program = match extent {
        Extent::Whole => Some(program::built_of(&copy, &built(), &[UNOPTIMISED])?),
        Extent::Tests => None,
    };
    let followed: Vec<_> = commands
        .iter()
        .map(|(name, written, fences)| run_all(&copy, program.as_deref(), name, *written, fences))
        .collect::<ChoreResult<_>>()?;
    Ok(followed.join("\n"))
}

/// Runs the commands of a page of which files have been written; without a program, those that need none.
fn run_all(
    copy: &Path,
    program: Option<&Path>,
    name: &str,
    written: usize,
    fences: &[Fence<'_>],
) -> ChoreResult<String> {
    for fence in fences {
        fence
            .content
            .lines()
            .try_for_each(|line| run(copy, program, line))
            .map_err(|problem| vec![format!("{name}:{}: {problem}", fence.line)])?;
    }
    let steps = written + fences.len();
    if fences.is_empty() || steps < 4 {
        return Err(vec![format!("{name}: only {steps} code fences; is the page still the tutorial?")]);
    }
    Ok(format!("follow-docs: {name} does what it says ({steps} steps)"))
}

/// A code fence: its line, what stands after the language, its content.
struct Fence<'a> {
    line: usize,
    info: &'a str,
    content: String,
}

impl Fence<'_> {
    fn runs(&self) -> bool {
        self.info.split_whitespace().any(|word| word == "run")
    }
}

fn fences(page: &str) -> Vec<Fence<'_>> {
    let mut found: Vec<Fence<'_>> = Vec::new();
    let mut open = false;
    for (index, line) in page.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                open = true;
                found.push(Fence { line: index + 1, info, content: String::new() });
            }
            None if open => {
                if let Some(fence) = found.last_mut() {
                    fence.content.push_str(line);
                    fence.content.push('\n');
                }
            }
            None => {}
        }
    }
    found
}

fn apply(copy: &Path, fence: &Fence<'_>) -> Result<(), String> {
    let value = |key: &str| fence.info.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
    if let Some(file) = value("file") {
        return std::fs::write(copy.join(file), &fence.content).map_err(|error| format!("{file}: {error}"));
    }
    if let (Some(after), Some(file)) = (value("after"), value("in")) {
        let path = copy.join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        let at = text.find(&after.replace('_', " ")).ok_or_else(|| format!("{file} has no line with {after}"))?;
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
        let changed = format!("{}{}{}", &text[..end], fence.content, &text[end..]);
        return std::fs::write(path, changed).map_err(|error| format!("{file}: {error}"));
    }
    Ok(())
}

fn run(copy: &Path, program: Option<&Path>, line: &str) -> Result<(), String> {
    let command = match (line.strip_prefix("forebay "), program) {
        (Some(arguments), Some(program)) => format!("'{}' {arguments}", program.display()),
        (arguments, None) if arguments.is_some() || line.contains("-p forebay ") => {
            println!("not run here: {line}");
            return Ok(());
        }
        _ => line.to_owned(),
    };
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", built())
        .envs([UNOPTIMISED])
        .output()
        .map_err(|error| error.to_string())?;
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("$ {line}\n{text}");
    if output.status.success() { Ok(()) } else { Err(format!("`{line}` failed")) }
}

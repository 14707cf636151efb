//! The page of `--report FILE`.

use forebay::Answer;
use forebay::error::{Result, UserError};
use forebay::output::folder;
use forebay::report_page::ReportPage;
use std::path::Path;

/// Checks that the page can be written there, before a run that may take hours.
pub(super) fn check(file: Option<&Path>) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let wrong = |what: String| Err(UserError::argument("report", what));
    if file.extension().is_none_or(|ending| ending != "html") {
        return wrong(format!("`{}` is not the name of a page; write it like report.html", file.display()));
    }
    if file.is_dir() {
        return wrong(format!(
            "{} is a folder; name a file in it, like {}",
            file.display(),
            file.join("report.html").display()
        ));
    }
    if !folder_of(file).is_dir() {
        return wrong(format!("there is no folder {}; make it first, or name another file", folder_of(file).display()));
    }
    Ok(())
}

/// Writes the page.
pub(super) fn write(file: Option<&Path>, answer: &Answer, scenario: &str) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let command = command(std::env::args());
    let html = ReportPage { scenario, command: &command }.html(answer)?;
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| UserError::argument("report", format!("{} names no file", file.display())))?;
    folder::write(folder_of(file), name, html.as_bytes())
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// The arguments as a line for a shell, with the program by its name alone.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = arguments.skip(1).map(|word| quoted(&word)).collect();
    format!("forebay {}", words.join(" "))
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,@%+".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_quoted_for_a_shell() {
        let words =
            ["target/debug/forebay", "run", "my file.toml", "--set", "port.rate=5Gbps", "it's"].map(str::to_owned);
        assert_eq!(command(words.into_iter()), "forebay run 'my file.toml' --set port.rate=5Gbps 'it'\\''s'");
    }
}

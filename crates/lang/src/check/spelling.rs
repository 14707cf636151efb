//! Spelling of names: the names of the language, and the likely meaning of an unknown name.

use super::properties::{BUILTINS, LIBRARY};
use super::tree::Ident;
use crate::diagnostic::Diagnostic;
use forebay_core::registry::suggest;

/// Whether a name belongs to the language.
pub(super) fn is_brought(name: &str) -> bool {
    BUILTINS.iter().chain(LIBRARY).any(|(known, _)| *known == name)
}

/// Returns a name, truncated if it is long.
pub(super) fn shown(name: &str) -> String {
    match name.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Returns the known name that is most similar to `name`.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    if name.len() > 100 {
        return None;
    }
    let known: Vec<&str> = known.filter(|other| *other != name && other.len() <= 100).collect();
    let same = known.iter().find(|other| other.eq_ignore_ascii_case(name));
    same.map(|same| (*same).to_owned()).or_else(|| {
        // Any letter is near any other.
        if name.chars().count() < 2 {
            return None;
        }
        let said = suggest(name, known.iter().copied());
        said.strip_prefix("; did you mean `")?.strip_suffix("`?").map(str::to_owned)
    })
}

/// Adds the similar name to a diagnostic; as a fix only if the guess is good.
pub(super) fn did_you_mean(said: Diagnostic, name: &Ident, meant: &str) -> Diagnostic {
    let said = said.help(format!("did you mean `{meant}`?"));
    if name.text.chars().count() > 2 { said.replace(name.span, meant) } else { said }
}

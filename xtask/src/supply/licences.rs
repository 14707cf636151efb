//! Whether a licence is one of those that `deny.toml` allows.

/// The licences in the list `allow` of `deny.toml`.
pub(crate) fn allowed(deny: &str) -> Vec<&str> {
    let lines = deny.lines().map(str::trim).skip_while(|line| *line != "allow = [").skip(1);
    lines.take_while(|line| *line != "]").map(|line| line.trim_end_matches(',').trim_matches('"')).collect()
}

/// Whether this licence, an expression of SPDX, can be met by the allowed ones alone.
pub(crate) fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    any(&mut words, allowed) == Some(true) && words.peek().is_none()
}

type Words<'words, I> = &'words mut std::iter::Peekable<I>;

/// Reads terms with OR between them; none if this is no expression.
fn any<'text, I: Iterator<Item = &'text str>>(words: Words<'_, I>, allowed: &[&str]) -> Option<bool> {
    let mut is_allowed = all(words, allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        is_allowed |= all(words, allowed)?;
    }
    Some(is_allowed)
}

/// Reads licences with AND between them.
fn all<'text, I: Iterator<Item = &'text str>>(words: Words<'_, I>, allowed: &[&str]) -> Option<bool> {
    let mut is_allowed = one(words, allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        is_allowed &= one(words, allowed)?;
    }
    Some(is_allowed)
}

/// Reads a licence, which may have an exception, or an expression in parentheses.
fn one<'text, I: Iterator<Item = &'text str>>(words: Words<'_, I>, allowed: &[&str]) -> Option<bool> {
    let word = words.next().filter(|word| !matches!(*word, "AND" | "OR" | "WITH" | ")"))?;
    if word == "(" {
        let inner = any(words, allowed)?;
        return words.next_if_eq(&")").map(|_| inner);
    }
    if words.next_if_eq(&"WITH").is_some() {
        let exception = words.next()?;
        return Some(allowed.contains(&format!("{word} WITH {exception}").as_str()));
    }
    Some(allowed.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_deny_toml_is_read() {
        assert_eq!(allowed("[licenses]\nallow = [\n    \"MIT\",\n    \"ISC\",\n]\n\"x\"\n"), ["MIT", "ISC"]);
    }

    #[test]
    fn expressions_mean_what_spdx_says() {
        let is_allowed = |expression: &str| is_allowed(expression, &["MIT", "ISC", "Zlib WITH x"]);
        for good in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT AND ISC",
            "(GPL-3.0 OR MIT) AND ISC",
            "GPL-3.0 OR MIT AND ISC",
            "Zlib WITH x",
        ] {
            assert!(is_allowed(good), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "MIT AND (GPL-3.0 OR X)",
            "MIT WITH x",
            "Zlib",
            "MIT ISC",
            "(MIT",
            "MIT OR",
            "MIT)",
        ] {
            assert!(!is_allowed(bad), "{bad}");
        }
    }
}

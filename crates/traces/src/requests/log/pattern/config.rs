//! The source of the text of a pattern: an option, a well-known name, or a file such as nginx.conf.

use std::fs;

/// Patterns that are known by name.
const KNOWN: &[(&str, &str)] = &[
    ("common", "%h %l %u %t \"%r\" %>s %b"),
    ("combined", "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\""),
    ("vhost-combined", "%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\""),
];
/// Longer files are no configurations.
const MAX_BYTES: u64 = 1 << 20;

/// Returns the pattern of an option: a pattern, a well-known name, or `@FILE` or `@FILE#NAME` for a pattern in a file.
///
/// # Errors Says which name or file does not exist, and what to write.
pub(crate) fn pattern_in(option: &str) -> Result<String, String> {
    if let Some(path) = option.strip_prefix('@') {
        let (path, name) = match path.rsplit_once('#') {
            Some((path, name)) => (path, Some(name)),
            None => (path, None),
        };
        let about_file = |why: String| format!("{path}: {why}");
        let length = fs::metadata(path).map_err(|error| about_file(error.to_string()))?.len();
        if length > MAX_BYTES {
            return Err(about_file(format!("a file with a log format has at most {MAX_BYTES} bytes")));
        }
        let text = fs::read_to_string(path).map_err(|error| about_file(error.to_string()))?;
        return in_file(&text, name).map_err(about_file);
    }
    if option.contains(['$', '%']) {
        return Ok(option.to_owned());
    }
    let known = KNOWN.iter().find(|(name, _)| *name == option.replace('_', "-"));
    known.map(|(_, pattern)| (*pattern).to_owned()).ok_or_else(|| {
        let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
        format!(
            "`{option}` has no variable like $request and no directive like %r, and is not one of {}; for that in a file \
             write `@FILE`",
            names.join(", ")
        )
    })
}

/// The pattern in a configuration, or a file that has only that.
fn in_file(text: &str, name: Option<&str>) -> Result<String, String> {
    let found: Vec<(String, String)> = statements(text);
    let names = || found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    match (name, found.as_slice()) {
        (None, []) => {
            let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            match (lines.next(), lines.next()) {
                (Some(line), None) => Ok(line.to_owned()),
                _ => Err(
                    "it has neither `log_format NAME '...';` nor `LogFormat \"...\" NAME`, and is not a single line \
                          either"
                        .to_owned(),
                ),
            }
        }
        (None, [(_, only)]) => Ok(only.clone()),
        (None, _) => Err(format!("it has several log formats; say which with `@FILE#NAME`: {}", names())),
        (Some(name), _) => {
            let of_name = found.iter().find(|(of, _)| of == name);
            of_name.map(|(_, pattern)| pattern.clone()).ok_or_else(|| match found.len() {
                0 => "it has no log formats with names; leave `#NAME` out".to_owned(),
                _ => format!("it has no log format `{name}`; it has {}", names()),
            })
        }
    }
}

/// The names and patterns of all `log_format` and `LogFormat` statements.
fn statements(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let begin = from;
        from += line.len();
        let words = line.trim_start();
        let begin = begin + line.len() - words.len();
        if let Some(rest) = text[begin..].strip_prefix("log_format")
            && rest.starts_with([' ', '\t'])
        {
            let mut arguments = arguments(rest, Some(';')).into_iter();
            let Some(name) = arguments.next() else { continue };
            found.push((name, arguments.filter(|text| !text.starts_with("escape=")).collect()));
        } else if let Some(rest) =
            words.get(..9).filter(|word| word.eq_ignore_ascii_case("LogFormat")).map(|_| &words[9..])
            && rest.starts_with([' ', '\t'])
        {
            let mut arguments = arguments(rest.lines().next().unwrap_or_default(), None).into_iter();
            let Some(pattern) = arguments.next() else { continue };
            found.push((arguments.next().unwrap_or_default(), pattern));
        }
    }
    found
}

/// Words, and texts in single or double quotes, in which a backslash keeps a quote; until `end`.
fn arguments(text: &str, end: Option<char>) -> Vec<String> {
    let mut all = Vec::new();
    let mut letters = text.chars().peekable();
    loop {
        while letters.next_if(|letter| letter.is_whitespace()).is_some() {}
        let Some(&first) = letters.peek() else { return all };
        if Some(first) == end {
            return all;
        }
        let mut argument = String::new();
        let quote = letters.next_if(|letter| matches!(letter, '"' | '\''));
        loop {
            let is_over = match (letters.peek(), quote) {
                (None, _) => true,
                (Some(letter), Some(quote)) => *letter == quote,
                (Some(letter), None) => letter.is_whitespace() || Some(*letter) == end,
            };
            if is_over {
                break;
            }
            let Some(letter) = letters.next() else { break };
            match (letter, letters.peek().copied()) {
                ('\\', Some(escaped @ ('"' | '\'' | '\\'))) => {
                    argument.push(escaped);
                    letters.next();
                }
                ('\\', Some('t')) if quote.is_some() => {
                    argument.push('\t');
                    letters.next();
                }
                _ => argument.push(letter),
            }
        }
        if quote.is_some() {
            letters.next();
        }
        all.push(argument);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NGINX: &str = "http {\n  # log_format no '$x';\n  log_format  main  '$remote_addr [$time_local] '\n    '\"$request\" $status';\n  \
                         log_format json escape=json '{\"a\":\"$msec\"}';\n}\n";

    #[test]
    fn a_configuration_of_nginx() {
        assert_eq!(in_file(NGINX, Some("main")).unwrap(), "$remote_addr [$time_local] \"$request\" $status");
        assert_eq!(in_file(NGINX, Some("json")).unwrap(), "{\"a\":\"$msec\"}");
        let several = "it has several log formats; say which with `@FILE#NAME`: main, json";
        assert_eq!(in_file(NGINX, None).unwrap_err(), several);
        assert_eq!(in_file(NGINX, Some("x")).unwrap_err(), "it has no log format `x`; it has main, json");
    }

    #[test]
    fn a_configuration_of_apache() {
        let apache = "LogFormat \"%h %t \\\"%r\\\" %>s %b\\t%D\" mine\nCustomLog x mine\n";
        assert_eq!(in_file(apache, None).unwrap(), "%h %t \"%r\" %>s %b\t%D");
        assert_eq!(in_file("\n%h %r\n", None).unwrap(), "%h %r");
        assert!(in_file("a\nb\n", None).is_err() && in_file("", None).is_err());
    }

    #[test]
    fn statements_that_have_no_end_do_no_harm() {
        for text in ["log_format ", "log_format a '$x", "LogFormat \"", "log_format a \\", "LogFormat "] {
            let _ = in_file(text, None);
        }
    }

    #[test]
    fn a_text_without_fields_is_a_name() {
        assert!(pattern_in("vhost_combined").unwrap().starts_with("%v:%p"));
        assert!(pattern_in("mine").unwrap_err().contains("common, combined, vhost-combined"));
        assert!(pattern_in("@/nowhere/at/all").unwrap_err().starts_with("/nowhere/at/all: "));
    }
}

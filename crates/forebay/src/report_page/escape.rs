//! Escapes texts of users in a page, so that no name of a policy or file is read as markup or as a program.

/// Escapes a text for use between tags or in an attribute in double quotes.
pub(super) fn in_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // HTML has no way to write other control characters.
            letter if letter.is_control() && !matches!(letter, '\n' | '\t') => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// Escapes JSON for use in a `script` element, so that it can neither end the element nor begin a comment.
pub(super) fn in_script(json: &str) -> String {
    // In JSON these letters are in texts only, where an escape means the same.
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        assert_eq!(in_html("</script> & \"'\u{1b}"), "&lt;/script&gt; &amp; &quot;&#39;\u{fffd}");
        let text = "</script><!--<script>&amp;";
        let json = serde_json::to_string(text).unwrap();
        let escaped = in_script(&json);
        assert!(!escaped.contains(['<', '>', '&']));
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
    }
}

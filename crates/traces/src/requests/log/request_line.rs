//! The first line that a client sends, as logs quote it: `GET /a HTTP/1.1`.

/// Returns the method and the URL, which may contain spaces; `None` if the line is not HTTP.
pub(crate) fn method_and_url(request: &[u8]) -> Option<(&[u8], &[u8])> {
    let place = memchr::memchr(b' ', request)?;
    let (method, rest) = (&request[..place], &request[place + 1..]);
    let url = match memchr::memrchr(b' ', rest) {
        Some(place) if rest[place + 1..].starts_with(b"HTTP/") => &rest[..place],
        _ => rest,
    };
    (is_method(method) && !url.is_empty()).then_some((method, url))
}

/// Returns whether a word may be a method of HTTP.
pub(crate) fn is_method(word: &[u8]) -> bool {
    !word.is_empty()
        && word.iter().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'-' | b'_'))
        && word[0].is_ascii_uppercase()
}

/// Returns the offset of the closing quote of a text that begins inside quotes; a backslash precedes quotes that do not close it.
pub(crate) fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let place = from + memchr::memchr2(b'"', b'\\', &text[from..])?;
        if text[place] == b'"' {
            return Some(place);
        }
        from = place + 2;
        if from > text.len() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_may_have_spaces_and_quotes() {
        for (request, method, url) in [
            ("GET /a HTTP/1.1", "GET", "/a"),
            ("GET /b c.png HTTP/1.1", "GET", "/b c.png"),
            ("GET /say\\\"hi\\\" HTTP/1.1", "GET", "/say\\\"hi\\\""),
            ("GET http://h/x?a=b HTTP/1.0", "GET", "http://h/x?a=b"),
            ("M-SEARCH /x HTTP/1.1", "M-SEARCH", "/x"),
            ("GET /old", "GET", "/old"),
        ] {
            let read = method_and_url(request.as_bytes());
            assert_eq!(read, Some((method.as_bytes(), url.as_bytes())), "{request}");
        }
        for request in ["\\x16\\x03\\x01", "-", "", "GET ", " /a", "get /a"] {
            assert_eq!(method_and_url(request.as_bytes()), None, "{request}");
        }
    }

    #[test]
    fn a_backslash_keeps_a_quote_open() {
        for (text, place) in [
            ("a\" b", Some(1)),
            ("a\\\"b\" c", Some(4)),
            ("a\\\\\" b\"", Some(3)),
            ("a", None),
            ("a\\", None),
            ("a\\\"", None),
            ("\"", Some(0)),
        ] {
            assert_eq!(closing_quote(text.as_bytes()), place, "{text}");
        }
    }
}

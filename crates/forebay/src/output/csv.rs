//! Comma-separated values.
//!
//! ```
//! let rows = [["fifo", "120"], ["\"shortest\" first", "7"]].map(|row| row.map(str::to_owned).to_vec());
//! let text = forebay::output::csv::lines(&["policy", "drops"], rows.into_iter());
//! assert_eq!(text, "policy,drops\nfifo,120\n\"\"\"shortest\"\" first\",7\n"); // quoted as RFC 4180 says
//! ```

use std::borrow::Cow;

/// Returns a header and rows of fields as text.
pub fn lines(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut out = header.join(",") + "\n";
    for row in rows {
        let fields: Vec<Cow<'_, str>> = row.iter().map(|field| quoted(field)).collect();
        out.push_str(&(fields.join(",") + "\n"));
    }
    out
}

/// Returns a field, in quotes if necessary (RFC 4180).
pub(crate) fn quoted(text: &str) -> Cow<'_, str> {
    if !text.contains([',', '"', '\n', '\r']) {
        return text.into();
    }
    format!("\"{}\"", text.replace('"', "\"\"")).into()
}

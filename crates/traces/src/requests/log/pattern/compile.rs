//! Compiles the text of a pattern to its fields.

use super::piece::Piece;
use super::role::{Part, Role};
use super::{Field, Pattern, directives, variables};
use crate::requests::log::Stamp;

impl Pattern {
    /// Reads a pattern with variables of nginx or directives of Apache.
    ///
    /// # Errors Says which part is missing or wrong.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let has_variables = text.contains('$');
        // Apache may have a dollar in a text, and nginx a percent sign.
        let (pieces, stamp) = if has_variables { (nginx(text), Stamp::End) } else { (apache(text)?, Stamp::Start) };
        let mut pattern = Self::of_pieces(text, pieces, stamp)?;
        pattern.use_best();
        pattern.check()?;
        pattern.forget_what_follows();
        Ok(pattern)
    }

    fn of_pieces(text: &str, pieces: Vec<Piece>, mut stamp: Stamp) -> Result<Self, String> {
        let mut before = Vec::new();
        let mut fields: Vec<Field> = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Stamp(new) => stamp = new,
                Piece::Text(text) => match fields.last_mut() {
                    Some(field) => field.after.extend_from_slice(text.as_bytes()),
                    None => before.extend_from_slice(text.as_bytes()),
                },
                Piece::Field(role) => {
                    let is_quoted = match fields.last() {
                        Some(last) => last.after.ends_with(b"\""),
                        None => before.ends_with(b"\""),
                    };
                    match fields.last_mut() {
                        Some(last) if last.after.is_empty() && last.role.width().is_none() => {
                            last.role = joined(last.role, role)?;
                        }
                        _ => fields.push(Field { role, after: Vec::new(), is_quoted }),
                    }
                }
            }
        }
        for field in &mut fields {
            field.is_quoted &= field.after.starts_with(b"\"");
        }
        let text = text.to_owned();
        Ok(Self { text, before, fields, stamp, has_sizes: false, has_elapsed: false })
    }

    /// Uses the best of several fields of the same purpose, and the first of equally good ones.
    fn use_best(&mut self) {
        let has_parts = self.has(|role| matches!(role, Role::Part(Part::Second)));
        let has_request = self.has(|role| role == Role::Request);
        let purposes: Vec<_> = self.fields.iter().map(|field| field.role.purpose()).collect();
        for (place, field) in self.fields.iter_mut().enumerate() {
            // A day or an hour without seconds is no time.
            if !has_parts && matches!(field.role, Role::Part(_)) {
                field.role = Role::Ignored;
            }
            let Some((purpose, rank)) = purposes[place] else { continue };
            let is_better = |other: usize, better: Option<(u8, u8)>| {
                better.is_some_and(|(of, than)| of == purpose && (than > rank || than == rank && other < place))
            };
            let has_better = purposes.iter().enumerate().any(|(other, better)| is_better(other, *better));
            let is_in_request = has_request && matches!(field.role, Role::Method | Role::Url | Role::Query);
            let is_in_parts = has_parts && matches!(field.role, Role::Common | Role::Iso | Role::Epoch(_));
            if has_better || is_in_request || is_in_parts {
                field.role = Role::Ignored;
            }
        }
        self.has_sizes = self.has(|role| matches!(role, Role::Body | Role::Sent));
        self.has_elapsed = self.has(|role| matches!(role, Role::Elapsed(_)));
    }

    fn check(&self) -> Result<(), String> {
        let is_time = |role| matches!(role, Role::Common | Role::Iso | Role::Epoch(_) | Role::Part(Part::Second));
        if !self.has(is_time) {
            return Err("it has no time, such as $msec, $time_iso8601, $time_local or %t".to_owned());
        }
        if !self.has(|role| matches!(role, Role::Request | Role::Url)) {
            return Err("it has no URL, such as $request, $request_uri, %r or %U".to_owned());
        }
        Ok(())
    }

    /// Lets lines end as they like behind the last field that is used and the text after it.
    fn forget_what_follows(&mut self) {
        let last = self.fields.iter().rposition(|field| field.role != Role::Ignored);
        self.fields.truncate(last.map_or(0, |last| last + 1));
    }

    fn has(&self, is: impl Fn(Role) -> bool) -> bool {
        self.fields.iter().any(|field| is(field.role))
    }
}

/// The role of two fields with nothing between them, such as a host and a path, or a path and its query.
fn joined(first: Role, second: Role) -> Result<Role, String> {
    let is_of_url = |role| matches!(role, Role::Host | Role::Url | Role::Query | Role::Ignored);
    match (first, second) {
        (Role::Host, Role::Url) | (Role::Url, Role::Query | Role::Ignored) => Ok(Role::Url),
        (Role::Query, Role::Query) => Ok(Role::Query),
        (Role::Ignored, Role::Ignored) => Ok(Role::Ignored),
        (first, second) if is_of_url(first) && is_of_url(second) => Ok(Role::Ignored),
        (first, second) => Err(format!(
            "{} and {} stand side by side, so their values cannot be told apart; put text between them in the server's log format, such as \
             a space",
            first.name(),
            second.name()
        )),
    }
}

/// The pieces of a pattern of nginx.
fn nginx(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        push_text(&mut pieces, before);
        let (name, after) = match after.strip_prefix('{').and_then(|braced| braced.split_once('}')) {
            Some(braced) => braced,
            None => {
                let length = after.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
                after.split_at(length.unwrap_or(after.len()))
            }
        };
        if name.is_empty() {
            push_text(&mut pieces, "$");
        } else {
            pieces.push(Piece::Field(variables::role(name)));
        }
        rest = after;
    }
    push_text(&mut pieces, rest);
    pieces
}

/// The pieces of a pattern of Apache or varnishncsa: `%`, conditions, an argument in braces, and a letter.
fn apache(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        push_text(&mut pieces, before);
        if let Some(after) = after.strip_prefix('%') {
            push_text(&mut pieces, "%");
            rest = after;
            continue;
        }
        // Which request is meant after a redirect within the server, and for which statuses the directive is written.
        let after =
            after.trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '<' | '>' | '!' | ','));
        let (argument, after) = match after.strip_prefix('{').and_then(|braced| braced.split_once('}')) {
            Some((argument, after)) => (Some(argument), after),
            None => (None, after),
        };
        let letter = after.trim_start_matches('^');
        let first = letter.chars().next().filter(char::is_ascii_alphabetic);
        let first = first.ok_or_else(|| {
            format!("a letter must follow `%{}`", argument.map_or(String::new(), |text| format!("{{{text}}}")))
        })?;
        // Directives of trailers have two letters, as in `%{X}^ti`.
        let length = if letter.len() < after.len() { 2.min(letter.len()) } else { first.len_utf8() };
        let (name, after) = letter.split_at_checked(length).ok_or_else(|| "a letter must follow `%^`".to_owned())?;
        pieces.extend(directives::pieces(name, argument)?);
        rest = after;
    }
    push_text(&mut pieces, rest);
    Ok(pieces)
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    if !text.is_empty() {
        pieces.push(Piece::Text(text.to_owned()));
    }
}

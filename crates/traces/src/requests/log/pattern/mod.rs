//! Lines that a server writes by a pattern: texts, and between them variables (nginx) or directives (Apache, Varnish).

mod compile;
mod config;
mod directives;
mod piece;
mod role;
mod variables;

use super::{Entry, LogFormat, Misfit, Said, Stamp};
use role::{Found, Role};

pub(crate) use config::pattern_in;

/// A compiled pattern, with which lines are matched.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// The pattern as it was given.
    text: String,
    /// The text before the first field.
    before: Vec<u8>,
    fields: Vec<Field>,
    stamp: Stamp,
    has_sizes: bool,
    has_elapsed: bool,
}

/// A part of a line that changes.
#[derive(Debug)]
struct Field {
    role: Role,
    /// The text between this field and the next one; empty at the end of a line.
    after: Vec<u8>,
    /// A text in quotes, in which a backslash precedes quotes.
    is_quoted: bool,
}

impl Pattern {
    pub(crate) fn has_sizes(&self) -> bool {
        self.has_sizes
    }

    /// Returns whether the start of a request can be calculated from the time of its line.
    pub(crate) fn has_start(&self) -> bool {
        self.stamp == Stamp::Start || self.has_elapsed
    }

    /// Reads a line.
    pub(crate) fn match_line<'a>(&self, line: &'a [u8]) -> Result<Entry<'a>, Misfit> {
        let mut rest = line.strip_prefix(self.before.as_slice()).ok_or(Misfit("its beginning"))?;
        let mut found = Found::default();
        for field in &self.fields {
            let misfit = Misfit(field.role.name());
            let length = field.length(rest).ok_or(misfit)?;
            found.take(field.role, &rest[..length]).ok_or(misfit)?;
            rest = &rest[length + field.after.len()..];
        }
        found.entry(self.stamp)
    }
}

impl Field {
    /// Returns the length of the field's value at the start of `rest`.
    fn length(&self, rest: &[u8]) -> Option<usize> {
        if let Some(width) = self.role.width() {
            return rest.get(width..)?.starts_with(&self.after).then_some(width);
        }
        if self.after.is_empty() {
            return Some(rest.len());
        }
        if self.is_quoted {
            return self.quoted_length(rest);
        }
        match self.role {
            // A date has a space.
            Role::Common => self.find(rest, COMMON_DATE_BYTES),
            // So has a request, and its URL may have more of them.
            Role::Request => self.find(rest, memchr::memmem::find(rest, b" HTTP/")? + 1),
            Role::Upstream => self.list_length(rest),
            _ => self.find(rest, 0),
        }
    }

    /// Returns the offset of the text after the field, from `from` on.
    fn find(&self, rest: &[u8], from: usize) -> Option<usize> {
        let searched = rest.get(from..)?;
        let place = match self.after.as_slice() {
            [byte] => memchr::memchr(*byte, searched),
            // The first byte is rare enough.
            [first, ..] => {
                memchr::memchr_iter(*first, searched).find(|&place| searched[place..].starts_with(&self.after))
            }
            [] => Some(searched.len()),
        };
        place.map(|place| from + place)
    }

    fn quoted_length(&self, rest: &[u8]) -> Option<usize> {
        let mut from = 0;
        loop {
            let place = from + super::closing_quote(&rest[from..])?;
            if rest[place..].starts_with(&self.after) {
                return Some(place);
            }
            // Some servers leave quotes as they are.
            from = place + 1;
        }
    }

    /// The times of several servers that were asked one after the other, like `0.002, 0.010 : 0.004`.
    fn list_length(&self, rest: &[u8]) -> Option<usize> {
        let mut length = self.find(rest, 0)?;
        while rest[..length].ends_with(b",") || rest[length..].starts_with(b" : ") || rest[..length].ends_with(b" :") {
            length = self.find(rest, length + 1)?;
        }
        Some(length)
    }
}

/// The length of a date like `10/Oct/2024:13:55:36 +0000`.
const COMMON_DATE_BYTES: usize = 26;

/// Reads the lines of a pattern.
pub(crate) struct Lines(pub(crate) Pattern);

impl LogFormat for Lines {
    fn read<'a>(&'a mut self, line: &'a [u8]) -> Result<Said<'a>, Misfit> {
        self.0.match_line(line).map(Said::from)
    }

    fn example(&self) -> &str {
        &self.0.text
    }
}

#[cfg(test)]
mod tests;

//! A line: its fields, and its conversion to JSON and back.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The unit of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Instructions by callgrind.
    Instructions,
    /// A time or a speed, relative to that of another case or program in the same run.
    Ratio,
}

impl Unit {
    const ALL: [Self; 2] = [Self::Instructions, Self::Ratio];

    /// Returns the unit's name in a line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Ratio => "ratio",
        }
    }

    /// Rounds a value to the stored digits: one decimal of a count, three of a ratio.
    pub(crate) fn rounded(self, value: f64) -> f64 {
        let scale = if self == Self::Instructions { 10.0 } else { 1_000.0 };
        (value * scale).round() / scale
    }
}

/// One number of a benchmark at one commit.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The crate, named `crate` in JSON.
    pub package: String,
    /// The benchmark of the crate.
    pub bench: String,
    /// The case within the benchmark.
    pub case: String,
    /// The value's unit.
    pub unit: Unit,
    /// A finite number.
    pub value: f64,
    /// The commit that was measured (`Measured`).
    pub commit: String,
    /// The day of the commit.
    pub date: String,
}

impl Line {
    /// Returns the line as a JSON object, without a line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        let Self { package, bench, case, unit, value, commit, date } = self;
        let mut json = String::from("{");
        for (name, text) in [("crate", package.as_str()), ("bench", bench), ("case", case), ("unit", unit.name())] {
            push_string(&mut json, name);
            json.push(':');
            push_string(&mut json, text);
            json.push(',');
        }
        // Writing to a string cannot fail.
        let _ = write!(json, "\"value\":{value},\"commit\":");
        push_string(&mut json, commit);
        json.push_str(",\"date\":");
        push_string(&mut json, date);
        json.push('}');
        json
    }

    /// Parses the output of [`Line::to_json`], with fields in any order.
    ///
    /// # Errors
    ///
    /// If the text is no such line. The error gives the reason.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut fields = fields(text)?;
        let mut take = |name: &str| fields.remove(name).ok_or_else(|| format!("the field `{name}` is missing"));
        let unit = take("unit")?;
        let known = Unit::ALL.into_iter().find(|known| known.name() == unit);
        let unit = known.ok_or_else(|| format!("unknown unit `{unit}`; write `instructions` or `ratio`"))?;
        let value = take("value")?;
        let number = value.parse().ok().filter(|value: &f64| value.is_finite());
        let value = number.ok_or_else(|| format!("the value `{value}` is not a finite number"))?;
        let line = Self {
            package: take("crate")?,
            bench: take("bench")?,
            case: take("case")?,
            unit,
            value,
            commit: take("commit")?,
            date: take("date")?,
        };
        match fields.into_keys().next() {
            Some(name) => Err(format!("unknown field `{name}`")),
            None => Ok(line),
        }
    }
}

fn push_string(json: &mut String, text: &str) {
    json.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => json.extend(['\\', letter]),
            // A line has no line breaks. A case is a phrase, so a space says the same.
            _ if letter.is_control() => json.push(' '),
            _ => json.push(letter),
        }
    }
    json.push('"');
}

/// Parses a flat object of strings and numbers; numbers keep their text.
fn fields(text: &str) -> Result<BTreeMap<String, String>, String> {
    let inner = text.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let mut rest = inner.ok_or("a line is one JSON object, {...}")?.trim_start();
    let mut fields = BTreeMap::new();
    while !rest.is_empty() {
        let (name, after) = string(rest)?;
        let after = after.trim_start().strip_prefix(':').ok_or_else(|| format!("`:` is missing after `{name}`"))?;
        let after = after.trim_start();
        let (value, after) = if after.starts_with('"') {
            string(after)?
        } else {
            let end = after.find(',').unwrap_or(after.len());
            (after[..end].trim_end().to_owned(), &after[end..])
        };
        let after = after.trim_start();
        rest = match after.strip_prefix(',') {
            Some(more) if !more.trim_start().is_empty() => more.trim_start(),
            None if after.is_empty() => after,
            _ => return Err(format!("after `{name}`, write `,` and the next field, or the end of the object")),
        };
        if fields.insert(name.clone(), value).is_some() {
            return Err(format!("the field `{name}` occurs twice"));
        }
    }
    Ok(fields)
}

/// Returns the string at the start of the text, and the rest of the text.
fn string(text: &str) -> Result<(String, &str), String> {
    let body = text.strip_prefix('"').ok_or_else(|| format!("a string is missing at `{text}`"))?;
    let mut value = String::new();
    let mut letters = body.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Ok((value, &body[at + 1..])),
            '\\' => match letters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                _ => return Err(format!("only \\\" and \\\\ are escapes here, in `{text}`")),
            },
            _ => value.push(letter),
        }
    }
    Err(format!("the string has no end at `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(case: &str, unit: Unit, value: f64) -> Line {
        let [package, bench, case] = ["forebay-sched", "rank_queues", case].map(str::to_owned);
        Line { package, bench, case, unit, value, commit: "0123456789ab".to_owned(), date: "2026-11-30".to_owned() }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        for case in ["fifo", "a \"quoted\" \\ name: 1, 2", "{µ}", ""] {
            for (unit, value) in [(Unit::Instructions, 79.2), (Unit::Ratio, 0.125), (Unit::Instructions, 1e15)] {
                let line = line(case, unit, value);
                assert_eq!(Line::parse(&line.to_json()), Ok(line));
            }
        }
        assert_eq!(
            line("fifo", Unit::Ratio, 1.5).to_json(),
            "{\"crate\":\"forebay-sched\",\"bench\":\"rank_queues\",\"case\":\"fifo\",\"unit\":\"ratio\",\"value\":1.5,\
             \"commit\":\"0123456789ab\",\"date\":\"2026-11-30\"}"
        );
    }

    #[test]
    fn line_breaks_become_spaces() {
        let json = line("one\ntwo", Unit::Ratio, 1.0).to_json();
        assert_eq!(Line::parse(&json).map(|line| line.case), Ok("one two".to_owned()));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let good = line("fifo", Unit::Ratio, 1.5).to_json();
        for (from, to, says) in [
            ("{", "", "one JSON object"),
            ("\"unit\":\"ratio\",", "", "`unit` is missing"),
            ("\"unit\":\"ratio\"", "\"unit\":\"seconds\"", "write `instructions` or `ratio`"),
            ("1.5", "1.5x", "`1.5x` is not a finite number"),
            ("1.5", "inf", "not a finite number"),
            ("\"case\":", "\"case\"", "`:` is missing after `case`"),
            ("\"case\":\"fifo\",", "\"case\":\"fifo\"", "after `case`"),
            ("}", ",}", "after `date`"),
            ("\"date\"", "\"day\"", "`date` is missing"),
            ("}", ",\"day\":1}", "unknown field `day`"),
            ("}", ",\"date\":\"x\"}", "`date` occurs twice"),
            ("fifo", "\\n", "are escapes"),
            ("\"}", "}", "has no end"),
            ("\"crate\"", "crate", "a string is missing"),
        ] {
            let problem = Line::parse(&good.replace(from, to)).expect_err(says);
            assert!(problem.contains(says), "{problem} does not say: {says}");
        }
    }

    #[test]
    fn values_keep_few_digits() {
        assert_eq!(Unit::Instructions.rounded(79.2345), 79.2);
        assert_eq!(Unit::Ratio.rounded(1.23456), 1.235);
    }
}

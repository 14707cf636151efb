//! Distributions of flow sizes as text: points of the distribution function, one per line.
//!
//! ```text
//! # whose sizes, and from where
//! interpolated, packets of 1460 bytes
//! 1   0.5
//! 100 0.9
//! 500 1
//! ```
//!
//! A line has a size and the share of flows that are not larger, from 0 to 1, or from 0 to 100 if the last is 100. Spaces, tabs, commas or
//! semicolons separate the two numbers. The three columns of ns-2, in which the second is unused, are read as well if words name the unit
//! of sizes, since ns-2 counts packets. A `#` begins a comment. Words before the first point select how the points are read:
//!
//! - `interpolated` (the default): between two points the function is a straight line, so that all sizes above the one and up to the other
//!   are equally likely. Some flows have exactly the size of the first point if it has a share; two points of one size make a step.
//! - `discrete`: flows have the sizes of the points and no other; each is as likely as the function rises there.
//! - `bytes` (the default), or `packets of N bytes`: the unit of sizes. In packets, every flow is a whole number of full ones.

use super::size_table::SizeTable;
use forebay_core::registry::Suggestion;
use forebay_traces::TraceError;

/// Flows of more bytes than this, a petabyte, are surely not meant.
const MAX_BYTES: u64 = 1_000_000_000_000_000;
/// Largest unit of sizes.
const MAX_UNIT_BYTES: u64 = 1_000_000;
/// The greatest distance of the last share from 1.
const SLACK: f64 = 1e-9;
/// The expected form of a line.
const LINE: &str = "a line has a size and the share of flows that are not larger, for example `10000 0.15`";

/// An error in a line.
#[derive(Debug, thiserror::Error)]
enum LineFault {
    #[error("`{0}` must stand before the first size; or {LINE}")]
    WordsAfterSizes(String),
    #[error("unknown word `{text}`{suggestion}; a comment begins with #, and {LINE}")]
    UnknownWord { text: String, suggestion: Suggestion },
    #[error("a packet has a whole number of bytes from 1 to {MAX_UNIT_BYTES}, not `{0}`")]
    PacketBytes(String),
    #[error("{LINE}; this one has {0} fields")]
    Fields(usize),
    #[error(
        "three columns are those of ns-2, whose sizes are in packets; write `packets of 1460 bytes`, or whatever its scripts \
         multiply with, on a line before the first size; or `bytes` if they are"
    )]
    NoUnit,
    #[error("this line has {now} columns, but the lines before have {before}")]
    Columns { now: usize, before: usize },
    #[error("the share `{0}` is negative; shares go from 0 to 1")]
    NegativeShare(f64),
    #[error("the share `{0}` is not a number; shares go from 0 to 1, or to 100")]
    NoShare(String),
    #[error("the size `{0}` is not a number")]
    NoSize(String),
    #[error("the size `{0}` is negative; sizes are whole numbers from 1")]
    NegativeSize(String),
    #[error("the size `{0}` is not whole; sizes are whole numbers from 1")]
    BrokenSize(String),
    #[error("the size `{0}` is too large; flows have at most {MAX_BYTES} bytes")]
    TooLarge(String),
    #[error("the size {now} is below the {before} before it; sort the lines by size")]
    FallingSize { now: u64, before: u64 },
    #[error("the share {now} is below the {before} before it; shares add up from line to line")]
    FallingShare { now: f64, before: f64 },
}

/// A point of the distribution function.
#[derive(Debug, Clone, Copy)]
struct Point {
    line: u64,
    size: u64,
    share: f64,
}

/// The settings in the words before the points.
#[derive(Debug, Clone, Copy)]
struct Reading {
    discrete: bool,
    /// `None`: nothing says so, and they are bytes.
    unit_bytes: Option<u64>,
}

impl Reading {
    fn unit_bytes(self) -> u64 {
        self.unit_bytes.unwrap_or(1)
    }
}

/// Reads a distribution of flow sizes.
///
/// # Errors
/// Names the line and its form if there are no points or a word is unknown, or if sizes or shares fall, are negative or no numbers. Flows
/// of no bytes and a last share that is neither 1 nor 100 are errors, too.
pub fn read_cdf(text: &str) -> Result<SizeTable, TraceError> {
    let mut reading = Reading { discrete: false, unit_bytes: None };
    let mut points: Vec<Point> = Vec::new();
    let mut columns = None;
    for (number, line) in (1_u64..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        let taken = if line.is_empty() {
            Ok(())
        } else if line.starts_with(|first: char| first.is_alphabetic()) {
            line.split(',').try_for_each(|words| obey(words, &mut reading, points.is_empty()))
        } else {
            parse_point(line, number, reading, &mut columns).and_then(|point| {
                check_rise(points.last(), &point)?;
                points.push(point);
                Ok(())
            })
        };
        taken.map_err(|fault| TraceError::Line { line: number, message: fault.to_string() })?;
    }
    table(&points, reading)
}

/// Applies the words before the points.
fn obey(words: &str, reading: &mut Reading, at_start: bool) -> Result<(), LineFault> {
    let words: Vec<&str> = words.split_whitespace().collect();
    match words[..] {
        _ if !at_start => return Err(LineFault::WordsAfterSizes(words.join(" "))),
        ["discrete"] => reading.discrete = true,
        ["interpolated"] => reading.discrete = false,
        ["bytes"] => reading.unit_bytes = Some(1),
        ["packets", "of", number, "bytes"] => {
            let unit = number.parse().ok().filter(|unit| (1..=MAX_UNIT_BYTES).contains(unit));
            reading.unit_bytes = Some(unit.ok_or_else(|| LineFault::PacketBytes(number.to_owned()))?);
        }
        _ => {
            let known = ["discrete", "interpolated", "bytes", "packets of 1460 bytes"];
            let text = words.join(" ");
            let suggestion = Suggestion::new(&text, known);
            return Err(LineFault::UnknownWord { text, suggestion });
        }
    }
    Ok(())
}

fn parse_point(line: &str, number: u64, reading: Reading, columns: &mut Option<usize>) -> Result<Point, LineFault> {
    let fields: Vec<&str> =
        line.split([' ', '\t', ',', ';']).map(str::trim).filter(|field| !field.is_empty()).collect();
    let (size, share) = match fields[..] {
        [_, _, _] if reading.unit_bytes.is_none() => return Err(LineFault::NoUnit),
        [size, share] | [size, _, share] => (size, share),
        _ => return Err(LineFault::Fields(fields.len())),
    };
    let before = *columns.get_or_insert(fields.len());
    if before != fields.len() {
        return Err(LineFault::Columns { now: fields.len(), before });
    }
    let share = match share.parse::<f64>() {
        Ok(share) if share < 0.0 => return Err(LineFault::NegativeShare(share)),
        Ok(share) if share.is_finite() => share,
        _ => return Err(LineFault::NoShare(share.to_owned())),
    };
    Ok(Point { line: number, size: parse_size(size, reading.unit_bytes())?, share })
}

/// A whole number, perhaps written as `1e6`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole and within limits")]
fn parse_size(text: &str, unit_bytes: u64) -> Result<u64, LineFault> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    let number = number.ok_or_else(|| LineFault::NoSize(text.to_owned()))?;
    if number < 0.0 {
        return Err(LineFault::NegativeSize(text.to_owned()));
    }
    if number.fract() != 0.0 {
        return Err(LineFault::BrokenSize(text.to_owned()));
    }
    if number > (MAX_BYTES / unit_bytes) as f64 {
        return Err(LineFault::TooLarge(text.to_owned()));
    }
    Ok(number as u64)
}

fn check_rise(before: Option<&Point>, point: &Point) -> Result<(), LineFault> {
    let Some(before) = before else { return Ok(()) };
    if point.size < before.size {
        return Err(LineFault::FallingSize { now: point.size, before: before.size });
    }
    if point.share < before.share {
        return Err(LineFault::FallingShare { now: point.share, before: before.share });
    }
    Ok(())
}

fn table(points: &[Point], reading: Reading) -> Result<SizeTable, TraceError> {
    let wrong = |line, message: &str| Err(TraceError::Line { line, message: message.to_owned() });
    let Some(last) = points.last() else { return Err(TraceError::File(format!("there are no sizes; {LINE}"))) };
    let Some(whole) = [1.0, 100.0].into_iter().find(|whole| (last.share / whole - 1.0).abs() <= SLACK) else {
        let message = format!(
            "the last share is {}; it must be 1, or 100 in percent: add a line with the largest size",
            last.share
        );
        return wrong(last.line, &message);
    };
    let mut sizes = SizeTable::in_units_of(reading.unit_bytes());
    sizes.unit_is_unsaid = reading.unit_bytes.is_none();
    let mut before: Option<&Point> = None;
    for point in points {
        let up_to = if point.share == last.share { 1.0 } else { point.share / whole };
        let rises = point.share > before.map_or(0.0, |before| before.share);
        let first = match before {
            Some(before) if !reading.discrete && before.size < point.size => before.size + 1,
            _ => point.size,
        };
        if rises && first == 0 {
            return wrong(point.line, "a flow of size 0 cannot be sent; give the least size, or the share 0 here");
        }
        if rises {
            sizes.push(first, point.size, up_to);
        }
        before = Some(point);
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::super::size::FlowSizes as _;
    use super::*;

    fn check(text: &str, build: impl FnOnce(&mut SizeTable), unit_bytes: u64) {
        let mut expected = SizeTable::in_units_of(unit_bytes);
        build(&mut expected);
        expected.unit_is_unsaid = !text.contains("bytes");
        assert_eq!(read_cdf(text).unwrap(), expected, "{text}");
    }

    #[test]
    fn points_are_read_in_every_form() {
        let lines = |table: &mut SizeTable| {
            table.push(1, 10, 0.25);
            table.push(11, 30, 1.0);
        };
        for text in [
            "0 0\n10 0.25\n30 1",
            "\u{feff}# a comment\r\n0,0\r\n10,\t0.25 # why\r\n\r\n30,1\r\n",
            "interpolated\nbytes\n0;0\n10;25\n3e1;100\n",
            "discrete\ninterpolated\nbytes\n0 1 0\n10 1 .25\n10 1 .25\n30 1 1.0000000001\n",
        ] {
            check(text, lines, 1);
        }
        check("discrete, packets of 1460 bytes\n1 1 0.5\n7 1 1\n", |t| (t.push(1, 1, 0.5), t.push(7, 7, 1.0)).0, 1_460);
        // As ns-2 has them: a step at 1, then whole packets.
        check("packets of 100 bytes\n1 1 0\n1 1 0.5\n3 1 1\n", |t| (t.push(1, 1, 0.5), t.push(2, 3, 1.0)).0, 100);
        // A first point with a share is a step.
        check("5 0.5\n7 1\n", |t| (t.push(5, 5, 0.5), t.push(6, 7, 1.0)).0, 1);
        // Where nothing rises there are no flows.
        check("0 0\n10 0.5\n20 0.5\n30 1\n40 1\n", |t| (t.push(1, 10, 0.5), t.push(21, 30, 1.0)).0, 1);
        assert_eq!(read_cdf("0 0\n10 0.5\n20 0.5\n30 1\n40 1\n").unwrap().quantile(1.0), 30);
    }

    #[test]
    fn sizes_that_may_be_packets_are_in_doubt() {
        let doubt = |text: &str| read_cdf(text).unwrap().doubt();
        assert!(doubt("1 0.5\n20000 1\n").unwrap().contains("the largest flow has 20000 bytes"));
        for text in ["bytes\n1 0.5\n20000 1\n", "packets of 1460 bytes\n1 0.5\n20000 1\n", "1 0.5\n1000000 1\n"] {
            assert_eq!(doubt(text), None, "{text}");
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, at, word) in [
            ("# only\n\ndiscrete\n", None, "there are no sizes; a line has a size"),
            ("", None, "there are no sizes"),
            ("1 0.5\n5 0.97\n", Some(2), "the last share is 0.97; it must be 1, or 100 in percent"),
            ("1 0.5\n5 1.5\n", Some(2), "the last share is 1.5"),
            ("1 0\n5 0\n", Some(2), "the last share is 0;"),
            ("2 0.5\n\n1 1\n", Some(3), "the size 1 is below the 2 before it; sort"),
            ("1 0.5\n2 0.4\n3 1\n", Some(2), "the share 0.4 is below the 0.5 before it; shares add up"),
            ("0 0.5\n2 1\n", Some(1), "a flow of size 0 cannot be sent"),
            ("discrete\n0 0\n0 0.5\n2 1\n", Some(3), "a flow of size 0 cannot be sent"),
            ("-1 0.5\n2 1\n", Some(1), "the size `-1` is negative"),
            ("1 -0.5\n2 1\n", Some(1), "the share `-0.5` is negative"),
            ("1 NaN\n2 1\n", Some(1), "the share `NaN` is not a number"),
            ("1 inf\n", Some(1), "the share `inf` is not a number"),
            ("NaN 1\n", Some(1), "unknown word `NaN 1`"),
            ("bytes\n1,5 0.5\n2 1\n", Some(3), "2 columns, but the lines before have 3"),
            ("# ns-2\n1 1 0.5\n7 1 1\n", Some(2), "write `packets of 1460 bytes`"),
            ("1.5 0.5\n2 1\n", Some(1), "the size `1.5` is not whole"),
            ("1e16 1\n", Some(1), "the size `1e16` is too large"),
            ("packets of 1460 bytes\n1e12 1\n", Some(2), "the size `1e12` is too large"),
            (
                "5\n",
                Some(1),
                "a line has a size and the share of flows that are not larger, for example `10000 0.15`; this",
            ),
            ("5 1 1 1\n", Some(1), "this one has 4 fields"),
            (".x 1\n", Some(1), "the size `.x` is not a number"),
            ("discret\n5 1\n", Some(1), "did you mean `discrete`?"),
            ("size cdf\n5 1\n", Some(1), "a comment begins with #"),
            ("packets of 0 bytes\n5 1\n", Some(1), "a whole number of bytes from 1 to 1000000, not `0`"),
            ("5 0.5\ndiscrete\n6 1\n", Some(2), "`discrete` must stand before the first size"),
        ] {
            match (read_cdf(text), at) {
                (Err(TraceError::Line { line, message }), Some(at)) => {
                    assert_eq!(line, at, "{text}");
                    assert!(message.contains(word), "{message}");
                }
                (Err(TraceError::File(message)), None) => assert!(message.contains(word), "{message}"),
                (other, _) => panic!("{text}: {other:?}"),
            }
        }
    }
}

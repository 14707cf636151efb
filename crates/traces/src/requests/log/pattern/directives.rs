//! The directives of Apache and of varnishncsa: `%h`, `%>s`, `%{Host}i`.

use super::piece::Piece;
use super::role::{Part, Role};
use super::variables::is_cache_header;
use crate::requests::log::{NS_PER_MS, NS_PER_S, NS_PER_US, Stamp};

/// Returns the pieces of a directive; `argument` is the text between its braces.
///
/// # Errors
/// Says which part of a date cannot be read.
pub(super) fn pieces(letter: &str, argument: Option<&str>) -> Result<Vec<Piece>, String> {
    let role = match (letter, argument) {
        ("t", argument) => return time(argument),
        ("T", None | Some("s")) => Role::Elapsed(NS_PER_S),
        ("T", Some("ms")) => Role::Elapsed(NS_PER_MS),
        ("T", Some("us")) | ("D", _) => Role::Elapsed(NS_PER_US),
        ("r", _) => Role::Request,
        ("m", _) => Role::Method,
        ("U", _) => Role::Url,
        ("q", _) => Role::Query,
        ("v" | "V", _) => Role::Host,
        ("s", _) => Role::Status,
        ("b" | "B", _) => Role::Body,
        ("O", _) => Role::Sent,
        ("i", Some(name)) if name.eq_ignore_ascii_case("host") => Role::Host,
        ("o", Some(name)) if is_cache_header(name) => Role::Cache,
        ("e", Some("cache-status")) | ("x", Some("Varnish:hitmiss" | "Varnish:handling")) => Role::Cache,
        ("x", Some("Varnish:time_firstbyte")) => Role::Upstream,
        _ => Role::Ignored,
    };
    Ok(vec![Piece::Field(role)])
}

/// `%t`, with the brackets that it has, or a date in the manner of strftime.
fn time(argument: Option<&str>) -> Result<Vec<Piece>, String> {
    let Some(argument) = argument else {
        let text = |text: &str| Piece::Text(text.into());
        return Ok(vec![Piece::Stamp(Stamp::Start), text("["), Piece::Field(Role::Common), text("]")]);
    };
    let (stamp, format) = match argument.split_once(':') {
        Some(("begin", format)) => (Stamp::Start, format),
        Some(("end", format)) => (Stamp::End, format),
        _ => (Stamp::Start, argument),
    };
    let mut pieces = vec![Piece::Stamp(stamp)];
    match format {
        "sec" => pieces.push(Piece::Field(Role::Epoch(NS_PER_S))),
        "msec" => pieces.push(Piece::Field(Role::Epoch(NS_PER_MS))),
        "usec" => pieces.push(Piece::Field(Role::Epoch(NS_PER_US))),
        "msec_frac" => pieces.push(Piece::Field(Role::Fraction(3))),
        "usec_frac" => pieces.push(Piece::Field(Role::Fraction(6))),
        _ => strftime(format, &mut pieces)?,
    }
    Ok(pieces)
}

/// The parts of a date, each of which has a fixed number of bytes.
fn strftime(format: &str, pieces: &mut Vec<Piece>) -> Result<(), String> {
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            pieces.push(Piece::Text(letter.to_string()));
            continue;
        }
        let part = match letters.next() {
            Some('Y') => Part::Year,
            Some('m') => Part::Month,
            Some('b' | 'h') => Part::MonthName,
            Some('d') => Part::Day,
            Some('H') => Part::Hour,
            Some('M') => Part::Minute,
            Some('S') => Part::Second,
            Some('z') => Part::Zone,
            Some('F') => {
                strftime("%Y-%m-%d", pieces)?;
                continue;
            }
            Some('T') => {
                strftime("%H:%M:%S", pieces)?;
                continue;
            }
            Some('s') => {
                pieces.push(Piece::Field(Role::Epoch(NS_PER_S)));
                continue;
            }
            other => {
                let letter = other.map_or(String::new(), String::from);
                return Err(format!(
                    "`%{letter}` in the date `{format}` is not known; known are %Y %m %b %d %F %H %M %S %T %z %s"
                ));
            }
        };
        pieces.push(Piece::Field(Role::Part(part)));
    }
    Ok(())
}

//! Numbers with their units, and what other people write for them.

use super::Parser;
use crate::diagnostic::{Code, Diagnostic};
use crate::kind::Kind;
use crate::vocabulary::{ACTIONS, UNITS, nearest};
use rowan::TextRange;

const RATES: [&str; 4] = ["bps", "kbps", "Mbps", "Gbps"];

/// Other spellings of units, which can mean nothing else.
const SPELLINGS: [(&str, &str); 20] = [
    ("packet", "pkts"),
    ("packets", "pkts"),
    ("pkt", "pkts"),
    ("byte", "B"),
    ("bytes", "B"),
    ("octets", "B"),
    ("nsec", "ns"),
    ("nanoseconds", "ns"),
    ("usec", "us"),
    ("µs", "us"),
    ("μs", "us"),
    ("microseconds", "us"),
    ("msec", "ms"),
    ("milliseconds", "ms"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("percent", "%"),
    ("bit", "bps"),
];

/// Amounts of bits, which are rates where a rate is meant.
const BITS: [(&str, &str); 9] = [
    ("b", "bps"),
    ("bits", "bps"),
    ("kb", "kbps"),
    ("kbit", "kbps"),
    ("mb", "Mbps"),
    ("mbit", "Mbps"),
    ("gb", "Gbps"),
    ("gbit", "Gbps"),
    ("g", "Gbps"),
];

impl Parser<'_> {
    /// A number with its unit.
    pub(super) fn number(&mut self) -> usize {
        self.start(Kind::Literal);
        let number = self.span();
        let digits = self.text();
        self.bump();
        if self.is(Kind::Percent) && !self.operand_ahead(1) {
            self.bump();
        } else if self.is(Kind::Name) && !self.at_line_start() && !ACTIONS.contains(&self.text()) {
            if UNITS.contains(&self.text()) {
                self.bump();
            } else if !self.exponent(number, digits) && !self.reads_like_statement() && self.wrong_word().is_none() {
                self.unknown_unit(number, digits);
            }
        }
        self.finish();
        1
    }

    fn unknown_unit(&mut self, number: TextRange, digits: &str) {
        let unit = self.text();
        let per_second = self.peek(1).kind == Kind::Slash && matches!(self.text_ahead(2), "s" | "sec" | "second");
        let span = if per_second { TextRange::new(self.span().start(), self.peek(2).end) } else { self.span() };
        let bits = BITS.iter().find(|(known, _)| known.eq_ignore_ascii_case(unit)).map(|(_, rate)| *rate);
        let spelled = SPELLINGS.iter().find(|(known, _)| *known == unit).map(|(_, meant)| *meant);
        let of_1000 = ["TB", "TiB"].contains(&unit).then(|| if unit == "TB" { (1_000, "GB") } else { (1_024, "GiB") });
        let said = self.wrong(Code::UnknownUnit, format!("there is no unit `{}`", super::shortened(unit)));
        let said = Diagnostic { span, ..said };
        let did_you_mean = |said: Diagnostic, meant: &str| said.help(format!("did you mean `{meant}`?"));
        let said = if spelled == Some("%") {
            did_you_mean(said, "%").replace(span, "%")
        } else if let Some(rate) = bits.filter(|_| per_second || self.rate) {
            did_you_mean(said, rate).replace(span, rate)
        } else if self.rate {
            let said = said.help(format!("rates are {} and %", RATES.join(", ")));
            match nearest(unit, &RATES).filter(|_| unit.len() > 1) {
                Some(rate) => did_you_mean(said, rate).replace(span, rate),
                None => said,
            }
        } else if let Some((factor, smaller)) = of_1000 {
            match digits.parse::<u32>() {
                Ok(digits) => {
                    let text = format!("{} {smaller}", u64::from(digits) * factor);
                    said.help(format!("write `{text}`")).replace(number.cover(span), text)
                }
                Err(_) => said.help(format!("1 {unit} is `{factor} {smaller}`")),
            }
        } else if let Some(meant) = spelled {
            let said = did_you_mean(said, meant);
            // A bit is no rate for sure.
            if meant == "bps" { said } else { said.replace(span, meant) }
        } else if let Some(rate) = bits.filter(|_| unit.to_ascii_lowercase().ends_with("bit") || unit == "bits") {
            did_you_mean(said, rate)
        } else if let (Some(rate), Some(size)) = (bits.filter(|_| unit.ends_with('b')), nearest(unit, &UNITS))
            && !unit.starts_with(char::is_lowercase)
        {
            said.help(format!("write `{size}` for a size, `{rate}` for a rate"))
        } else {
            match nearest(unit, &UNITS).filter(|_| unit.len() > 1) {
                Some(meant) => did_you_mean(said, meant).replace(span, meant),
                None => said.help(format!("units are {} and %", UNITS.join(", "))),
            }
        };
        self.report(said);
        for _ in 0..if per_second { 3 } else { 1 } {
            self.bump();
        }
    }

    /// `1e9` or `1e-3`: says how it is written; whether it is there.
    fn exponent(&mut self, number: TextRange, digits: &str) -> bool {
        let after = self.text().strip_prefix(['e', 'E']);
        let Some(after) = after.filter(|_| self.span().start() == number.end()) else { return false };
        let negative = after.is_empty() && self.peek(1).kind == Kind::Minus && self.peek(2).kind == Kind::Number;
        let (power, tokens) = if negative { (self.text_ahead(2), 3) } else { (after, 1) };
        let Ok(power) = power.parse::<u8>() else { return false };
        let span = TextRange::new(number.start(), self.peek(tokens - 1).end);
        let said = Diagnostic::error(Code::UnknownUnit, span, "numbers have no exponent");
        let written = written_out(digits, if negative { -i32::from(power) } else { i32::from(power) });
        self.report(match written {
            Some(text) => said.help(format!("write `{text}`")).replace(span, text),
            None => said.help("write all of its digits"),
        });
        for _ in 0..tokens {
            self.bump();
        }
        true
    }
}

/// The number with all its digits, if they are few.
fn written_out(digits: &str, power: i32) -> Option<String> {
    let digits = digits.replace('_', "");
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let all = format!("{whole}{fraction}");
    let point = i32::try_from(whole.len()).ok()? + power;
    if !(-12..=15).contains(&point) || all.len() > 15 {
        return None;
    }
    let (whole, fraction) = match usize::try_from(point) {
        Ok(point) if point >= all.len() => (format!("{all:0<point$}"), String::new()),
        Ok(point) => (all[..point].to_owned(), all[point..].to_owned()),
        Err(_) => (String::new(), "0".repeat(usize::try_from(-point).ok()?) + &all),
    };
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    match (text.is_empty(), fraction.is_empty()) {
        (true, true) => Some("0".to_owned()),
        (_, true) => Some(text),
        _ => Some(format!("{text}.{fraction}")),
    }
}

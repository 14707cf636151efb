//! Times as ISO 8601 and RFC 3339 write them, such as `2024-05-01T13:55:36.5+02:00`.

use super::calendar::date;

const NS_PER_S: u64 = 1_000_000_000;
/// The digit of a fraction that is worth a nanosecond.
const DIGITS: usize = 9;

/// Returns nanoseconds since 1970. A time without a zone is in UTC. Fractions of a nanosecond are cut off.
pub(super) fn nanoseconds(text: &[u8]) -> Option<u64> {
    let [year, month, day] = [number(text, 0, 4)?, number(text, 5, 2)?, number(text, 8, 2)?];
    let [hour, minute, second] = [number(text, 11, 2)?, number(text, 14, 2)?, number(text, 17, 2)?];
    let separators = [text[4], text[7], text[10], text[13], text[16]];
    if !matches!(separators, [b'-', b'-', b'T' | b't' | b' ', b':', b':']) {
        return None;
    }
    // A minute has 61 seconds if one is inserted.
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (below, zone) = fraction(&text[19..])?;
    let seconds = date(year, month, day)? * 86_400 + hour * 3_600 + minute * 60 + second - offset(zone)?;
    u64::try_from(seconds).ok()?.checked_mul(NS_PER_S)?.checked_add(below)
}

/// Reads `digits` digits from `from` on.
fn number(text: &[u8], from: usize, digits: usize) -> Option<i64> {
    let mut number = 0;
    for &byte in text.get(from..from + digits)? {
        number = number * 10 + i64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
    }
    Some(number)
}

/// The nanoseconds of a fraction, if the text begins with one, and the rest of the text.
fn fraction(text: &[u8]) -> Option<(u64, &[u8])> {
    let [b'.' | b',', rest @ ..] = text else { return Some((0, text)) };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let below = |place: usize| if place < digits { u64::from(rest[place] - b'0') } else { 0 };
    let ns = (0..DIGITS).fold(0, |ns, place| ns * 10 + below(place));
    (digits > 0).then_some((ns, &rest[digits..]))
}

/// Returns the seconds by which a zone is ahead of UTC.
fn offset(zone: &[u8]) -> Option<i64> {
    let (sign, rest) = match zone.trim_ascii_start() {
        [] | [b'Z' | b'z'] => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let minutes = match rest.len() {
        2 => 0,
        4 => number(rest, 2, 2)?,
        5 if rest[2] == b':' => number(rest, 3, 2)?,
        _ => return None,
    };
    let hours = number(rest, 0, 2)?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_and_without_fraction_and_zone() {
        for (text, ns) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29 12:00:00", Some(951_825_600_000_000_000)),
            ("2024-10-10T13:55:36.5+05:30", Some(1_728_548_736_500_000_000)),
            ("2024-10-10t08:25:36,123456789999z", Some(1_728_548_736_123_456_789)),
            ("2024-10-10T00:25:36-0800", Some(1_728_548_736_000_000_000)),
            ("2024-10-10T10:25:36 +02", Some(1_728_548_736_000_000_000)),
            ("2024-10-10", None),
            ("2024-13-10T00:00:00Z", None),
            ("2024-10-10T24:00:00Z", None),
            ("2024-10-10T00:00:00.Z", None),
            ("2024-10-10T00:00:00+1", None),
            ("1969-12-31T23:59:59Z", None),
            ("9999-10-10T00:00:00Z", None),
            ("2024/10/10 00:00:00", None),
        ] {
            assert_eq!(nanoseconds(text.as_bytes()), ns, "{text}");
        }
    }
}

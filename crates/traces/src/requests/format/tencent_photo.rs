//! The log of Tencent's photo store.

use super::{FormatEntry, about};
use crate::requests::calendar;
use crate::requests::key::digits;
use crate::requests::log::{
    COMMON, CacheStatus, Entry, LogFormat, LogOptions, LogReader, Misfit, NS_PER_MS, NS_PER_S, Said, Size, Status,
    recognise,
};

const NAME: &str = "tencent-photo";
const EXAMPLE: &str = "20160201164604 085abb02a06850729bb01479466420d9e102d325 5 m 12903 1 PHONE 1";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "Date, photo, format, size class, bytes, 1 for a hit, terminal and milliseconds, with spaces; photo, format and class are the key",
        "Zhou et al., ICS'18: the traces of Tencent's photo store at SNIA, and their README",
        &[COMMON[1], COMMON[2]],
    ),
    also_known_as: &["qqphoto"],
    endings: &[],
    recognise: |start| recognise(start, |line| Photos.read(line).is_ok()),
    open: |input, params| Ok(Box::new(LogReader::new(input, NAME, true, LogOptions::without_methods(params), Photos))),
    writer: None,
};

struct Photos;

impl LogFormat for Photos {
    fn read<'a>(&'a mut self, line: &'a [u8]) -> Result<Said<'a>, Misfit> {
        let mut ends = memchr::memchr_iter(b' ', line).chain(std::iter::once(line.len()));
        let mut from = 0;
        let mut field = || {
            let begin = from;
            let end = ends.next()?;
            from = end + 1;
            Some((begin, &line[begin..end]))
        };
        let fields: Option<Vec<(usize, &[u8])>> = (0..8).map(|_| field()).collect();
        let fields = fields.filter(|_| field().is_none()).ok_or(Misfit("the number of fields"))?;
        let [(_, time), (key, photo), (_, format), (class_at, class), (_, size), (_, hit), (_, terminal), (_, elapsed)] =
            fields[..]
        else {
            return Err(Misfit("the number of fields"));
        };
        let is_photo = photo.len() == 40 && photo.iter().all(u8::is_ascii_hexdigit);
        if !is_photo {
            return Err(Misfit("the photo, which is a checksum of 40 digits,"));
        }
        if !matches!(class, [b'l' | b'a' | b'o' | b'm' | b'c' | b'b']) {
            return Err(Misfit("the class of sizes"));
        }
        if ![&b"PHONE"[..], b"PC"].contains(&terminal) {
            return Err(Misfit("the terminal"));
        }
        // The README: records with another format are errors.
        let status = match digits(format).ok_or(Misfit("the format"))? {
            0 | 5 => Status::Code(200),
            _ => Status::Code(400),
        };
        let elapsed = digits(elapsed).ok_or(Misfit("the response time"))?.saturating_mul(NS_PER_MS);
        let cache = match hit {
            b"1" => CacheStatus::Hit,
            b"0" => CacheStatus::NotHit,
            _ => return Err(Misfit("the mark of a hit")),
        };
        Ok(Entry {
            time: date(time).ok_or(Misfit("the date"))?,
            upstream: (cache == CacheStatus::NotHit).then_some(elapsed),
            url: Some(&line[key..class_at + class.len()]),
            status,
            size: Size::Bytes(digits(size).ok_or(Misfit("the size"))?),
            cache,
            ..Entry::default()
        }
        .into())
    }

    fn example(&self) -> &'static str {
        EXAMPLE
    }
}

/// Nanoseconds since 1970 of `YYYYMMDDHHMMSS`. It has no zone.
fn date(text: &[u8]) -> Option<u64> {
    let number = digits(text).filter(|_| text.len() == 14)?;
    let part = |by: u64, below: u64| number / by % below;
    let [month, day, hour, minute, second] =
        [(100_000_000, 100), (1_000_000, 100), (10_000, 100), (100, 100), (1, 100)].map(|(by, below)| part(by, below));
    let is_time = hour < 24 && minute < 60 && second < 61;
    let days = calendar::date((number / 10_000_000_000).cast_signed(), month.cast_signed(), day.cast_signed())?;
    let days = u64::try_from(days).ok().filter(|_| is_time)?;
    (days * 86_400 + hour * 3_600 + minute * 60 + second).checked_mul(NS_PER_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_readme() {
        let mut photos = Photos;
        let Ok(Said::Answer(entry)) = photos.read(EXAMPLE.as_bytes()) else { panic!("no answer") };
        assert_eq!(entry.time, 1_454_345_164_000_000_000);
        assert_eq!(entry.url, Some(&EXAMPLE.as_bytes()[15..59]));
        assert_eq!((entry.size, entry.cache, entry.status), (Size::Bytes(12_903), CacheStatus::Hit, Status::Code(200)));
        for (from, to, part) in [
            ("2016", "2o16", "the date"),
            ("0201", "1301", "the date"),
            ("085abb", "85abb", "the photo, which is a checksum of 40 digits,"),
            (" m ", " x ", "the class of sizes"),
            (" 12903 ", " -1 ", "the size"),
            (" 1 PHONE", " 2 PHONE", "the mark of a hit"),
            ("PHONE", "TV", "the terminal"),
            ("PHONE 1", "PHONE", "the number of fields"),
            ("PHONE 1", "PHONE 1 1", "the number of fields"),
        ] {
            assert_eq!(Photos.read(EXAMPLE.replace(from, to).as_bytes()), Err(Misfit(part)), "{to}");
        }
    }
}

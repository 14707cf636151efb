//! Advice for a file that is not a request trace of a known format.

use super::columns::{Delimiter, all_columns};
use super::foreign_files::foreign;
use super::format::{FORMATS, Likeness, Start};
use super::key::{digits, nanoseconds, shown};
use super::lines::{RETURNS_ALONE, has_returns_alone};
use super::names::{KEYS, SIZES, TIMES, is_operation, place, plain};
use super::ticks::is_time;

/// Lines that are looked at.
const LINES: usize = 16;
/// The possible delimiters between columns, named as in `Delimiter`.
const DELIMITERS: [&str; 5] = ["comma", "tab", "semicolon", "bar", "spaces"];
/// The advice for JSON.
const JSON_ADVICE: &str = "if each line is a JSON object, name its fields: --format-in json-lines:time=FIELD,key=FIELD,size=FIELD \
                           (time=0 or size=0 if there is none); if it is the log of a server: --format-in \
                           fastly:time-field=FIELD,url-field=FIELD,size-field=FIELD; if it has hash_ids of a language model: --format-in \
                           mooncake";

/// Returns the reason why a file is rejected, and the advice.
pub(super) fn refusal(start: &Start<'_>) -> String {
    if let Some(foreign) = foreign(start.bytes()) {
        return foreign;
    }
    let advice = match (start.is_text(), start.line()) {
        (false, _) => "it is binary: if it has 32-bit big-endian keys, say --format-in u32be or call it .trace; if \
                       keys of 64 bits, --format-in u64be or u64le; if oracleGeneral, --format-in oracle-general; otherwise write its requests as text, e.g. time,key,size"
            .to_owned(),
        (true, None) if start.bytes().starts_with(b"{") => format!("its first line is long; {JSON_ADVICE}"),
        (true, None) => "it does not begin with a line of text".to_owned(),
        (true, Some(_)) if has_returns_alone(start.bytes()) => RETURNS_ALONE.to_owned(),
        (true, Some(line)) => format!("its first line is `{}`; {}", shown(line), text_advice(start, line)),
    };
    let names: Vec<&str> = FORMATS.iter().map(|entry| entry.about.name).collect();
    format!("this is not a request trace of a known format: {advice} (formats: {})", names.join(", "))
}

fn text_advice(start: &Start<'_>, line: &[u8]) -> String {
    if line.starts_with(b"{") {
        return JSON_ADVICE.to_owned();
    }
    if ["HTTP/1.", "HTTP/2", "HTTP/3"].iter().any(|mark| memchr::memmem::find(line, mark.as_bytes()).is_some()) {
        return "it looks like the log of a server; say the server's log format, as in --format-in \
                'access-log:log-format=$remote_addr [$time_local] \"$request\" $status $bytes_sent' or '%h %t \"%r\" %>s %b', or the file \
                that has it, as in --format-in access-log:log-format=@/etc/nginx/nginx.conf (docs/traces.md)"
            .to_owned();
    }
    let lines: Vec<&[u8]> = std::iter::once(line).chain(start.lines_after_first()).take(LINES).collect();
    let Some(table) = Table::new(&lines) else {
        return "if each line is a key: --format-in keys".to_owned();
    };
    let fitting = FORMATS.iter().filter(|entry| (entry.recognise)(start) == Likeness::Fits);
    let fitting: String =
        fitting.map(|entry| format!("; if it is a trace of {0}: --format-in {0}", entry.about.name)).collect();
    format!("{}{fitting}; if each line is one key: --format-in keys:separators=keep", table.advice())
}

/// Lines in columns.
struct Table {
    delimiter: &'static str,
    rows: Vec<Vec<Vec<u8>>>,
    /// Columns that every line has.
    width: usize,
}

impl Table {
    /// Chooses the delimiter that gives all lines the same number of columns, and the most columns.
    fn new(lines: &[&[u8]]) -> Option<Self> {
        let mut best: Option<(bool, Self)> = None;
        for delimiter in DELIMITERS {
            let columns = |line: &&[u8]| all_columns(line, Delimiter::of_name(delimiter));
            let rows: Vec<Vec<Vec<u8>>> = lines.iter().map(columns).collect();
            let width = rows.iter().map(Vec::len).min().unwrap_or(0);
            let even = rows.iter().all(|row| row.len() == width);
            let is_better = best.as_ref().is_none_or(|(best_even, best)| (even, width) > (*best_even, best.width));
            if width > 1 && is_better {
                best = Some((even, Self { delimiter, rows, width }));
            }
        }
        best.map(|(_, table)| table)
    }

    fn advice(&self) -> String {
        if let Some(named) = self.named() {
            return named;
        }
        let time = self.time();
        let operation = (0..self.width).find(|&column| Some(column) != time && self.all(column, is_operation));
        let chosen = operation.map_or_else(String::new, |column| format!(",op={},operations=GET+READ", column + 1));
        if self.width > 3 {
            let time = time.map_or("COLUMN".to_owned(), |time| (time + 1).to_string());
            let options = self.options(&time, "COLUMN", "COLUMN", self.unit(time.parse().ok()), &chosen);
            return format!(
                "say in which columns the time, the key and the size are, counted from 1 (0 if there is none): {options} (docs/traces.md \
                 shows it for a proxy's log)"
            );
        }
        let others: Vec<usize> = (0..self.width).filter(|&column| ![time, operation].contains(&Some(column))).collect();
        let text = others.iter().copied().find(|&column| !self.all(column, |field| digits(field).is_some()));
        let key = text.or(others.first().copied()).unwrap_or(0);
        let size =
            others.into_iter().find(|&column| column != key && self.all(column, |field| digits(field).is_some()));
        let place = |column: Option<usize>| column.map_or(0, |column| column + 1).to_string();
        let unit = self.unit(time.map(|time| time + 1));
        let options = self.options(&place(time), &place(Some(key)), &place(size), unit, &chosen);
        format!("if this fits, or with other columns (counted from 1; 0 if there is none): {options}")
    }

    /// Returns the advice if the first line names a key, a time or a size.
    fn named(&self) -> Option<String> {
        let names: Vec<String> = self.rows.first()?.iter().map(|field| plain(field)).collect();
        let key = place(&names, KEYS);
        let time = place(&names, TIMES).or_else(|| names.iter().position(|name| name.starts_with("time")));
        let size = place(&names, SIZES);
        key.or(time).or(size)?;
        let is_number =
            |time: &usize| self.rows.iter().skip(1).all(|row| row.get(*time).is_some_and(|field| is_time(field)));
        let counted = time.filter(is_number);
        let unit = match counted.map(|time| names[time].as_str()) {
            Some(name) if name.ends_with("ms") || name == "msec" => ",unit=ms",
            Some(name) if name.ends_with("us") => ",unit=us",
            Some(name) if name.ends_with("ns") => ",unit=ns",
            _ => self.unit(counted.map(|time| time + 1)),
        };
        let number = |column: Option<usize>| column.map_or(0, |column| column + 1).to_string();
        let key_column = key.map_or("COLUMN".to_owned(), |key| number(Some(key)));
        let options = self.options(&number(counted), &key_column, &number(size), unit, ",header=yes");
        let slots = match (time, counted) {
            (Some(_), None) => {
                " (a time must be a number or like 2024-05-01T13:55:36Z; without a time, each line is a slot)"
            }
            _ => "",
        };
        let begin = if key.is_some() { "by its names" } else { "by its names, with the column of the key (from 1)" };
        Some(format!("{begin}: {options}{slots}"))
    }

    fn options(&self, time: &str, key: &str, size: &str, unit: &str, header: &str) -> String {
        let delimiter =
            if self.delimiter == "comma" { String::new() } else { format!(",delimiter={}", self.delimiter) };
        format!("--format-in libcachesim-csv:time={time},key={key},size={size}{unit}{delimiter}{header}")
    }

    fn all(&self, column: usize, is: impl Fn(&[u8]) -> bool) -> bool {
        self.rows.iter().all(|row| is(&row[column]))
    }

    /// The first column of numbers that rise, or that are as large as seconds since 1970 (in any
    /// order with decimals, since some logs are written when requests end).
    fn time(&self) -> Option<usize> {
        const LARGE: u64 = 100_000_000;
        (0..self.width).find(|&column| {
            let numbers: Option<Vec<u64>> = self.rows.iter().map(|row| nanoseconds(&row[column], 1_000).ok()).collect();
            let Some(numbers) = numbers else { return false };
            let (first, last) = (numbers.first(), numbers.last());
            let are_large = numbers.iter().all(|&number| number >= LARGE * 1_000);
            let have_decimals = self.all(column, |field| field.contains(&b'.'));
            if numbers.is_sorted() { first < last || are_large } else { are_large && have_decimals }
        })
    }

    /// The unit that makes the times of a column (from 1) seconds since 1970.
    fn unit(&self, column: Option<usize>) -> &'static str {
        let field = column.and_then(|column| self.rows.last()?.get(column.checked_sub(1)?));
        match field.and_then(|field| nanoseconds(field, 1).ok()) {
            Some(100_000_000_000_000_000..) => ",unit=ns",
            Some(100_000_000_000_000..) => ",unit=us",
            Some(100_000_000_000..) => ",unit=ms",
            _ => "",
        }
    }
}

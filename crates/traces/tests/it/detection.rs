//! What decides on the format of a file: its first thousand lines, and its last ones where they can be read at once.

use crate::support::{read, refused};
use forebay_traces::requests::{OpenOptions, Requests, open};
use forebay_traces::{Content, TraceError};
use std::fs::File;
use std::io::{Seek as _, Write as _};

/// The format that a file on a disk has and its number of requests, or why it is rejected.
fn of_file(bytes: &[u8]) -> Result<(&'static str, usize), TraceError> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    let reader = open(Content::unpack_file(file)?, "trace", &OpenOptions::default())?;
    let format = reader.facts().format;
    Ok((format, Requests::new(reader).collect::<Result<Vec<_>, _>>()?.len()))
}

fn lines(numbers: std::ops::Range<u64>, line: impl Fn(u64) -> String) -> String {
    numbers.map(line).collect()
}

fn squid(number: u64) -> String {
    format!("1700{number:06}.123 5 10.0.0.1 TCP_HIT/200 512 GET http://a.example/{number} - HIER_NONE/- text/html\n")
}

fn spc(number: u64) -> String {
    format!("0,{number},4096,r,{number}.5\n")
}

fn slot(number: u64) -> String {
    format!("{number};k{number}\n")
}

#[test]
fn a_file_that_ends_otherwise_than_it_begins_is_refused_with_its_last_line() {
    let other = |number| format!("{{\"time\": {number}, \"key\": {number}}}\n");
    for (name, begin) in [("squid", lines(0..9_000, squid)), ("spc", lines(0..40_000, spc))] {
        let joined = [begin.clone(), lines(0..9_000, other)].concat();
        let error = of_file(joined.as_bytes()).unwrap_err().to_string();
        let message = format!(
            "the file begins as {name} but does not end so: its last line is `{{\\\"time\\\": 8999, \\\"key\\\": 8999}}`; if all of it is \
             {name}, say --format-in {name} (in a scenario: `format`); otherwise split it into one file for each format"
        );
        assert_eq!(error, message);
        assert_eq!(of_file(begin.as_bytes()).unwrap().0, name);
    }
}

#[test]
fn a_last_line_that_is_cut_off_is_no_evidence() {
    let whole = lines(0..40_000, slot);
    let cut = &whole[..whole.len() - 9];
    let Err(TraceError::Line { line, .. }) = of_file(cut.as_bytes()) else { panic!("a cut line was read") };
    assert_eq!(line, 40_000, "the reader names the line");
}

#[test]
fn what_only_later_lines_tell_apart_is_told_apart() {
    // As the traces of ARC number their lines, until line 200.
    let counts = |number: u64| format!("{} 1 0 {}\n", number % 7, number.min(200));
    let (line, message) = refused(lines(0..900, counts).as_bytes(), None);
    assert_eq!(line, 0);
    assert!(!message.contains("--format-in arc"), "{message}");
    assert_eq!(
        read(lines(0..900, |number| format!("{} 1 0 {number}\n", number % 7)).as_bytes(), "t", None).unwrap().0.format,
        "arc"
    );
    // A text is not keys because its first line has one word.
    let prose = ["Notes\n", &"written on a day of rain, by the sea\n".repeat(30)].concat();
    assert!(refused(prose.as_bytes(), None).1.starts_with("this is not a request trace of a known format"));
}

#[test]
fn a_damaged_line_among_the_first_is_named_by_its_line() {
    let text = [lines(0..30, slot), "?\n".to_owned(), lines(31..500, slot)].concat();
    assert_eq!(refused(text.as_bytes(), None).0, 31);
}

#[test]
fn a_header_counts_for_the_end_too() {
    let head = "#Version: 1.0\n#Fields: date time cs-method cs-uri-stem sc-status sc-bytes\n".to_owned();
    let entry =
        |number: u64| format!("2024-05-01 10:{:02}:{:02} GET /{number} 200 512\n", number / 60 % 60, number % 60);
    let text = [head, lines(0..9_000, entry)].concat();
    assert_eq!(of_file(text.as_bytes()).unwrap().0, "cloudfront");
}

/// A file that is no regular one has no end that can be read at once.
#[test]
fn a_pipe_is_read_from_its_start() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let text = lines(0..40_000, spc);
    let expected = text.lines().count();
    let writing = std::thread::spawn(move || writer.write_all(text.as_bytes()));
    let file = File::from(std::os::fd::OwnedFd::from(reader));
    let reader = open(Content::unpack_file(file).unwrap(), "trace", &OpenOptions::default()).unwrap();
    assert_eq!(Requests::new(reader).count(), expected);
    writing.join().unwrap().unwrap();
}

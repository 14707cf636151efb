//! Files of other kinds, recognised by their first bytes: they are no traces, whatever their names are.

/// The offset of the mark, the mark, the kind of file, and the advice, if any. No line of text has one of these marks by chance.
const KINDS: &[(usize, &[u8], &str, &str)] = &[
    (0, b"PK\x03\x04", "a zip archive", "unpack it first, with unzip"),
    (4, b"1AY&SY", "packed with bzip2", "unpack it first, with bunzip2"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first, with 7z x"),
    (0, b"\x04\x22\x4d\x18", "packed with lz4", "unpack it first, with lz4 -d"),
    (257, b"ustar", "a tar archive", "unpack it first, with tar xf"),
    (0, b"\x1f\x8b", "packed twice, inside with gzip", "unpack it once more"),
    (0, b"\xfd7zXZ\0", "packed twice, inside with xz", "unpack it once more"),
    (0, b"\x28\xb5\x2f\xfd", "packed twice, inside with zstd", "unpack it once more"),
    (0, b"\xff\xfe", "text in UTF-16", "make it UTF-8, with iconv -f UTF-16 -t UTF-8"),
    (0, b"\xfe\xff", "text in UTF-16", "make it UTF-8, with iconv -f UTF-16 -t UTF-8"),
    (0, b"SQLite format 3\0", "an SQLite database", "write its requests as text, e.g. time,key,size"),
    (0, b"\x89PNG", "a PNG picture", ""),
    (0, b"\xff\xd8\xff", "a JPEG picture", ""),
    (0, b"%PDF-", "a PDF document", ""),
    (0, b"\x7fELF", "a program (ELF)", ""),
];

/// Returns the kind of a file that begins with `start`, and the advice, if its first bytes are those of another kind.
pub(super) fn foreign(start: &[u8]) -> Option<String> {
    let has = |at: usize, mark: &[u8]| start.get(at..).is_some_and(|rest| rest.starts_with(mark));
    let &(_, _, what, advice) = KINDS.iter().find(|&&(at, mark, ..)| has(at, mark))?;
    let advice = if advice.is_empty() { String::new() } else { format!("; {advice}") };
    Some(format!("this is {what}, not a trace{advice} (if it is a trace all the same: --format-in NAME)"))
}

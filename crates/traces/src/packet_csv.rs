//! Packet traces as CSV: one line per packet, with all its fields.
//!
//! ```text
//! arrival_ps,size_bytes,flow,class,value,processing_ps,slack_ps,rank,remaining_bytes,queue
//! 0,1500,0,46,1,2000,0,17,4500,0
//! ```
//!
//! Only the first two columns are required, and the order of columns is free. Times are whole picoseconds, so that writing and reading does
//! not change a trace.

use crate::error::TraceError;
use crate::flow_table::FlowTable;
use crate::trace::Trace;
use crate::unix_lines::UnixLines;
use csv::StringRecord;
use forebay_core::registry::suggest;
use forebay_core::{ClassId, Duration, Field, Fields, Packet, QueueId, Time};
use std::io::{Read, Write};

const COLUMNS: [&str; 10] = [
    "arrival_ps",
    "size_bytes",
    "flow",
    "class",
    "value",
    "processing_ps",
    "slack_ps",
    "rank",
    "remaining_bytes",
    "queue",
];

/// Which optional field a column fills.
const FIELDS: [(&str, Field); 6] = [
    ("value", Field::Value),
    ("processing_ps", Field::Processing),
    ("slack_ps", Field::Slack),
    ("rank", Field::Rank),
    ("remaining_bytes", Field::RemainingBytes),
    ("queue", Field::Queue),
];

/// Returns whether `header` is the first line of a packet trace.
#[must_use]
pub fn is_packet_csv(header: &StringRecord) -> bool {
    header.iter().any(|column| column.trim() == "arrival_ps")
}

/// Reads a packet trace.
///
/// # Errors Names the line, the column and the expected value.
pub fn read_packet_csv(input: impl Read) -> Result<Trace, TraceError> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(UnixLines(input));
    let header = reader.headers()?.clone();
    let columns = Columns::new(&header)?;
    let mut trace = Trace { fields: columns.fields(), ..Trace::default() };
    let mut flows = FlowTable::default();
    let mut last = Time::ZERO;
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(1, csv::Position::line);
        let row = Row { record: &record, columns: &columns, line };
        let arrival = Time::from_ps(row.number("arrival_ps")?);
        if arrival == Time::MAX {
            return Err(TraceError::at(line, "arrival_ps is too large; times must be below 18446744073709551615"));
        }
        if arrival < last {
            return Err(TraceError::at(line, "arrival_ps is less than on the line before; sort the file by it"));
        }
        last = arrival;
        trace.packets.push(Packet {
            arrival,
            size_bytes: row.size()?,
            flow: flows.id_of(row.number("flow")?),
            class: ClassId(row.at_most("class", u8::MAX)?),
            value: row.at_most("value", u32::MAX)?,
            processing: Duration::from_ps(row.number("processing_ps")?),
            slack: Duration::from_ps(row.number("slack_ps")?),
            rank: row.number("rank")?,
            remaining_bytes: row.number("remaining_bytes")?,
            queue: QueueId(row.at_most("queue", u16::MAX)?),
            ..Packet::default()
        });
    }
    if trace.packets.is_empty() {
        return Err(TraceError::File("the trace has no packets, only its first line".to_owned()));
    }
    let has_remaining = trace.fields.contains(Field::RemainingBytes);
    let trace = trace.finish();
    Ok(if has_remaining { trace } else { trace.with_remaining_bytes() })
}

/// Writes a packet trace, with the optional columns in `given`.
///
/// # Errors
/// If writing fails.
pub fn write_packet_csv(
    packets: impl Iterator<Item = Packet>,
    given: Fields,
    out: impl Write,
) -> Result<u64, TraceError> {
    let has = |column: &str| FIELDS.iter().all(|(name, field)| *name != column || given.contains(*field));
    let written = COLUMNS.map(has);
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS.iter().zip(written).filter(|(_, written)| *written).map(|(column, _)| column))?;
    let mut count = 0;
    for packet in packets {
        let fields = [
            packet.arrival.as_ps(),
            packet.size_bytes.into(),
            packet.flow.0.into(),
            packet.class.0.into(),
            packet.value.into(),
            packet.processing.as_ps(),
            packet.slack.as_ps(),
            packet.rank,
            packet.remaining_bytes,
            packet.queue.0.into(),
        ];
        let fields = fields.iter().zip(written).filter(|(_, written)| *written);
        writer.write_record(fields.map(|(field, _)| field.to_string()))?;
        count += 1;
    }
    writer.flush()?;
    Ok(count)
}

/// The place of each known column.
struct Columns {
    place: [Option<usize>; COLUMNS.len()],
}

impl Columns {
    fn new(header: &StringRecord) -> Result<Self, TraceError> {
        let mut place = [None; COLUMNS.len()];
        for (index, name) in header.iter().enumerate() {
            match COLUMNS.iter().position(|column| *column == name) {
                Some(column) if place[column].is_none() => place[column] = Some(index),
                Some(_) => return Err(TraceError::at(1, format!("column `{name}` occurs twice"))),
                None => return Err(TraceError::at(1, format!("unknown column `{name}`{}", suggest(name, COLUMNS)))),
            }
        }
        for (needed, place) in COLUMNS.iter().zip(place).take(2) {
            if place.is_none() {
                return Err(TraceError::at(1, format!("column `{needed}` is missing")));
            }
        }
        Ok(Self { place })
    }

    fn of(&self, name: &str) -> Option<usize> {
        COLUMNS.iter().position(|column| *column == name).and_then(|column| self.place[column])
    }

    fn fields(&self) -> Fields {
        let given = FIELDS.iter().filter(|(column, _)| self.of(column).is_some());
        given.fold(Fields::NONE, |fields, &(_, field)| fields.with(field))
    }
}

struct Row<'a> {
    record: &'a StringRecord,
    columns: &'a Columns,
    line: u64,
}

impl Row<'_> {
    /// The number in column `name`, 0 if there is no such column.
    fn number(&self, name: &str) -> Result<u64, TraceError> {
        let Some(text) = self.columns.of(name).and_then(|index| self.record.get(index)) else { return Ok(0) };
        text.parse().map_err(|_| {
            TraceError::at(self.line, format!("`{name}` must be a whole number, zero or above, not `{text}`"))
        })
    }

    /// A packet has bytes, and not more than any link carries.
    fn size(&self) -> Result<u32, TraceError> {
        match self.at_most("size_bytes", Packet::MAX_BYTES)? {
            0 => Err(TraceError::at(self.line, "`size_bytes` must be at least 1")),
            size => Ok(size),
        }
    }

    fn at_most<N: TryFrom<u64> + std::fmt::Display + PartialOrd + Copy>(
        &self,
        name: &str,
        max: N,
    ) -> Result<N, TraceError> {
        let number = self.number(name)?;
        N::try_from(number)
            .ok()
            .filter(|given| *given <= max)
            .ok_or_else(|| TraceError::at(self.line, format!("`{name}` must be at most {max}, not {number}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let packet = Packet {
            arrival: Time::from_ps(7),
            rank: u64::MAX,
            remaining_bytes: 9,
            processing: Duration::from_ps(3),
            slack: Duration::from_ps(4),
            size_bytes: 1_500,
            value: 5,
            class: ClassId(46),
            ..Packet::default()
        };
        let mut text = Vec::new();
        write_packet_csv([packet].into_iter(), Fields::ALL, &mut text).unwrap();
        let trace = read_packet_csv(text.as_slice()).unwrap();
        assert_eq!(trace.packets, [Packet { arrival: Time::ZERO, ..packet }], "the clock starts at the first packet");
        assert_eq!(trace.fields, Fields::ALL);
        let mut text = Vec::new();
        write_packet_csv([packet].into_iter(), Fields::NONE.with(Field::Value), &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "arrival_ps,size_bytes,flow,class,value\n7,1500,0,46,5\n");
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, line, word) in [
            ("arrival_ps,size_byte\n", 1, "did you mean `size_bytes`"),
            ("arrival_ps\n0\n", 1, "`size_bytes` is missing"),
            ("arrival_ps,size_bytes\n0,10\n5,-3\n", 3, "`size_bytes` must be a whole number"),
            ("arrival_ps,size_bytes\n5,10\n0,10\n", 3, "sort the file"),
            ("arrival_ps,size_bytes\n5\n", 2, "1 fields where the first line has 2"),
            ("arrival_ps,size_bytes,class\n5,1,256\n", 2, "at most 255"),
        ] {
            match read_packet_csv(text.as_bytes()) {
                Err(TraceError::Line { line: at, message }) => {
                    assert_eq!(at, line, "{text}");
                    assert!(message.contains(word), "{message}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(matches!(read_packet_csv("arrival_ps,size_bytes\n".as_bytes()), Err(TraceError::File(_))));
    }
}

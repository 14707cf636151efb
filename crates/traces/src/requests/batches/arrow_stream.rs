//! Arrow files and streams, read from their beginning.

use super::guarded;
use super::rows::{BatchReader, Open};
use crate::TraceError;
use crate::requests::RequestReader;
use crate::requests::paths::Paths;
use crate::unpack::read_error;
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_schema::ArrowError;
use std::io::{self, BufReader, Read};

/// The first bytes of an Arrow file. A stream follows.
const MARK: [u8; 8] = *b"ARROW1\0\0";
/// The last bytes of an Arrow file.
const FILE_END: &[u8] = b"ARROW1";
/// The last bytes of a stream.
const STREAM_END: &[u8] = b"\xff\xff\xff\xff\0\0\0\0";
/// The maximum padding of a file before its stream, in units of the mark.
const MAX_PADDING: usize = 64;

/// Opens an Arrow file or stream.
pub(in crate::requests) fn open_arrow(
    input: Box<dyn Read + Send>,
    paths: Paths,
) -> Result<Box<dyn RequestReader>, TraceError> {
    let mut input = BufReader::new(input);
    let mut start = [0; MARK.len()];
    let mut read = read_start(&mut input, &mut start)?;
    let is_file = start == MARK;
    if is_file {
        // Padding may follow.
        for _ in 0..MAX_PADDING {
            read = read_start(&mut input, &mut start)?;
            if read < start.len() as u64 || start != [0; MARK.len()] {
                break;
            }
        }
    }
    let input: Box<dyn Read + Send> = Box::new(io::Cursor::new(start).take(read).chain(input));
    let wrong = |error: ArrowError| TraceError::File(format!("this Arrow file cannot be read: {error}"));
    let tail = Tail { input, last: Vec::new() };
    let reader = guarded(|| StreamReader::try_new(tail, None));
    let reader = reader.map_err(|why| wrong(ArrowError::IpcError(why.to_owned())))?.map_err(wrong)?;
    let open = Open::new(paths, &reader.schema())?;
    Ok(Box::new(BatchReader::new(Batches { reader, end: if is_file { FILE_END } else { STREAM_END } }, open)))
}

/// Reads until `start` is full or the input ends.
fn read_start(input: &mut impl Read, start: &mut [u8]) -> Result<u64, TraceError> {
    let mut read = 0;
    while read < start.len() {
        match input.read(&mut start[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(read_error(error)),
        }
    }
    Ok(read as u64)
}

/// The batches of a file, which must have its end.
struct Batches {
    reader: StreamReader<Tail>,
    end: &'static [u8],
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.reader.next().or_else(|| {
            let tail = self.reader.get_mut();
            match io::copy(tail, &mut io::sink()) {
                Err(error) => Some(Err(ArrowError::IoError(error.to_string(), error))),
                Ok(_) if tail.last.ends_with(self.end) => None,
                Ok(_) => Some(Err(ArrowError::IpcError("its end is missing".to_owned()))),
            }
        })
    }
}

/// An input whose last bytes are known.
struct Tail {
    input: Box<dyn Read + Send>,
    last: Vec<u8>,
}

impl Read for Tail {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.last.extend(&buffer[read.saturating_sub(STREAM_END.len())..read]);
        let surplus = self.last.len().saturating_sub(STREAM_END.len());
        self.last.drain(..surplus);
        Ok(read)
    }
}

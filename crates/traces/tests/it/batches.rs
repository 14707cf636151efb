//! Parquet and Arrow files.

use crate::support::{reader, refused, requests};
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Float64Array, Int64Array, ListArray, RecordBatch, StringArray,
    TimestampMillisecondArray, UInt64Array,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::sync::Arc;

/// XXH64 with seed 0 of `abc`; of `a`, a line end and `b`.
const ABC: u64 = 0x44bc_2cf5_ad77_0999;
const A_AND_B: u64 = 0xa592_bad2_776c_4e8e;
const MS: u64 = 1_000_000;

fn batch(columns: &[(&str, ArrayRef)]) -> RecordBatch {
    RecordBatch::try_from_iter(columns.iter().map(|(name, array)| (*name, array.clone()))).unwrap()
}

pub(crate) fn parquet(batch: &RecordBatch, compression: Compression) -> Vec<u8> {
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

pub(crate) fn arrow_file(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn arrow_stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

/// A batch of 200 requests.
pub(crate) fn sample() -> RecordBatch {
    batch(&[
        ("note", Arc::new(StringArray::from_iter_values((0..200).map(|n| format!("n{n}"))))),
        ("key", Arc::new(UInt64Array::from_iter_values((0..200).map(|n| n % 13)))),
        ("time", Arc::new(Int64Array::from_iter_values(0..200))),
        ("size", Arc::new(Int64Array::from_iter_values((0..200).map(|n| n + 1)))),
    ])
}

#[test]
fn every_way_to_pack_a_file_gives_the_same() {
    let files = [
        parquet(&sample(), Compression::UNCOMPRESSED),
        parquet(&sample(), Compression::SNAPPY),
        parquet(&sample(), Compression::ZSTD(Default::default())),
        parquet(&sample(), Compression::GZIP(Default::default())),
        parquet(&sample(), Compression::LZ4_RAW),
        arrow_file(&sample()),
    ];
    let expected: Vec<_> = (0..200).map(|n| (n * 1_000 * MS, n % 13, n + 1)).collect();
    for file in files {
        assert_eq!(requests(&file, None), expected);
    }
    assert_eq!(requests(&arrow_stream(&sample()), Some("arrow")), expected);
}

#[test]
fn columns_have_types() {
    let words: DictionaryArray<Int32Type> = [Some("GET"), Some("PUT"), None, Some("get")].into_iter().collect();
    let columns = batch(&[
        ("op", Arc::new(words)),
        (
            "Timestamp",
            Arc::new(TimestampMillisecondArray::from(vec![1_700_000_000_000, 0, 1_700_000_000_002, 1_700_000_000_001])),
        ),
        ("url", Arc::new(StringArray::from(vec![Some("abc"), Some("x"), Some("7"), Some("8")]))),
        ("bytes", Arc::new(Int64Array::from(vec![Some(10), Some(20), Some(30), None]))),
        ("x", Arc::new(StringArray::from(vec!["a", "a", "a", "a"]))),
        ("y", Arc::new(StringArray::from(vec!["b", "b", "b", "b"]))),
        ("seconds", Arc::new(Float64Array::from(vec![1.5, 2.0, 2.25, 3.0]))),
    ]);
    let file = parquet(&columns, Compression::SNAPPY);
    assert_eq!(requests(&file, Some("parquet:op=op,operations=GET,size=0")), [(0, ABC, 1), (MS, 8, 1)]);
    let joined = requests(&file, Some("parquet:key=x+y,time=seconds"));
    assert_eq!(joined, [(0, A_AND_B, 10), (500 * MS, A_AND_B, 20), (750 * MS, A_AND_B, 30)]);
    let (_, message) = refused(&file, Some("parquet:key=urk"));
    assert_eq!(message, "there is no column `urk`; did you mean `url`?");
    assert_eq!(requests(&file, Some("parquet:time=0,size=0"))[1], (1, requests(b"x\n", None)[0].1, 1));
    let mut opened = reader(&file, "trace", Some("parquet:time=seconds")).unwrap();
    opened.fill(&mut Vec::new(), 100).unwrap();
    let said = "rows that lack a value were left out: 1; the first is row 4: the field of the size is missing here";
    assert!(opened.warnings()[0].starts_with(said), "{:?}", opened.warnings());
}

#[test]
fn a_list_of_keys_is_a_request_for_each() {
    let lists = ListArray::from_iter_primitive::<Int64Type, _, _>([
        Some(vec![Some(1), Some(2)]),
        Some(vec![]),
        Some(vec![Some(1), Some(9)]),
    ]);
    let columns = batch(&[
        ("timestamp", Arc::new(Int64Array::from(vec![27, 30, 527])) as ArrayRef),
        ("hash_ids", Arc::new(lists)),
    ]);
    for (file, format) in
        [(parquet(&columns, Compression::SNAPPY), "parquet:unit=ms"), (arrow_file(&columns), "arrow:unit=ms")]
    {
        assert_eq!(requests(&file, Some(format)), [(0, 1, 1), (0, 2, 1), (500 * MS, 1, 1), (500 * MS, 9, 1)]);
    }
}

#[test]
fn what_is_wrong_is_said_with_its_row() {
    let columns = |times: Vec<i64>| {
        batch(&[
            ("time", Arc::new(Int64Array::from(times)) as ArrayRef),
            ("key", Arc::new(Int64Array::from(vec![-5, 6])) as Arc<dyn Array>),
        ])
    };
    let (_, message) = refused(&arrow_file(&columns(vec![0, -1])), None);
    assert_eq!(message, "row 2: the time must be a number, zero or above, not `-1`");
    // XXH64 of `-5` is that of the text.
    assert_eq!(requests(&arrow_file(&columns(vec![0, 1])), None)[0].1, requests(b"-5\n", None)[0].1);
    let file = parquet(&sample(), Compression::SNAPPY);
    let (_, message) = refused(&file[..file.len() - 9], None);
    assert!(message.starts_with("this Parquet file cannot be read"), "{message}");
}

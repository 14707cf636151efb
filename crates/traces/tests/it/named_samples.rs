//! A small good file of 200 requests in each format that has a name and fixed columns or fields.

use crate::batches::{arrow_file, parquet, sample};
use crate::binary_formats::{lcs, photo, vscsi};
use parquet::basic::Compression;

/// The lines that `line` makes.
fn lines(count: u32, line: impl Fn(u32) -> String) -> Vec<u8> {
    (0..count).map(|number| line(number) + "\n").collect::<String>().into()
}

/// As [`lines`], after a first line.
fn below(header: &str, count: u32, line: impl Fn(u32) -> String) -> Vec<u8> {
    [format!("{header}\n").into_bytes(), lines(count, line)].concat()
}

/// Names and files.
pub(crate) fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let is_write = |n: u32| n.is_multiple_of(3);
    let read_or_write = |n: u32| if is_write(n) { "W" } else { "R" };
    vec![
        (
            "chain-csv",
            below("time_ns,key,size_bytes,after,think_ns", 200, |n| match n % 4 {
                0 => format!("{},{},70,,", n * 100, n % 13),
                _ => format!(",{},70,{n},5", n % 13),
            }),
        ),
        ("vscsi", {
            let io = |n: u32| (if is_write(n) { 0x2a } else { 0x28 }, 4_096, u64::from(n % 13 * 8), u64::from(n) * 700);
            vscsi(2, &(0..200).map(io).collect::<Vec<_>>())
        }),
        ("lcs", {
            let request = |n: u32| (n / 9, u64::from(n % 13), u64::from(100 + n % 13), 1);
            lcs(8_192, 3, &(0..200).map(request).collect::<Vec<_>>())
        }),
        ("tencent-photo", lines(200, |n| photo(n / 9, n % 13, u8::from(is_write(n))))),
        ("parquet", parquet(&sample(), Compression::SNAPPY)),
        ("arrow", arrow_file(&sample())),
        ("spc", lines(200, |n| format!("{},{},4096,{},{}.{:06}", n % 2, n % 13 * 8, read_or_write(n), n / 9, n))),
        (
            "msr",
            lines(200, |n| {
                let operation = if is_write(n) { "Write" } else { "Read" };
                format!(
                    "{},src1,1,{operation},{},4096,1000",
                    128_166_372_003_061_629_u64 + u64::from(n),
                    n % 13 * 4_096
                )
            }),
        ),
        (
            "alibaba-block",
            lines(200, |n| {
                format!(
                    "{},{},{},4096,{}",
                    n % 2,
                    read_or_write(n),
                    n % 13 * 4_096,
                    1_577_808_000_000_000_u64 + u64::from(n)
                )
            }),
        ),
        (
            "tencent-block",
            below("Timestamp,Offset,Size,IOType,VolumeID", 200, |n| {
                format!("{},{},8,{},{}", 1_538_323_200 + n / 9, n % 13 * 8, u32::from(is_write(n)), 1_063 + n % 2)
            }),
        ),
        ("ibm-object-store", lines(200, |n| format!("{} REST.GET.OBJECT {:016x} 1168 0 1167", 1_219_008 + n, n % 13))),
        ("arc", lines(100, |n| format!("{} 2 0 {}", n % 13 * 2, n + 7))),
        ("webcachesim", lines(200, |n| format!("{} {} {} 3", n / 9, n % 13, 100 + n % 13))),
        ("cachelib", below("key,op,size,op_count,key_size", 100, |n| format!("k{},GET,{},2,5", n % 13, n % 13 * 7))),
        (
            "wikipedia-cdn",
            below("relative_unix\thashed_path_query\timage_type\tresponse_size\ttime_firstbyte", 200, |n| {
                format!("{}\t-{}\tjpeg\t{}\t0.25", n / 9, 5_000_000_000_u64 + u64::from(n % 13), 900 + n % 13)
            }),
        ),
        (
            "mooncake",
            lines(100, |n| {
                let blocks = format!("[0, {}]", n % 13 + 1);
                format!(
                    "{{\"timestamp\": {}, \"input_length\": 955, \"output_length\": 52, \"hash_ids\": {blocks}}}",
                    n * 3
                )
            }),
        ),
        (
            "json-lines",
            lines(200, |n| {
                let time = format!("2024-05-01T00:{:02}:{:02}.5Z", n / 60, n % 60);
                format!(
                    "{{\"time\": \"{time}\", \"request\": {{\"method\": \"GET\"}}, \"url\": \"/{}\", \"bytes\": {}}}",
                    n % 13,
                    n + 1
                )
            }),
        ),
    ]
}

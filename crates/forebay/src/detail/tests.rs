//! Tests of joining parts that were written by hand.

use super::join::{files_in, join};
use super::run_rows::Rows;
use super::table::Value;
use crate::disk::Folder;
use crate::network::{RANKS, SERIES};
use crate::run::{CellAxes, Kept, PlannedRun};
use crate::sweep::AxisValue;
use forebay_core::Seed;
use std::path::Path;

fn run(policy: &str, load: Option<&str>) -> PlannedRun {
    let load = load.map(|text| ("load".to_owned(), AxisValue { text: text.to_owned(), number: None }));
    PlannedRun::new(policy, &CellAxes::new(&load.into_iter().collect::<Vec<_>>()).unwrap(), policy, 0, Seed(1))
}

/// Keeps a run with a row for each of these links.
fn keep(kept: &Kept, run: &PlannedRun, links: &[&str]) {
    let rows = links
        .iter()
        .map(|link| [Value::Text(link), Value::Whole(u64::MAX), Value::Whole(2), Value::Missing, Value::Whole(0)]);
    let part = Rows::new(Some(kept), &run.key).write(&RANKS, rows).unwrap();
    kept.keep(&run.key, &(), part.into_iter().collect()).unwrap();
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn parts_are_joined_in_order_and_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let kept = Kept::open(&Folder::from(folder.path())).unwrap();
    let (first, second) = (run("a, \"b\"", Some("20 %")), run("c", None));
    // In another order than they are joined in.
    keep(&kept, &second, &["x"]);
    keep(&kept, &first, &["s>h1", "a,\nb"]);
    join(&kept, &[&first, &second]).unwrap();
    let expected = "load,policy,repetition,link,lowest_rank,bin_width,packets_out,inversions\n\
                    0.2,\"a, \"\"b\"\"\",0,s>h1,18446744073709551615,2,,0\n\
                    0.2,\"a, \"\"b\"\"\",0,\"a,\nb\",18446744073709551615,2,,0\n\
                    ,c,0,x,18446744073709551615,2,,0\n";
    assert_eq!(read(folder.path(), "ranks.csv"), expected);
}

#[test]
fn tables_without_rows_stay_and_those_without_runs_go() {
    let folder = tempfile::tempdir().unwrap();
    let kept = Kept::open(&Folder::from(folder.path())).unwrap();
    let only = run("a", Some("1 ms"));
    keep(&kept, &only, &[]);
    let none = Rows::new(Some(&kept), &only.key).write(&SERIES, std::iter::empty::<[Value<'_>; 5]>());
    drop(none.unwrap());
    join(&kept, &[&only]).unwrap();
    let header = "load,policy,repetition,link,lowest_rank,bin_width,packets_out,inversions\n";
    assert_eq!(read(folder.path(), "ranks.csv"), header);
    // What was begun and not kept is nowhere.
    assert!(!folder.path().join("series.csv").exists());
    assert_eq!(files_in(&Folder::from(folder.path())).unwrap()[0], "ranks.csv");
    join(&kept, &[]).unwrap();
    assert!(files_in(&Folder::from(folder.path())).unwrap().is_empty() && !folder.path().join("ranks.csv").exists());
    // A file of somebody else stays.
    std::fs::write(folder.path().join("ranks.csv"), "rank\n1\n").unwrap();
    join(&kept, &[]).unwrap();
    assert!(join(&kept, &[&only]).unwrap_err().to_string().contains("would overwrite this file"));
    assert_eq!(read(folder.path(), "ranks.csv"), "rank\n1\n");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_same_values_in_row_groups_of_bounded_size() {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};

    let folder = tempfile::tempdir().unwrap();
    let kept = Kept::open(&Folder::from(folder.path())).unwrap();
    let (first, second) = (run("a", Some("1 ms")), run("b", Some("2 ms")));
    let links: Vec<String> = (0..50_000).map(|link| format!("link {}", link % 7)).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    keep(&kept, &first, &links);
    keep(&kept, &second, &links);
    join(&kept, &[&first, &second]).unwrap();
    let file = std::fs::File::open(folder.path().join("ranks.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let groups: Vec<i64> = reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [65_536, 100_000 - 65_536]);
    let text = read(folder.path(), "ranks.csv");
    let mut lines = text.lines().skip(1);
    for row in reader.get_row_iter(None).unwrap() {
        let fields = row.unwrap().into_columns().into_iter().map(|(_, field)| match field.to_string() {
            null if null == "null" => String::new(),
            text => text.trim_matches('"').to_owned(),
        });
        assert_eq!(fields.collect::<Vec<_>>().join(","), lines.next().unwrap());
    }
    assert_eq!(lines.next(), None);
}

//! `forebay plot`: pictures of results.

use crate::support::{Folder, UNIFORM};

/// A folder with the results of a sweep in `out`.
fn with_result() -> Folder {
    let folder = Folder::new();
    let policies =
        "[[policy]]\nrank = \"packet-rank\"\nqueue = \"fifo\"\n[[policy]]\nrank = \"packet-rank\"\nqueue = \"pifo\"\n";
    folder.write("s.toml", format!("repetitions = 2\n{UNIFORM}{policies}"));
    folder.run(&["run", "s.toml", "--set", "traffic.load=[0.6, 0.9]", "--out", "out"]).ok();
    folder
}

#[test]
fn a_result_is_plotted_in_every_format() {
    let folder = with_result();
    let plot = ["plot", "out", "--x", "load", "--y", "delay:mean", "--log", "y"];
    let outs = ["--out", "a.svg", "--out", "a.pdf", "--out", "a.png", "--out", "spec.json", "--out", "a.csv"];
    assert_eq!(folder.run(&[&plot[..], &outs].concat()).ok(), "");
    for (name, start) in [("a.svg", &b"<svg"[..]), ("a.pdf", b"%PDF-"), ("a.png", b"\x89PNG"), ("spec.json", b"{\n")] {
        assert!(std::fs::read(folder.path(name)).unwrap().starts_with(start), "{name}");
    }
    // The same numbers stand in the file, beside the pictures, and on the screen.
    let printed = folder.run(&plot).ok();
    assert_eq!((folder.read("a.csv"), folder.read("a.data.csv")), (printed.clone(), printed.clone()));
    assert_eq!(folder.read("a.vl.json"), folder.read("spec.json"));
    let rows: Vec<&str> = printed.lines().collect();
    assert_eq!(rows[0], "panel,policy,x,y,ci95,samples,x_axis,x_unit,y_axis,y_unit");
    assert_eq!(rows.len(), 1 + 2 * 2, "{printed}");
    assert!(rows[1..].iter().all(|row| row.ends_with(",2,load,,mean delay,s")), "{printed}");
    // Parquet has the same table.
    folder.run(&[&["plot", "out/result.parquet"], &plot[2..], &["--out", "b.svg", "--alone"]].concat()).ok();
    assert_eq!(folder.read("b.svg"), folder.read("a.svg"));
    assert!(!folder.path("b.data.csv").exists());
}

#[test]
fn a_png_of_a_column_has_the_dots_of_its_width() {
    let folder = with_result();
    folder.run(&["plot", "out", "--x", "load", "--y", "drop_share", "--columns", "1", "--out", "a.png"]).ok();
    let bytes = std::fs::read(folder.path("a.png")).unwrap();
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    // 88 mm at 300 dots per inch; the chunk pHYs says the dots in a metre.
    assert_eq!(number(16), 1040);
    let at = bytes.windows(4).position(|word| word == b"pHYs").unwrap();
    assert_eq!(number(at + 4), 11811);
}

#[test]
fn mistakes_are_named() {
    let folder = with_result();
    let refused = |arguments: &[&str]| folder.run(&[&["plot"], arguments].concat()).refused();
    assert!(
        refused(&["out", "--x", "load", "--y", "delay:p9"])
            .starts_with("--y: this result has no metric `delay:p9`; did you mean `delay:p90`? Metrics are ")
    );
    assert!(
        refused(&["out", "--x", "lod", "--y", "delay:p90"])
            .starts_with("--x: this result has no field `lod`; did you mean `load`? Fields are load, policy")
    );
    assert!(
        refused(&["out", "--y", "delay:p90"])
            .starts_with("--where: `load` has 2 values here, and the figure would mix them;")
    );
    let svg = ["out", "--x", "load", "--y", "delay:p90"];
    assert_eq!(refused(&[&svg[..], &["--out", "a.gif"]].concat()), "--out: unknown format `gif`; did you mean `pdf`?");
    assert_eq!(refused(&[&svg[..], &["--font-size", "4pt"]].concat()), "--font-size: 4 pt is not from 6 to 30 pt");
    for (argument, says) in [
        ("--width", "--width: -3 mm is not from 40 to 1000 mm"),
        ("--height", "--height: -3 mm is not from 20 to 2000 mm"),
        ("--font-size", "--font-size: -3 pt is not from 6 to 30 pt"),
        ("--dpi", "--dpi: -3 dots per inch is not from 50 to 1200 dots per inch"),
    ] {
        assert_eq!(refused(&[&svg[..], &[argument, "-3", "--out", "a.png"]].concat()), says);
    }
    assert_eq!(
        refused(&[&svg[..], &["--kind", "line"]].concat()),
        "--kind: unknown kind of plot `line`; did you mean `lines`?"
    );
    let missing = refused(&["nothing.csv", "--y", "a"]);
    assert_eq!(missing, "nothing.csv: cannot be read: there is no such file or folder");
    assert!(refused(&[".", "--y", "a"]).starts_with(".: there is no result.csv or result.parquet in this folder;"));
}

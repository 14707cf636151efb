//! Tests of pictures of results, from requests to points.

use super::{Request, Table};

/// Two policies at two loads and two buffers, with two repetitions.
fn table() -> Table {
    let mut csv = "load,buffer,policy,subject,item,metric,unit,repetition,value\n".to_owned();
    for load in ["0.5", "0.9"] {
        for buffer in ["10000", "1000000"] {
            for (policy, worse) in [("FIFO", 2.0), ("SRPT", 1.0)] {
                for repetition in 0..2 {
                    let value = load.parse::<f64>().unwrap() * worse + f64::from(repetition);
                    let row = |subject: &str, metric: &str, unit: &str| {
                        format!("{load},{buffer},{policy},{subject},{metric},{unit},{repetition},{value}\n")
                    };
                    csv += &row("all,", "fct:p99", "s");
                    csv += &row("size_class,short", "fct:p99", "s");
                    csv += &row("size_class,long", "fct:p99", "s");
                    csv += &row("rank,7", "inversions", "packets");
                }
            }
        }
    }
    Table::from_csv("result.csv", csv.as_bytes()).unwrap()
}

fn request(x: &str, y: &str) -> Request {
    Request { x: Some(x.to_owned()), y: vec![y.to_owned()], ..Request::default() }
}

#[test]
fn series_are_policies_and_points_are_means_of_repetitions() {
    let request = Request { with: vec![("buffer".to_owned(), "1e4".to_owned())], ..request("load", "fct:p99") };
    let (figure, kind) = request.figure(&table()).unwrap();
    let panel = &figure.panels[0];
    assert_eq!((kind, panel.x.title.as_str(), panel.y.title.as_str()), ("lines", "load", "flow completion time, p99"));
    let points: Vec<_> = panel.series.iter().map(|series| (series.name.as_str(), series.points[1].y)).collect();
    assert_eq!(points, [("FIFO", 2.3), ("SRPT", 1.4)]);
    assert!(panel.series[0].points.iter().all(|point| point.samples == 2 && point.ci95.is_some()));
}

#[test]
fn a_subject_is_a_field_and_a_field_may_be_panels() {
    let request = Request {
        panel_by: vec!["size_class".to_owned()],
        by: vec!["policy".to_owned(), "buffer".to_owned()],
        ..request("load", "fct:p99")
    };
    let (figure, _) = request.figure(&table()).unwrap();
    let titles: Vec<&str> = figure.panels.iter().map(|panel| panel.title.as_str()).collect();
    assert_eq!(titles, ["short", "long"]);
    assert_eq!(figure.panels[0].series[1].name, "SRPT, buffer 10k");
    let one = Request { panel: Some("long".to_owned()), ..request }.figure(&table()).unwrap().0;
    assert_eq!((one.panels.len(), one.panels[0].title.as_str()), (1, "long"));
}

#[test]
fn numbers_stay_numbers_under_bars_and_an_axis_may_be_called_like_a_subject() {
    let request = Request { kind: Some("bars".to_owned()), ..request("buffer", "fct:p99") };
    let request = Request { with: vec![("load".to_owned(), "0.5".to_owned())], ..request };
    let (figure, kind) = request.figure(&table()).unwrap();
    let csv = figure.draw(kind, &crate::figure::Page::one_column(), "csv").unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert!(csv.contains("\n,FIFO,10000,") && csv.contains(",buffer,,"), "{csv}");
    let text = "rank,policy,subject,item,metric,unit,repetition,value\n\
                uniform,FIFO,rank,3,inversions,packets,0,7\n\
                convex,FIFO,rank,3,inversions,packets,0,9\n";
    let table = Table::from_csv("result.csv", text.as_bytes()).unwrap();
    let request = Request {
        x: Some("rank".to_owned()),
        y: vec!["inversions".to_owned()],
        panel_by: vec!["axis:rank".to_owned()],
        ..Request::default()
    };
    let titles: Vec<String> = request.figure(&table).unwrap().0.panels.into_iter().map(|panel| panel.title).collect();
    assert_eq!(titles, ["uniform", "convex"]);
}

#[test]
fn what_is_wrong_is_said_with_what_there_is() {
    let refused = |request: Request| request.figure(&table()).unwrap_err().to_string();
    let mixed = refused(request("load", "fct:p99"));
    let expected = "--where: `buffer` has 2 values here, and the figure would mix them; choose one with --where buffer=10000, or name it \
                    with \
                    --by or --panel-by";
    assert_eq!(mixed, expected);
    let unknown = refused(request("load", "fct:p9"));
    let expected = "--y: this result has no metric `fct:p9`; did you mean `fct:p99`? Metrics are fct:p99, inversions.";
    assert_eq!(unknown, expected);
    let expected = "--x: this result has no field `lod`; did you mean `load`? Fields are load, buffer, policy, repetition, size_class, \
                    rank.";
    assert_eq!(refused(request("lod", "fct:p99")), expected);
    let expected = "--y: `inversions` is a number of rank, not of all; name rank with --x, --by, --panel-by or --where";
    assert_eq!(refused(request("load", "inversions")), expected);
    let with =
        |value: &str| Request { with: vec![("policy".to_owned(), value.to_owned())], ..request("load", "fct:p99") };
    assert_eq!(refused(with("FIO")), "--where: `policy` is never `FIO`; did you mean `FIFO`?");
    let panel =
        Request { panel_by: vec!["buffer".to_owned()], panel: Some("x".to_owned()), ..request("load", "fct:p99") };
    assert_eq!(refused(panel), "--panel: there is no panel `x`; known are buffer 10k, buffer 1M");
    assert!(refused(Request::default()).starts_with("--y: name what is plotted; this result has fct:p99"));
}

#[test]
fn a_table_of_columns_is_plotted_as_it_is() {
    let csv = "policy,flow,bytes,fct_ns\nFIFO,0,100,5\nFIFO,1,300,7\nSRPT,0,100,2\n";
    let table = Table::from_csv("flows.csv", csv.as_bytes()).unwrap();
    let request = Request { kind: Some("distribution".to_owned()), y: vec!["fct_ns".to_owned()], ..Request::default() };
    let (figure, _) = request.figure(&table).unwrap();
    let panel = &figure.panels[0];
    assert_eq!((panel.x.title.as_str(), panel.series.len()), ("flow completion time", 2));
    let (last, share) = (panel.series[0].points[1].x, panel.series[0].points[0].y);
    assert!((last - 7e-9).abs() < 1e-20 && share == 0.5, "{last} {share}");
}

#[test]
fn broken_tables_name_their_line() {
    let wrong = |text: &[u8]| Table::from_csv("r.csv", text).unwrap_err().to_string();
    assert_eq!(wrong(b"a,b\n1,2\n3\n"), "r.csv:3: 1 fields, but the header has 2");
    assert_eq!(wrong(b"a,b\n"), "r.csv: this table has no rows");
    assert_eq!(wrong(b"a,b\n\xff,2\n"), "r.csv:2: this is not UTF-8");
}

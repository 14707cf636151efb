//! Tests of frames and summaries with known numbers.

use super::*;

/// Two policies at two loads, three repetitions.
fn frame() -> Frame {
    let mut frame = Frame::new(vec!["load".to_owned(), "rate".to_owned()]);
    for (load, more) in [("0.5", 0.0), ("0.8", 10.0)] {
        for (policy, own) in [("FIFO", 0.0), ("SRPT", -1.0)] {
            let cell = frame.cell(policy, vec![Some(load.to_owned()), Some("2 Gbps".to_owned())]);
            // What chance does to both policies is large, and what tells them apart is small.
            let values = [1.0, 5.0, 9.0].map(|chance| Some(chance + more + own));
            cell.add(&Subject::all(), "fct_ns_p99", &[0, 1, 2], &values);
            cell.add(&Subject::of("size_class", "< 100 KB"), "flows", &[0, 1, 2], &[Some(7.0), None, Some(9.0)]);
        }
    }
    frame
}

#[test]
fn rows_are_in_si_units_and_complete() {
    let frame = frame();
    let csv = frame.csv();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("load,rate,policy,subject,item,metric,unit,repetition,value"));
    assert_eq!(lines.next(), Some("0.5,2000000000,FIFO,all,,fct:p99,s,0,0.000000001"));
    assert_eq!(lines.nth(2), Some("0.5,2000000000,FIFO,size_class,< 100 KB,flows,flows,0,7"));
    assert_eq!(csv.lines().count(), 1 + 4 * 5);
}

#[test]
fn differences_are_paired_and_have_their_own_interval() {
    let frame = frame();
    let summary = frame.summary(Some("FIFO")).unwrap();
    let row = |policy: &str, load: &str| {
        let found = summary
            .rows()
            .iter()
            .find(|row| (row.policy, row.axes[0].as_deref(), row.metric) == (policy, Some(load), "fct:p99"));
        found.unwrap().clone()
    };
    let srpt = row("SRPT", "0.8");
    assert_eq!((srpt.repetitions, srpt.mean), (3, 14e-9));
    assert!(srpt.ci95.unwrap() > 9e-9, "chance moves the mean");
    let difference = srpt.difference.unwrap();
    assert!((difference.mean + 1e-9).abs() < 1e-20 && difference.ci95.unwrap() < 1e-20, "{difference:?}");
    assert!((difference.ratio.unwrap() - 14.0 / 15.0).abs() < 1e-12);
    assert_eq!(row("FIFO", "0.8").difference, None);
    let header = "load,rate,policy,subject,item,metric,unit,repetitions,mean,ci95";
    assert_eq!(summary.csv().lines().next(), Some(&*format!("{header},baseline,difference,difference_ci95,ratio")));
    assert_eq!(frame.summary(None).unwrap().csv().lines().next(), Some(header));
    assert!(frame.summary(Some("FIFA")).unwrap_err().to_string().contains("did you mean `FIFO`"));
    let unlike = frame.summary(Some("none of them")).unwrap_err().to_string();
    assert!(unlike.ends_with("there is no policy `none of them`; known are FIFO, SRPT"), "{unlike}");
}

#[test]
fn values_of_axes_are_numbers_where_they_can_be() {
    for (text, expected) in [
        ("10 Gbps", "10000000000"),
        ("5 us", "0.000005"),
        ("2 KB", "2000"),
        ("20 %", "0.2"),
        ("80 packets", "80"),
        ("0.6", "0.6"),
        ("web-search", "web-search"),
    ] {
        assert_eq!(in_si(text), expected);
    }
}

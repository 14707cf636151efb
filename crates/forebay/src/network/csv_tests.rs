//! Tables for programs.

use super::report;
use crate::network::ranks_csv::ranks_csv;
use crate::network::run_result::SeriesResult;
use crate::network::sample;
use crate::network::series_csv::series_csv;

#[test]
fn a_line_for_each_number() {
    let text = report(&sample::sweep());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "policy,load,workload,sizes,quantity,repetitions,mean,ci95");
    assert_eq!(lines[1], "TCP,0.2,run,run,flows,2,119,0");
    assert!(lines.contains(&"DCTCP,0.8,all,< 100 KB,unfinished,2,0,0"));
    assert!(lines.iter().all(|line| line.split(',').count() == 8));
    let quantities = crate::network::quantity::OF_RUNS.len() + 3 * crate::network::quantity::OF_GROUPS.len();
    assert_eq!(lines.len(), 1 + 6 * quantities);
}

#[test]
fn a_line_for_each_rank() {
    let expected = "link,lowest_rank,bin_width,packets_out,inversions\ns>h3,0,2,50,0\ns>h3,2,2,40,15\n";
    assert_eq!(ranks_csv(&[sample::inversions(1)]), expected);
}

#[test]
fn a_line_for_each_time() {
    let series = sample::series();
    let mut cut = SeriesResult { times_ns: series.times_ns[99..101].to_vec(), ..series };
    cut.queues[0].bytes.drain(..99);
    cut.windows[0].bytes.drain(..99);
    cut.received[0].bytes.drain(..99);
    let expected = "time_ns,queue_bytes s>h3,window_bytes flow 0,received_bytes flow 0\n\
                    1000000,11900,,50000\n1010000,19819,16212,51005\n";
    assert_eq!(series_csv(&cut), expected);
}

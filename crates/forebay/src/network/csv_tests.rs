//! Tables for programs.

use super::ranks_csv::ranks_csv;
use super::run_result::SeriesResult;
use super::sample;
use super::series_csv::series_csv;

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

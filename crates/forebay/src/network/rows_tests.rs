//! Tests of the rows of detail tables.

use super::rank_rows::{RANKS, rank_rows};
use super::run_result::SeriesResult;
use super::sample;
use super::series_rows::{SERIES, series_rows};
use crate::detail;

#[test]
fn a_row_for_each_rank() {
    let expected = "link,lowest_rank,bin_width,packets_out,inversions\ns>h3,0,2,50,0\ns>h3,2,2,40,15\n";
    assert_eq!(detail::text(&RANKS, rank_rows(&[sample::inversions(1)])), expected);
}

#[test]
fn a_row_for_each_number() {
    let series = sample::series();
    let mut cut = SeriesResult { times_ns: series.times_ns[99..101].to_vec(), ..series };
    cut.queues[0].bytes.drain(..99);
    cut.windows[0].bytes.drain(..99);
    cut.received[0].bytes.drain(..99);
    let expected = "metric,link,flow,time,value\n\
                    queue,s>h3,,0.001,11900\nqueue,s>h3,,0.00101,19819\n\
                    window,,0,0.00101,16212\n\
                    received,,0,0.001,50000\nreceived,,0,0.00101,51005\n";
    assert_eq!(detail::text(&SERIES, series_rows(&cut)), expected);
}

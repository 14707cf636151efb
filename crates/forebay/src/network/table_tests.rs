//! Tests of printed tables.

use crate::network::sample;
use crate::network::table;

#[test]
fn a_line_for_each_scheme_and_what_to_beware_of() {
    let cells = vec![
        sample::cell("TCP", "0.5", 0, sample::run(20.0, 0)),
        sample::cell("DCTCP", "0.5", 0, sample::run(12.0, 40)),
    ];
    let text = table::report(&sample::report(1, 2, cells));
    let expected = r"
web search: leaf-spine, each once, flows complete when received, seed 1

policy  load     load  flows          un-  < 100 KB  < 100 KB  >= 100 KB       all  slowdown
              offered            finished  mean, us   p99, us   mean, ms  mean, ms       p99
TCP      0.5    0.598    119            0     560.7      1999      5.607     2.804     99.94
DCTCP    0.5    0.598    159  40 (25.2 %)     336.4      1199      3.364     1.682     99.94

policy  load        drops  marks   sent  time-  busiest
                                  again   outs     link
TCP      0.5  12 (0.12 %)    400     12      3     71 %
DCTCP    0.5  12 (0.12 %)    400     12      3     71 %

40000 packets sent over links, 100000 events
";
    assert_eq!(text, expected.trim_start());
}

#[test]
fn repetitions_give_intervals() {
    let text = table::report(&sample::sweep());
    let expected = r"
web search: leaf-spine, each 2 times, flows complete when received, seed 1

policy  load     load  flows       un-     < 100 KB      < 100 KB     >= 100 KB           all    slowdown
              offered         finished     mean, us       p99, us      mean, ms      mean, ms         p99
TCP      0.2    0.598    119         0    566 +- 71   2019 +- 254  5.66 +- 0.71  2.83 +- 0.36  99.94 +- 0
DCTCP    0.2    0.598    119         0    340 +- 43   1211 +- 152  3.40 +- 0.43  1.70 +- 0.21  99.94 +- 0
TCP      0.5    0.598    119         0   906 +- 114   3230 +- 406    9.1 +- 1.1  4.53 +- 0.57  99.94 +- 0
DCTCP    0.5    0.598    119         0    544 +- 68   1938 +- 244  5.44 +- 0.68  2.72 +- 0.34  99.94 +- 0
TCP      0.8    0.598    119         0  2265 +- 285  8075 +- 1016   22.7 +- 2.8   11.3 +- 1.4  99.94 +- 0
DCTCP    0.8    0.598    119         0  1359 +- 171   4845 +- 610   13.6 +- 1.7  6.80 +- 0.85  99.94 +- 0

policy  load        drops  marks   sent  time-  busiest
                                  again   outs     link
TCP      0.2  12 (0.12 %)    400     12      3     71 %
DCTCP    0.2  12 (0.12 %)    400     12      3     71 %
TCP      0.5  12 (0.12 %)    400     12      3     71 %
DCTCP    0.5  12 (0.12 %)    400     12      3     71 %
TCP      0.8  12 (0.12 %)    400     12      3     71 %
DCTCP    0.8  12 (0.12 %)    400     12      3     71 %

means over repetitions; +- is the 95 % confidence interval of the mean
240000 packets sent over links, 600000 events
";
    assert_eq!(text, expected.trim_start());
}

#[test]
fn no_run_is_no_table() {
    let text = table::report(&sample::report(2, 12, Vec::new()));
    assert_eq!(
        text,
        "web search: leaf-spine, each 2 times, flows complete when received, seed 1\n\n\
         no run is complete\n0 of 12 runs are complete\n"
    );
}

#[test]
fn what_is_special_is_said() {
    let mut few = sample::run(20.0, 0);
    few.counters.extend([("ranks_clamped".to_owned(), 7), ("packets_marked".to_owned(), 400)]);
    few.groups[0].endless = 2;
    few.endless = 2;
    few.switches.packets_dropped_shared = 5;
    few.cards.packets_no_route = 4;
    few.groups[2].completed = 3;
    let text = table::report(&sample::report(3, 3, vec![sample::cell("TCP", "0.5", 0, few)]));
    let expected = r"
web search: leaf-spine, each 3 times, flows complete when received, seed 1

policy           load     load  flows       un-  endless  to hosts  < 100 KB  < 100 KB  >= 100 KB       all  slowdown
                       offered         finished               Gbps  mean, us   p99, us   mean, ms  mean, ms       p99
TCP (cut short)   0.5    0.598    119         0        2     2.200     560.7      1999      5.607     2.804     99.94

policy           load        drops  marks   sent  time-  busiest
                                           again   outs     link
TCP (cut short)   0.5  21 (0.21 %)    400     12      3     71 %

means over repetitions; +- is the 95 % confidence interval of the mean
1 of 3 runs are complete
fewer than 100 flows were completed in a run (>= 100 KB), so their p99 is the largest value
TCP, load 0.5: drops other than by queues of switches: shared memory 5, no route 4
TCP, load 0.5: counters of all ports, hosts' too, over the whole run: ranks clamped 7
20000 packets sent over links, 50000 events
";
    assert_eq!(text, expected.trim_start());
}

#[test]
fn several_workloads_have_a_line_each() {
    let mut run = sample::run(20.0, 0);
    let of_workload = |name: &str| {
        let mut group = run.groups[0].clone();
        group.workload = Some(name.to_owned());
        group
    };
    let (web, mut endless) = (of_workload("web"), of_workload("background"));
    (endless.flows, endless.completed, endless.endless) = (2, 0, 2);
    (endless.fct_ns, endless.slowdown) = Default::default();
    run.groups.extend([web, endless]);
    let text = table::report(&sample::report(1, 1, vec![sample::cell("TCP", "0.5", 0, run)]));
    let expected = r"
policy  load    workload  flows       un-       all      all  slowdown  slowdown
                                 finished  mean, ms  p99, ms      mean       p99
TCP      0.5         web    119         0     2.804    9.994     5.500     99.94
TCP      0.5  background      2         -         -        -         -         -
";
    assert!(text.contains(expected), "{text}");
}

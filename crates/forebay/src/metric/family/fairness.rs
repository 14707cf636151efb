//! Fairness between flows or classes.

use crate::metric::{Better, Family, Of, Unit, metric};
use crate::statistics::jain_index;

pub(crate) const ENTRY: Family = Family {
    definition: "Jain's index (sum of x)² / (n sum of x²): 1 if all n have the same, 1/n if one has everything. In a \
                 network, x is the goodput of each flow of the group. Goodput is the bytes that the receiver has, divided by \
                 the time until the flow was complete or the run ended. At a port, which counts no flows, x is the throughput \
                 of each class that had packets. Weights do not count. There is no index of fewer than two",
    better: Better::Higher,
    cost: "none per packet: at the end of a run a few instructions for each flow or class",
    source: Some("Jain, Chiu and Hawe: A quantitative measure of fairness and discrimination, DEC-TR-301, 1984"),
    metrics: &[metric(
        "fairness",
        Unit::Ratio,
        "Jain's index over the throughput of classes at a port, or over the goodput of flows in a network",
        &[
            Of::PortRun(|run| jain_index(run.classes.iter().map(|class| class.counts.throughput_bps))),
            Of::Flows(|group| group.fairness),
        ],
    )],
};

#[cfg(test)]
mod tests {
    use crate::demo::Embedded;
    use crate::{Changes, Question, Session};

    /// The fairness of each policy, of all there is.
    fn fairness(scenario: &str) -> Vec<f64> {
        let question = Question::parse("fairness", scenario, &Embedded, &Changes::default()).unwrap();
        let frame = question.run(&Session::default()).unwrap().frame();
        frame.rows().filter(|row| row.metric == "fairness" && row.subject.kind == "all").map(|row| row.value).collect()
    }

    /// Two flows without end, on paths of their own.
    const NETWORK: &str = r#"
        network = { topology = { name = "star", hosts = 4 }, duration = "1 ms", until = "1 ms" }
        policy = [{ transport = "newreno", port = { rank = "arrival", queue = "fifo", buffer = "100 packets" } }]
        [[workload]]
        name = "first"
        sizes = "endless"
        pattern = { name = "fixed", src = "h0", dst = "h1" }
        arrivals = "constant"
        every = "1 s"
        flows = 1
        [[workload]]
        name = "second"
        sizes = "endless"
        pattern = { name = "fixed", src = "h2", dst = "h3" }
        arrivals = "constant"
        every = "1 s"
        flows = 1
    "#;

    #[test]
    fn flows_that_do_not_meet_have_the_same_and_one_without_a_link_has_nothing() {
        assert_eq!(fairness(NETWORK), [1.0]);
        let failure = "[[failure]]\nlink = \"switch>h3\"\nat = \"0 s\"\ndown = true\n";
        assert_eq!(fairness(&format!("{NETWORK}{failure}")), [0.5]);
    }

    #[test]
    fn strict_priority_is_unfair_to_classes_and_a_fifo_is_not() {
        let of_policies = fairness(
            r#"
            port = { rate = "10 Gbps", buffer = "80 packets" }
            traffic = { arrivals = "constant", load = 20, packets = 20_000, flows = 100, classes = { 46 = 0.5, 0 = 0.5 } }
            policy = [
                { name = "strict", rank = { name = "strict", order = [46, 0] }, queue = "pifo", drop = "worst-first" },
                { name = "FIFO", rank = "arrival", queue = "fifo" },
            ]
            "#,
        );
        assert!(of_policies[0] < 0.52 && of_policies[1] > 0.95, "{of_policies:?}");
    }
}

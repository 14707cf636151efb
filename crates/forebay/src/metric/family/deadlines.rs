//! Flows that miss their deadline.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Share of the flows of workloads with a `deadline` that completed after it, or that were incomplete \
                 after it when the run ended. A flow whose deadline lies after the end of the run is left out if it is \
                 incomplete",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[metric(
        "deadlines_missed",
        Unit::Share,
        "Share of the flows with a deadline that missed it",
        &[Of::Flows(|group| group.deadlines_missed)],
    )],
};

#[cfg(test)]
mod tests {
    use crate::demo::Embedded;
    use crate::{Changes, Question, Session};

    /// Two hosts send a megabyte each to a third, whose link takes 8 ms for each.
    const NETWORK: &str = r#"
        network = { topology = { name = "star", hosts = 3, rate = "1 Gbps" }, duration = "1 ms", until = "1 s" }
        policy = [{ transport = "udp", port = { rank = "edf", queue = "pifo", buffer = "10000 packets" } }]
        [[workload]]
        name = "urgent"
        sizes = { name = "fixed", bytes = 1_000_000 }
        pattern = { name = "fixed", src = "h0", dst = "h2" }
        arrivals = "constant"
        every = "1 s"
        deadline = "9 ms"
        [[workload]]
        name = "patient"
        sizes = { name = "fixed", bytes = 1_000_000 }
        pattern = { name = "fixed", src = "h1", dst = "h2" }
        arrivals = "constant"
        every = "1 s"
        deadline = "20 ms"
    "#;

    /// The share of flows that missed their deadline.
    fn missed(scenario: &str) -> Vec<f64> {
        let question = Question::parse("deadlines", scenario, &Embedded, &Changes::default()).unwrap();
        let frame = question.run(&Session::default()).unwrap().frame();
        let rows = frame.rows().filter(|row| row.metric == "deadlines_missed" && row.subject.kind == "all");
        rows.map(|row| row.value).collect()
    }

    #[test]
    fn the_first_deadline_is_kept_first_and_a_fifo_misses_it() {
        assert_eq!(missed(NETWORK), [0.0]);
        assert_eq!(missed(&NETWORK.replace("edf", "arrival")), [0.5]);
        assert!(missed(&NETWORK.replace("deadline", "slack")).is_empty());
    }
}

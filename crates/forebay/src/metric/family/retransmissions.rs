//! Segments that senders send again, and the causes.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Packets that senders of counted flows send and retransmit, and the causes of retransmissions",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "data_segments",
            Unit::Counted("segments"),
            "Segments with data that senders sent",
            &[Of::Network(|run| Some(run.senders.data_segments as f64))],
        )
        .better(Better::Neither),
        metric(
            "retransmissions",
            Unit::Counted("segments"),
            "Segments that senders sent again",
            &[Of::Network(|run| Some(run.senders.retransmissions as f64))],
        ),
        metric(
            "timeouts",
            Unit::Counted("timeouts"),
            "Retransmission timeouts of senders",
            &[Of::Network(|run| Some(run.senders.timeouts as f64))],
        ),
        metric(
            "handshake_timeouts",
            Unit::Counted("timeouts"),
            "Timeouts of senders that waited for the answer to a SYN; each delays its flow by `initial_rto` or more",
            &[Of::Network(|run| Some(run.senders.handshake_timeouts as f64))],
        ),
        metric(
            "fast_retransmits",
            Unit::Counted("events"),
            "Fast retransmits of senders",
            &[Of::Network(|run| Some(run.senders.fast_retransmits as f64))],
        ),
    ],
};

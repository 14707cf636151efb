//! Packets that are lost in a network, by cause.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Packets that are lost in a network, by cause: in the counted window, and in the whole run",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "switch_drops_discipline",
            Unit::Counted("packets"),
            "Packets dropped in switches by the queue or the drop rule",
            &[Of::Network(|run| Some(run.switches.packets_dropped as f64))],
        ),
        metric(
            "switch_drops_shared_buffer",
            Unit::Counted("packets"),
            "Packets dropped in switches for lack of shared memory",
            &[Of::Network(|run| Some(run.switches.packets_dropped_shared as f64))],
        ),
        metric(
            "switch_drops_link",
            Unit::Counted("packets"),
            "Packets of switches lost on links that had failed or lose packets",
            &[Of::Network(|run| Some(run.switches.packets_lost as f64))],
        ),
        metric(
            "switch_drops_no_route",
            Unit::Counted("packets"),
            "Packets dropped in switches without a route to the host",
            &[Of::Network(|run| Some(run.dropped_no_route() as f64))],
        ),
        metric(
            "switch_drops_state",
            Unit::Counted("packets"),
            "Packets dropped in switches and hosts without room to wait for a state",
            &[Of::Network(|run| Some(run.dropped_state() as f64))],
        ),
        metric(
            "card_drops",
            Unit::Counted("packets"),
            "Packets dropped at hosts",
            &[Of::Network(|run| Some(run.cards.drops() as f64))],
        ),
        metric(
            "all_drops_discipline",
            Unit::Counted("packets"),
            "Packets dropped by a queue or a drop rule in the whole run",
            &[Of::Network(|run| Some(run.drops.discipline as f64))],
        ),
        metric(
            "all_drops_shared_buffer",
            Unit::Counted("packets"),
            "Packets dropped for lack of shared memory in the whole run",
            &[Of::Network(|run| Some(run.drops.shared_buffer as f64))],
        ),
        metric(
            "all_drops_on_link",
            Unit::Counted("packets"),
            "Packets lost on links in the whole run",
            &[Of::Network(|run| Some(run.drops.on_link as f64))],
        ),
        metric(
            "all_drops_link_down",
            Unit::Counted("packets"),
            "Packets lost as links were down in the whole run",
            &[Of::Network(|run| Some(run.drops.link_down as f64))],
        ),
        metric(
            "all_drops_no_route",
            Unit::Counted("packets"),
            "Packets without a route in the whole run",
            &[Of::Network(|run| Some(run.drops.no_route as f64))],
        ),
        metric(
            "all_drops_state",
            Unit::Counted("packets"),
            "Packets without room to wait for a state in the whole run",
            &[Of::Network(|run| Some(run.drops.state as f64))],
        ),
    ],
};

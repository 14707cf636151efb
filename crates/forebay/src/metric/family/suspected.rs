//! Suspected packets, if servers are set aside for them.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Share of packets that go to the reserved servers, each time that they are enqueued",
    better: Better::Neither,
    cost: FREE,
    source: Some("cores for suspected packets: thesis, section 3.8; Afek et al., ANCS'12 (MCA2)"),
    metrics: &[
        metric(
            "innocent_suspected",
            Unit::Share,
            "Share of innocent packets that were suspected under the most harmful attack",
            &[Of::Attack(|attacked| attacked.suspected.innocent)],
        ),
        metric(
            "innocent_suspected_baseline",
            Unit::Share,
            "Share of innocent packets that were suspected without an attack",
            &[Of::Attack(|attacked| attacked.suspected.baseline)],
        ),
        metric(
            "attack_suspected",
            Unit::Share,
            "Share of the attack's packets that were suspected",
            &[Of::Attack(|attacked| attacked.suspected.attack)],
        ),
    ],
};

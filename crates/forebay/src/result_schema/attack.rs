//! The results of policies under attack, and of searches for attacks.

use super::shape::Shape::{self, Count, CountOrNull, Fields, Flag, List, Null, Number, NumberOrNull, Quantities, Text};
use super::shape::{Field, field};
use super::{ASKED, AXES, REPETITIONS, SEEDS};
use crate::metric::ResultKind;

pub(super) const REPORT: &[Field] = &[
    field("attack", Fields(&[SETTINGS, ASKED], false), "What was asked"),
    field("worst", List(&Fields(&[WORST], false)), "The most harmful attack on each policy, over all attack rates"),
    field("results", List(&Fields(&[ROW], false)), "One for each policy and each combination of values of the axes"),
];

pub(super) const SEARCH: &[Field] = &[
    field("attack", Fields(&[SETTINGS], false), "What was asked"),
    field("searched", Fields(&[SEARCHED], false), "The attacks that the search covers"),
    field("results", List(&Fields(&[FOUND_ROW], false)), "The most harmful attack that was found on each policy"),
];

/// The methods by which attacks are found.
const STRATEGIES: Shape = Shape::Words(&[
    "largest-job",
    "against-sjf",
    "against-wsjf",
    "unsuspected",
    "given",
    "longest-flows",
    "flows-against-sjf",
    "flows-against-wsjf",
    "dearest-payload",
    "worst-case",
    "inputs-against-sjf",
    "inputs-against-wsjf",
]);

const FLAG_OR_NULL: Shape = Shape::Either(&[Flag, Null]);

const SETTINGS: &[Field] = &[
    field("capacity_gbps", Number, "Innocent traffic that the processor can serve without an attack"),
    field("servers", Count, "Servers that take work from the queue"),
    field("buffer", Shape::TextOrNull, "Room for waiting packets; null where policies have their own"),
    field("application", Shape::TextOrNull, "The application that makes innocent jobs, if they are not random"),
    field("gaps", Text, "Gaps between innocent packets"),
    field("flows", Count, "Innocent flows"),
    field("mean_packet_bytes", Number, "Of innocent packets"),
    field("mean_job_ns", Number, "Of innocent packets"),
    field("min_packet_bytes", Count, "Least packet of the attacker"),
    field("max_job_ns", Number, "Largest job of the attacker"),
    field("strategy", Shape::Words(&["optimal", "given", "application", "searched"]), "How attacks are chosen"),
    field("timing", Shape::Words(&["steady", "on-off", "searched"]), "When attacks are sent"),
    field("estimate", Text, "What policies know of the work of a packet"),
    field("packets", Count, "Innocent packets that arrive in the counted time"),
    field("warmup", Count, "Innocent packets that arrive before"),
];

/// The values of axes but that of attack rates, and the policy.
const WORST: &[Field] = &[
    field("policy", Text, "The name of the policy"),
    AXES,
    field("innocent_gbps", Number, "Rate of the innocent traffic"),
    field("load", Number, "Innocent work over what the servers can do"),
    field("displacement", NumberOrNull, "Innocent bits that are lost for each bit of the attacker"),
    field("displacement_ci95", NumberOrNull, "Half the width of its 95 % confidence interval"),
    field("attack_gbps", NumberOrNull, "Rate of the attack"),
    field("strategy", Shape::Either(&[STRATEGIES, Null]), "How the attack was found"),
    field("bound", NumberOrNull, "The largest displacement that is possible, where the source proves one"),
    field("predicted", NumberOrNull, "The largest at any attack rate of the scenario"),
    field("holds", FLAG_OR_NULL, "Whether no row is above the bound by more than its interval"),
];

const ROW: &[Field] = &[
    field("policy", Text, "The name of the policy"),
    AXES,
    field("innocent_gbps", Number, "Rate of the innocent traffic"),
    field("attack_gbps", Number, "Rate of the attack"),
    field("goodput_gbps", NumberOrNull, "Innocent bits of packets whose work was done, per second"),
    field("goodput_gbps_ci95", NumberOrNull, "Half the width of its 95 % confidence interval"),
    field("baseline_gbps", NumberOrNull, "The same without an attack"),
    field("baseline_gbps_ci95", NumberOrNull, "Half the width of its 95 % confidence interval"),
    field("displacement", NumberOrNull, "Innocent bits that are lost for each bit of the attacker"),
    field("displacement_ci95", NumberOrNull, "Half the width of its 95 % confidence interval"),
    field("displacement_values", List(&NumberOrNull), "Of each repetition"),
    field("bound", NumberOrNull, "The largest displacement that is possible, where the source proves one"),
    field("predicted", NumberOrNull, "What the largest jobs should displace, where there is no bound"),
    field("strategy", STRATEGIES, "How the most harmful attack was found"),
    field("attack_packet_bytes", CountOrNull, "Of an attack with one kind of packets"),
    field("attack_job_ns", NumberOrNull, "Of an attack with one kind of packets"),
    field("attack_served", NumberOrNull, "Share of the attack's bits that were served"),
    REPETITIONS,
    SEEDS,
    field(
        "quantities",
        Quantities(&[ResultKind::Attack]),
        "All numbers, with their intervals and the values of each repetition",
    ),
    field("complete", Flag, "Whether no repetition is missing"),
];

const SEARCHED: &[Field] = &[
    field("attack_gbps", List(&Number), "Least and greatest rate"),
    field("packet_bytes", List(&Count), "Least and greatest packet"),
    field("job_ns", List(&Number), "Least and greatest job"),
    field("flows", Count, "Most flows of one kind of packets"),
    field("kinds", Count, "Most kinds of packets in an attack"),
    field("packets", Count, "Innocent packets that arrive while an attack is tried, at least"),
    field("repetitions", Count, "Number of sets of innocent traffic with which the attack found is measured"),
];

const FOUND_ROW: &[Field] = &[
    field("policy", Text, "The name of the policy"),
    AXES,
    field("innocent_gbps", Number, "Rate of the innocent traffic"),
    field("attack_gbps", NumberOrNull, "Rate of the attack"),
    field("goodput_gbps", NumberOrNull, "Innocent bits of packets whose work was done, per second"),
    field("baseline_gbps", NumberOrNull, "The same without an attack"),
    field("displacement", NumberOrNull, "Innocent bits that are lost for each bit of the attacker"),
    field("displacement_ci95", NumberOrNull, "Half the width of its 95 % confidence interval"),
    field("displacement_values", List(&NumberOrNull), "Of each repetition"),
    field("bound", NumberOrNull, "The largest displacement that is possible, where the source proves one"),
    field("holds", FLAG_OR_NULL, "Whether the displacement is not above the bound by more than its interval"),
    field("closed_form", CLOSED_OR_NULL, "The most harmful closed form at any rate, on the same packets"),
    field("closed_form_at_rate", CLOSED_OR_NULL, "The most harmful closed form at the rate of the attack"),
    field("words", Shape::TextOrNull, "The attack in words"),
    field("attack", Shape::Either(&[Fields(&[SENT], false), Null]), "What it sends"),
    field("packets", CountOrNull, "Innocent packets that arrived while it was measured"),
    field("warmup", CountOrNull, "Innocent packets that arrived before"),
    field("generations", Count, "Generations of the search"),
    field("tried", Count, "Attacks that were tried"),
    field("complete", Flag, "Whether the search was not interrupted"),
];

const CLOSED_OR_NULL: Shape = Shape::Either(&[Fields(&[CLOSED], false), Null]);

const CLOSED: &[Field] = &[
    field("strategy", STRATEGIES, "How it was found"),
    field("attack_gbps", Number, "Its rate"),
    field("job_ns", Number, "The job of its packets"),
    field("displacement", NumberOrNull, "Innocent bits that are lost for each bit of the attacker"),
    field("displacement_ci95", NumberOrNull, "Half the width of its 95 % confidence interval"),
];

const SENT: &[Field] = &[
    field("strategy", List(&Fields(&[PACKETS], false)), "The kinds of packets that are sent together"),
    field("on_off", Shape::Either(&[Fields(&[ON_OFF], false), Null]), "null if it is sent evenly"),
];

const PACKETS: &[Field] = &[
    field("size_bytes", Count, "Size of a packet"),
    field("job_ns", Number, "Its work"),
    field("flows", Count, "Number of flows; 0: each packet is a flow of its own"),
    field("share", Number, "Share of the attack's bits; all together make 1"),
];

const ON_OFF: &[Field] = &[
    field("period_ns", Number, "From one beginning to the next"),
    field("duty", Number, "Share of the period in which it is sent"),
];

//! Estimates how much of a pipeline like Tofino's a program needs, from the dependencies of its operations. No compiler
//! has seen a program.
//!
//! Tofino has 12 stages, 4 stateful ALUs in each, and numbers of 32 bits (Bosshart et al., RMT, SIGCOMM'13; Sharma et al.,
//! NSDI'17; SP-PIFO, NSDI'20, section 5 and appendix). A packet reads, changes and writes a register once in a pass, in one
//! stage. A stage does one operation on a number, and sees the results of earlier stages.

use super::Note;
use super::plan::{Choice, Plan};
use super::steps::{Operand, Step, Test};
use super::switch_rank::SwitchRank;
use crate::{Refusal, TargetOptions};

/// Stages of a pipeline like Tofino's.
const USUAL: u8 = 12;
/// Stateful ALUs in a stage.
const ALUS: usize = 4;
/// Bits of a number that an ALU compares.
const WIDTH: u8 = 32;

/// What a program needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Estimate {
    /// Stages of the ingress pipeline, one after the other.
    pub(super) stages: usize,
    /// Registers that are read and changed, each by a stateful ALU.
    pub(super) registers: usize,
    /// Stages of the egress pipeline.
    pub(super) egress: usize,
}

/// How many operations stand one after the other before each step is known.
fn depths(plan: &Plan) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::new();
    for step in plan.steps.all() {
        let of = |operand: Operand| depth(&depths, operand);
        depths.push(match *step {
            Step::Input(_) => 0,
            Step::And(one, _) | Step::Left(one, _) | Step::Right(one, _) => of(one) + 1,
            Step::Add(one, other)
            | Step::Sub(one, other)
            | Step::Least(one, other)
            | Step::Greatest(one, other)
            | Step::If(one, other) => of(one).max(of(other)) + 1,
        });
    }
    depths
}

fn depth(depths: &[usize], operand: Operand) -> usize {
    match operand {
        Operand::Constant(_) => 0,
        Operand::Step(step) => depths[step],
    }
}

/// How many operations stand before a condition is known: one for each comparison, and the gateway of a stage joins them.
fn test(depths: &[usize], of: &Test) -> usize {
    match of {
        Test::Known(_) => 0,
        Test::Compare(_, one, other) => depth(depths, *one).max(depth(depths, *other)) + 1,
        Test::Not(operand) => test(depths, operand),
        Test::And(one, other) | Test::Or(one, other) => test(depths, one).max(test(depths, other)),
    }
}

/// What the program of a plan needs.
pub(super) fn estimate(plan: &Plan) -> Estimate {
    let depths = depths(plan);
    let cases = plan.cases.iter().map(|case| test(&depths, &case.when)).max().unwrap_or(0);
    // The table that says the port, beside what is computed of headers.
    let before = |computed: usize| computed.max(cases).max(1);
    match (&plan.choice, plan.stateful) {
        (Choice::Class, _) => Estimate { stages: before(0) + 1, registers: 0, egress: 0 },
        (Choice::Rank(rank), None) => {
            Estimate { stages: before(depth(&depths, rank.value)) + plan.queues, registers: plan.queues, egress: 0 }
        }
        (Choice::Rank(_), Some(SwitchRank::Stfq)) => {
            // The index of the flow; the virtual time; when the flow has finished.
            let index = depths.iter().copied().max().unwrap_or(0) + 1;
            Estimate { stages: before(index) + 2 + plan.queues, registers: plan.queues + 2, egress: 0 }
        }
        (Choice::Rank(rank), Some(SwitchRank::FifoPlus)) => {
            // Egress: what the packet has waited, the average, its share, the sum, the difference.
            let stages = before(depth(&depths, rank.value)) + plan.queues;
            Estimate { stages, registers: plan.queues + 1, egress: 5 }
        }
    }
}

/// What a pipeline like Tofino's cannot do with a program.
fn beyond(plan: &Plan, options: &TargetOptions) -> Vec<String> {
    let by_rank = matches!(plan.choice, Choice::Rank(_));
    let mut all = Vec::new();
    if by_rank && plan.queues > 1 && !options.switch.resubmit {
        all.push("a packet below all bounds accesses registers twice in a pass; give --resubmit".to_owned());
    }
    if by_rank && options.switch.rank_bits > WIDTH {
        let bits = options.switch.rank_bits;
        all.push(format!("an ALU compares {WIDTH} bits, and ranks have {bits}; give --rank-bits {WIDTH} or fewer"));
    }
    all
}

/// The estimate in words.
pub(super) fn note(plan: &Plan, options: &TargetOptions) -> Note {
    let Estimate { stages, registers, egress } = estimate(plan);
    let count = |number: usize, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
    let mut reason = format!(
        "{} of {} and {}",
        count(stages, "stage"),
        options.switch.stages.unwrap_or(USUAL),
        count(registers, "stateful ALU")
    );
    if egress > 0 {
        reason += &format!(", and {} of egress", count(egress, "stage"));
    }
    if registers > 0 {
        reason += ", no two bounds in one stage, as each access depends on the one before";
    }
    if options.switch.resubmit && matches!(plan.choice, Choice::Rank(_)) {
        reason += "; one resubmission for each packet below all bounds";
    }
    if plan.stateful == Some(SwitchRank::Stfq) {
        reason += "; one recirculated packet for each packet sent, since egress cannot write registers of ingress";
    }
    for what in beyond(plan, options) {
        reason += &format!("; {what}");
    }
    reason += ". This is an estimate from dependencies; the program was never compiled";
    Note { construct: "a pipeline like Tofino's".to_owned(), reason }
}

/// Returns what the pipeline has no room for, if the user has given its number of stages.
pub(super) fn refusals(plan: &Plan, options: &TargetOptions) -> Vec<Refusal> {
    let Some(most) = options.switch.stages else { return Vec::new() };
    let found = estimate(plan);
    let needed = found.stages.max(found.egress).max(found.registers.div_ceil(ALUS));
    let mut reasons = beyond(plan, options);
    if needed > usize::from(most) {
        reasons.push(format!(
            "the program is estimated to need {needed} stages, and there are {most}; give fewer queues with --queues, \
             or an order with fewer operations"
        ));
    }
    let construct = || "the pipeline (--stages)".to_owned();
    reasons.into_iter().map(|reason| Refusal { construct: construct(), reason }).collect()
}

//! A schedule from prices: a sweep over the prompts that drops the block with the least value whenever there are too
//! many.
//!
//! The value of a block until its prompt is its weight less the prices of the gaps until then. Of a prompt's blocks the
//! last one is dropped first. With the same price for every gap and equal weights, the block that is needed last has the
//! least value, so the sweep is Bélády's rule.
//!
//! Costs: O(n log n) for n intervals.

use super::PrefixProblem;
use super::dual::{SCALE, sums};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A schedule that keeps within the capacity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Per prompt: the number of its first blocks that are hits.
    pub hits: Vec<u32>,
    /// What these hits save.
    pub saved: u128,
}

/// Makes a schedule from prices in units of 2^-20, one for each gap.
///
/// # Panics
/// If there are fewer prices than gaps.
#[must_use]
pub fn sweep(problem: &PrefixProblem, prices: &[u64]) -> Schedule {
    let prompts = problem.prompts();
    let sums = sums(&prices[..prompts]);
    let count = |prompt: usize| problem.starts[prompt + 1] - problem.starts[prompt];
    // Per prompt: blocks that are not dropped, and those of them whose interval has begun.
    let mut kept: Vec<usize> = (0..prompts).map(count).collect();
    let mut begun = vec![0_usize; prompts];
    let mut occupied = 0;
    let mut victims = BinaryHeap::new();
    // The prices from here to the prompt are those to the prompt less those to here, which are the same for all.
    let value = |prompt: usize, last: usize| {
        let weight = problem.weights[problem.starts[prompt] + last];
        (i128::from(weight) << SCALE) - sums[prompt]
    };
    for now in 0..prompts {
        occupied -= begun[now] as u64;
        for &(end, interval) in &problem.leaving[problem.leaving_starts[now]..problem.leaving_starts[now + 1]] {
            let end = end as usize;
            if interval - problem.starts[end] < kept[end] {
                occupied += 1;
                begun[end] += 1;
                victims.push(Reverse((value(end, kept[end] - 1), Reverse(end), kept[end])));
            }
        }
        while occupied > problem.capacity {
            let Some(Reverse((_, Reverse(end), known))) = victims.pop() else { break };
            // Entries of finished prompts, and those from before a block was dropped, are out of date.
            if end <= now || known != kept[end] || begun[end] == 0 {
                continue;
            }
            kept[end] -= 1;
            begun[end] -= 1;
            occupied -= 1;
            if begun[end] > 0 {
                victims.push(Reverse((value(end, kept[end] - 1), Reverse(end), kept[end])));
            }
        }
    }
    let saved =
        |prompt: usize| problem.own(prompt).1[..kept[prompt]].iter().map(|&weight| u128::from(weight)).sum::<u128>();
    let saved = (0..prompts).map(saved).sum();
    let hits = kept.into_iter().map(|hits| u32::try_from(hits).expect("a prompt has fewer than 2^32 blocks")).collect();
    Schedule { hits, saved }
}

/// Adds blocks to a schedule for which there is room all the way: a sweep cannot know which of the blocks that it keeps
/// it drops later. The most valuable blocks come first, each after those before it in its chain.
///
/// Costs: O(gaps) for each block that is tried.
pub(super) fn fill(problem: &PrefixProblem, schedule: &mut Schedule) {
    let prompts = problem.prompts();
    let mut room = vec![problem.capacity; prompts];
    for prompt in 0..prompts {
        for &begin in &problem.own(prompt).0[..schedule.hits[prompt] as usize] {
            room[begin as usize..prompt].iter_mut().for_each(|room| *room -= 1);
        }
    }
    let next =
        |prompt: usize, hits: &[u32]| Some((*problem.own(prompt).1.get(hits[prompt] as usize)?, Reverse(prompt)));
    let mut open: BinaryHeap<_> = (0..prompts).filter_map(|prompt| next(prompt, &schedule.hits)).collect();
    while let Some((weight, Reverse(prompt))) = open.pop() {
        let begin = problem.own(prompt).0[schedule.hits[prompt] as usize] as usize;
        if room[begin..prompt].contains(&0) {
            continue;
        }
        room[begin..prompt].iter_mut().for_each(|room| *room -= 1);
        schedule.hits[prompt] += 1;
        schedule.saved += u128::from(weight);
        open.extend(next(prompt, &schedule.hits));
    }
}

//! Flows as plain lists, scanned for the best and the worst.

use forebay_sched::RankUnit;
use forebay_sched::flows::{FlowLoad, FlowRank, Job};
use std::collections::VecDeque;

/// As `FlowQueue` describes itself.
pub(crate) struct Naive {
    pub(crate) rank: FlowRank,
    pub(crate) unit: RankUnit,
    pub(crate) max_rank: u64,
    pub(crate) limit: usize,
    /// Most flows that may be held; `None` if flows are not held.
    pub(crate) serial: Option<usize>,
    pub(crate) flows: Vec<Flow>,
    pub(crate) came: u64,
}

#[derive(Default)]
pub(crate) struct Flow {
    pub(crate) id: u64,
    pub(crate) items: VecDeque<(Job, u64)>,
    pub(crate) held: bool,
    key: Option<u64>,
    /// When it got its rank.
    came: u64,
}

impl Flow {
    pub(crate) fn load(&self) -> FlowLoad {
        FlowLoad {
            items: u32::try_from(self.items.len()).unwrap(),
            bytes: self.items.iter().map(|(job, _)| u64::from(job.bytes)).sum(),
            work_ps: self.items.iter().map(|(job, _)| u128::from(job.work.as_ps())).sum(),
            head: self.items.front().map_or_else(Job::default, |&(job, _)| job),
        }
    }

    fn place(&self) -> (u64, u64) {
        (self.key.unwrap(), self.came)
    }
}

impl Naive {
    pub(crate) fn len(&self) -> usize {
        self.flows.iter().map(|flow| flow.items.len()).sum()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.flows.iter().map(|flow| flow.load().bytes).sum()
    }

    pub(crate) fn work_ps(&self) -> u128 {
        self.flows.iter().map(|flow| flow.load().work_ps).sum()
    }

    pub(crate) fn held(&self) -> usize {
        self.flows.iter().filter(|flow| flow.held).count()
    }

    fn at(&mut self, id: u64) -> usize {
        self.flows.iter().position(|flow| flow.id == id).unwrap_or_else(|| {
            self.flows.push(Flow { id, ..Flow::default() });
            self.flows.len() - 1
        })
    }

    fn settle(&mut self, at: usize, comes_again: bool) -> u64 {
        let flow = &mut self.flows[at];
        if flow.items.is_empty() {
            flow.key = None;
            return 0;
        }
        let rank = (self.rank)(&flow.load());
        let key = Some(self.unit.key(rank).min(self.max_rank));
        if comes_again || flow.key != key {
            (flow.key, flow.came) = (key, self.came);
            self.came += 1;
        }
        rank
    }

    pub(crate) fn push(&mut self, id: u64, job: Job, item: u64) -> Result<u64, u64> {
        if self.len() == self.limit {
            return Err(item);
        }
        let at = self.at(id);
        self.flows[at].items.push_back((job, item));
        Ok(self.settle(at, false))
    }

    pub(crate) fn put_back(&mut self, id: u64, job: Job, item: u64) -> Result<u64, u64> {
        if self.len() == self.limit {
            return Err(item);
        }
        let at = self.at(id);
        self.flows[at].items.push_front((job, item));
        self.flows[at].held = false;
        Ok(self.settle(at, true))
    }

    pub(crate) fn take(&mut self) -> Option<(u64, Job, u64)> {
        if self.serial.is_some_and(|limit| self.held() >= limit) {
            return None;
        }
        let ready = (0..self.flows.len()).filter(|&at| !self.flows[at].items.is_empty() && !self.flows[at].held);
        let at = ready.min_by_key(|&at| self.flows[at].place())?;
        let (job, item) = self.flows[at].items.pop_front()?;
        self.flows[at].held = self.serial.is_some();
        self.settle(at, true);
        Some((self.flows[at].id, job, item))
    }

    pub(crate) fn drop_worst(&mut self) -> Option<(u64, Job, u64)> {
        let waiting = (0..self.flows.len()).filter(|&at| !self.flows[at].items.is_empty());
        let at = waiting.max_by_key(|&at| self.flows[at].place())?;
        let (job, item) = self.flows[at].items.pop_back()?;
        self.settle(at, false);
        Some((self.flows[at].id, job, item))
    }

    pub(crate) fn release(&mut self, id: u64) -> bool {
        let at = self.at(id);
        let was_held = std::mem::take(&mut self.flows[at].held);
        if was_held {
            self.settle(at, true);
        }
        was_held
    }
}

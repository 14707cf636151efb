//! Makes the parts of a discipline: parts of the registries, and parts that a program supplies.
//!
//! The entry for a part that a program supplies promises nothing: the part may return any rank, and no proof covers its order.

use crate::drop::DROP_RULES;
use crate::part::{BuiltDropRule, Given, OwnPart, Part};
use crate::queues::{BuiltQueue, QUEUES, QueueEntry, QueueSize};
use crate::spec::unknown;
use crate::traits::{BuiltRankFn, DropEntry, RankEntry, RankRange, Serves};
use forebay_core::registry::{UnknownName, find};
use forebay_core::{About, Exactness, ParamError, Params, Rate};

/// The description that these entries share.
const ABOUT: About = About {
    name: "own",
    title: "A part of the program that runs forebay",
    exactness: Exactness::Approximate,
    hardware: "not known",
    cost: "not known",
    source: "the program",
    params: &[],
};

/// The entry of every rank function that a program supplies.
pub(crate) static RANK_FN: RankEntry = RankEntry {
    about: ABOUT,
    also_known_as: &[],
    needs: None,
    serves: Serves::Otherwise,
    range: RankRange::Any,
    build: |_, _| Err(made_by_its_program()),
};

/// The entry of every queue that a program supplies.
static QUEUE: QueueEntry = QueueEntry { about: ABOUT, build: |_, _| Err(made_by_its_program()) };

/// The entry of every drop rule that a program supplies, which uses only operations of the queue.
static DROP_RULE: DropEntry = DropEntry { about: ABOUT, needs_pop_max: false, build: |_| Err(made_by_its_program()) };

fn made_by_its_program() -> ParamError {
    unknown("this part is made by the program that brings it along")
}

impl Part {
    /// Makes the rank function of `entry` with the parameters `given` in place of the part's.
    pub(crate) fn rank_fn(&self, entry: &RankEntry, rate: Option<Rate>, given: Given) -> BuiltRankFn {
        match &self.own {
            Some(OwnPart::RankFn(make)) => make(rate, &given),
            Some(other) => Err(self.is_no("rank function", other)),
            None => (entry.build)(rate, &Params::check(entry.about.params, given)?),
        }
    }

    /// The entry of the queue.
    pub(crate) fn queue_entry(&self) -> Result<&'static QueueEntry, UnknownName> {
        if self.own.is_some() { Ok(&QUEUE) } else { find("queue", QUEUES, &self.name) }
    }

    /// Makes the queue of `entry` with the parameters `given` in place of the part's.
    pub(crate) fn queue(&self, entry: &QueueEntry, size: QueueSize, given: Given) -> Result<BuiltQueue, ParamError> {
        match &self.own {
            Some(OwnPart::Queue(make)) => make(size, &given),
            Some(other) => Err(self.is_no("queue", other)),
            None => (entry.build)(size, &Params::check(entry.about.params, given)?),
        }
    }

    /// The entry of the drop rule.
    pub(crate) fn drop_entry(&self) -> Result<&'static DropEntry, UnknownName> {
        if self.own.is_some() { Ok(&DROP_RULE) } else { find("drop rule", DROP_RULES, &self.name) }
    }

    /// Makes the drop rule of `entry`.
    pub(crate) fn drop_rule(&self, entry: &DropEntry) -> BuiltDropRule {
        match &self.own {
            Some(OwnPart::DropRule(make)) => make(&self.params),
            Some(other) => Err(self.is_no("drop rule", other)),
            None => (entry.build)(&Params::check(entry.about.params, self.params.clone())?),
        }
    }

    fn is_no(&self, wanted: &str, other: &OwnPart) -> ParamError {
        unknown(format!("`{}` is a {}, but this field takes a {wanted}", self.name, other.kind()))
    }
}

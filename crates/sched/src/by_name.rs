//! Builds a discipline from the names of its parts. This is the only place that joins rank, queue, drop rule and mark rule.

use crate::discipline::RankDiscipline;
use crate::first_come::FirstCome;
use crate::flows::FlowDiscipline;
use crate::mark::MARK_RULES;
use crate::marking::{Around, MakeMark, Marking};
use crate::part::Part;
use crate::queues::recording_queue::{OpSink, recorded};
use crate::ranking::Ranking;
use crate::spec::{DisciplineError, DisciplineSpec, unknown};
use forebay_core::registry::find;
use forebay_core::{Discipline, Element, ParamError, Params, Rate, Seed};
use std::sync::Arc;

/// Builds the discipline that `spec` describes: a [`RankDiscipline`] or a [`FlowDiscipline`], depending on the rank. If `spec` names a mark
/// rule, the discipline is wrapped in it. Random choices are drawn from streams of `seed`.
///
/// # Errors
/// If a name or a parameter is unknown, or the parts do not fit each other.
pub fn discipline(spec: &DisciplineSpec, seed: Seed) -> Result<Box<dyn Discipline + Send>, DisciplineError> {
    join(spec, seed, None)
}

/// Builds the same discipline as [`discipline`], but as an element of a network. `sink` receives every operation on the rank queue; a
/// [`FlowDiscipline`] has no rank queue and no operations.
///
/// # Errors
/// As [`discipline`].
pub fn element(
    spec: &DisciplineSpec,
    seed: Seed,
    sink: Option<Arc<dyn OpSink>>,
) -> Result<Box<dyn Element>, DisciplineError> {
    join(spec, seed, sink)
}

/// A trait object type of disciplines.
trait Boxed {
    fn of<D: Discipline + Send + 'static>(discipline: D) -> Box<Self>;

    /// Puts a mark rule around [`FirstCome`], compiled for both.
    fn around_first_come(make: &MakeMark) -> Around<Self>;
}

impl Boxed for dyn Discipline + Send {
    fn of<D: Discipline + Send + 'static>(discipline: D) -> Box<Self> {
        Box::new(discipline)
    }

    fn around_first_come(make: &MakeMark) -> Around<Self> {
        make.around_first_come
    }
}

impl Boxed for dyn Element {
    fn of<D: Discipline + Send + 'static>(discipline: D) -> Box<Self> {
        Box::new(discipline)
    }

    fn around_first_come(make: &MakeMark) -> Around<Self> {
        make.element_around_first_come
    }
}

fn join<B: Boxed + ?Sized>(
    spec: &DisciplineSpec,
    seed: Seed,
    sink: Option<Arc<dyn OpSink>>,
) -> Result<Box<B>, DisciplineError> {
    // First come, first served in one piece has no queue whose operations could be reported.
    if sink.is_none()
        && let Some(first_come) = FirstCome::from_spec(spec)
    {
        return match &spec.mark {
            None => Ok(B::of(first_come)),
            Some(mark) => {
                let built = MakeMark::named(mark)
                    .and_then(|(make, params)| B::around_first_come(&make)(first_come, spec.link_rate, seed, &params));
                built.map_err(DisciplineError::Mark)
            }
        };
    }
    match (Ranking::of(&spec.rank).map_err(|text| DisciplineError::Rank(unknown(text)))?, sink) {
        (Ranking::Packets(_), None) => marked(RankDiscipline::new(spec)?, spec, seed),
        (Ranking::Packets(_), Some(sink)) => {
            marked(RankDiscipline::around_queue(spec, |queue| recorded(queue, sink))?, spec, seed)
        }
        (Ranking::Flows(_), _) => marked(FlowDiscipline::new(spec)?, spec, seed),
    }
}

/// Wraps the discipline in the mark rule, if there is one.
fn marked<B: Boxed + ?Sized, D: Discipline + Send + 'static>(
    discipline: D,
    spec: &DisciplineSpec,
    seed: Seed,
) -> Result<Box<B>, DisciplineError> {
    match &spec.mark {
        None => Ok(B::of(discipline)),
        Some(mark) => {
            let marking = Marking::new(discipline, mark, spec.link_rate, seed);
            marking.map(B::of).map_err(DisciplineError::Mark)
        }
    }
}

impl MakeMark {
    /// Returns the constructors of the mark rule that `mark` names, and the rule's parameters.
    ///
    /// # Errors
    /// If the name or a parameter is unknown.
    pub fn named(mark: &Part) -> Result<(Self, Params), ParamError> {
        let entry = find("mark rule", MARK_RULES, &mark.name).map_err(unknown)?;
        Ok((entry.make, Params::check(entry.about.params, mark.params.clone())?))
    }
}

impl<D: Discipline> Marking<D> {
    /// Wraps the discipline of a link in the mark rule that `mark` names. Ports with different seeds mark independently of each other.
    ///
    /// # Errors
    /// If the name or a parameter is unknown.
    pub fn new(discipline: D, mark: &Part, link_rate: Rate, seed: Seed) -> Result<Self, ParamError> {
        let (make, params) = MakeMark::named(mark)?;
        Ok(Self::with_rule(discipline, (make.rule)(link_rate, seed, &params)?))
    }
}

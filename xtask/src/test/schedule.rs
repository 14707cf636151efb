//! Runs parts side by side, as far as there are cores, in the order of the list.

use super::part::{End, Ended, Part};
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A listener to the events of running parts.
pub(crate) trait Listener {
    fn begun(&mut self, part: &Part);
    fn ended(&mut self, result: &Ended);
    /// Nothing has begun or ended for a while.
    fn still_running(&mut self);
}

/// The longest time without a message.
const SILENCE: Duration = Duration::from_secs(60);

/// Runs all parts and returns how they ended, in the order in which they did.
///
/// A part whose predecessors have not all passed is not run. A predecessor that is not among the parts is taken to be done.
pub(crate) fn run_all(
    parts: &[Part],
    cores: usize,
    run: fn(Part) -> Ended,
    listener: &mut impl Listener,
) -> Vec<Ended> {
    let (done, news) = mpsc::channel();
    let mut waiting: Vec<Part> = parts.to_vec();
    let mut ends: BTreeMap<&str, End> = BTreeMap::new();
    let mut results = Vec::new();
    let mut busy = 0;
    let mut running = 0;
    thread::scope(|scope| {
        while !waiting.is_empty() || running > 0 {
            while let Some(at) = next(&waiting, parts, &ends, cores.saturating_sub(busy), running == 0) {
                let part = waiting.remove(at);
                if part.after.iter().any(|name| matches!(ends.get(name), Some(End::Failed | End::NotRun))) {
                    ends.insert(part.name, End::NotRun);
                    results.push(Ended {
                        part,
                        end: End::NotRun,
                        seconds: 0.0,
                        cpu_seconds: None,
                        output: String::new(),
                    });
                    continue;
                }
                listener.begun(&part);
                busy += part.cores;
                running += 1;
                let done = done.clone();
                scope.spawn(move || {
                    // The receiver goes on until all have ended.
                    let _is_heard = done.send(run(part)).is_ok();
                });
            }
            if running > 0 {
                let Ok(result) = news.recv_timeout(SILENCE) else {
                    listener.still_running();
                    continue;
                };
                busy -= result.part.cores;
                running -= 1;
                ends.insert(result.part.name, result.end);
                listener.ended(&result);
                results.push(result);
            }
        }
    });
    results
}

/// The first part that may begin now. Where nothing runs, one that wants more cores than there are may, too.
fn next(
    waiting: &[Part],
    parts: &[Part],
    ends: &BTreeMap<&str, End>,
    free: usize,
    nothing_runs: bool,
) -> Option<usize> {
    let is_over = |name: &&str| ends.contains_key(name) || !parts.iter().any(|part| part.name == *name);
    waiting.iter().position(|part| part.after.iter().all(is_over) && (part.cores <= free || nothing_runs))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the parts that have begun.
    struct Begun(Vec<&'static str>);

    impl Listener for Begun {
        fn begun(&mut self, part: &Part) {
            self.0.push(part.name);
        }
        fn ended(&mut self, _: &Ended) {}
        fn still_running(&mut self) {}
    }

    const fn part(name: &'static str, after: &'static [&'static str], cores: usize) -> Part {
        Part { name, about: "", command: &[], after, cores }
    }

    fn all(parts: &[Part], cores: usize) -> (Vec<&'static str>, Vec<(&'static str, End)>) {
        let run = |part: Part| {
            let end = if part.name.starts_with("bad") { End::Failed } else { End::Passed };
            Ended { part, end, seconds: 0.0, cpu_seconds: None, output: String::new() }
        };
        let mut begun = Begun(Vec::new());
        let results = run_all(parts, cores, run, &mut begun);
        (begun.0, results.iter().map(|result| (result.part.name, result.end)).collect())
    }

    #[test]
    fn a_part_waits_for_those_before_it_and_for_cores() {
        let (begun, _) = all(&[part("wide", &["first"], 2), part("first", &[], 1), part("last", &["wide"], 1)], 2);
        assert_eq!(begun, ["first", "wide", "last"]);
    }

    #[test]
    fn more_cores_than_there_are_is_no_reason_never_to_begin() {
        assert_eq!(all(&[part("wide", &[], 8)], 1).1, [("wide", End::Passed)]);
    }

    #[test]
    fn what_follows_a_failure_is_not_run_and_all_else_is() {
        let parts = [
            part("bad", &[], 1),
            part("after", &["bad"], 1),
            part("later", &["after"], 1),
            part("apart", &["elsewhere"], 1),
        ];
        let (_, mut ends) = all(&parts, 1);
        ends.sort_by_key(|(name, _)| *name);
        let expected = [("after", End::NotRun), ("apart", End::Passed), ("bad", End::Failed), ("later", End::NotRun)];
        assert_eq!(ends, expected);
    }
}

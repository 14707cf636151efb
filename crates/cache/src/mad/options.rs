//! How a MAD form counts and looks for victims: its parameters.

use forebay_core::params::ParamKind;
use forebay_core::{ParamError, ParamSpec, Params};

/// The parameters of every MAD form.
pub const MAD_PARAMS: &[ParamSpec] = &[
    ParamSpec::choice(
        "counters",
        &["auto", "forever", "cached", "ghost"],
        "auto",
        "whose delays are counted: forever (every object ever requested), cached (those in the cache or in flight), ghost \
         (and some that left); auto: forever",
    ),
    ParamSpec {
        name: "ghosts",
        kind: ParamKind::Integer { min: 1, max: u32::MAX as u64 - 1, default: None },
        meaning: "for counters=ghost: number of objects outside of the cache that are remembered; the capacity in entries if not given",
    },
    ParamSpec::choice(
        "window",
        &["auto", "open", "closed"],
        "auto",
        "whether the mean includes the latest miss window, which may still be open: open (yes) or closed (no); auto: as is \
         usual for the base policy",
    ),
    ParamSpec {
        name: "proven",
        kind: ParamKind::Integer { min: 0, max: u32::MAX as u64, default: None },
        meaning: "objects requested less often than this have no aggregate delay yet, where a fetch takes more than 100 \
                  ticks; as is usual for the base policy, mostly 0, if not given",
    },
    ParamSpec::choice(
        "latency",
        &["given", "corrected", "measured", "mean"],
        "given",
        "length of a miss window: given (by the model), corrected (as given, until its fetch ends), measured (a moving mean of \
         the object's fetches), or mean (of all). Before its first fetch, an object has the mean of all",
    ),
    ParamSpec::choice(
        "rank",
        &["ratio", "delay"],
        "ratio",
        "number that the victim has least of: ratio (aggregate delay / estimated time to the next access) or delay (the aggregate \
         delay alone)",
    ),
    ParamSpec {
        name: "sample",
        kind: ParamKind::Integer { min: 0, max: u32::MAX as u64, default: None },
        meaning: "number of cached objects drawn as candidates beside the own victim (not for every policy); 0: all. If not \
                  given, all where the victim is found in O(log n) (LRU, LFU, LFUDA, GDSF, ARC, Hyperbolic), otherwise 64",
    },
    ParamSpec {
        name: "first",
        kind: ParamKind::Integer { min: 1, max: u32::MAX as u64, default: None },
        meaning: "number of candidates: the objects that the base policy would evict first, a worse choice than \
                  as many that are drawn; all if not given",
    },
];

/// The values that the MAD form of a policy counts with unless its user says otherwise.
///
/// This is the one place that lists them. ARC-MAD and LHD-MAD count as the thesis' own do (closed windows, and ARC-MAD
/// from the third request on); all others have [`USUAL`](Self::USUAL). Some policies have no MAD form:
///
/// - offline policies;
/// - `random` and `pin`, which estimate nothing;
/// - EELRU, which compares regions of its order and no objects;
/// - CACHEUS, whose experts' orders have no common estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MadDefaults {
    /// Whose delays are counted.
    pub counters: Counters,
    /// Whether the mean aggregate delay has the latest window, which may still be open.
    pub open_window: bool,
    /// Objects with fewer requests have no aggregate delay where a fetch takes more than
    /// 100 ticks. This is the rule of the thesis' ARC-MAD, to which ours is calibrated; there
    /// a tick is a slot. It depends on the unit of the clock: in nanoseconds practically
    /// every fetch takes more than 100 ticks, and the rule always applies.
    pub proven: u64,
}

impl MadDefaults {
    /// Algorithm 1 of the thesis as it stands.
    pub const USUAL: Self = Self { counters: Counters::Forever, open_window: true, proven: 0 };
    /// As the ARC-MAD of the thesis counts.
    pub const ARC: Self = Self { open_window: false, proven: 3, ..Self::USUAL };
    /// As the LHD-MAD of the thesis counts.
    pub const LHD: Self = Self { open_window: false, ..Self::USUAL };
}

/// Whose delays are counted (thesis 2.6.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counters {
    /// Those of every object that was ever requested; memory grows with their number.
    Forever,
    /// Those of objects in the cache and in flight.
    Cached,
    /// Those and as many that left, the latest ones; `None`: as many as the cache holds.
    Ghosts(Option<u64>),
}

/// The length of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WindowLatency {
    Given,
    Corrected,
    Measured,
    Mean,
}

/// Which objects may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looked {
    All,
    Drawn(u64),
    First(u64),
}

/// Whether candidates can be drawn, and are if the user says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawable {
    /// Candidates come in the policy's order only.
    Never,
    /// Estimates are lines: a kinetic tournament looks at all in a short time.
    Lines,
    /// Estimates are no lines: some are drawn.
    Usual,
}

/// Number of candidates that are drawn if the user says nothing.
pub const USUAL_DRAWS: u64 = 64;

/// All options of one form.
#[derive(Debug, Clone, Copy)]
pub(super) struct MadOptions {
    pub(super) counting: MadDefaults,
    pub(super) latency: WindowLatency,
    /// Whether the rank has the time to the next access; otherwise it is the aggregate delay alone (thesis 2.5.1, figure 2.15).
    pub(super) weighs_time: bool,
    pub(super) looked: Looked,
}

impl MadOptions {
    pub(super) fn of(params: &Params, defaults: MadDefaults, drawable: Drawable) -> Result<Self, ParamError> {
        let ghosts = params.integer("ghosts");
        let counters = match params.text("counters") {
            "forever" => Counters::Forever,
            "cached" => Counters::Cached,
            "ghost" => Counters::Ghosts(ghosts),
            _ => defaults.counters,
        };
        if ghosts.is_some() && !matches!(counters, Counters::Ghosts(_)) {
            return Err(ParamError::of("ghosts", "`ghosts` goes with counters=ghost only"));
        }
        let open_window = match params.text("window") {
            "open" => true,
            "closed" => false,
            _ => defaults.open_window,
        };
        let latency = match params.text("latency") {
            "corrected" => WindowLatency::Corrected,
            "measured" => WindowLatency::Measured,
            "mean" => WindowLatency::Mean,
            _ => WindowLatency::Given,
        };
        let looked = match (params.integer("sample"), params.integer("first")) {
            (None, None) if drawable == Drawable::Usual => Looked::Drawn(USUAL_DRAWS),
            (None | Some(0), None) => Looked::All,
            (Some(_), None) if drawable == Drawable::Never => {
                let message =
                    "this policy's candidates come in its own order and cannot be drawn; take first=N instead";
                return Err(ParamError::of("sample", message));
            }
            (Some(drawn), None) => Looked::Drawn(drawn),
            (None, Some(first)) => Looked::First(first),
            (Some(_), Some(_)) => return Err(ParamError::of("first", "give either `sample` or `first`, not both")),
        };
        let proven = params.integer("proven").unwrap_or(defaults.proven);
        let weighs_time = params.text("rank") == "ratio";
        Ok(Self { counting: MadDefaults { counters, open_window, proven }, latency, weighs_time, looked })
    }
}

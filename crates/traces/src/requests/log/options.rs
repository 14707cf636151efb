//! The options that all logs have.

use super::Status;
use forebay_core::{ParamSpec, Params};

/// The options that all logs have.
pub(crate) const COMMON: [ParamSpec; 3] = [
    ParamSpec::choice(
        "methods",
        &["get", "get-head", "all"],
        "get",
        "which lines are requests: those with GET, with GET and HEAD, or with any method",
    ),
    ParamSpec::choice(
        "status",
        &["ok", "all"],
        "ok",
        "which answers are requests: those with a status from 200 to 299, whose size is that of their object, or all",
    ),
    ParamSpec::integer(
        "window",
        1,
        1 << 20,
        Some(16_384),
        "how many lines are sorted by time at once, since lines are not in order of their times",
    ),
];

/// The parameter that converts the end times of answers in a log to the start times of requests.
pub(crate) const START: ParamSpec = ParamSpec::choice(
    "time",
    &["logged", "start"],
    "logged",
    "`start` to count back from the end of an answer, if the log has that, to the start of its request",
);

/// Joins the common options and those of one format.
macro_rules! params {
    ($($own:expr),* $(,)?) => {{
        use crate::requests::log::COMMON as C;
        &[C[0], C[1], C[2], $($own),*]
    }};
}
pub(crate) use params;

/// Joins options as [`params`], with `time`.
macro_rules! start_params {
    ($($own:expr),* $(,)?) => {
        crate::requests::log::params![crate::requests::log::START, $($own),*]
    };
}
pub(crate) use start_params;

/// The values of the common options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogOptions {
    /// The methods that are requests; empty: all.
    methods: &'static [&'static str],
    pub(super) any_status: bool,
    pub(super) window: usize,
    /// Whether times are converted to the starts of requests, if the log has durations.
    pub(super) from_start: bool,
}

impl LogOptions {
    pub(crate) fn new(params: &Params) -> Self {
        let methods: &[&str] = match params.text("methods") {
            "get" => &["GET"],
            "get-head" => &["GET", "HEAD"],
            _ => &[],
        };
        Self { methods, ..Self::without_methods(params) }
    }

    /// Reads the options of a log that has no methods.
    pub(crate) fn without_methods(params: &Params) -> Self {
        let window = params.integer("window").and_then(|lines| usize::try_from(lines).ok()).unwrap_or(1);
        Self { methods: &[], any_status: params.text("status") == "all", window, from_start: false }
    }

    /// Reads the options with `time`, for formats whose times are the ends of answers.
    pub(crate) fn with_start(params: &Params) -> Self {
        Self { from_start: params.text("time") == "start", ..Self::new(params) }
    }

    pub(super) fn takes_method(&self, method: &[u8]) -> bool {
        self.methods.is_empty() || self.methods.iter().any(|known| known.as_bytes() == method)
    }

    pub(super) fn takes_status(&self, status: Status) -> bool {
        match status {
            Status::NotLogged => true,
            Status::Code(200..=299) => true,
            _ => self.any_status,
        }
    }
}

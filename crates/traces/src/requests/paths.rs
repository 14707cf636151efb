//! The meaning of named fields: of the objects of JSON lines, and of the columns of Parquet and Arrow.

use super::measured::{LATENCY_UNIT, latency_unit};
use super::names::{KEY_LISTS, KEYS, SIZES, TIMES, all_are_requests};
use super::ticks::{UNITS, Unit};
use crate::TraceError;
use forebay_core::registry::suggest;
use forebay_core::{ParamSpec, Params};
use std::ops::Range;

/// The maximum number of named fields.
pub(super) const MOST: usize = 16;

/// The parameters that give the fields their meaning.
pub(super) const FIELD_PARAMS: &[ParamSpec] = &[
    ParamSpec::text("time", "", "the field of the time; 0: there is none; by default one with a common name"),
    ParamSpec::text(
        "key",
        "",
        "the field of the object or of a list of objects, or several with + between them, which are one key; by default one with a \
         common name",
    ),
    ParamSpec::text(
        "size",
        "",
        "the field of the size in bytes, or several with + between them, which are added; 0: none",
    ),
    ParamSpec::text("op", "", "the field of the operation, of which `operations` says which are requests"),
    ParamSpec::text("operations", "", "with `op`: the operations that are requests, as `GET+HEAD`"),
    ParamSpec::text(
        "latency",
        "",
        "the field of how long the fetch of the object took, for `latency = \"measured\"` of caches",
    ),
    LATENCY_UNIT,
    ParamSpec::choice("unit", UNITS, "auto", "the unit of the time, as of libcachesim-csv"),
];

/// The meaning of the fields, by options or a preset. A field is a name, or names with dots between them for an object within an object. An
/// empty text means a field that is found by its name, and `0` means none. Several fields have `+` between them.
pub(super) struct Paths {
    pub(super) name: &'static str,
    pub(super) unit: Option<Unit>,
    /// The operations that are requests; if empty, all are.
    pub(super) operations: Vec<String>,
    /// The option that selects all operations, for messages.
    pub(super) all_operations: &'static str,
    pub(super) latency_unit: Unit,
    /// Operation, time, keys, sizes and latency, in this order.
    all: Vec<String>,
    has_operation: bool,
    has_time: bool,
    /// The note if no option selects rows although one could.
    pub(super) all_are_requests: Option<String>,
    /// The places of the keys in `all`.
    key: Vec<usize>,
    size: Range<usize>,
    latency: Option<usize>,
    /// The field of the latency, as it was said.
    said_latency: String,
    /// The fields of time, key, size and operation, as they were said.
    said: [String; 4],
}

impl Paths {
    /// Creates paths with the fields of time, key, size and operation.
    pub(super) fn new(name: &'static str, said: [&str; 4]) -> Self {
        Self {
            name,
            unit: None,
            operations: Vec::new(),
            all_operations: "leaving `op` away",
            all: Vec::new(),
            has_operation: false,
            has_time: false,
            all_are_requests: None,
            key: Vec::new(),
            size: 0..0,
            latency: None,
            latency_unit: Unit::MILLISECONDS,
            said_latency: String::new(),
            said: said.map(str::to_owned),
        }
    }

    /// Creates paths from the parameters [`FIELD_PARAMS`].
    pub(super) fn of_params(name: &'static str, params: &Params) -> Result<Self, TraceError> {
        let operations = params.text("operations").split('+').map(str::trim).filter(|name| !name.is_empty());
        let operations: Vec<String> = operations.map(str::to_owned).collect();
        if params.text("op").is_empty() != operations.is_empty() {
            let fix = "say op=FIELD and operations=GET+HEAD, or the operations that are requests";
            return Err(TraceError::File(format!("`op` and `operations` need each other; {fix}")));
        }
        let said = ["time", "key", "size", "op"].map(|name| params.text(name));
        Ok(Self {
            unit: Unit::of_name(params.text("unit")),
            operations,
            latency_unit: latency_unit(params),
            said_latency: params.text("latency").to_owned(),
            ..Self::new(name, said)
        })
    }

    /// Sets the unit of the time; with [`None`], the first time decides.
    pub(super) fn with_unit(self, unit: Option<Unit>) -> Self {
        Self { unit, ..self }
    }

    /// Finds the fields without a setting among these names.
    pub(super) fn find(mut self, names: &[String]) -> Result<Self, TraceError> {
        let known = |known: &[&[&str]]| {
            let mut known = known.iter().flat_map(|known| known.iter());
            known.find_map(|known| names.iter().find(|name| name.eq_ignore_ascii_case(known))).cloned()
        };
        let [time, key, size, operation] = std::mem::take(&mut self.said).map(|said| split(&said));
        let time = match time {
            Some(time) => time,
            None => {
                vec![known(&[TIMES]).ok_or_else(|| unknown("time", "time=FIELD, or time=0 if there is none", names))?]
            }
        };
        let key = match key {
            Some(key) => key,
            None => vec![known(&[KEY_LISTS, KEYS]).ok_or_else(|| unknown("key", "key=FIELD", names))?],
        };
        let size = size.unwrap_or_else(|| known(&[SIZES]).into_iter().collect());
        self.all_are_requests = if operation.is_none() { all_are_requests(names) } else { None };
        let operation = operation.unwrap_or_default();
        if key.is_empty() {
            return Err(TraceError::File("`key` must be a field; a request needs an object".to_owned()));
        }
        if operation.len() > 1 || time.len() > 1 {
            return Err(TraceError::File("`time` and `op` must be one field each".to_owned()));
        }
        (self.has_operation, self.has_time) = (!operation.is_empty(), !time.is_empty());
        let before = operation.len() + time.len();
        self.key = (before..before + key.len()).collect();
        self.size = before + key.len()..before + key.len() + size.len();
        let latency = split(&self.said_latency).unwrap_or_default();
        if latency.len() > 1 {
            return Err(TraceError::File("`latency` must be one field".to_owned()));
        }
        self.latency = (!latency.is_empty()).then_some(self.size.end);
        self.all = [operation, time, key, size, latency].concat();
        if self.all.len() > MOST {
            return Err(TraceError::File(format!("more than {MOST} fields are named")));
        }
        Ok(self)
    }

    pub(super) fn all(&self) -> &[String] {
        &self.all
    }

    pub(super) fn operation(&self) -> Option<usize> {
        self.has_operation.then_some(0)
    }

    pub(super) fn has_time(&self) -> bool {
        self.has_time
    }

    pub(super) fn time(&self) -> Option<usize> {
        self.has_time.then_some(usize::from(self.has_operation))
    }

    pub(super) fn key(&self) -> &[usize] {
        &self.key
    }

    pub(super) fn has_size(&self) -> bool {
        !self.size.is_empty()
    }

    pub(super) fn latency(&self) -> Option<usize> {
        self.latency
    }

    pub(super) fn size(&self) -> Range<usize> {
        self.size.clone()
    }
}

/// The fields that an option names, if it says anything.
fn split(text: &str) -> Option<Vec<String>> {
    match text {
        "" => None,
        "0" => Some(Vec::new()),
        _ => {
            let fields = text.split('+').map(str::trim).filter(|field| !field.is_empty());
            Some(fields.map(str::to_owned).collect())
        }
    }
}

fn unknown(what: &str, option: &str, names: &[String]) -> TraceError {
    let near = suggest("", names.iter().map(String::as_str));
    TraceError::File(format!("no field is known as the {what}; say {option}{near}"))
}

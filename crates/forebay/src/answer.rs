//! The answer to a question: a report as a table, CSV, JSON and pictures.

use crate::attack::{self, AttackReport};
use crate::caching::{self, BoundReport, CacheReport, CurveReport};
use crate::comparison::{Comparison, How};
use crate::error::Result;
use crate::frame::Frame;
use crate::headline::Kind;
use crate::network::{self, NetworkReport};
use crate::output::folder;
use crate::picture::Picture;
use crate::port::{self, Report};
use crate::result_schema::SCHEMA_VERSION;
use serde::{Serialize, Serializer};

/// The report of a scenario, by its kind. Each kind has public fields with its numbers.
///
/// ```
/// use forebay::demo::{Embedded, SCENARIO};
/// use forebay::{Answer, Changes, Question, Session};
///
/// let demo = Question::parse("demo", SCENARIO, &Embedded, &Changes::default())?;
/// let answer = demo.run(&Session::default())?;
/// println!("{}", answer.table());
/// assert!(answer.is_complete() && answer.csv().starts_with("policy,subject,item,metric"));
/// let Answer::Port(report) = answer else { unreachable!("the demo has a port") };
/// assert_eq!(report.results.len(), 8); // the same numbers, one item for each policy
/// # Ok::<(), forebay::UserError>(())
/// ```
#[derive(Debug)]
pub enum Answer {
    /// Policies at one port.
    Port(Report),
    /// Policies in a network.
    Network(NetworkReport),
    /// Policies under attack.
    Attack(AttackReport),
    /// Cache policies.
    Cache(Box<CacheReport>),
    /// Cache policies over the capacity.
    Curve(Box<CurveReport>),
    /// The lowest latency of any cache.
    Bound(Box<BoundReport>),
}

/// A report with what a program must know before it reads the rest.
#[derive(Serialize)]
struct Versioned<'a, T> {
    schema_version: u32,
    kind: &'static str,
    #[serde(flatten)]
    report: &'a T,
    /// The baseline and the differences of the policies.
    comparison: Comparison,
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        fn versioned<'a, T>(kind: &'static str, report: &'a T, comparison: Comparison) -> Versioned<'a, T> {
            Versioned { schema_version: SCHEMA_VERSION, kind, report, comparison }
        }
        let comparison = self.comparison();
        match self {
            Self::Port(report) => versioned("port", report, comparison).serialize(serializer),
            Self::Network(report) => versioned("network", report, comparison).serialize(serializer),
            Self::Attack(report) => versioned("attack", report, comparison).serialize(serializer),
            Self::Cache(report) => versioned("cache", report, comparison).serialize(serializer),
            Self::Curve(report) => versioned("curve", report, comparison).serialize(serializer),
            Self::Bound(report) => versioned("bound", report, comparison).serialize(serializer),
        }
    }
}

impl Answer {
    /// Returns a table for people and, if there is a baseline, the differences of the policies from it.
    pub fn table(&self) -> String {
        let own = match self {
            Self::Port(report) => port::table(report),
            Self::Network(report) => network::table(report),
            Self::Attack(report) => attack::table(report),
            Self::Cache(report) => caching::table(report),
            Self::Curve(report) => caching::curve_table(report),
            Self::Bound(report) => caching::bound_table(report),
        };
        own + &self.comparison().table()
    }

    /// Returns the differences of the policies from the baseline in the most important metrics.
    pub fn comparison(&self) -> Comparison {
        let (repetitions, is_random) = self.repetitions();
        let how = How {
            kind: self.kind(),
            baseline: self.baseline(),
            choices: self.choices(),
            is_once: repetitions == 1 && is_random,
        };
        Comparison::new(&self.frame(), &how)
    }

    /// The policies that can be used in practice, without those that know the future.
    fn choices(&self) -> Vec<&str> {
        let (policies, offline) = match self {
            Self::Port(report) => (&report.port.policies[..], Vec::new()),
            Self::Network(report) => (&report.network.policies[..], Vec::new()),
            Self::Attack(report) => (&report.attack.policies[..], Vec::new()),
            Self::Cache(report) => (&report.cache.policies[..], report.offline()),
            Self::Curve(report) => (&report.cache.policies[..], report.offline()),
            Self::Bound(_) => (&[][..], Vec::new()),
        };
        policies.iter().map(String::as_str).filter(|policy| !offline.contains(policy)).collect()
    }

    /// Repetitions of every run that were asked for, and whether random numbers play a part.
    fn repetitions(&self) -> (u64, bool) {
        match self {
            Self::Port(report) => (report.port.repetitions, report.port.random),
            Self::Network(report) => (report.network.repetitions, report.network.random),
            Self::Attack(report) => (report.attack.repetitions, report.attack.random),
            Self::Cache(report) => (report.cache.repetitions, report.cache.random),
            Self::Curve(report) => (report.cache.repetitions, report.cache.random),
            // Bounds are not compared.
            Self::Bound(_) => (1, false),
        }
    }

    /// Returns the policy that the others are compared with.
    pub fn baseline(&self) -> Option<&str> {
        match self {
            Self::Port(report) => report.port.baseline.as_deref(),
            Self::Network(report) => report.network.baseline.as_deref(),
            Self::Attack(report) => report.attack.baseline.as_deref(),
            Self::Cache(report) => report.cache.baseline.as_deref(),
            Self::Curve(report) => report.cache.baseline.as_deref(),
            Self::Bound(_) => None,
        }
    }

    /// Returns the kind of result.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Port(_) => Kind::Port,
            Self::Network(_) => Kind::Network,
            Self::Attack(_) => Kind::Attack,
            Self::Cache(_) => Kind::Cache,
            Self::Curve(_) => Kind::Curve,
            Self::Bound(_) => Kind::Bound,
        }
    }

    /// Returns all numbers in one long table.
    pub fn frame(&self) -> Frame {
        match self {
            Self::Port(report) => report.into(),
            Self::Network(report) => report.into(),
            Self::Attack(report) => report.into(),
            Self::Cache(report) => report.as_ref().into(),
            Self::Curve(report) => report.as_ref().into(),
            Self::Bound(report) => report.as_ref().into(),
        }
    }

    /// Returns the long table as comma-separated values, for other tools.
    pub fn csv(&self) -> String {
        self.frame().csv()
    }

    /// Returns the answer as JSON, as docs/result.md describes it.
    ///
    /// # Errors
    /// If a number cannot be written.
    pub fn json(&self) -> Result<String> {
        folder::json(self)
    }

    /// Returns pictures, each with the name of its file; `frame` is the frame of this answer.
    ///
    /// # Errors If a picture cannot be made.
    pub fn pictures(&self, frame: &Frame) -> Result<Vec<Picture>> {
        match self {
            Self::Port(report) => port::pictures(report, frame),
            Self::Network(report) => network::pictures(report, frame),
            Self::Attack(report) => attack::pictures(report, frame),
            Self::Cache(report) => caching::pictures(report, frame),
            Self::Curve(report) => Ok(caching::curve_pictures(report)),
            Self::Bound(_) => Ok(Vec::new()),
        }
    }

    /// Returns the files of a result folder except `result.json`: the pictures with their numbers, and the long table with its summary. If
    /// the scenario asks for it, also the change for each object of a cache.
    ///
    /// # Errors
    /// If a picture cannot be drawn.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let frame = self.frame();
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for picture in self.pictures(&frame)? {
            files.extend(picture.files()?);
        }
        files.push(("result.csv".to_owned(), frame.csv().into_bytes()));
        files.push(("summary.csv".to_owned(), frame.summary_to(self.baseline()).csv().into_bytes()));
        if let Self::Cache(report) = self {
            files.extend(caching::attribution_files(report));
        }
        #[cfg(feature = "parquet")]
        files.push(("result.parquet".to_owned(), frame.parquet()?));
        Ok(files)
    }

    /// Returns warnings for readers of the numbers.
    pub fn warnings(&self) -> &[String] {
        match self {
            Self::Port(report) => &report.warnings,
            Self::Network(report) => &report.warnings,
            Self::Attack(report) => &report.warnings,
            Self::Cache(report) => &report.warnings,
            Self::Curve(report) => &report.warnings,
            Self::Bound(report) => &report.warnings,
        }
    }

    /// Returns whether the run was completed and not stopped early.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Port(report) => report.is_complete(),
            Self::Network(report) => report.is_complete(),
            Self::Attack(report) => report.is_complete(),
            Self::Cache(report) => report.complete,
            Self::Curve(report) => report.complete,
            Self::Bound(report) => report.complete,
        }
    }
}

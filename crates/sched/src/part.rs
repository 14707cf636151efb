//! A part of a discipline: its name and parameters, and a constructor if a program supplies the part.

use crate::queues::{BuiltQueue, QueueSize};
use crate::traits::{BuiltRankFn, DropRule};
use forebay_core::{ParamError, ParamValue, Rate};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The name of an algorithm and the parameters given to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// The algorithm's name in the registry.
    pub name: String,
    /// The algorithm's parameters.
    pub params: BTreeMap<String, ParamValue>,
    /// The constructor of the part, if the part is not in the registry.
    pub own: Option<OwnPart>,
}

impl Part {
    /// Returns the algorithm called `name` with its default parameters.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Returns a part that the program supplies, under the name `name`.
    ///
    /// ```
    /// use forebay_core::{BufferSize, Packet, Rate, Seed, Time};
    /// use forebay_sched::{DisciplineSpec, OwnPart, Part, RankFn, RankUnit, discipline};
    /// use std::sync::Arc;
    ///
    /// struct ShortestFirst;
    ///
    /// impl RankFn for ShortestFirst {
    ///     fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
    ///         packet.size_bytes.into()
    ///     }
    /// }
    ///
    /// let mut port = discipline(
    ///     &DisciplineSpec {
    ///         rank: Part::own("shortest-first", OwnPart::RankFn(Arc::new(|_, _| Ok(Box::new(ShortestFirst))))),
    ///         queue: Part::named("pifo"),
    ///         drop: Part::named("tail"),
    ///         mark: None,
    ///         pace: None,
    ///         buffer: BufferSize::Packets(9),
    ///         rank_unit: RankUnit::ONE,
    ///         link_rate: Rate::parse("10 Gbps")?,
    ///     },
    ///     Seed(1),
    /// )?;
    /// for size_bytes in [1500, 64] {
    ///     port.enqueue(Time::ZERO, Packet { size_bytes, ..Packet::default() }, &mut Vec::new());
    /// }
    /// assert_eq!(port.dequeue(Time::ZERO).map(|packet| packet.size_bytes), Some(64));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn own(name: &str, own: OwnPart) -> Self {
        Self { name: name.to_owned(), params: BTreeMap::new(), own: Some(own) }
    }
}

/// The parameters that a scenario gives to a part.
pub type Given = BTreeMap<String, ParamValue>;

/// Makes a rank function for a link of the given rate; the rate is `None` if several rank functions share a link.
pub type MakeRankFn = dyn Fn(Option<Rate>, &Given) -> BuiltRankFn + Send + Sync;

/// Makes a queue for a buffer of the given size.
pub type MakeQueue = dyn Fn(QueueSize, &Given) -> Result<BuiltQueue, ParamError> + Send + Sync;

/// Makes a drop rule.
pub type MakeDropRule = dyn Fn(&Given) -> BuiltDropRule + Send + Sync;

/// A drop rule, or the error in its parameters.
pub type BuiltDropRule = Result<Box<dyn DropRule + Send>, ParamError>;

/// A part that a program supplies.
#[derive(Clone)]
pub enum OwnPart {
    /// A rank function.
    RankFn(Arc<MakeRankFn>),
    /// A rank queue.
    Queue(Arc<MakeQueue>),
    /// A drop rule.
    DropRule(Arc<MakeDropRule>),
}

impl OwnPart {
    /// The kind of the part, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::RankFn(_) => "rank function",
            Self::Queue(_) => "queue",
            Self::DropRule(_) => "drop rule",
        }
    }
}

impl fmt::Debug for OwnPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OwnPart({})", self.kind())
    }
}

/// Two parts are equal if they are the same part of the same program.
impl PartialEq for OwnPart {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::RankFn(one), Self::RankFn(other)) => Arc::ptr_eq(one, other),
            (Self::Queue(one), Self::Queue(other)) => Arc::ptr_eq(one, other),
            (Self::DropRule(one), Self::DropRule(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

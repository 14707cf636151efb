//! The kinds of names.

/// A kind of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Gives each packet a rank.
    RankFunction,
    /// Gives each flow a rank.
    FlowRank,
    /// Sorts packets by rank.
    Queue,
    /// Chooses which packet leaves a full buffer.
    DropRule,
    /// Marks packets (ECN).
    MarkRule,
    /// Says from when on packets may leave.
    PaceRule,
    /// Draws ranks or sizes.
    Distribution,
    /// Joins hosts and switches.
    Topology,
    /// Sends the segments of flows.
    Transport,
    /// Draws the sizes of flows.
    FlowSize,
    /// Chooses senders and receivers.
    Pattern,
    /// Works on packets, and is attacked.
    Application,
    /// Chooses what a cache evicts.
    CachePolicy,
    /// Decides which objects enter a cache.
    AdmissionRule,
    /// Chooses what a cache fetches before it is requested.
    Prefetcher,
    /// Reads and writes request traces.
    RequestFormat,
    /// Makes request traces.
    RequestGenerator,
    /// A target for which a policy is compiled.
    Target,
    /// Runs a policy beside the reference engine.
    Datapath,
    /// Moves the frames of the software switch.
    BackEnd,
    /// Measures a published figure.
    Measure,
    /// A number of a result.
    Metric,
    /// A kind of plot of a figure.
    KindOfPlot,
}

impl Kind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 23] = [
        Self::RankFunction,
        Self::FlowRank,
        Self::Queue,
        Self::DropRule,
        Self::MarkRule,
        Self::PaceRule,
        Self::Distribution,
        Self::Topology,
        Self::Transport,
        Self::FlowSize,
        Self::Pattern,
        Self::Application,
        Self::CachePolicy,
        Self::AdmissionRule,
        Self::Prefetcher,
        Self::RequestFormat,
        Self::RequestGenerator,
        Self::Target,
        Self::Datapath,
        Self::BackEnd,
        Self::Measure,
        Self::Metric,
        Self::KindOfPlot,
    ];

    /// Returns the kind's name.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::RankFunction => "rank function",
            Self::FlowRank => "flow rank",
            Self::Queue => "queue",
            Self::DropRule => "drop rule",
            Self::MarkRule => "mark rule",
            Self::PaceRule => "pace rule",
            Self::Distribution => "distribution",
            Self::Topology => "topology",
            Self::Transport => "transport",
            Self::FlowSize => "flow size",
            Self::Pattern => "traffic pattern",
            Self::Application => "application",
            Self::CachePolicy => "cache policy",
            Self::AdmissionRule => "admission rule",
            Self::Prefetcher => "prefetcher",
            Self::RequestFormat => "request format",
            Self::RequestGenerator => "request generator",
            Self::Target => "target",
            Self::Datapath => "datapath",
            Self::BackEnd => "back end",
            Self::Measure => "measure",
            Self::Metric => "metric",
            Self::KindOfPlot => "kind of plot",
        }
    }

    /// Returns the kind's name with its article.
    #[must_use]
    pub fn with_article(self) -> String {
        let title = self.title();
        let article = if title.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
        format!("{article} {title}")
    }

    /// Returns the kind's name in the plural.
    #[must_use]
    pub fn plural(self) -> String {
        match self {
            Self::CachePolicy => "cache policies".to_owned(),
            Self::Topology => "topologies".to_owned(),
            Self::KindOfPlot => "kinds of plots".to_owned(),
            other => format!("{}s", other.title()),
        }
    }

    /// Returns an example of a scenario or a command that uses the thing called `name`.
    #[must_use]
    pub fn example(self, name: &str) -> String {
        match self {
            Self::RankFunction | Self::FlowRank => format!("rank = \"{name}\""),
            Self::Queue => format!("queue = \"{name}\""),
            Self::DropRule => format!("drop = \"{name}\""),
            Self::MarkRule => format!("mark = \"{name}\""),
            Self::PaceRule => format!("pace = {name}"),
            Self::Distribution => format!("rank = {{ distribution = \"{name}\", min = 0, max = 100 }}"),
            Self::Topology => format!("topology = \"{name}\""),
            Self::Transport => format!("transport = \"{name}\""),
            Self::FlowSize => format!("sizes = \"{name}\""),
            Self::Pattern => format!("pattern = \"{name}\""),
            Self::Application => format!("application = \"{name}\""),
            Self::CachePolicy => format!("forebay cache TRACE --policy {name} --capacity 64 --latency 100"),
            Self::AdmissionRule => format!("forebay cache TRACE --policy lru-{name} --capacity 64 --latency 100"),
            Self::Prefetcher => {
                format!("forebay cache TRACE --policy lru --capacity 64 --latency 100 --prefetch {name}")
            }
            Self::RequestFormat => format!("forebay trace info FILE --format-in {name}"),
            Self::RequestGenerator => format!("forebay trace info {name}:objects=1e4,requests=1e6"),
            Self::Target => format!("forebay compile POLICY.oq --target {name} -o FOLDER"),
            Self::Datapath => format!("forebay conform POLICY.oq --target {name}"),
            Self::BackEnd => format!("forebay switch --backend {name} --port eth1 --port eth2 --policy POLICY.oq"),
            Self::Measure => format!("measure = \"{name}\" in an experiment.toml"),
            Self::Metric => "forebay run SCENARIO --format json".to_owned(),
            Self::KindOfPlot => format!("forebay plot RESULT --y METRIC --kind {name} --out FIGURE.svg"),
        }
    }
}

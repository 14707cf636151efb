//! Reads a scenario of a port and checks all that can be checked before the simulation starts.

use super::bound_rows::has_bounds;
use super::{BOUNDS, Cell, PACKETS, PortScenario, Setting};
use crate::document::{Node, Table};
use crate::error::Result;
use crate::fields;
use crate::run::{Said, VERSION, hex};
use crate::scenario::{
    self, Asked, Files, NamedPolicy, PortNode, Summed, Traffic, name_and_seed, positive, quantity, recorded_of,
};
use crate::sweep::{MAX_RUNS, Point, Sweep};
use forebay_core::{BufferSize, Rate, Time};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const EXAMPLE: &str = "rank = \"arrival\", queue = \"fifo\"";

impl PortScenario {
    /// Checks a document. `seed` replaces the seed in the document.
    pub fn read(document: &Node, default_name: &str, seed: Option<u64>, files: &dyn Files) -> Result<Self> {
        let top = document.table("the scenario")?;
        refuse_other_kinds(&top)?;
        let (name, seed) = name_and_seed(&top, default_name, seed)?;
        let repetitions = top.get("repetitions").map(|node| node.integer("repetitions", 1, MAX_RUNS)).transpose()?;
        top.get("until");
        top.get("zip");
        top.require("port", "[port] with rate = \"10 Gbps\" and buffer = \"80 packets\"")?;
        top.require("traffic", "[traffic] with trace = \"FILE\", or with arrivals = \"poisson\"")?;
        top.require("policy", &format!("[[policy]] with {EXAMPLE}"))?;
        let baseline = top.get("baseline");
        let recorded = recorded_of(&top, &[PACKETS.name, BOUNDS.name])?;
        let record = top.get("record");
        top.finish()?;
        let sweep = Sweep::of(document, &fields::PORT, repetitions.unwrap_or(1), EXAMPLE)?;
        let reader = Reader { files: Summed::new(files), traffics: RefCell::default(), sweep, recorded };
        let mut cells = Vec::new();
        for point in &reader.sweep.points {
            reader.read_point(point, &mut cells)?;
        }
        if let Some(record) = record.filter(|_| reader.recorded.contains(&BOUNDS.name)) {
            refuse_no_bounds(record, &cells)?;
        }
        let mut warnings: Vec<String> = Vec::new();
        for warning in cells.iter().flat_map(|cell: &Cell| cell.setting.traffic.warnings()) {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        let values_sha256 = hex(document.sorted().to_toml().as_bytes());
        let said = Said { name, seed, file_sha256: String::new(), values_sha256 };
        let baseline = scenario::baseline(baseline, cells.iter().map(|cell| cell.policy.name.as_str()))?;
        Ok(Self { said, repetitions, cells, baseline, warnings })
    }

    /// Returns the scenario as that of a file with this SHA-256.
    pub(crate) fn of_file(mut self, file_sha256: String) -> Self {
        self.said.file_sha256 = file_sha256;
        self
    }
}

/// Says which kind of scenario a document is, if it is none with a port.
fn refuse_other_kinds(top: &Table<'_>) -> Result<()> {
    if let Some(study) = top.get("queue_study").or_else(|| top.get("queue")) {
        return Err(study.error(
            // prose: allow long-sentence: a list of what to write
            "a queue study is now a scenario with [port], [traffic] and [[policy]]: write `buffer` and `rate` in [port], `ranks` as `rank` \
             in [traffic], the other fields in [traffic], and each [[queue]] as [[policy]] with rank = \"packet-rank\"",
        ));
    }
    if ["port", "traffic", "policy"].iter().all(|field| top.get(field).is_none()) {
        return Err(top.error(
            "this is not a scenario: it needs [port] and [traffic], or [network] and [[workload]], or [processor], [innocent] and \
             [attack], \
             or [cache] or [curve], each with [[policy]]; or [bound]. docs/scenario.md and docs/network.md describe them",
        ));
    }
    Ok(())
}

/// Says that no queue has bounds to record.
fn refuse_no_bounds(record: &Node, cells: &[Cell]) -> Result<()> {
    if cells.iter().any(|cell| has_bounds(&cell.policy.discipline)) {
        return Ok(());
    }
    Err(record.error(
        "no policy here has a queue with bounds to record: use queue = \"sp-pifo\", \"gradient\", \"mean-bounds\" or \
         \"fixed-bounds\", or leave \"bounds\" out of `record`",
    ))
}

/// Traffic by its text, the rate of the port and the end of the run.
type Known = BTreeMap<(String, u64, Time), (Traffic, Asked)>;

/// The common state while the points of a sweep are read.
struct Reader<'a> {
    files: Summed<'a>,
    /// The traffics by their text in the scenario, with the files that they need.
    traffics: RefCell<Known>,
    sweep: Sweep,
    recorded: Vec<&'static str>,
}

impl Reader<'_> {
    /// Appends the cells of a point with all policies.
    fn read_point(&self, point: &Point, cells: &mut Vec<Cell>) -> Result<()> {
        let top = point.node.table("the scenario")?;
        let until = top.get("until").map_or(Ok(Time::MAX), |node| Ok(Time::ZERO + positive(node, "until")?))?;
        let port_node = top.require("port", "[port] with rate = \"10 Gbps\" and buffer = \"80 packets\"")?;
        let port = port_node.table("[port]")?;
        let rate = quantity(port.require("rate", "rate = \"10 Gbps\"")?, "rate", Rate::parse)?;
        let buffer = match port.get("buffer") {
            Some(node) => Some((quantity(node, "buffer", BufferSize::parse)?, node)),
            None => None,
        };
        port.finish()?;
        let (traffic, asked) = self.traffic(top.require("traffic", "[traffic]")?, rate, until)?;
        let offered = traffic.offered();
        let buffer_size = buffer.map(|(buffer, _)| buffer);
        let [records_packets, records_bounds] = [&PACKETS, &BOUNDS].map(|table| self.recorded.contains(&table.name));
        let setting = Setting { rate, buffer: buffer_size, until, traffic, records_packets, records_bounds };
        let setting = Arc::new(setting);
        let place = PortNode { rate, buffer, node: port_node, what: "[port]", policy: "[[policy]]", at: None };
        let mut told_apart = BTreeSet::new();
        for choice in self.sweep.policies_of(point) {
            let policy = NamedPolicy::read(&choice.node, &place, &offered, &self.files)?;
            // Nothing would tell them apart.
            let choices = choice.choices.iter().map(|choice| (choice.path.clone(), choice.value.text.clone()));
            if !told_apart.insert((policy.name.clone(), choices.collect::<Vec<_>>())) {
                let message = format!("there are two policies called `{}`; give one a `name`", policy.name);
                return Err(choice.node.error(message));
            }
            let key = format!(
                "forebay {VERSION}\n{}\n[policy]\n{}\n{asked:?}\n{:?}",
                point.node.sorted().to_toml(),
                choice.node.sorted().to_toml(),
                self.files.take_asked(),
            );
            cells.push(Cell {
                axes: self.sweep.axes(point, choice),
                own_axes: choice.choices.len(),
                setting: Arc::clone(&setting),
                policy,
                key: hex(key.as_bytes()),
            });
        }
        Ok(())
    }

    /// Traffic, which many points may share.
    fn traffic(&self, node: &Node, rate: Rate, until: Time) -> Result<(Traffic, Asked)> {
        let key = (node.to_inline_toml(), rate.bits_per_second(), until);
        if let Some(known) = self.traffics.borrow().get(&key) {
            return Ok(known.clone());
        }
        let traffic = Traffic::read(node, rate, until, &self.files)?;
        let read = (traffic, self.files.take_asked());
        self.traffics.borrow_mut().insert(key, read.clone());
        Ok(read)
    }
}

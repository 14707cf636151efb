//! A plan as a specification for DPDK's pipeline (`rte_swx_pipeline`).
//!
//! The pipeline does not check where a packet ends: its host fills the bytes behind it with zeros. Headers are bytes, since
//! fields have at most 64 bits and begin at a byte.

use super::headers::{Needs, Size, latest};
use super::plan::{Choice, Plan};
use super::steps::{Input, Operand, Step, Test};
use crate::TargetOptions;
use crate::headers::{Field, Layer, Part, Source};
use forebay_lang::ir::Relation;

/// The specification.
pub(super) fn specification(plan: &Plan, options: &TargetOptions) -> String {
    let mut spec = Specification { needs: Needs::of(&options.mapping, plan.fields()), ..Specification::default() };
    spec.program(plan, options);
    let mut text =
        "; A policy in OpenQueue for strict-priority queues, made by forebay: a specification for DPDK's pipeline.\n\
                    ; The port that a packet leaves by is its queue; 0 is to be served first.\n"
            .to_owned();
    for note in &plan.notes {
        text.push_str(&format!("; Note: {note}.\n"));
    }
    for (name, size) in spec.headers().into_iter().chain(spec.ahead()) {
        text.push_str(&format!("\nstruct {name}_t {{\n"));
        match size {
            Size::Bytes(bytes) => (0..bytes).for_each(|byte| text.push_str(&format!("\tbit<8> b{byte}\n"))),
            Size::AtMost(bits) => text.push_str(&format!("\tvarbit<{bits}> bytes\n")),
        }
        text.push_str(&format!("}}\nheader {name} instanceof {name}_t\n"));
    }
    text.push_str("\nstruct metadata_t {\n\tbit<32> port\n\tbit<32> queue\n\tbit<32> size\n");
    let mut names: Vec<String> = ["kind", "byte", "at", "transport", "rank", "bound", "cost"].map(str::to_owned).into();
    names.extend((0..plan.steps.all().len()).map(|step| format!("n{step}")));
    names.iter().for_each(|name| text.push_str(&format!("\tbit<64> {name}\n")));
    text.push_str("}\nmetadata instanceof metadata_t\n");
    if let Choice::Rank(_) = plan.choice {
        text.push_str(&format!("\nregarray bounds size {} initval 0\n", plan.queues));
    }
    text.push_str("\napply {\n");
    spec.lines.iter().for_each(|line| text.push_str(&format!("\t{line}\n")));
    text.push_str("}\n");
    text
}

#[derive(Default)]
pub(super) struct Specification {
    pub(super) needs: Needs,
    lines: Vec<String>,
    /// The label of the instruction that comes next.
    label: Option<String>,
    labels: usize,
}

impl Specification {
    pub(super) fn add(&mut self, instruction: &str) {
        self.lines.push(match self.label.take() {
            Some(label) => format!("{label} : {instruction}"),
            None => instruction.to_owned(),
        });
    }

    pub(super) fn all(&mut self, instructions: &[&str]) {
        instructions.iter().for_each(|instruction| self.add(instruction));
    }

    /// A label for a place that comes later.
    pub(super) fn later(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    /// The place of a label.
    pub(super) fn here(&mut self, label: String) {
        if self.label.is_some() {
            // One instruction has one label.
            self.add("mov m.byte 0");
        }
        self.label = Some(label);
    }

    fn program(&mut self, plan: &Plan, options: &TargetOptions) {
        self.all(&["rx m.port", "extract h.ethernet"]);
        if self.needs.tags {
            self.parse();
        }
        self.steps(plan, options);
        self.add("mov m.queue 0");
        let (send, refuse) = (self.later(), self.later());
        let always = Test::Known(true);
        let mut last = false;
        for case in &plan.cases {
            let next = self.later();
            self.unless(&case.when, &next);
            match (case.place, &plan.choice) {
                (None, _) => self.add(&format!("jmp {refuse}")),
                (Some(_), Choice::Rank(rank)) => self.scan(plan.queues, rank.value, &send),
                (Some(place), Choice::Class) => self.all(&[&format!("mov m.queue {place}"), &format!("jmp {send}")]),
            }
            last = case.when == always;
            if last {
                break;
            }
            self.here(next);
        }
        let refuses = !last || plan.cases.iter().any(|case| case.place.is_none());
        if refuses {
            self.here(refuse);
            self.add("drop");
        }
        self.here(send);
        for (name, _) in self.headers() {
            self.add(&format!("emit h.{name}"));
        }
        self.add("tx m.queue");
    }

    fn steps(&mut self, plan: &Plan, options: &TargetOptions) {
        for (number, step) in plan.steps.all().iter().enumerate() {
            let name = operand(Operand::Step(number));
            let mut two = |with: &str, one: Operand, other: String| {
                self.add(&format!("mov {name} {}", operand(one)));
                self.add(&format!("{with} {name} {other}"));
            };
            match *step {
                Step::Input(Input::Field(field)) => {
                    if let Some(source) = options.mapping.source(field) {
                        self.field(&name, field, source);
                    }
                }
                // The pipeline does not know these: no specification is made.
                Step::Input(Input::Size | Input::Arrival) => {}
                Step::Add(one, other) => two("add", one, operand(other)),
                Step::Sub(one, other) => two("sub", one, operand(other)),
                Step::And(one, mask) => two("and", one, mask.to_string()),
                Step::Left(one, by) => two("shl", one, by.to_string()),
                Step::Right(one, by) => two("shr", one, by.to_string()),
                Step::Least(one, other) | Step::Greatest(one, other) => {
                    let (kept, jump) = (self.later(), if matches!(step, Step::Least(..)) { "jmplt" } else { "jmpgt" });
                    self.add(&format!("mov {name} {}", operand(one)));
                    self.add(&format!("{jump} {kept} {name} {}", operand(other)));
                    self.add(&format!("mov {name} {}", operand(other)));
                    self.here(kept);
                }
                Step::If(test, value) => {
                    let done = self.later();
                    self.add(&format!("mov {name} 0"));
                    self.add(&format!("jmpeq {done} {} 0", operand(test)));
                    self.add(&format!("mov {name} {}", operand(value)));
                    self.here(done);
                }
            }
        }
    }

    /// Goes to `label` if a header with its bytes up to `end` is not in the head of the frame.
    fn in_head(&mut self, layer: Layer, end: u16, label: &str) {
        if let Some((begin, latest)) = latest(layer, end) {
            self.add(&format!("jmpgt {label} m.{begin} {latest}"));
        }
    }

    fn field(&mut self, name: &str, field: Field, source: Source) {
        self.add(&format!("mov {name} 0"));
        match source.part {
            Part::Dscp => {
                let (not, done) = (self.later(), self.later());
                self.add(&format!("jmpnv {not} h.ipv4"));
                self.in_head(Layer::Ip, 0, &done);
                self.all(&[&format!("mov {name} h.ipv4.b1"), &format!("shr {name} 2")]);
                self.here(not);
                self.add(&format!("jmpnv {done} h.ipv6"));
                self.in_head(Layer::Ip6, 0, &done);
                self.all(&[&format!("mov {name} h.ipv6.b0"), &format!("and {name} 15"), &format!("shl {name} 2")]);
                self.all(&["mov m.byte h.ipv6.b1", "shr m.byte 6", &format!("or {name} m.byte")]);
                self.here(done);
            }
            Part::Pcp => {
                let done = self.later();
                self.add(&format!("jmpnv {done} h.tag_0"));
                self.all(&[&format!("mov {name} h.tag_0.b0"), &format!("shr {name} 5")]);
                self.here(done);
            }
            Part::Bytes { layer, offset, width } => {
                let done = self.later();
                let (offset, width) = (u16::from(offset), u16::from(width));
                self.add(&format!("jmpnv {done} h.{}", self.needs.place(layer, offset + width - 1).0));
                self.in_head(layer, offset + width, &done);
                for byte in offset..offset + width {
                    let (header, begin) = self.needs.place(layer, byte);
                    if byte > offset {
                        self.add(&format!("shl {name} 8"));
                    }
                    self.add(&format!("mov m.byte h.{header}.b{}", byte - begin));
                    self.add(&format!("or {name} m.byte"));
                }
                self.here(done);
            }
            // These are constants, or were refused.
            Part::Number(_) | Part::Priority | Part::Mark | Part::FlowHash | Part::Egress => {}
        }
        if source.shift > 0 {
            self.add(&format!("shr {name} {}", source.shift));
        }
        if source.mask != u64::MAX {
            self.add(&format!("and {name} {}", source.mask));
        }
        if super::headers::most(source).is_ok_and(|most| most > field.most()) {
            let kept = self.later();
            self.all(&[&format!("jmplt {kept} {name} {}", field.most()), &format!("mov {name} {}", field.most())]);
            self.here(kept);
        }
    }

    /// Finds the queue, from the last one upward, moves the bounds, and goes to `send`.
    ///
    /// Ranks do not wrap here: that needs the time, which the pipeline does not tell.
    fn scan(&mut self, queues: usize, rank: Operand, send: &str) {
        self.add(&format!("mov m.rank {}", operand(rank)));
        for queue in (0..queues).rev() {
            let next = self.later();
            self.all(&[&format!("regrd m.bound bounds {queue}"), &format!("jmpgt {next} m.bound m.rank")]);
            self.add(&format!("regwr bounds {queue} m.rank"));
            self.all(&[&format!("mov m.queue {queue}"), &format!("jmp {send}")]);
            self.here(next);
        }
        self.all(&["mov m.cost m.bound", "sub m.cost m.rank", "regwr bounds 0 m.rank"]);
        for queue in 1..queues {
            self.all(&[&format!("regrd m.bound bounds {queue}"), "sub m.bound m.cost"]);
            self.add(&format!("regwr bounds {queue} m.bound"));
        }
        self.add(&format!("jmp {send}"));
    }

    /// Goes to `label` unless a test holds.
    fn unless(&mut self, test: &Test, label: &str) {
        match test {
            Test::Known(true) => {}
            Test::Known(false) => self.add(&format!("jmp {label}")),
            Test::Not(test) => self.when(test, label),
            Test::And(one, other) => {
                self.unless(one, label);
                self.unless(other, label);
            }
            Test::Or(one, other) => {
                let holds = self.later();
                self.when(one, &holds);
                self.unless(other, label);
                self.here(holds);
            }
            Test::Compare(..) => {
                let holds = self.later();
                self.when(test, &holds);
                self.add(&format!("jmp {label}"));
                self.here(holds);
            }
        }
    }

    /// Goes to `label` if a test holds.
    fn when(&mut self, test: &Test, label: &str) {
        match test {
            Test::Known(true) => self.add(&format!("jmp {label}")),
            Test::Known(false) => {}
            Test::Not(test) => self.unless(test, label),
            Test::Or(one, other) => {
                self.when(one, label);
                self.when(other, label);
            }
            Test::And(one, other) => {
                let fails = self.later();
                self.unless(one, &fails);
                self.when(other, label);
                self.here(fails);
            }
            Test::Compare(relation, one, other) => self.compare(*relation, *one, *other, label),
        }
    }

    fn compare(&mut self, relation: Relation, one: Operand, other: Operand, label: &str) {
        // The first is no constant.
        self.all(&[&format!("mov m.byte {}", operand(one))]);
        let jumps: &[&str] = match relation {
            Relation::Less => &["jmplt"],
            Relation::LessEqual => &["jmplt", "jmpeq"],
            Relation::Greater => &["jmpgt"],
            Relation::GreaterEqual => &["jmpgt", "jmpeq"],
            Relation::Equal => &["jmpeq"],
            Relation::NotEqual => &["jmpneq"],
        };
        for jump in jumps {
            self.add(&format!("{jump} {label} m.byte {}", operand(other)));
        }
    }
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Constant(number) => number.to_string(),
        Operand::Step(number) => format!("m.n{number}"),
    }
}

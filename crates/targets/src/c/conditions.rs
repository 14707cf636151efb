//! Boundary conditions as C functions: `congestion` of queues and buffers, `postSchedAct` of ports.

use super::Model;
use super::choices::{choices, is_known};
use super::classifier::classifier;
use super::comparators::unused;
use super::expressions::{number, truth};
use super::functions::Functions;
use super::routines;
use super::scope::{Object, Scope};
use super::value::{Truth, Value};
use super::writer::Writer;
use forebay_lang::Ratio;
use forebay_lang::ir::{Action, Case, Condition};

/// The kind of object that a condition belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Queue,
    Buffer,
    Port,
}

impl Owner {
    fn word(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Buffer => "buffer",
            Self::Port => "port",
        }
    }

    /// Returns the parameters of the owner's functions; the first is the arriving or the served packet.
    fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::Queue => &["arriving", "queue", "now"],
            Self::Buffer => &["arriving", "buffer", "current", "now"],
            Self::Port => &["slot", "port", "current", "now"],
        }
    }

    /// Returns the queue of the arriving or the served packet.
    fn queue(self) -> &'static str {
        if self == Self::Queue { "queue" } else { "current" }
    }

    fn declared(self) -> String {
        let kind = |name: &str| if name == "now" { "oq_u64" } else { "oq_u32" };
        self.parameters().iter().map(|name| format!("{} {name}", kind(name))).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the text of `oq_rules.h`.
pub(super) fn rules(model: &Model<'_>) -> String {
    let mut out = Writer::default();
    let mut functions = Functions::default();
    let policy = model.policy;
    choices(&mut out, &mut functions, model);
    let queues = policy.queues.iter().map(|queue| (&queue.name, &queue.congestion));
    treatment(&mut out, &mut functions, Owner::Queue, "oq_treat_queue", &queues.collect::<Vec<_>>(), model);
    let buffers = policy.buffers.iter().map(|buffer| (&buffer.name, &buffer.congestion));
    treatment(&mut out, &mut functions, Owner::Buffer, "oq_treat_buffer", &buffers.collect::<Vec<_>>(), model);
    let ports = policy.ports.iter().map(|port| (&port.name, &port.after));
    treatment(&mut out, &mut functions, Owner::Port, "oq_after_service", &ports.collect::<Vec<_>>(), model);
    classifier(&mut out, model);
    out.header("The actions of the policy when packets arrive and depart.", "OQ_RULES_H")
}

/// The most cases of a function, unless a single condition has more: a branch of BPF reaches 32,767 instructions, and a case needs about
/// 70.
const MOST_CASES: usize = 64;

/// Writes the function `name` that runs the condition of an object. A verifier checks it once, and not in each state in which it is called.
fn treatment(
    out: &mut Writer,
    functions: &mut Functions,
    owner: Owner,
    name: &str,
    conditions: &[(&String, &Condition)],
    model: &Model<'_>,
) {
    let mut lines = vec![String::new(); conditions.len()];
    let mut groups: Vec<Group> = Vec::new();
    for (first, (_, condition)) in conditions.iter().enumerate() {
        if !lines[first].is_empty() || condition.cases.is_empty() {
            continue;
        }
        let among: Vec<usize> =
            (first..conditions.len()).filter(|object| conditions[*object].1 == *condition).collect();
        let called = if condition.name.is_empty() { "condition" } else { &condition.name };
        let given = format!("oq_{}", functions.give(owner.word(), called));
        let of = among.iter().map(|object| conditions[*object].0.as_str()).collect::<Vec<_>>().join(", ");
        Treated { owner, name: &given, condition, scope: scope(owner, &among, model), of: &of, called }.write(out);
        let call = format!("{given}({});", owner.parameters().join(", "));
        among.iter().for_each(|object| lines[*object].clone_from(&call));
        let cases = condition.cases.len();
        match groups.last_mut().filter(|group| group.cases + cases <= MOST_CASES) {
            Some(group) => {
                group.cases += cases;
                group.objects.extend(among);
            }
            None => groups.push(Group { cases, objects: among }),
        }
    }
    let about = match owner {
        Owner::Queue => "The congestion of the queue that a packet has entered",
        Owner::Buffer => "The congestion of the buffer that a packet has entered",
        Owner::Port => "What happens after the port has served a packet",
    };
    if groups.len() > 1 {
        for (number, group) in groups.iter().enumerate() {
            let part = format!("{name}_{number}");
            let mut own = vec![String::new(); lines.len()];
            group.objects.iter().for_each(|object| own[*object] = std::mem::take(&mut lines[*object]));
            dispatch(out, owner, &part, &format!("{about}, of some {}s.", owner.word()), &own);
            let call = format!("{part}({});", owner.parameters().join(", "));
            group.objects.iter().for_each(|object| lines[*object].clone_from(&call));
        }
    }
    dispatch(out, owner, name, &format!("{about}."), &lines);
}

/// The conditions of one function.
struct Group {
    /// The total number of their cases.
    cases: usize,
    /// The numbers of their objects.
    objects: Vec<usize>,
}

/// Writes a function that has a line for each object.
fn dispatch(out: &mut Writer, owner: Owner, name: &str, about: &str, lines: &[String]) {
    out.comment(about);
    out.function(&format!("OQ_GLOBAL int {name}({})", owner.declared()));
    let switched = if is_known(lines) { "" } else { owner.word() };
    unused(out, owner.parameters(), &[&lines.join(" "), switched]);
    out.switch(owner.word(), lines);
    out.line("return 0;");
    out.end();
}

fn scope<'a>(owner: Owner, among: &[usize], model: &'a Model<'a>) -> Scope<'a> {
    let policy = model.policy;
    let object = |text: &str| Some(Object::new(text, among.iter().copied()));
    let mut scope = Scope::new(model);
    match owner {
        Owner::Queue => {
            scope.arriving = Some("arriving");
            scope.this_queue = object("queue");
        }
        Owner::Buffer => {
            scope.arriving = Some("arriving");
            scope.this_buffer = object("buffer");
            let queues = among.iter().flat_map(|buffer| &policy.buffers[*buffer].queues);
            scope.current = Some(Object::new("current", queues.map(|id| usize::from(id.0))));
        }
        Owner::Port => {
            scope.served = Some("slot");
            scope.this_port = object("port");
            let queues = among.iter().flat_map(|port| &policy.ports[*port].queues);
            scope.current = Some(Object::new("current", queues.map(|id| usize::from(id.0))));
        }
    }
    scope
}

/// A condition, with all objects that have the same one.
struct Treated<'a> {
    owner: Owner,
    name: &'a str,
    condition: &'a Condition,
    scope: Scope<'a>,
    /// The names of the objects.
    of: &'a str,
    called: &'a str,
}

impl Treated<'_> {
    fn write(&self, out: &mut Writer) {
        let mut body = Writer::default();
        let mut declares = false;
        let property = if self.owner == Owner::Port { "postSchedAct" } else { "congestion" };
        for (place, case) in self.condition.cases.iter().enumerate() {
            let holds = match truth(&case.when, &self.scope) {
                Truth::Const(false) => continue,
                Truth::Const(true) => "1".to_owned(),
                Truth::Text(text) => {
                    let function = format!("{}_{}_holds", self.name, place + 1);
                    out.comment(&self.in_text(&case.when.to_string()));
                    out.function(&format!("OQ_INLINE int {function}({})", self.owner.declared()));
                    unused(out, self.owner.parameters(), &[&text]);
                    out.line(&format!("return {text};"));
                    out.end();
                    format!("{function}({})", self.owner.parameters().join(", "))
                }
            };
            let mut actions = Writer::default();
            declares |= self.actions(&mut actions, case, &holds);
            body.comment(&self.in_text(&case_text(case)));
            if holds == "1" {
                actions.text().lines().for_each(|line| body.line(line));
                break;
            }
            body.open(&format!("if ({holds})"));
            actions.text().lines().for_each(|line| body.line(line));
            body.line("return;");
            body.close();
        }
        out.comment(&format!("{property} of {}: {}", self.of, self.called));
        out.function(&format!("OQ_INLINE void {}({})", self.name, self.owner.declared()));
        if declares {
            out.line("int trial, sure = 0;");
            out.line("");
        }
        unused(out, self.owner.parameters(), &[body.text()]);
        body.text().lines().for_each(|line| out.line(line));
        out.end();
    }

    /// Returns a case's text, with the names of objects.
    fn in_text(&self, text: &str) -> String {
        self.scope.model.names.in_text(text)
    }

    /// Writes the actions of a case in their order. Returns whether they need the variables `trial` and `sure`.
    fn actions(&self, out: &mut Writer, case: &Case, holds: &str) -> bool {
        let (packet, queue) = (self.owner.parameters()[0], self.owner.queue());
        // The grammar has no `drop` after service.
        let drop = match self.owner {
            Owner::Queue => Some("oq_drop_from(queue, arriving, OQ_RULE_QUEUE)"),
            Owner::Buffer => Some("oq_drop_from(oq_victim_queue(buffer, current), arriving, OQ_RULE_BUFFER)"),
            Owner::Port => None,
        };
        let chances: Vec<Value> = case
            .actions
            .iter()
            .filter_map(|action| match action {
                Action::Drop(probability) => Some(number(probability, &self.scope)),
                _ => None,
            })
            .collect();
        let surely = chances.iter().any(|chance| matches!(chance, Value::Const(sure) if *sure >= Ratio::ONE));
        let asked = chances.iter().any(|chance| matches!(chance, Value::Text(_)));
        let remembers = case.can_be_lifted() && asked && !surely && drop.is_some();
        for action in &case.actions {
            match (action, drop) {
                (Action::Drop(_), None) => {}
                (Action::Drop(probability), Some(drop)) => match number(probability, &self.scope) {
                    Value::Const(sure) if sure >= Ratio::ONE => out.line(&format!("{drop};")),
                    Value::Const(never) if never <= Ratio::ZERO => {}
                    Value::Const(chance) => {
                        out.when(&format!("oq_random() < {:#x}ULL", threshold(chance)), &format!("{drop};"));
                    }
                    Value::Text(text) if remembers => {
                        out.line(&format!("trial = oq_trial({text});"));
                        out.when("trial != OQ_KEEP", &format!("{drop};"));
                        out.when("trial == OQ_SURE", "sure = 1;");
                    }
                    Value::Text(text) => {
                        out.when(&format!("oq_trial({text}) != OQ_KEEP"), &format!("{drop};"));
                    }
                },
                (Action::Call(routine, numbers), _) => {
                    let numbers = numbers.iter().map(|value| format!(", {}", number(value, &self.scope).text()));
                    let name = routines::function(&self.scope.model.policy.routines[usize::from(routine.0)]);
                    out.line(&format!("{name}(&OQ_PACKET({packet}).fields{});", numbers.collect::<String>()));
                }
                (Action::Mark, _) => out.line(&format!("oq_mark({packet});")),
                (Action::Notify, _) => out.line(&format!("oq_notify({packet}, {queue});")),
                (Action::Modify(state, value), _) => {
                    let value = number(value, &self.scope).text();
                    if let Some(line) = self.scope.assignment(*state, &value) {
                        out.line(&line);
                    }
                }
            }
        }
        if let (true, Some(drop)) = (remembers || (surely && case.can_be_lifted()), drop) {
            self.lift(out, case, holds, drop, remembers);
        }
        remembers
    }

    /// Writes the loop in which victims leave as long as the condition holds; if `remembers`, only after a sure drop.
    fn lift(&self, out: &mut Writer, case: &Case, holds: &str, drop: &str, remembers: bool) {
        out.comment("Victims are dropped as long as the condition holds.");
        if remembers {
            out.open("if (sure)");
        }
        out.open("OQ_LOOP(i, OQ_ROOM_SLOTS)");
        if case.is_about_arriving() {
            out.when("!oq_is_there(arriving)", "break;");
        }
        if holds != "1" {
            out.when(&format!("!{holds}"), "break;");
        }
        out.when(&format!("!{drop}"), "break;");
        out.close();
        if remembers {
            out.close();
        }
    }
}

/// Returns the case in the syntax of policies; a long one has a line for each action.
fn case_text(case: &Case) -> String {
    const LONG: usize = 100;
    let actions: Vec<String> = case.actions.iter().map(ToString::to_string).collect();
    let text = format!("({}, {})", case.when, actions.join(", "));
    if text.len() <= LONG { text } else { format!("({},\n {})", case.when, actions.join(",\n ")) }
}

/// Returns the bound below which a draw from 0 to 2^64 - 1 is a drop, for a probability between 0 and 1.
fn threshold(probability: Ratio) -> u64 {
    let (numerator, denominator) = (*probability.numer(), *probability.denom());
    // At most 1,000,000 and below 65,536 times that: it fits.
    let below = ((numerator << 64) + denominator - 1) / denominator;
    u64::try_from(below).expect("the probability is below 1, and its denominator is small")
}

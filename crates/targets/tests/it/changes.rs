//! Programs in C whose policy is changed while packets wait do what the reference engine does (section 8 of the semantics).

use crate::dpdk;
use crate::live_policy::live;
use crate::program::{can_compile, compile_as, files, run};
use crate::random_policy::random_policy;
use crate::same::{SEED, line, played};
use crate::traffic::{Kind, Operation, operations_after};
use forebay_conform::expected_live;
use forebay_core::{QueueId, Rng, Seed, Time};
use forebay_engine::{Live, Reference, Transition};
use forebay_lang::ir::{BufferId, BufferRef, PortId, PortRef, QueueRef, State};
use forebay_lang::{Overrides, Policy, analyse};
use rand::RngExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A policy as a shared object, in a folder that goes away with it.
pub(crate) struct Object {
    pub(crate) folder: TempDir,
    pub(crate) file: PathBuf,
}

pub(crate) fn object(policy: &Policy) -> Object {
    let folder = files(policy);
    let file = compile_as(&folder, "version.c", "version.so", &["-shared", "-fPIC"]);
    Object { folder, file }
}

/// The commands for the program, and the answers that it should give.
#[derive(Default)]
struct Script {
    told: String,
    answers: Vec<String>,
    changed: u32,
    /// Changes while packets waited.
    waiting: u32,
    refused: u32,
}

/// The reference engine under change, and the time and packets so far.
struct Right {
    live: Live<Reference>,
    now: u64,
    packets: u64,
}

impl Right {
    fn new(policy: &Policy) -> Self {
        Self { live: Live::new(Reference::new, policy.clone(), Seed(SEED)), now: 0, packets: 0 }
    }

    fn counters(&self) -> String {
        self.live.counters().iter().map(|counter| format!("{} ", counter.value)).collect()
    }

    /// Packets arrive and leave.
    fn play(&mut self, script: &mut Script, rng: &mut Rng, arrivals: usize) {
        let policy = self.live.policy().clone();
        for operation in operations_after(&policy, rng, Kind::Extreme, arrivals, (self.now, self.packets)) {
            script.told += &line(&operation);
            script.answers.push(self.answer(&policy, &operation));
            if let Some(operation) = played(&operation) {
                self.now = operation.time().as_ps() / 1_000;
            }
            self.packets += u64::from(matches!(operation, Operation::Enqueue(..)));
        }
    }

    fn answer(&mut self, policy: &Policy, operation: &Operation) -> String {
        let Some(operation) = played(operation) else { return self.states(policy) };
        let answer = &expected_live(&mut self.live, &[operation])[0];
        // No packet is refused for want of a slot.
        format!("{answer} | {}0", self.counters())
    }

    fn states(&self, policy: &Policy) -> String {
        let mut numbers = String::new();
        let live = &self.live;
        for id in (0..).take(policy.queues.len()).map(QueueId) {
            let (held, queue) = (live.occupancy(id), QueueRef::Named(id));
            let [admission, scheduling] = [State::QueueAdm(queue), State::QueueSched(queue)].map(|it| live.state(it).0);
            numbers += &format!(" {} {} {admission} {scheduling}", held.packets, held.bytes);
        }
        let ports = (0..).take(policy.ports.len()).map(|id| State::PortSched(PortRef::Named(PortId(id))));
        let buffers = (0..).take(policy.buffers.len()).map(|id| State::BufferAdm(BufferRef::Named(BufferId(id))));
        ports.chain(buffers).for_each(|state| numbers += &format!(" {}", live.state(state).0));
        format!("states{numbers}")
    }

    /// The policy is changed, unless packets would be lost.
    fn change(&mut self, script: &mut Script, to: &Policy, object: &Object, transition: Transition) {
        script.told += &format!("change {} {} {transition}\n", self.now, object.file.display());
        script.waiting += u32::from(!self.live.is_empty());
        let changed = self.live.change(Time::from_ns(self.now), to.clone(), transition);
        let answer = match changed {
            Ok(change) => format!("changed {}", change.version),
            Err(_) => "refused".to_owned(),
        };
        script.changed += u32::from(changed.is_ok());
        script.refused += u32::from(changed.is_err());
        script.answers.push(format!("{answer} | {}0", self.counters()));
    }
}

/// The answers of a program, without its reasons for rejections.
fn answers(program: &Path, arguments: &[&str], script: &Script) -> Vec<String> {
    let without_reason = |line: String| match line.split_once("refused: ").and_then(|(_, rest)| rest.split_once(" |")) {
        Some((_, counters)) => format!("refused |{counters}"),
        None => line,
    };
    run(program, arguments, &script.told).into_iter().map(without_reason).collect()
}

/// Holds what a program answers to a script equal to what it should.
fn holds(found: &[String], script: &Script, what: &str) {
    let lines: Vec<&str> = script.told.lines().collect();
    for (number, right) in script.answers.iter().enumerate() {
        let found = found.get(number).map_or("no answer", String::as_str);
        assert_eq!(found, right, "{what}, operation {}: {}", number + 1, lines[number]);
    }
    assert_eq!(found.len(), script.answers.len(), "{what}");
}

/// Streams of packets between which any of these policies takes the place of any other; the first runs at the beginning.
fn script(policies: &[Policy], objects: &[Object], rng: &mut Rng, all: &mut Script) -> Script {
    let (mut script, mut right) = (Script::default(), Right::new(&policies[0]));
    for _ in 0..24 {
        let arrivals = rng.random_range(0..40);
        right.play(&mut script, rng, arrivals);
        let next = rng.random_range(0..policies.len());
        let transition = if rng.random_bool(0.5) { Transition::Drain } else { Transition::Rerank };
        right.change(&mut script, &policies[next], &objects[next], transition);
    }
    right.play(&mut script, rng, 100);
    all.changed += script.changed;
    all.waiting += script.waiting;
    all.refused += script.refused;
    script
}

/// How many streams: all of them with `FOREBAY_LONG` set, as `make test-long` does, otherwise the first fifth.
fn seeds(all: u64) -> std::ops::Range<u64> {
    0..if std::env::var_os("FOREBAY_LONG").is_some() { all } else { all / 5 }
}

/// Three random policies, of which the last has live parameters.
fn three(rng: &mut Rng, ports: Option<usize>) -> Vec<Policy> {
    let mut policies: Vec<Policy> = Vec::new();
    while policies.len() < 3 {
        let policy = random_policy(rng);
        if ports.is_none_or(|ports| ports == policy.ports.len()) {
            policies.push(policy);
        }
    }
    let last = policies.pop().map(|policy| live(policy, rng));
    policies.extend(last);
    policies
}

#[test]
fn random_policies_change_while_packets_wait_as_in_the_reference_engine() {
    if !can_compile() {
        return;
    }
    let mut all = Script::default();
    for seed in seeds(50) {
        let rng = &mut Seed(seed).stream("changes");
        let policies = three(rng, None);
        let objects: Vec<Object> = policies.iter().map(object).collect();
        let script = script(&policies, &objects, rng, &mut all);
        let program = compile_as(&objects[0].folder, "live.c", "live", &["-g"]);
        let first = objects[0].file.display().to_string();
        holds(&answers(&program, &[&SEED.to_string(), &first], &script), &script, &format!("seed {seed}"));
    }
    assert!(
        all.changed > 100 && all.waiting > 100 && all.refused > 10,
        "{} {} {}",
        all.changed,
        all.waiting,
        all.refused
    );
}

/// The program of DPDK and the policy's shared object, in one folder.
fn of_dpdk(policy: &Policy) -> Object {
    let sources = dpdk::any_sources();
    let (folder, _) = dpdk::program(policy, &sources.iter().map(String::as_str).collect::<Vec<_>>());
    let output = Command::new("make").args(["--silent", "version.so"]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = folder.path().join("version.so");
    Object { folder, file }
}

/// That no packet of the pool is lost the program says by its status.
#[test]
fn random_policies_of_dpdk_change_while_packets_wait_as_in_the_reference_engine() {
    if !dpdk::can_compile() {
        return;
    }
    let mut all = Script::default();
    for seed in seeds(15) {
        let rng = &mut Seed(seed).stream("changes/dpdk");
        let policies = three(rng, Some(1 + usize::from(seed % 2 == 1)));
        let objects: Vec<Object> = policies.iter().map(of_dpdk).collect();
        let script = script(&policies, &objects, rng, &mut all);
        let program = objects[0].folder.path().join("policy");
        let seed_text = SEED.to_string();
        let told = ["0", "--", "--play", "--packets", "5000", "--seed", &seed_text];
        holds(&answers(&program, &[&dpdk::EAL[..], &told].concat(), &script), &script, &format!("seed {seed}"));
    }
    assert!(all.changed > 20 && all.waiting > 20, "{} {}", all.changed, all.waiting);
}

/// The blocks of a language in a section of `docs/targets.md`.
fn blocks(section: &str, language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/targets.md");
    let page = std::fs::read_to_string(path).unwrap();
    let begin = page.find(&format!("\n## {section}\n")).unwrap() + 4;
    let text = page[begin..].split("\n## ").next().unwrap();
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_host_in_the_manual_changes_its_policy_while_packets_wait() {
    if !can_compile() {
        return;
    }
    let texts = blocks("Change while packets wait", "openqueue");
    let host = tempfile::tempdir().unwrap();
    for text in &texts {
        let name = text.lines().next().unwrap().trim_start_matches("// ").trim_end_matches(".oq");
        let policy = analyse(text, &Overrides::new()).policy.unwrap();
        std::fs::copy(object(&policy).file, host.path().join(format!("{name}.so"))).unwrap();
    }
    let source = blocks("Change while packets wait", "c").remove(0);
    for header in files(&analyse(&texts[0], &Overrides::new()).policy.unwrap()).path().read_dir().unwrap() {
        let header = header.unwrap();
        std::fs::copy(header.path(), host.path().join(header.file_name())).unwrap();
    }
    std::fs::write(host.path().join("host.c"), source).unwrap();
    let program = compile_as(&host, "host.c", "host", &["-g", "-fsanitize=address,undefined"]);
    let output = Command::new(program).current_dir(host.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let wanted = ["short", "middle", "long"].map(|name| format!("{name}, which arrived under version 1\n")).concat();
    assert_eq!((said.as_ref(), String::from_utf8_lossy(&output.stderr).as_ref()), (wanted.as_str(), ""));
}

/// A policy with the queue and the port of these names.
fn named(queue: &str, port: &str) -> Policy {
    let text = format!("{queue} = Queue(8 pkts);\n{port} = Port(100);\n");
    analyse(&text, &Overrides::new()).policy.unwrap()
}

#[test]
fn changes_that_would_lose_packets_are_refused_and_say_where_they_wait() {
    if !can_compile() {
        return;
    }
    let objects = [("q", "out"), ("other", "out"), ("q", "aside")].map(|(queue, port)| object(&named(queue, port)));
    let program = compile_as(&objects[0].folder, "live.c", "live", &[]);
    let [first, other, aside] = [0, 1, 2].map(|at| objects[at].file.display().to_string());
    let arrivals: String = (1..=2).map(|id| format!("enqueue {id} 0 100 0 0 0 0 0 0 0 0 {id}\n")).collect();
    let told = format!(
        "{arrivals}change 3 {other} rerank\nchange 3 {aside} drain\nchange 3 /no.so drain\nchange 3 {other} drain\n\
         dequeue 4 0\ndequeue 4 0\nchange 5 {aside} drain\ndequeue 6 0\n"
    );
    let counters = " | 0 0 0 0 0 0 0";
    let found = run(&program, &["1", &first], &told);
    let found: Vec<&str> = found[2..].iter().map(|line| line.strip_suffix(counters).unwrap()).collect();
    let refused = [
        "refused: 2 packets wait in `q`, which the new version does not have; change with drain, or let it empty first",
        "refused: 2 packets wait at port `out`, which the new version does not have; change with rerank, or let it empty first",
    ];
    assert_eq!(found[..2], refused);
    assert!(found[2].starts_with("refused: /no.so: cannot open"), "{}", found[2]);
    assert_eq!(found[3..], ["changed 2", "sent 1:0:0", "sent 2:0:0", "changed 3", "nothing"]);
}

#[test]
fn two_versions_are_linked_into_one_program() {
    if !can_compile() {
        return;
    }
    let folders = [named("q", "out"), named("other", "out")].map(|policy| files(&policy));
    let objects = [("-DOQ_VERSION=oq_first", 0), ("-DOQ_VERSION=oq_second", 1)]
        .map(|(define, at)| compile_as(&folders[at], "version.c", "version.o", &["-c", define]).display().to_string());
    let source = "#include \"oq_live.h\"\n\
                  extern const struct oq_version oq_first, oq_second;\n\
                  int main(void) { printf(\"%s %s\\n\", oq_first.queue_names[0], oq_second.queue_names[0]); return 0; }\n";
    std::fs::write(folders[0].path().join("two.c"), source).unwrap();
    let program = compile_as(&folders[0], "two.c", "two", &[&objects[0], &objects[1]]);
    assert_eq!(run(&program, &[], ""), ["q other"]);
}

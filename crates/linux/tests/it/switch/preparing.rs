//! Policies that are checked beside the traffic: others are answered meanwhile, one is checked at a time, and none for ever.

use crate::switch::support::{policy, setting, switch};
use forebay_clock::ManualClock;
use forebay_core::{Duration, Time};
use forebay_engine::Transition;
use forebay_linux::switch::control::{Answer, Control};
use forebay_linux::switch::{CannotChange, Ended, Forwarding, MOST_QUEUES, Stopping, Table, run};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread::JoinHandle;

const TEXT: &str = "q = Queue(10 pkts);\nout = Port(100);\n";
const SMALL: &str = r#"{"do":"policy","name":"small.oq","text":"q = Queue(9 pkts);\nout = Port(100);"}"#;
const NO_PORT: &str = r#"{"do":"port-add","port":"none"}"#;

/// A switch of two ports that runs until a client stops it.
fn start(path: &Path, clock: ManualClock) -> JoinHandle<Ended> {
    let control = Control::bind(path).unwrap();
    std::thread::spawn(move || {
        let forwarding = Forwarding::Learning(Table::new(2, Duration::from_ms(1_000)));
        let (mut switch, _ends) = switch(2, &setting("first", TEXT), None, forwarding, None);
        let stopping = Stopping { asked: &|| false, drain_for: Duration::ZERO };
        run(&mut switch, Some(control), &clock, &stopping, &mut |_| {}).unwrap()
    })
}

/// A policy whose check takes a good part of a second: almost as long as a request may be.
fn large() -> String {
    let condition = |number: usize| {
        format!(
            "condition_number_{number}(q) = (q.currSize > {} pkts && q.currSize < 400 pkts, drop(1)).(q.currSize > 3 pkts, mark);\n",
            number % 90 + 1
        )
    };
    let text = format!("{TEXT}{}", (0..8_500).map(condition).collect::<String>());
    serde_json::json!({ "do": "policy", "name": "large.oq", "text": text }).to_string() + "\n"
}

/// A client.
struct Client(BufReader<UnixStream>);

impl Client {
    fn new(path: &Path) -> Self {
        Self(BufReader::new(UnixStream::connect(path).unwrap()))
    }

    fn send(&mut self, line: &str) {
        self.0.get_mut().write_all(line.as_bytes()).unwrap();
    }

    fn answer(&mut self) -> Answer {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ask(&mut self, line: &str) -> Answer {
        self.send(&format!("{line}\n"));
        self.answer()
    }

    /// Whether an answer has come.
    fn is_answered(&mut self) -> bool {
        self.0.get_mut().set_nonblocking(true).unwrap();
        let answered = match self.0.fill_buf() {
            Ok(_) => true,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::WouldBlock);
                false
            }
        };
        self.0.get_mut().set_nonblocking(false).unwrap();
        answered
    }

    /// Asks for a port that there is not until another client's policy is being checked.
    #[track_caller]
    fn until_busy(&mut self, other: &mut Self) {
        while !other.is_answered() {
            if let Answer::Error(why) = self.ask(NO_PORT)
                && why.contains("another policy is being checked")
            {
                return;
            }
        }
        panic!("the check is over before anybody could ask");
    }
}

fn versions(answer: &Answer) -> Vec<u32> {
    let Answer::Ports(ports) = answer else { panic!("{answer:?}") };
    ports.iter().map(|port| port.version).collect()
}

#[test]
fn others_are_answered_while_a_policy_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let running = start(&path, ManualClock::default());
    let (mut slow, mut other) = (Client::new(&path), Client::new(&path));
    slow.send(&large());
    // What a client asks behind its policy is answered behind it.
    slow.send("{\"do\":\"ports\"}\n");
    other.until_busy(&mut slow);
    let mut answered = 0;
    while !slow.is_answered() {
        assert_eq!(versions(&other.ask(r#"{"do":"ports"}"#)).len(), 2);
        answered += 1;
    }
    assert!(answered > 1, "only {answered} questions were answered");
    let Answer::Changed(changed) = slow.answer() else { panic!() };
    assert_eq!(changed.iter().map(|change| change.version).collect::<Vec<_>>(), [2, 2]);
    assert_eq!(versions(&slow.answer()), [2, 2]);
    assert!(matches!(other.ask(SMALL), Answer::Changed(_)), "the next one has its turn");
    assert_eq!(other.ask(r#"{"do":"stop"}"#), Answer::Stopping(0));
    running.join().unwrap();
}

#[test]
fn a_check_that_takes_too_long_is_given_up_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let clock = ManualClock::default();
    let running = start(&path, clock.clone());
    let (mut slow, mut other) = (Client::new(&path), Client::new(&path));
    slow.send(&large());
    other.until_busy(&mut slow);
    clock.advance(std::time::Duration::from_secs(9));
    let Answer::Error(why) = slow.answer() else { panic!("it was over within moments") };
    assert_eq!(why, "checking the policy took longer than 8 s, and was given up; make the policy smaller");
    let mut waited = 0;
    loop {
        match other.ask(SMALL) {
            Answer::Error(why) => assert!(why.contains("has not ended yet; try again later"), "{why}"),
            answer => break assert!(matches!(answer, Answer::Changed(_)), "{answer:?}"),
        }
        waited += 1;
    }
    assert!(waited > 0, "its thread goes on");
    assert_eq!(versions(&other.ask(r#"{"do":"ports"}"#)), [2, 2], "nothing but the small policy was taken");
    assert_eq!(slow.ask(r#"{"do":"stop"}"#), Answer::Stopping(0));
    running.join().unwrap();
}

#[test]
fn a_rollback_does_not_wait_for_a_check() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let running = start(&path, ManualClock::default());
    let (mut slow, mut other) = (Client::new(&path), Client::new(&path));
    assert!(matches!(other.ask(SMALL), Answer::Changed(_)));
    slow.send(&large());
    other.until_busy(&mut slow);
    assert!(matches!(other.ask(r#"{"do":"rollback"}"#), Answer::Changed(_)));
    let Answer::Error(why) = slow.answer() else { panic!("what was checked before the rollback is in force") };
    assert!(why.contains("changed"), "{why}");
    assert_eq!(other.ask(r#"{"do":"stop"}"#), Answer::Stopping(0));
    running.join().unwrap();
}

#[test]
fn a_client_that_waits_when_the_switch_stops_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let running = start(&path, ManualClock::default());
    let (mut slow, mut other) = (Client::new(&path), Client::new(&path));
    slow.send(&large());
    other.until_busy(&mut slow);
    assert_eq!(other.ask(r#"{"do":"stop"}"#), Answer::Stopping(0));
    assert_eq!(slow.answer(), Answer::Error("the switch stops; nothing was changed".to_owned()));
    running.join().unwrap();
}

#[test]
fn what_was_prepared_before_another_change_is_refused() {
    let forwarding = || Forwarding::Static(vec![vec![1], vec![0]]);
    let (mut switch, _ends) = switch(2, &setting("first", TEXT), None, forwarding(), None);
    let now = Time::from_ns(1);
    let next = setting("next", "q = Queue(5 pkts);\nout = Port(100);\n");
    let prepared = switch.plan().change(None, &next).unwrap();
    let undone = switch.plan().roll_back();
    assert_eq!(undone.err(), Some(CannotChange::NothingBefore));
    switch.change(now, Some(1), &next, Transition::Drain).unwrap();
    assert_eq!(switch.exchange(now, prepared, Transition::Drain).err(), Some(CannotChange::Outdated));
    let versions: Vec<u32> = switch.stats().ports.iter().map(|port| port.policy.version).collect();
    assert_eq!(versions, [1, 2]);
    let prepared = switch.plan().roll_back().unwrap();
    switch.exchange(now, prepared, Transition::Drain).unwrap();
    assert_eq!(switch.stats().ports[1].policy.name, "first");
}

/// The exchange takes a pass over the queues, between two rounds of forwarding.
#[test]
fn a_policy_of_too_many_queues_is_refused() {
    let of = |queues: usize| {
        let text = format!(
            "q[1..{queues}] = Queue(2 pkts);\nout = Port(100, q[1..{queues}]);\nclassify(p) = (true, enter(q[1]));\n"
        );
        forebay_linux::switch::Setting { name: "queues".to_owned(), policy: policy(&text).into() }
    };
    let (mut switch, _ends) =
        switch(2, &setting("first", TEXT), None, Forwarding::Static(vec![vec![1], vec![0]]), None);
    switch.change(Time::ZERO, None, &of(MOST_QUEUES), Transition::Drain).unwrap();
    let why = switch.change(Time::ZERO, None, &of(MOST_QUEUES + 1), Transition::Drain).unwrap_err().to_string();
    assert_eq!(why, "the policy has 8193 queues, and a switch accepts at most 8192; use fewer");
}

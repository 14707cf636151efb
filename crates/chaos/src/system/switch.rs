//! A switch whose interfaces fail and disappear, whose frames are damaged, and whose policies are changed under traffic by requests that
//! may be damaged, too.

use super::{Life, System};
use crate::fault::{Coverage, Fault, Faults, Site};
use crate::planted_faults::Planted;
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_linux::switch::control::{Answer, answer};
use forebay_linux::switch::frame::{Missing, Offload, Protocol, Segment};
use forebay_linux::switch::{
    Forwarding, Interface, LinkState, News, PortSetup, Rule, Sent, Setting, Setup, Stats, Switch,
};
use forebay_targets::headers::Mapping;
use rand::RngExt as _;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::os::fd::BorrowedFd;
use std::rc::Rc;

/// The registry's entry.
pub const ENTRY: System = System {
    name: "switch",
    title: "Every frame is sent, waits or is counted under a rule, whatever interfaces, frames and requests do",
    run: live,
    lives: 150,
};

const STEPS: u64 = 60;
const PORTS: usize = 3;
const POLICY: &str =
    "param K = 4;\nq = Queue(20 pkts);\nout = Port(100);\nfull(q) = q.currSize > K, drop(1);\nq.congestion = full(q);";

/// The requests of clients.
const REQUESTS: [&str; 7] = [
    r#"{"do":"stats"}"#,
    r#"{"do":"ports"}"#,
    r#"{"do":"policy","name":"a","text":"q = Queue(9 pkts);\nout = Port(100);","transition":"rerank"}"#,
    r#"{"do":"policy","name":"b","text":"q = Queue(30 pkts);\nout = Port(100);\nq.procPrio = value();","port":"p1"}"#,
    r#"{"do":"policy","name":"c","text":"param K = 9;\nq = Queue(K);\nout = Port(100);","live":["K"]}"#,
    r#"{"do":"set","values":["K=7"]}"#,
    r#"{"do":"rollback","transition":"drain"}"#,
];

/// The state that all interfaces share.
struct Shared {
    faults: Faults,
    planted: Option<Planted>,
    /// Frames that the wire accepted from the switch.
    taken: u64,
}

/// An interface that fails.
struct Wild {
    shared: Rc<RefCell<Shared>>,
    wire: Rc<RefCell<Wire>>,
}

#[derive(Default)]
struct Wire {
    coming: VecDeque<(Vec<u8>, Offload)>,
    is_gone: bool,
}

impl Wild {
    fn draw(&self, call: &'static str, faults: &[Fault]) -> Option<Fault> {
        self.shared.borrow_mut().faults.draw(Site { call, of: "an interface" }, faults)
    }
}

impl Interface for Wild {
    fn receive(&mut self, most: usize, take: &mut dyn FnMut(&[u8], Offload) -> bool) -> io::Result<usize> {
        if self.draw("receive", &["input/output error"]).is_some() {
            return Err(io::Error::other("input/output error"));
        }
        for taken in 0..most {
            let next = self.wire.borrow_mut().coming.pop_front();
            let Some((bytes, offload)) = next else { return Ok(taken) };
            if !take(&bytes, offload) {
                return Ok(taken + 1);
            }
        }
        Ok(most)
    }

    fn send(&mut self, _: &[u8]) -> io::Result<Sent> {
        if self.wire.borrow().is_gone {
            return Err(io::ErrorKind::NotConnected.into());
        }
        match self.draw("send", &["busy", "too large", "down"]) {
            // Somebody takes what the interface did not take for sent.
            Some("busy") if self.shared.borrow().planted == Some(Planted::BusyAsTaken) => Ok(Sent::Taken),
            Some("busy") => Ok(Sent::Busy),
            Some("too large") => Err(io::Error::from_raw_os_error(90)),
            Some(_) => Err(io::ErrorKind::NetworkDown.into()),
            None => {
                self.shared.borrow_mut().taken += 1;
                Ok(Sent::Taken)
            }
        }
    }

    fn mtu(&self) -> usize {
        1_500
    }

    fn lost(&mut self) -> u64 {
        0
    }

    fn wakers<'a>(&'a self, _: &mut Vec<BorrowedFd<'a>>) {}

    fn link(&self) -> LinkState {
        if self.wire.borrow().is_gone { LinkState::Gone } else { LinkState::There }
    }

    fn look(&mut self) -> Option<News> {
        if self.wire.borrow().is_gone {
            let stays = self.draw("look", &["still gone"]).is_some();
            self.wire.borrow_mut().is_gone = stays;
            return (!stays).then_some(News::Back);
        }
        self.draw("delete", &["deleted"])?;
        let mut wire = self.wire.borrow_mut();
        wire.is_gone = true;
        wire.coming.clear();
        Some(News::Gone)
    }
}

fn live(life: &Life) -> Coverage {
    let faults = Faults::new(life.seed, 200);
    let shared = Rc::new(RefCell::new(Shared { faults, planted: life.planted, taken: 0 }));
    let (mut switch, wires) = switch(&shared, life.seed);
    let mut now = Time::ZERO;
    for _ in 0..STEPS {
        let jump = shared.borrow_mut().faults.draw(Site { call: "now", of: "the clock" }, &["jumped ahead"]).is_some();
        now += Duration::from_ns(if jump { 3_000_000_000 } else { 20_000 });
        arrive(&shared, &wires);
        // Nobody minds what has become of an interface.
        let _news = switch.look();
        switch.receive(now);
        check(&mut switch, &shared);
        ask(&shared, &mut switch, now);
        switch.send(now);
        check(&mut switch, &shared);
    }
    shared.borrow_mut().faults.rate = 0;
    while switch.receive(now) {
        switch.send(now);
    }
    let _news = switch.look();
    for _ in 0..100_000 {
        let Some(wakeup) = switch.next_wakeup() else { break };
        switch.send(wakeup);
    }
    assert_eq!(switch.waiting(), 0, "frames wait for ever");
    switch.stop();
    let stats = check(&mut switch, &shared);
    assert!(stats.ports.iter().all(|port| !port.dropped.0.contains_key(&Rule::Stopped)), "nothing waited");
    shared.borrow().faults.coverage.clone()
}

fn switch(shared: &Rc<RefCell<Shared>>, seed: u64) -> (Switch, Vec<Rc<RefCell<Wire>>>) {
    let wires: Vec<Rc<RefCell<Wire>>> = (0..PORTS).map(|_| Rc::default()).collect();
    let port = |(number, wire): (usize, &Rc<RefCell<Wire>>)| PortSetup {
        name: format!("p{number}"),
        interface: Box::new(Wild { shared: Rc::clone(shared), wire: Rc::clone(wire) }),
        // One as fast as its interface, one with a rate.
        rate: if number == 0 { None } else { Rate::from_bits_per_second(500_000_000) },
    };
    let ports = wires.iter().enumerate().map(port).collect();
    let analysis = forebay_lang::analyse_live(POLICY, &Vec::new(), &["K".to_owned()]);
    let setup = Setup {
        setting: Setting { name: "first".to_owned(), policy: analysis.policy.expect("a policy").into() },
        mapping: mapping(),
        forwarding: Forwarding::Static(vec![vec![1, 2], vec![0], vec![0, 1]]),
        tap: None,
        seed: Seed(seed),
        records: Vec::new(),
    };
    (Switch::new(ports, setup), wires)
}

fn mapping() -> Mapping {
    let mut mapping = Mapping::default();
    let (field, source) = Mapping::read_setting("value=dscp").expect("a field");
    mapping.set(field, source);
    mapping
}

/// Lets frames arrive: whole, large, or damaged.
fn arrive(shared: &Rc<RefCell<Shared>>, wires: &[Rc<RefCell<Wire>>]) {
    for wire in wires {
        let mut shared = shared.borrow_mut();
        for _ in 0..shared.faults.below(4) {
            let ways = ["cut off", "a bit changed", "large", "large and damaged", "too large", "wrong checksum place"];
            let fault = shared.faults.draw(Site { call: "arrive", of: "a frame" }, &ways);
            let large = fault.is_some_and(|fault| fault.starts_with("large"));
            let payload = if large { 8_000 } else { shared.faults.place(1_400) };
            let mut bytes = frame(payload);
            let mut offload = Offload::default();
            if large {
                offload.checksum = Some(Missing { start: 34, offset: 6 });
                offload.segment = Some(Segment { protocol: Protocol::Udp, bytes: 1_000 });
            }
            match fault {
                Some("cut off") => bytes.truncate(shared.faults.place(bytes.len())),
                Some("a bit changed" | "large and damaged") => {
                    let place = shared.faults.place(bytes.len().min(60));
                    bytes[place] ^= 1 << shared.faults.random.random_range(0..8);
                }
                Some("too large") => bytes.resize(3_000, 7),
                Some("wrong checksum place") => {
                    offload.checksum = Some(Missing { start: shared.faults.place(4_000), offset: 6 });
                }
                _ => {}
            }
            let mut wire = wire.borrow_mut();
            if !wire.is_gone {
                wire.coming.push_back((bytes, offload));
            }
        }
    }
}

/// Returns a UDP datagram of IPv4.
fn frame(payload: usize) -> Vec<u8> {
    let mut bytes = vec![7; 42 + payload];
    bytes[12..14].copy_from_slice(&[8, 0]);
    bytes[14..34].copy_from_slice(&[0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
    let length = |bytes: usize| u16::try_from(bytes).unwrap_or(u16::MAX).to_be_bytes();
    bytes[16..18].copy_from_slice(&length(28 + payload));
    bytes[38..40].copy_from_slice(&length(8 + payload));
    bytes[40..42].fill(0);
    bytes
}

/// Sends a client's request. The request may be damaged on its way, and must still be answered.
fn ask(shared: &Rc<RefCell<Shared>>, switch: &mut Switch, now: Time) {
    let mut line = {
        let faults = &mut shared.borrow_mut().faults;
        REQUESTS[faults.place(REQUESTS.len())].as_bytes().to_vec()
    };
    let before = switch.stats();
    {
        let faults = &mut shared.borrow_mut().faults;
        match faults.draw(Site { call: "ask", of: "the control socket" }, &["cut off", "a bit changed", "garbage"]) {
            Some("cut off") => line.truncate(faults.place(line.len())),
            Some("a bit changed") => {
                let place = faults.place(line.len());
                line[place] ^= 1 << faults.random.random_range(0..8);
            }
            Some(_) => line = (0..faults.place(40)).map(|_| faults.random.random()).collect(),
            None => {}
        }
    }
    let (answer, _) = answer(switch, now, &line);
    if let Answer::Error(why) = answer {
        assert!(!why.is_empty(), "an error says why");
        assert!(switch.stats() == before, "a rejected request has changed something: {why}");
    }
}

/// Checks that every frame is counted once, and that each frame that counts as sent was accepted.
fn check(switch: &mut Switch, shared: &Rc<RefCell<Shared>>) -> Stats {
    let stats = switch.stats();
    stats.check().unwrap_or_else(|wrong| panic!("{wrong}"));
    let sent: u64 = stats.ports.iter().map(|port| port.sent).sum();
    assert_eq!(sent, shared.borrow().taken, "frames that count as sent, and those that interfaces have taken");
    stats
}

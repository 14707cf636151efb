//! Hosts `a` and `r` around a namespace `s` with a switch. A network namespace is that of a descriptor: it goes with the process, with all
//! devices in it, however that ends.

use forebay_clock::{Clock as _, MonotonicClock};
use forebay_core::registry::find;
use forebay_core::{Duration, Seed};
use forebay_linux::switch::frame::{Offload, finish};
use forebay_linux::switch::{
    BACKENDS, Backend, Event, Forwarding, Interface, News, PortSetup, Sent, Setting, Setup, Stats, Stopping, Switch,
    Table, Watched, run,
};
use forebay_targets::headers::Mapping;
use nix::sched::{CloneFlags, setns, unshare};
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd as _;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Why a test has nothing to try here.
pub(crate) type Skipped = String;

/// How long something may take that happens at once.
const SOON: std::time::Duration = std::time::Duration::from_secs(10);

/// Runs a test in a thread of its own, which may enter namespaces, while no other one has hosts; says why if it skips.
pub(crate) fn with_hosts(test: impl FnOnce() -> Result<(), Skipped> + Send + 'static) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    match std::thread::spawn(test).join() {
        Ok(Ok(())) => {}
        Ok(Err(why)) => println!("skipped: {why}"),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// A network namespace.
pub(crate) struct Space(File);

impl Space {
    /// A new one, which this thread enters.
    fn new() -> Result<Self, Skipped> {
        unshare(CloneFlags::CLONE_NEWNET)
            .map_err(|error| format!("no network namespace can be made ({error}); run the test as root"))?;
        // Nothing but the test sends frames. A kernel without IPv6 has no such file.
        let _ = std::fs::write("/proc/sys/net/ipv6/conf/default/disable_ipv6", "1");
        Ok(Self(File::open("/proc/thread-self/ns/net").unwrap()))
    }

    /// Lets this thread enter it.
    pub(crate) fn enter(&self) {
        setns(&self.0, CloneFlags::CLONE_NEWNET).unwrap();
    }

    /// Where `ip` finds it.
    fn path(&self) -> String {
        format!("/proc/{}/fd/{}", std::process::id(), self.0.as_raw_fd())
    }

    /// A command of `ip` in it.
    pub(crate) fn ip(&self, words: &str) {
        self.try_ip(words).unwrap_or_else(|error| panic!("{error}"));
    }

    /// The same; an error if the kernel lacks what it takes.
    pub(crate) fn try_ip(&self, words: &str) -> Result<(), Skipped> {
        self.enter();
        let output = Command::new("ip").args(words.split(' ')).output();
        let output = output.map_err(|_| "`ip` is missing; install iproute2".to_owned())?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(format!("`ip {words}` fails: {}", said.trim())) }
    }
}

/// The namespaces of the switch and of two hosts.
pub(crate) struct Net {
    pub(crate) s: Space,
    pub(crate) a: Space,
    pub(crate) r: Space,
}

impl Net {
    /// `a` and `r`, each of which has a link `e0` to `pa` or `pr` of the switch, with this MTU.
    pub(crate) fn new(mtu: u32) -> Result<Self, Skipped> {
        let net = Self { s: Space::new()?, a: Space::new()?, r: Space::new()? };
        net.join('a', "pa", "e0", mtu)?;
        net.join('r', "pr", "e0", mtu)?;
        Ok(net)
    }

    pub(crate) fn host(&self, host: char) -> &Space {
        if host == 'a' { &self.a } else { &self.r }
    }

    /// Makes a link between the switch and a host, and sets it up.
    pub(crate) fn join(&self, host: char, port: &str, link: &str, mtu: u32) -> Result<(), Skipped> {
        let host = self.host(host);
        self.s
            .try_ip(&format!("link add {port} mtu {mtu} type veth peer name {link} mtu {mtu} netns {}", host.path()))?;
        self.s.ip(&format!("link set {port} up"));
        host.ip(&format!("link set {link} up"));
        Ok(())
    }

    /// Starts a switch between these interfaces; an error if the kernel has no such sockets.
    pub(crate) fn switch(&self, backend: &str, ports: &[&str], text: &str) -> Result<Running, Skipped> {
        let (space, backend) = (self.s.0.try_clone().unwrap(), *find("backend", BACKENDS, backend).unwrap());
        let names: Vec<String> = ports.iter().map(|&port| port.to_owned()).collect();
        let (stop, operations) = (Arc::new(AtomicBool::new(false)), Operations::default());
        let (asked, record) = (Arc::clone(&stop), operations.clone());
        let (says, said) = channel();
        let policy = forebay_lang::analyse(text, &Vec::new()).policy.unwrap();
        let (started, starts) = channel();
        let thread = std::thread::spawn(move || {
            setns(space, CloneFlags::CLONE_NEWNET).unwrap();
            let mut ports = Vec::new();
            for name in names {
                match Watched::open(backend, &name) {
                    Ok(interface) => ports.push(PortSetup { name, interface: Box::new(interface), rate: None }),
                    Err(why) => {
                        started.send(Err(format!("{name}: {why}"))).unwrap();
                        return None;
                    }
                }
            }
            // Of what leaves by the last one.
            let mut records: Vec<Option<Box<dyn Write>>> = ports.iter().map(|_| None).collect();
            *records.last_mut().unwrap() = Some(Box::new(record));
            let setup = Setup {
                setting: Setting { name: "policy".to_owned(), policy: policy.into() },
                mapping: Mapping::default(),
                forwarding: Forwarding::Learning(Table::new(ports.len(), Duration::from_ms(300_000))),
                tap: None,
                seed: Seed(1),
                records,
            };
            let mut switch = Switch::new(ports, setup);
            started.send(Ok(())).unwrap();
            let stopping = Stopping { asked: &|| asked.load(Ordering::Relaxed), drain_for: Duration::from_ms(1_000) };
            let ended = run(&mut switch, None, &MonotonicClock::start(), &stopping, &mut |event| {
                // Nobody may listen.
                let _ = says.send(event);
            });
            Some(ended.unwrap().stats)
        });
        let running = Running { stop, operations, said, thread: Some(thread) };
        match starts.recv().unwrap() {
            Ok(()) => Ok(running),
            Err(why) if why.contains("Address family not supported") => {
                Err("the kernel has no AF_XDP sockets; take one with CONFIG_XDP_SOCKETS".to_owned())
            }
            Err(why) => panic!("{why}"),
        }
    }

    /// Why an interface of the switch cannot be opened.
    pub(crate) fn refusal(&self, backend: &str, port: &str) -> String {
        self.s.enter();
        match backend_of(backend).open(port) {
            Ok(_) => panic!("{backend}: {port} is opened"),
            Err(why) => why.to_string(),
        }
    }
}

pub(crate) fn backend_of(name: &str) -> &'static dyn Backend {
    *find("backend", BACKENDS, name).unwrap()
}

/// What a switch has recorded.
#[derive(Clone, Default)]
struct Operations(Arc<Mutex<Vec<u8>>>);

impl Write for Operations {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A switch that runs until this is dropped.
pub(crate) struct Running {
    stop: Arc<AtomicBool>,
    operations: Operations,
    said: Receiver<Event>,
    thread: Option<JoinHandle<Option<Stats>>>,
}

impl Running {
    /// Flow and class of each packet that was to leave by the last port.
    pub(crate) fn seen(&self) -> Vec<(u32, u8)> {
        let recorded = String::from_utf8(self.operations.0.lock().unwrap().clone()).unwrap();
        let arrivals = recorded.lines().filter_map(|line| line.strip_prefix("enqueue "));
        let read = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            (words[4].parse().unwrap(), words[5].parse().unwrap())
        };
        arrivals.map(read).collect()
    }

    /// Waits until the switch says something of the interface of this port.
    #[track_caller]
    pub(crate) fn expect_news(&self, port: &str, news: News) {
        assert_eq!(self.said.recv_timeout(SOON), Ok(Event::Link(port.to_owned(), news)));
    }

    /// Stops it. All of its counters, which add up.
    pub(crate) fn stop(mut self) -> Stats {
        self.stop.store(true, Ordering::Relaxed);
        let stats = self.thread.take().unwrap().join().unwrap().unwrap();
        stats.check().unwrap();
        stats
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A test that has failed says why.
            let _ = thread.join();
        }
    }
}

/// Sends and receives frames at an interface of a host, as they are on the wire.
pub(crate) struct Station {
    interface: Box<dyn Interface>,
    came: Vec<Vec<u8>>,
}

impl Station {
    pub(crate) fn new(space: &Space, link: &str) -> Self {
        space.enter();
        Self { interface: backend_of("af-packet").open(link).unwrap(), came: Vec::new() }
    }

    pub(crate) fn send(&mut self, frame: &[u8]) {
        assert_eq!(self.interface.send(frame).unwrap(), Sent::Taken);
    }

    fn look(&mut self) {
        let came = &mut self.came;
        let mut take = |bytes: &[u8], offload: Offload| {
            finish(bytes, offload, &mut Vec::new(), &mut |frame| came.push(frame.to_vec())).unwrap();
            true
        };
        self.interface.receive(1_000, &mut take).unwrap();
    }

    /// Waits until this frame has come, and takes it. Whether it has, in this time.
    fn has(&mut self, frame: &[u8], most: std::time::Duration) -> bool {
        let begin = MonotonicClock::start();
        loop {
            self.look();
            if let Some(place) = self.came.iter().position(|came| came == frame) {
                self.came.remove(place);
                return true;
            }
            if begin.now() > most {
                return false;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// Waits for a frame.
    #[track_caller]
    pub(crate) fn expect(&mut self, frame: &[u8]) {
        assert!(self.has(frame, SOON), "{frame:02x?} does not come, but {:02x?}", self.came);
    }

    /// Sends a frame until it comes at the other station: for devices that need a while to begin.
    #[track_caller]
    pub(crate) fn send_until(&mut self, frame: &[u8], other: &mut Self) {
        let begin = MonotonicClock::start();
        loop {
            // A device that is not ready has no carrier.
            let _ = self.interface.send(frame);
            if other.has(frame, std::time::Duration::from_millis(50)) {
                return;
            }
            assert!(begin.now() < SOON, "{frame:02x?} does not come, but {:02x?}", other.came);
        }
    }

    /// Forgets what has come until nothing comes any more.
    pub(crate) fn settle(&mut self) {
        loop {
            std::thread::sleep(std::time::Duration::from_millis(50));
            self.look();
            if self.came.is_empty() {
                return;
            }
            self.came.clear();
        }
    }

    /// That nothing else has come.
    #[track_caller]
    pub(crate) fn expect_nothing(&mut self) {
        std::thread::sleep(std::time::Duration::from_millis(50));
        self.look();
        assert_eq!(self.came, [] as [Vec<u8>; 0]);
    }
}

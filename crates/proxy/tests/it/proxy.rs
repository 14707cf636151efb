//! The command, started and ended by a test.

use crate::client::{Got, get};
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A running proxy. It is killed when this is dropped.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    pub(crate) admin: SocketAddr,
    child: Child,
    messages: Arc<Mutex<String>>,
}

/// A port that was free a moment ago.
pub(crate) fn free() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port")
}

/// The command, not started.
pub(crate) fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_forebay-proxy"))
}

impl Proxy {
    /// Starts a proxy for an origin, with further options.
    pub(crate) fn start(origin: &str, options: &[&str]) -> Self {
        Self::with(&[&["--origin", origin], options].concat())
    }

    /// Starts a proxy with these options, and waits until it listens.
    pub(crate) fn with(options: &[&str]) -> Self {
        let address = free();
        Self::begin(address, &[&["--listen", &address.to_string()], options].concat())
    }

    /// Starts a proxy whose configuration says where it listens.
    pub(crate) fn configured(options: &[&str]) -> Self {
        Self::begin(free(), options)
    }

    fn begin(address: SocketAddr, options: &[&str]) -> Self {
        let admin = free();
        let listens = options.contains(&"--listen");
        let mut command = command();
        command.args(["--admin", &admin.to_string(), "--threads", "2"]).args(options);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the command starts");
        let messages = Arc::<Mutex<String>>::default();
        let (stderr, gathered) = (child.stderr.take().expect("a pipe"), Arc::clone(&messages));
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let mut gathered = gathered.lock().expect("no panic");
                gathered.push_str(&line);
                gathered.push('\n');
            }
        });
        let proxy = Self { address, admin, child, messages };
        proxy.wait_for("it listens", || {
            TcpStream::connect(admin).is_ok() && (!listens || TcpStream::connect(address).is_ok())
        });
        // The first check of the origins is over.
        proxy.wait_for("it has looked at its origins", || !get(admin, "/health").text().is_empty());
        proxy
    }

    pub(crate) fn wait_for(&self, what: &str, mut holds: impl FnMut() -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !holds() {
            assert!(Instant::now() < end, "waited in vain until {what}; it says:\n{}", self.messages());
            thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn get(&self, target: &str) -> Got {
        get(self.address, target)
    }

    /// The value of a metric.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let text = get(self.admin, "/metrics").text();
        let name = format!("forebay_proxy_{name} ");
        let line = text.lines().find_map(|line| line.strip_prefix(&name));
        line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name}in\n{text}"))
    }

    /// What it has written to standard error.
    pub(crate) fn messages(&self) -> String {
        self.messages.lock().expect("no panic").clone()
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.expect("kill is there").success());
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> ExitStatus {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(Instant::now() < end, "it does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The most memory that it has had, in bytes.
    pub(crate) fn most_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
        line.trim().trim_end_matches("kB").trim().parse::<u64>().expect("a number") * 1024
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

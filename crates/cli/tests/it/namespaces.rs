//! Hosts around a switch, in network namespaces that disappear when the test ends, however it ends. A shell that only the end of
//! the test wakes removes them.

use crate::support::Folder;
use forebay_linux::switch::Stats;
use forebay_linux::switch::control::Answer;
use nix::sched::{CloneFlags, setns};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::UdpSocket;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Removes namespaces, with the processes in them, and a folder when it is dropped or this process ends, by a signal too.
pub(crate) struct Guard(Child);

impl Guard {
    pub(crate) fn new(namespaces: &[String], folder: &Path) -> Self {
        // Ctrl-C goes to this shell as well. It reads until the other end of the pipe is closed.
        const PROGRAM: &str = "trap '' INT TERM HUP; folder=$1; shift; read -r _
            for name; do
                for process in $(ip netns pids \"$name\" 2>/dev/null); do kill -9 \"$process\"; done
                ip netns del \"$name\" 2>/dev/null
            done
            rm -rf \"$folder\"";
        let mut command = Command::new("sh");
        command.args(["-c", PROGRAM, "guard"]).arg(folder).args(namespaces);
        Self(command.stdin(Stdio::piped()).spawn().unwrap())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // Nothing can be done about a shell that fails.
        let _ = self.0.wait();
    }
}

/// Removes namespaces that ended tests have left; their names have the number of the process.
pub(crate) fn clean_up() {
    let Ok(output) = Command::new("ip").args(["netns", "list"]).output() else { return };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let name = line.split(' ').next().unwrap_or("");
        let Some(rest) = name.strip_prefix("fbk").or_else(|| name.strip_prefix("fb")) else { continue };
        let process: String = rest.chars().take_while(char::is_ascii_digit).collect();
        if !process.is_empty() && !Path::new("/proc").join(process).exists() {
            // Another test may have removed it meanwhile.
            let _ = Command::new("ip").args(["netns", "del", name]).output();
        }
    }
}

/// Hosts with addresses 10.79.0.1 and so on, each of which a link joins to a namespace `s`.
pub(crate) struct Net {
    prefix: String,
    pub(crate) folder: Folder,
    _guard: Guard,
}

/// Runs a command, which must succeed.
fn run(words: &[&str]) {
    let output = Command::new(words[0]).args(&words[1..]).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

impl Net {
    pub(crate) fn new(hosts: &[u8]) -> Self {
        clean_up();
        let prefix = format!("fbk{}", std::process::id());
        let folder = Folder::new();
        let mut all: Vec<String> = hosts.iter().map(|host| format!("{prefix}{}", letter(*host))).collect();
        all.push(format!("{prefix}s"));
        let net = Self { _guard: Guard::new(&all, &folder.path("")), prefix, folder };
        all.iter().for_each(|name| run(&["ip", "netns", "add", name]));
        hosts.iter().for_each(|host| net.join(*host));
        net
    }

    pub(crate) fn namespace(&self, host: char) -> String {
        format!("{}{host}", self.prefix)
    }

    /// Makes the link of a host, with its address and the neighbours that it may have.
    pub(crate) fn join(&self, host: u8) {
        let (switch, name, port) = (self.namespace('s'), self.namespace(letter(host)), format!("p{}", letter(host)));
        run(&["ip", "-n", &switch, "link", "add", &port, "type", "veth", "peer", "name", "e0", "netns", &name]);
        for (namespace, link) in [(&switch, port.as_str()), (&name, "e0")] {
            let setting = format!("net.ipv6.conf.{link}.disable_ipv6=1");
            run(&["ip", "netns", "exec", namespace, "sysctl", "-qw", &setting]);
        }
        run(&["ip", "-n", &name, "link", "set", "e0", "address", &format!("02:00:00:00:00:0{host}")]);
        run(&["ip", "-n", &name, "link", "set", "e0", "up"]);
        run(&["ip", "-n", &switch, "link", "set", &port, "up"]);
        run(&["ip", "-n", &name, "addr", "add", &format!("{}/24", address(host)), "dev", "e0"]);
        for other in (1..=3).filter(|other| *other != host) {
            let (to, at) = (address(other), format!("02:00:00:00:00:0{other}"));
            run(&["ip", "-n", &name, "neigh", "add", &to, "lladdr", &at, "dev", "e0", "nud", "permanent"]);
        }
    }

    /// Deletes the link of a host.
    pub(crate) fn part(&self, host: u8) {
        run(&["ip", "-n", &self.namespace('s'), "link", "del", &format!("p{}", letter(host))]);
    }

    /// Starts a switch of these ports. It need not answer yet.
    pub(crate) fn start(&self, backend: &str, ports: &[&str], arguments: &[&str]) -> Child {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.namespace('s'), env!("CARGO_BIN_EXE_forebay"), "switch"]);
        command.args(["--backend", backend, "--control", "s", "--policy", "first.oq", "--format", "json"]);
        ports.iter().for_each(|port| {
            command.args(["--port", port]);
        });
        let (out, log) = (self.folder.path("out"), self.folder.path("log"));
        command.args(arguments).current_dir(self.folder.path(".")).env("TMPDIR", self.folder.path("."));
        command.stdout(File::create(out).unwrap()).stderr(File::create(log).unwrap()).spawn().unwrap()
    }

    /// Waits until the switch answers; an error if its kernel has no such sockets.
    #[track_caller]
    pub(crate) fn wait(&self) -> Result<(), &'static str> {
        let pace = [Duration::from_millis(5), Duration::from_secs(20)];
        wait_for_switch(&self.folder, pace, || self.ask(r#"{"do":"ports"}"#).is_some())
    }

    /// The switch's answer, if there is one.
    pub(crate) fn ask(&self, line: &str) -> Option<Answer> {
        ask(&self.folder.path("s"), line)
    }

    pub(crate) fn stats(&self) -> Stats {
        match self.ask(r#"{"do":"stats"}"#) {
            Some(Answer::Stats(stats)) => stats,
            other => panic!("{other:?}: {}", self.folder.read("log")),
        }
    }

    /// The output of a command in the namespace of a host.
    pub(crate) fn print(&self, host: char, words: &[&str]) -> String {
        let mut command = Command::new("ip");
        let output = command.args(["netns", "exec", &self.namespace(host)]).args(words).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// A socket of a host.
    fn socket(&self, host: u8, port: u16) -> UdpSocket {
        let file = File::open(Path::new("/run/netns").join(self.namespace(letter(host)))).unwrap();
        let enter = move || {
            setns(file, CloneFlags::CLONE_NEWNET).unwrap();
            UdpSocket::bind(("0.0.0.0", port)).unwrap()
        };
        // The thread that enters the namespace is over with it; its socket stays there.
        std::thread::spawn(enter).join().unwrap()
    }

    /// Lets a host send to another one, so often.
    pub(crate) fn traffic(&self, from: u8, to: u8, pause: Duration) -> Traffic {
        let (sender, receiver) = (self.socket(from, 0), self.socket(to, 9_000));
        receiver.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        let (is_over, received) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let over = Arc::clone(&is_over);
        let sends = std::thread::spawn(move || {
            let to = format!("{}:9000", address(to));
            while !over.load(Ordering::Relaxed) {
                // A link that is gone takes nothing.
                let _ = sender.send_to(&[7; 600], &to);
                std::thread::sleep(pause);
            }
        });
        let (over, count) = (Arc::clone(&is_over), Arc::clone(&received));
        let receives = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                if receiver.recv(&mut [0; 2_000]).is_ok() {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        Traffic { is_over, received, threads: vec![sends, receives] }
    }
}

/// Asks whether a switch answers whose log is in a folder, with this pause, and for so long at most; an error if its kernel has no such
/// sockets.
#[track_caller]
pub(crate) fn wait_for_switch(
    folder: &Folder,
    [pause, most]: [Duration; 2],
    answers: impl Fn() -> bool,
) -> Result<(), &'static str> {
    let begin = Instant::now();
    while !answers() {
        let log = folder.read("log");
        if log.contains("an AF_XDP socket fails: Address family not supported") {
            return Err("the kernel has no AF_XDP sockets; take one with CONFIG_XDP_SOCKETS");
        }
        assert!(begin.elapsed() < most, "it answers: {log}");
        std::thread::sleep(pause);
    }
    Ok(())
}

pub(crate) fn letter(host: u8) -> char {
    char::from(b'a' + host - 1)
}

fn address(host: u8) -> String {
    format!("10.79.0.{host}")
}

/// The answer of the switch that is controlled at a path, if there is one.
pub(crate) fn ask(path: &Path, line: &str) -> Option<Answer> {
    let mut stream = UnixStream::connect(path).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    stream.write_all(format!("{line}\n").as_bytes()).ok()?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).ok()?;
    serde_json::from_str(&answer).ok()
}

/// Datagrams from one host to another, until this is dropped.
pub(crate) struct Traffic {
    is_over: Arc<AtomicBool>,
    received: Arc<AtomicU64>,
    threads: Vec<JoinHandle<()>>,
}

impl Traffic {
    pub(crate) fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// Waits until more has come than before.
    #[track_caller]
    pub(crate) fn wait_for_more(&self, than: u64) {
        let begin = Instant::now();
        while self.received() <= than {
            assert!(begin.elapsed() < Duration::from_secs(20), "frames pass");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Traffic {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // Its counters are available.
            let _ = thread.join();
        }
    }
}

//! A switch that is killed at any moment, under traffic and while it is asked, leaves nothing that hinders the next one. 20 kills;
//! `FOREBAY_KILLS=1000` for more.

use crate::namespaces::{Net, ask};
use crate::switch_namespaces::{ALONE, missing};
use forebay_core::Seed;
use rand::RngExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const POLICY: &str = "q = Queue(100 pkts);\nout = Port(100);\n";
/// The requests that are sent all the time.
const REQUESTS: [&str; 6] = [
    r#"{"do":"stats"}"#,
    r#"{"do":"policy","name":"next","text":"q = Queue(50 pkts);\nout = Port(100);"}"#,
    r#"{"do":"policy","name":"last","text":"q = Queue(70 pkts);\nout = Port(100);","transition":"rerank"}"#,
    r#"{"do":"rollback"}"#,
    r#"{"do":"port-add","port":"pc"}"#,
    r#"{"do":"port-remove","port":"pc"}"#,
];

fn kills() -> u64 {
    std::env::var("FOREBAY_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

#[test]
fn a_switch_that_is_killed_leaves_nothing_behind() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(why) = missing("k").filter(|why| !why.contains("iperf3")) {
        println!("skipped: {why}");
        return;
    }
    for (backend, share) in [("af-packet", kills().div_ceil(2)), ("af-xdp", kills() / 2)] {
        let net = Net::new(&[1, 2, 3]);
        net.folder.write("first.oq", POLICY);
        let (over, answered) = (AtomicBool::new(false), AtomicU64::new(0));
        let path = net.folder.path("s");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut rng = Seed(7).stream("requests");
                while !over.load(Ordering::Relaxed) {
                    // One that is killed meanwhile gives none.
                    let is_answer = ask(&path, REQUESTS[rng.random_range(0..REQUESTS.len())]).is_some();
                    answered.fetch_add(u64::from(is_answer), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| kill_often(&net, backend, share)));
            over.store(true, Ordering::Relaxed);
            match done {
                Ok(Ok(terminated)) => {
                    println!(
                        "{backend}: {share} kills, of which {terminated} by SIGTERM; {} answers",
                        answered.load(Ordering::Relaxed)
                    );
                }
                Ok(Err(why)) => println!("skipped: {why}"),
                Err(why) => std::panic::resume_unwind(why),
            }
        });
    }
}

/// Number of kills by SIGTERM.
fn kill_often(net: &Net, backend: &str, kills: u64) -> Result<u64, &'static str> {
    let traffic = net.traffic(1, 2, Duration::from_micros(200));
    let qdiscs = net.print('s', &["tc", "qdisc", "show"]);
    let mut rng = Seed(kills).stream("kills");
    let mut terminated = 0;
    for kill in 0..kills {
        // Each third one dies while it starts.
        let switch = Dying(net.start(backend, &["pa", "pb"], &["--rate", "20Mbps", "--drain-for", "50 ms"]));
        let answers = kill % 3 != 0;
        if answers {
            net.wait()?;
            let before = traffic.received();
            traffic.wait_for_more(before);
        }
        std::thread::sleep(Duration::from_micros(rng.random_range(0..60_000)));
        let by_term = rng.random_bool(0.5);
        terminated += u64::from(by_term);
        let status = switch.die(by_term);
        let log = net.folder.read("log");
        // A signal to terminate that comes before the program watches for it ends the program as well.
        let is_as_told = match status.signal() {
            Some(signal) => signal == if by_term { 15 } else { 9 } && !(by_term && answers),
            None => by_term && status.success(),
        };
        assert!(is_as_told, "{backend}, kill {kill}: {status}: {log}");
        check(net, backend, &qdiscs, status.success());
    }
    Ok(terminated)
}

/// What remains of a switch that has ended.
fn check(net: &Net, backend: &str, qdiscs: &str, ended_itself: bool) {
    let begin = Instant::now();
    // The kernel detaches a program a moment after its process has ended.
    while net.print('s', &["ip", "link"]).contains("xdp") {
        assert!(begin.elapsed() < Duration::from_secs(5), "{backend}: a program is left");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(net.print('s', &["tc", "qdisc", "show"]), qdiscs, "{backend}");
    assert_eq!(net.print('s', &["sh", "-c", "ip link | grep -c PROMISC || true"]), "0\n", "{backend}");
    let mut files: Vec<_> =
        std::fs::read_dir(net.folder.path(".")).unwrap().map(|file| file.unwrap().file_name()).collect();
    files.retain(|file| !["first.oq", "log", "out"].iter().any(|known| file == known));
    // A socket at which nobody listens is replaced by the next one.
    files.retain(|file| ended_itself || file != "s");
    assert!(files.is_empty(), "{backend}: {files:?} are left");
}

/// A switch that is killed at the latest when it is dropped.
struct Dying(Child);

impl Dying {
    fn die(mut self, by_term: bool) -> ExitStatus {
        if by_term {
            let process = self.0.id().to_string();
            assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
        } else {
            self.0.kill().unwrap();
        }
        let begin = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "it ends, however busy the machine is");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Dying {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

//! The control socket under a switch that runs in a thread: requests, wrong ones, too long ones, and many clients.

use crate::switch::support::{policy, switch};
use forebay_clock::{ManualClock, MonotonicClock};
use forebay_core::Duration;
use forebay_linux::switch::control::{Answer, Control, MOST_REQUEST_BYTES, NextPolicy, Request, Waiting};
use forebay_linux::switch::{Ended, Event, Forwarding, Rule, Setting, Stopping, Table, run};
use std::cell::Cell;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread::JoinHandle;

const TEXT: &str = "q = Queue(10 pkts);\nout = Port(100);\n";

/// A switch of two ports that runs until a client stops it.
fn start(path: &Path) -> JoinHandle<Ended> {
    start_at(path, ManualClock::default())
}

/// The same with a clock that is moved by hand.
fn start_at(path: &Path, clock: ManualClock) -> JoinHandle<Ended> {
    let control = Control::bind(path).unwrap();
    std::thread::spawn(move || {
        let setting = Setting { name: "first".to_owned(), policy: policy(TEXT).into() };
        let forwarding = Forwarding::Learning(Table::new(2, Duration::from_ms(1_000)));
        let (mut switch, _ends) = switch(2, &setting, None, forwarding, None);
        let stopping = Stopping { asked: &|| false, drain_for: Duration::ZERO };
        run(&mut switch, Some(control), &clock, &stopping, &mut |_| {}).unwrap()
    })
}

/// What the switch answers to lines.
fn ask(path: &Path, lines: &[&str]) -> Vec<Answer> {
    let mut stream = UnixStream::connect(path).unwrap();
    for line in lines {
        stream.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
    let reader = BufReader::new(stream);
    let answers = reader.lines().take(lines.len());
    answers.map(|answer| serde_json::from_str(&answer.unwrap()).unwrap()).collect()
}

fn error(answer: &Answer) -> &str {
    let Answer::Error(why) = answer else { panic!("{answer:?}") };
    why
}

#[test]
fn requests_are_answered_and_wrong_ones_hurt_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let running = start(&path);
    let next = |text: &str, port: Option<&str>| {
        let next = NextPolicy {
            name: "next.oq".to_owned(),
            text: text.to_owned(),
            params: Vec::new(),
            live: Vec::new(),
            transition: Waiting::Rerank,
            port: port.map(str::to_owned),
        };
        serde_json::to_string(&Request::Policy(next)).unwrap()
    };
    let stats = r#"{"do":"stats"}"#;
    for (line, part) in [
        ("", "not a request"),
        ("hello", "not a request"),
        ("[1,2]", "not a request"),
        (r#"{"do":"dance"}"#, "dance"),
        (r#"{"do":"policy"}"#, "name"),
        (r#"{"do":"stats","x":1}"#, "unknown field `x`"),
        (r#"{"do":"ports","port":"p0"}"#, "unknown field `port`"),
        (r#"{"do":"stop","now":true}"#, "unknown field `now`"),
        (r#"{"do":"policy","name":"x","text":"","transition":"later"}"#, "later"),
        (&next("q = Queue(8)", None), "next.oq:"),
        (&next(TEXT, Some("p7")), "there is no port `p7`; there are p0, p1"),
        (&next("q[1..2] = Queue(8 pkts);\nfor i in 1..2 { out[i] = Port(100, q[i]); }", None), "2 ports"),
        (&next("q = Queue(8 pkts);\nout = Port(50%);\n", None), "--rate"),
        (&"[".repeat(100_000), "not a request"),
        ("\u{0}\u{1}", "not a request"),
    ] {
        let answers = ask(&path, &[line, stats]);
        assert!(error(&answers[0]).contains(part), "{line:.60}: {answers:?}");
        let Answer::Stats(stats) = &answers[1] else { panic!("{answers:?}") };
        assert!(stats.ports.iter().all(|port| port.policy.version == 1));
    }
    let answers = ask(&path, &[&next(TEXT, Some("p1")), r#"{"do":"ports"}"#]);
    let (Answer::Changed(changes), Answer::Ports(ports)) = (&answers[0], &answers[1]) else { panic!("{answers:?}") };
    assert_eq!((changes.len(), changes[0].port.as_deref(), changes[0].version), (1, Some("p1"), 2));
    assert_eq!((ports[0].version, ports[1].version, ports[1].policy.as_str()), (1, 2, "next.oq"));
    // More requests at once than are answered in a round.
    assert_eq!(ask(&path, &[stats; 100]).len(), 100);
    assert_eq!(ask(&path, &[r#"{"do":"stop"}"#]), [Answer::Stopping(0)]);
    running.join().unwrap().stats.check().unwrap();
    assert!(!path.exists(), "nothing is left behind");
}

#[test]
fn live_parameters_are_set_while_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let running = start(&path);
    let text = "param K = 4 pkts; param P = .5; q = Queue(9 pkts); out = Port(100);\n\
                q.congestion(q) = (q.currSize > K, drop(P));\n";
    let next = NextPolicy {
        name: "next.oq".to_owned(),
        text: text.to_owned(),
        params: Vec::new(),
        live: vec!["K".to_owned(), "P".to_owned()],
        transition: Waiting::Drain,
        port: None,
    };
    let stats = r#"{"do":"stats"}"#;
    assert!(
        error(&ask(&path, &[r#"{"do":"set","values":["K=3"]}"#])[0]).contains("`K` is not live in first, version 1")
    );
    let answers = ask(&path, &[&serde_json::to_string(&Request::Policy(next)).unwrap(), stats]);
    assert!(matches!(answers[0], Answer::Changed(_)), "{answers:?}");
    let values = |answer: &Answer| {
        let Answer::Stats(stats) = answer else { panic!("{answer:?}") };
        stats.ports.iter().map(|port| port.policy.parameters.clone().into_iter().collect()).collect::<Vec<Vec<_>>>()
    };
    let shown = |k: &str, p: &str| vec![("K".to_owned(), k.to_owned()), ("P".to_owned(), p.to_owned())];
    assert_eq!(values(&answers[1]), vec![shown("4 pkts", "0.5"); 2]);
    for (line, part) in [
        (r#"{"do":"set","values":["K=3","Q=1"]}"#, "port p0: `Q` is not live in next.oq, version 2; live are K, P"),
        (r#"{"do":"set","values":["K=5 ms"]}"#, "`K` is packets, and 5 ms is a time"),
        (r#"{"do":"set","values":["K"]}"#, "`K` should be NAME=VALUE"),
        (r#"{"do":"set","values":["K=1"],"port":"p9"}"#, "there is no port `p9`"),
    ] {
        let answers = ask(&path, &[line, stats]);
        assert!(error(&answers[0]).contains(part), "{line}: {answers:?}");
        assert_eq!(values(&answers[1]), vec![shown("4 pkts", "0.5"); 2], "nothing has happened");
    }
    let set = r#"{"do":"set","values":["K=2","P=1/4"],"port":"p1"}"#;
    let answers = ask(&path, &[set, stats, r#"{"do":"set","values":["K=7 pkts"]}"#, r#"{"do":"stop"}"#]);
    assert_eq!(answers[0], Answer::Set(vec!["p1".to_owned()]));
    assert_eq!(values(&answers[1]), [shown("4 pkts", "0.5"), shown("2 pkts", "0.25")]);
    assert_eq!(answers[2], Answer::Set(vec!["p0".to_owned(), "p1".to_owned()]));
    running.join().unwrap();
}

#[test]
fn endless_lines_and_crowds_are_turned_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let running = start(&path);
    let mut stream = UnixStream::connect(&path).unwrap();
    let chunk = vec![b'x'; 1 << 20];
    let mut sent = 0;
    while stream.write_all(&chunk).is_ok() && sent < 64 {
        sent += 1;
    }
    assert!(sent < 64, "it stops reading");
    let mut answer = String::new();
    // The answer may be lost with the connection, which still has unread bytes.
    let _ = BufReader::new(stream).read_line(&mut answer);
    let idle: Vec<UnixStream> = (0..16).map(|_| UnixStream::connect(&path).unwrap()).collect();
    let mut refused = String::new();
    UnixStream::connect(&path).unwrap().read_to_string(&mut refused).unwrap();
    assert!(refused.contains("other clients are connected"), "{refused}");
    drop(idle);
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(ask(&path, &[r#"{"do":"stop"}"#]), [Answer::Stopping(0)]);
    running.join().unwrap();
}

/// Silent clients are left after 10 s, so that they keep nobody out.
#[test]
fn idle_clients_make_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let clock = ManualClock::default();
    let running = start_at(&path, clock.clone());
    let mut idle: Vec<UnixStream> = (0..16).map(|_| UnixStream::connect(&path).unwrap()).collect();
    let mut refused = String::new();
    UnixStream::connect(&path).unwrap().read_to_string(&mut refused).unwrap();
    assert!(refused.contains("other clients are connected"), "{refused}");
    clock.advance(std::time::Duration::from_secs(9));
    let mut answer = String::new();
    idle[0].write_all(b"{\"do\":\"ports\"}\n").unwrap();
    BufReader::new(&idle[0]).read_line(&mut answer).unwrap();
    clock.advance(std::time::Duration::from_secs(2));
    // The switch may still be in the round in which it has answered, at the time of then.
    let mut asked = (0..100).map(|_| ask(&path, &[r#"{"do":"ports"}"#]));
    assert!(asked.any(|answers| matches!(answers[0], Answer::Ports(_))), "there is room");
    assert_eq!(idle[1].read(&mut [0]).unwrap(), 0, "it was left");
    idle[0].write_all(b"{\"do\":\"stop\"}\n").unwrap();
    BufReader::new(&idle[0]).read_line(&mut answer).unwrap();
    assert!(answer.ends_with("{\"stopping\":0}\n"), "one that has spoken is not left: {answer}");
    running.join().unwrap();
}

#[test]
fn whoever_is_silent_for_a_while_makes_room_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let clock = ManualClock::default();
    let running = start_at(&path, clock.clone());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let silent: Vec<UnixStream> = (0..16).map(|_| UnixStream::connect(&path).unwrap()).collect();
    let mut refused = String::new();
    UnixStream::connect(&path).unwrap().read_to_string(&mut refused).unwrap();
    assert!(refused.contains("other clients are connected"), "{refused}");
    clock.advance(std::time::Duration::from_millis(600));
    let mut asked = (0..100).map(|_| ask(&path, &[r#"{"do":"stop"}"#]));
    assert!(asked.any(|answers| matches!(answers[0], Answer::Stopping(_))), "there is room");
    drop(silent);
    running.join().unwrap();
}

/// Whether they ask without a pause or send a byte now and then.
#[test]
fn busy_and_dripping_clients_keep_nobody_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let clock = ManualClock::default();
    let running = start_at(&path, clock.clone());
    let mut busy: Vec<BufReader<UnixStream>> =
        (0..16).map(|_| BufReader::new(UnixStream::connect(&path).unwrap())).collect();
    for client in &mut busy {
        client.get_mut().write_all(b"{\"do\":\"ports\"}\n").unwrap();
        client.read_line(&mut String::new()).unwrap();
    }
    assert!(matches!(ask(&path, &[r#"{"do":"ports"}"#])[0], Answer::Ports(_)), "the first of them has left");
    assert_eq!(busy[0].read(&mut [0]).unwrap(), 0);
    drop(busy);
    std::thread::sleep(std::time::Duration::from_millis(200));
    let mut dripping: Vec<UnixStream> = (0..16).map(|_| UnixStream::connect(&path).unwrap()).collect();
    for _ in 0..3 {
        dripping.iter_mut().for_each(|client| client.write_all(b"{").unwrap());
        std::thread::sleep(std::time::Duration::from_millis(50));
        clock.advance(std::time::Duration::from_millis(300));
    }
    assert_eq!(ask(&path, &[r#"{"do":"stop"}"#]), [Answer::Stopping(0)]);
    running.join().unwrap();
}

#[test]
fn a_request_that_is_too_long_is_refused_though_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let running = start(&path);
    let of = |bytes: usize| {
        let line = |spaces: usize| {
            let text = format!("{TEXT}{}", " ".repeat(spaces));
            serde_json::json!({ "do": "policy", "name": "next.oq", "text": text }).to_string()
        };
        line(bytes - line(0).len())
    };
    assert_eq!(of(MOST_REQUEST_BYTES).len(), 1 << 20);
    assert!(matches!(ask(&path, &[&of(MOST_REQUEST_BYTES)])[0], Answer::Changed(_)));
    let mut stream = UnixStream::connect(&path).unwrap();
    // The switch may stop reading before all is written, and the answer may be lost with the connection.
    let _ = stream.write_all(format!("{}\n", of(MOST_REQUEST_BYTES + 1)).as_bytes());
    let mut answer = String::new();
    let _ = BufReader::new(stream).read_line(&mut answer);
    assert!(answer.is_empty() || answer.contains("at most 1048576 bytes"), "{answer}");
    let answers = ask(&path, &[r#"{"do":"ports"}"#, r#"{"do":"stop"}"#]);
    let Answer::Ports(ports) = &answers[0] else { panic!("{answers:?}") };
    assert!(ports.iter().all(|port| port.version == 2), "{ports:?}");
    running.join().unwrap();
}

#[test]
fn a_live_socket_is_left_alone_and_a_stale_one_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let refusal = |path: &Path| Control::bind(path).err().unwrap().to_string();
    let control = Control::bind(&path).unwrap();
    assert!(refusal(&path).contains("another switch uses this control socket"));
    assert!(path.exists());
    drop(control);
    assert!(!path.exists());
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(path.exists(), "a switch that was killed leaves its socket");
    drop(Control::bind(&path).unwrap());
    std::fs::write(&path, "precious").unwrap();
    assert!(refusal(&path).contains("no socket"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
    assert!(refusal(&folder.path().join("none/s")).contains("cannot be made"));
}

/// A switch that was asked to stop sends for a while, takes nothing more in, and counts the rest.
#[test]
fn stopping_says_what_waits_and_counts_what_is_left() {
    let setting =
        Setting { name: "slow".to_owned(), policy: policy("q = Queue(100 pkts);\nout = Port(100);\n").into() };
    let rate = forebay_core::Rate::parse("1 Mbps").unwrap();
    let (mut switch, ends) = switch(2, &setting, Some(rate), Forwarding::Static(vec![vec![1], vec![]]), None);
    for _ in 0..50 {
        ends[0].put(vec![0; 1_250], forebay_linux::switch::frame::Offload::default());
    }
    let rounds = Cell::new(0);
    let asked = || rounds.replace(rounds.get() + 1) > 0;
    // A frame takes 10 ms.
    let stopping = Stopping { asked: &asked, drain_for: Duration::from_ms(105) };
    let mut said = None;
    let ended = run(&mut switch, None, &MonotonicClock::start(), &stopping, &mut |event| said = Some(event)).unwrap();
    ended.stats.check().unwrap();
    let port = &ended.stats.ports[1];
    assert_eq!(said, Some(Event::Stops(ended.waited)));
    assert!((49..=50).contains(&ended.waited), "{}", ended.waited);
    assert!((5..=12).contains(&port.sent), "{}", port.sent);
    assert_eq!(port.dropped.0.get(&Rule::Stopped), Some(&(50 - port.sent)));
}

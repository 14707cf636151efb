//! Requests that wait for the fetch of another, and what the policy makes of it.

use crate::client::{ask, get};
use crate::origin::{Answer, Origin};
use crate::proxy::Proxy;
use std::thread;
use std::time::{Duration, Instant};

/// Asks for the same object from many threads at once.
fn together(proxy: &Proxy, target: &str, clients: usize) -> Vec<crate::client::Got> {
    thread::scope(|scope| {
        let ask = |_| scope.spawn(|| get(proxy.address, target));
        let all: Vec<_> = (0..clients).map(ask).collect();
        all.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    })
}

#[test]
fn all_that_want_one_object_share_one_fetch() {
    let origin = Origin::start(|request| Answer::ok(request.target.clone()).after(Duration::from_millis(300)));
    let proxy = Proxy::start(&origin.url(), &[]);
    for got in together(&proxy, "/a", 50) {
        assert_eq!((got.status, got.text()), (200, "/a".to_owned()));
    }
    assert_eq!(origin.count("/a"), 1);
    assert_eq!((proxy.metric("misses_total"), proxy.metric("delayed_hits_total")), (1, 49));
    assert_eq!((proxy.metric("hits_total"), proxy.metric("fetches_in_flight")), (0, 0));
    assert_eq!(proxy.get("/a").cache(), "hit");
    assert_eq!(proxy.metric("hits_total"), 1);
}

#[test]
fn what_is_slow_to_fetch_is_kept_by_a_mad_form_and_not_by_its_base() {
    // One object takes 200 ms, many others none. All are requested in turn, in a cache that holds half of them.
    let run = |policy: &str| {
        let origin = Origin::start(|request| {
            let slow = request.target == "/slow";
            Answer::ok(vec![b'x'; 1000]).after(Duration::from_millis(if slow { 200 } else { 0 }))
        });
        let proxy = Proxy::start(&origin.url(), &["--policy", policy, "--size", "20000 B"]);
        for _ in 0..6 {
            proxy.get("/slow");
            for other in 0..20 {
                proxy.get(&format!("/{other}"));
            }
        }
        assert!(proxy.metric("evictions_total") > 0, "{policy}: nothing had to leave");
        assert!(proxy.metric("cached_bytes") <= 20_000, "{policy}");
        origin.count("/slow")
    };
    assert_eq!(run("lru"), 6);
    let mad = run("lru-mad");
    assert!(mad <= 2, "fetched {mad} times");
}

#[test]
fn a_request_that_waits_too_long_asks_the_origin_itself() {
    let origin = Origin::start(|_| Answer::ok("late").after(Duration::from_millis(1500)));
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("proxy.toml");
    let text = format!("[caching]\nwait = \"100 ms\"\n[[site]]\norigins = [\"{}\"]\n", origin.url());
    std::fs::write(&config, text).expect("a file");
    let proxy = Proxy::with(&["--config", &config.to_string_lossy()]);
    let all = together(&proxy, "/a", 5);
    assert!(all.iter().all(|got| got.text() == "late"));
    assert_eq!(origin.count("/a"), 5);
}

#[test]
fn a_client_that_leaves_takes_nothing_from_the_others() {
    let origin = Origin::start(|_| Answer::ok(vec![b'z'; 200_000]).after(Duration::from_millis(300)));
    let proxy = Proxy::start(&origin.url(), &[]);
    // It sends a request and is gone before the answer.
    let mut leaver = std::net::TcpStream::connect(proxy.address).expect("a connection");
    std::io::Write::write_all(&mut leaver, b"GET /a HTTP/1.1\r\nhost: x\r\n\r\n").expect("a request");
    proxy.wait_for("the fetch begins", || origin.requests().len() == 1);
    drop(leaver);
    let got = ask(proxy.address, "GET", "/a", &[("host", "x")]).expect("an answer");
    assert_eq!((got.status, got.body.len()), (200, 200_000));
}

#[test]
fn ten_objects_are_fetched_at_the_same_time() {
    let origin = Origin::start(|_| Answer::ok("x").after(Duration::from_millis(400)));
    let proxy = Proxy::start(&origin.url(), &[]);
    let start = Instant::now();
    thread::scope(|scope| {
        for object in 0..10 {
            let proxy = &proxy;
            scope.spawn(move || proxy.get(&format!("/{object}")));
        }
    });
    assert_eq!(origin.most_at_once(), 10, "after {:?}", start.elapsed());
}

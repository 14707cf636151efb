//! Origins that fail: each client gets its bytes, or one clear error.

use crate::client::ask;
use crate::origin::{Answer, Origin};
use crate::proxy::{Proxy, free};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn no_origin_is_502_with_a_sentence() {
    let proxy = Proxy::start(&format!("http://{}", free()), &[]);
    let got = proxy.get("/a");
    assert_eq!((got.status, got.text().as_str()), (502, "The origin server did not answer as it should.\n"));
    assert_eq!(crate::client::get(proxy.admin, "/health").status, 503);
}

#[test]
fn an_answer_that_ends_too_early_is_no_answer_and_is_not_stored() {
    let breaks = Arc::new(AtomicBool::new(true));
    let now = Arc::clone(&breaks);
    let origin =
        Origin::start(move |_| Answer { breaks: now.load(Ordering::Acquire), ..Answer::ok(vec![b'b'; 10_000]) });
    let proxy = Proxy::start(&origin.url(), &[]);
    let cut = ask(proxy.address, "GET", "/a", &[]);
    assert!(cut.as_ref().map_or(true, |got| got.status == 502), "{cut:?}");
    breaks.store(false, Ordering::Release);
    let got = proxy.get("/a");
    assert_eq!((got.status, got.body.len()), (200, 10_000));
    assert_eq!(proxy.get("/a").cache(), "hit");
    assert_eq!(proxy.metric("objects"), 1);
}

#[test]
fn an_error_of_the_origin_is_passed_on_and_not_stored() {
    let tries = AtomicUsize::new(0);
    let origin = Origin::start(move |_| match tries.fetch_add(1, Ordering::AcqRel) {
        0 => Answer::of(500).body("broken"),
        _ => Answer::ok("well"),
    });
    let proxy = Proxy::start(&origin.url(), &[]);
    let first = proxy.get("/a");
    assert_eq!((first.status, first.text().as_str()), (500, "broken"));
    assert_eq!(proxy.get("/a").text(), "well");
    assert_eq!(proxy.get("/a").cache(), "hit");
}

#[test]
fn a_stale_answer_serves_while_the_origin_fails_if_it_may() {
    let fails = Arc::new(AtomicBool::new(false));
    let now = Arc::clone(&fails);
    let origin = Origin::start(move |request| {
        if now.load(Ordering::Acquire) {
            return Answer::of(503);
        }
        let control =
            if request.target == "/strict" { "max-age=1, must-revalidate" } else { "max-age=1, stale-if-error=60" };
        Answer::ok("well").header("cache-control", control)
    });
    let proxy = Proxy::start(&origin.url(), &[]);
    assert_eq!((proxy.get("/a").status, proxy.get("/strict").status), (200, 200));
    fails.store(true, Ordering::Release);
    thread::sleep(Duration::from_millis(2100));
    let stale = proxy.get("/a");
    assert_eq!((stale.status, stale.text().as_str()), (200, "well"));
    assert_eq!(proxy.get("/strict").status, 503);
}

#[test]
fn while_an_answer_is_fetched_anew_the_stale_one_serves() {
    let number = AtomicUsize::new(0);
    let origin = Origin::start(move |_| {
        let number = number.fetch_add(1, Ordering::AcqRel);
        let delay = Duration::from_millis(if number == 0 { 0 } else { 500 });
        Answer::ok(number.to_string()).header("cache-control", "max-age=1, stale-while-revalidate=60").after(delay)
    });
    let proxy = Proxy::start(&origin.url(), &[]);
    assert_eq!(proxy.get("/a").text(), "0");
    thread::sleep(Duration::from_millis(2100));
    let start = Instant::now();
    assert_eq!(proxy.get("/a").text(), "0");
    assert!(start.elapsed() < Duration::from_millis(400), "it waited");
    proxy.wait_for("the new answer is there", || proxy.get("/a").text() == "1");
}

#[test]
fn a_body_without_length_that_is_too_long_is_passed_on_whole() {
    let origin = Origin::start(|_| Answer { chunked: true, ..Answer::ok(vec![b'c'; 3_000_000]) });
    let proxy = Proxy::start(&origin.url(), &["--size", "8 MB"]);
    for _ in 0..3 {
        let got = proxy.get("/a");
        assert_eq!((got.status, got.body.len()), (200, 3_000_000));
    }
    assert_eq!(proxy.metric("objects"), 0);
}

#[test]
fn bodies_without_length_are_stored_side_by_side() {
    let origin = Origin::start(|request| {
        let body = request.target.repeat(20_000);
        Answer { chunked: true, pause: Duration::from_millis(200), ..Answer::ok(body) }
    });
    let proxy = Proxy::start(&origin.url(), &[]);
    thread::scope(|scope| {
        for object in 0..20 {
            let proxy = &proxy;
            scope.spawn(move || proxy.get(&format!("/{object:02}")));
        }
    });
    for object in 0..20 {
        let target = format!("/{object:02}");
        let got = proxy.get(&target);
        assert_eq!((got.cache(), got.body.len()), ("hit", target.len() * 20_000), "{target}");
    }
}

#[test]
fn the_second_origin_answers_when_the_first_does_not() {
    let origin = Origin::start(|_| Answer::ok("second"));
    let first = format!("http://{}", free());
    let proxy = Proxy::start(&first, &["--origin", &origin.url()]);
    for object in 0..20 {
        assert_eq!(proxy.get(&format!("/{object}")).text(), "second");
    }
}

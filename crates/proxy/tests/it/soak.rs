//! Many clients, origins that fail: nothing is lost, nothing goes to the wrong client, memory stays bounded.
//!
//! `FOREBAY_SOAK_SECONDS` and `FOREBAY_SOAK_CLIENTS` make it longer and larger than the few seconds of every run.

use crate::client::ask;
use crate::origin::{Answer, Origin, Request};
use crate::proxy::Proxy;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The capacity of the cache.
const SIZE: u64 = 4_000_000;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A number that looks random, of a number.
fn mixed(number: u64) -> u64 {
    let mixed = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// The body of an object for a user: what a client must get, to the byte.
fn body(target: &str, user: &str) -> Vec<u8> {
    let length = 100 + target.bytes().fold(7, |sum, byte| (sum * 31 + usize::from(byte)) % 20_000);
    format!("{target} for {user};").into_bytes().into_iter().cycle().take(length).collect()
}

/// Answers in one of ten ways, of which four fail. Objects below /private/ are for one user.
fn answer(request: &Request, count: usize) -> Answer {
    let user = request.header("x-user").unwrap_or("nobody");
    let is_private = request.target.starts_with("/private/");
    let whole = Answer::ok(body(&request.target, if is_private { user } else { "all" }));
    let whole = if is_private { whole.header("cache-control", "private, max-age=60") } else { whole };
    let delay = Duration::from_millis(mixed(count as u64) % 40);
    match mixed(count as u64 + 7) % 10 {
        0 => Answer { breaks: true, ..whole },
        1 => Answer::of(503).body("no").after(delay),
        2 => Answer { pause: Duration::from_millis(300), ..whole },
        3 => Answer { chunked: true, ..whole },
        4 => whole.header("cache-control", if is_private { "private" } else { "max-age=1, stale-if-error=5" }),
        _ => whole.after(delay),
    }
}

#[test]
fn each_client_gets_its_bytes_or_one_clear_error() {
    let count = AtomicUsize::new(0);
    let origin = Origin::start(move |request| answer(request, count.fetch_add(1, Ordering::AcqRel)));
    let proxy = Proxy::start(&origin.url(), &["--size", &format!("{SIZE} B")]);
    let end = Instant::now() + Duration::from_secs(number("FOREBAY_SOAK_SECONDS", 5));
    let clients = number("FOREBAY_SOAK_CLIENTS", 100);
    let (right, failed, cut) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for client in 0..clients {
            let (proxy, right, failed, cut) = (&proxy, &right, &failed, &cut);
            let work = move || {
                let user = format!("user-{client}");
                for step in 0.. {
                    if Instant::now() >= end {
                        return;
                    }
                    // A few objects are asked for often, most seldom.
                    let draw = mixed(client * 1_000_003 + step);
                    let object = if draw.is_multiple_of(3) { draw / 3 % 10 } else { draw / 3 % 2000 };
                    let place = if draw.is_multiple_of(17) { "private" } else { "public" };
                    let target = format!("/{place}/{object}");
                    let owner = if place == "private" { user.as_str() } else { "all" };
                    match ask(proxy.address, "GET", &target, &[("x-user", &user)]) {
                        Ok(got) if got.status == 200 => {
                            assert!(got.body == body(&target, owner), "{target} for {user}: {:?}", &got.text()[..60]);
                            right.fetch_add(1, Ordering::Relaxed);
                        }
                        Ok(got) => {
                            assert!(matches!(got.status, 502..=504), "{target}: {}", got.status);
                            failed.fetch_add(1, Ordering::Relaxed);
                        }
                        // The origin cut its answer, and so does the proxy: the client sees that bytes are missing.
                        Err(_) => {
                            cut.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            };
            thread::Builder::new().stack_size(1 << 17).spawn_scoped(scope, work).expect("a thread");
        }
    });
    let [right, failed, cut] = [right, failed, cut].map(AtomicUsize::into_inner);
    let (hits, delayed, misses) =
        (proxy.metric("hits_total"), proxy.metric("delayed_hits_total"), proxy.metric("misses_total"));
    let (bytes, memory) = (proxy.metric("cached_bytes"), proxy.most_memory());
    eprintln!(
        "{right} right, {failed} errors, {cut} cut; {hits} hits, {delayed} delayed, {misses} misses; {bytes} bytes cached, at most {memory} in memory"
    );
    assert!(right > 100 && failed > 0 && cut > 0 && hits > 0 && delayed > 0);
    assert!(bytes <= SIZE);
    proxy.wait_for("nothing is left over", || {
        proxy.metric("active_requests") == 0 && proxy.metric("fetches_in_flight") == 0
    });
    // Threads, connections and buffers of the clients, and the cache itself.
    assert!(memory < 100_000_000 + 300_000 * clients, "{memory} bytes");
    assert!(!proxy.messages().contains("panicked"), "{}", proxy.messages());
}

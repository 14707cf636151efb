//! Signals, and what the next start finds on disk.

use crate::client::ask;
use crate::origin::{Answer, Origin};
use crate::proxy::{Proxy, command};
use std::path::Path;
use std::thread;
use std::time::Duration;

fn origin() -> Origin {
    Origin::start(|request| Answer::ok(request.target.repeat(500)))
}

fn fill(proxy: &Proxy) {
    for object in 0..50 {
        assert_eq!(proxy.get(&format!("/{object}")).status, 200);
    }
}

fn is_kept(proxy: &Proxy, objects: std::ops::Range<usize>) {
    for object in objects {
        let target = format!("/{object}");
        let got = proxy.get(&target);
        assert_eq!((got.cache(), got.text()), ("hit", target.repeat(500)));
    }
}

#[test]
fn stored_answers_outlive_a_kill() {
    let (origin, folder) = (origin(), tempfile::tempdir().expect("a folder"));
    let disk = folder.path().to_string_lossy().into_owned();
    let proxy = Proxy::start(&origin.url(), &["--disk", &disk]);
    fill(&proxy);
    proxy.signal("KILL");
    proxy.end();
    // What a kill may leave behind: a body without metadata, metadata without a body, and half a file.
    let any = |end: &str| files(folder.path()).into_iter().find(|file| file.ends_with(end)).expect("a file");
    std::fs::remove_file(any(".body")).expect("a body");
    let meta = any(".meta");
    let content = std::fs::read(&meta).expect("metadata");
    std::fs::write(&meta, &content[..content.len() / 2]).expect("metadata");
    let proxy = Proxy::start(&origin.url(), &["--disk", &disk]);
    let kept = proxy.metric("objects");
    assert!((48..50).contains(&kept), "{kept}");
    for object in 0..50 {
        let target = format!("/{object}");
        assert_eq!(proxy.get(&target).text(), target.repeat(500));
    }
    assert_eq!(proxy.metric("objects"), 50);
    assert_eq!(files(folder.path()).iter().filter(|file| file.ends_with(".body")).count(), 50);
}

fn files(folder: &Path) -> Vec<String> {
    let folders = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let inner = folders.filter(|path| path.is_dir()).flat_map(|path| std::fs::read_dir(path).expect("a folder"));
    inner.map(|entry| entry.expect("an entry").path().to_string_lossy().into_owned()).collect()
}

#[test]
fn after_an_end_in_order_a_smaller_cache_keeps_what_was_requested_last() {
    let (origin, folder) = (origin(), tempfile::tempdir().expect("a folder"));
    let disk = folder.path().to_string_lossy().into_owned();
    let proxy = Proxy::start(&origin.url(), &["--disk", &disk, "--policy", "lru"]);
    fill(&proxy);
    is_kept(&proxy, 0..10);
    proxy.signal("TERM");
    assert!(proxy.end().success());
    let proxy = Proxy::start(&origin.url(), &["--disk", &disk, "--policy", "lru", "--size", "30 KB"]);
    assert!(proxy.metric("cached_bytes") <= 30_000);
    is_kept(&proxy, 0..10);
}

#[test]
fn one_folder_is_for_one_proxy() {
    let (origin, folder) = (origin(), tempfile::tempdir().expect("a folder"));
    let disk = folder.path().to_string_lossy().into_owned();
    let _proxy = Proxy::start(&origin.url(), &["--disk", &disk]);
    let second = command().args(["--origin", &origin.url(), "--disk", &disk, "--check"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(2));
    assert!(text.contains("another forebay-proxy uses this folder"), "{text}");
}

#[test]
fn sigterm_lets_requests_end_and_takes_no_new_ones() {
    let origin = Origin::start(|_| Answer::ok("late").after(Duration::from_secs(1)));
    let proxy = Proxy::start(&origin.url(), &[]);
    let address = proxy.address;
    let client = thread::spawn(move || ask(address, "GET", "/a", &[]));
    proxy.wait_for("the request has come", || origin.requests().len() == 1);
    proxy.signal("TERM");
    let got = client.join().expect("no panic").expect("an answer");
    assert_eq!(got.text(), "late");
    assert!(proxy.end().success());
    assert!(std::net::TcpStream::connect(address).is_err());
}

#[test]
fn sighup_reads_sites_again_and_keeps_them_if_the_file_is_wrong() {
    let (first, second) = (Origin::start(|_| Answer::ok("first")), Origin::start(|_| Answer::ok("second")));
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("proxy.toml");
    let write = |origin: &str| {
        std::fs::write(&config, format!("[[site]]\norigins = [\"{origin}\"]\n")).expect("a file");
    };
    write(&first.url());
    let proxy = Proxy::with(&["--config", &config.to_string_lossy()]);
    assert_eq!(proxy.get("/a").text(), "first");
    write(&second.url());
    proxy.signal("HUP");
    proxy.wait_for("it was read", || proxy.messages().contains("read again"));
    assert_eq!(proxy.get("/b").text(), "second");
    assert_eq!(proxy.get("/a").text(), "first", "the stored answer is still there");
    write("ftp://nowhere");
    proxy.signal("HUP");
    proxy.wait_for("it complains", || proxy.messages().contains("the settings stay as they were"));
    assert_eq!(proxy.get("/c").text(), "second");
}

//! A program with a loading cache that is killed at any moment. Its answers until then are those that the store sent,
//! once for each key, and the store keeps no connection. 10 kills; `FOREBAY_KILLS=1000` for more.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use crate::by_hand::lock;
use forebay_core::Seed;
use forebay_loading::LoadingCache;
use rand::RngExt as _;
use std::collections::HashSet;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The address at which the killed program finds its store.
const STORE: &str = "FOREBAY_STORE";
const KEYS: u64 = 300;
const TASKS: u64 = 8;

/// The store's answer for a key: the number of the fetch, and both together, so that half an answer is noticed.
fn answer(key: u64, fetch: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&fetch.to_le_bytes());
    bytes[8..].copy_from_slice(&(key << 32 ^ fetch).to_le_bytes());
    bytes
}

/// Asks the store: the number of the fetch.
fn fetch(store: &Path, key: u64) -> std::io::Result<u64> {
    let mut stream = UnixStream::connect(store)?;
    stream.write_all(&key.to_le_bytes())?;
    let mut bytes = [0; 16];
    stream.read_exact(&mut bytes)?;
    let fetch = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    assert_eq!(bytes, answer(key, fetch));
    Ok(fetch)
}

/// The program that is killed. Without a store it is a test that does nothing.
#[test]
fn the_program() {
    let Some(store) = std::env::var_os(STORE) else { return };
    let cache: LoadingCache<u64, u64, std::io::Error> = LoadingCache::builder(KEYS).build().unwrap();
    let store = Path::new(&store);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().unwrap();
    std::thread::scope(|scope| {
        for task in 0..TASKS {
            let (cache, runtime) = (&cache, &runtime);
            scope.spawn(move || {
                let mut rng = Seed(task).stream("keys");
                loop {
                    let key = rng.random_range(0..KEYS);
                    let from = store.to_owned();
                    let value = runtime.block_on(cache.get_or_fetch(key, move || async move { fetch(&from, key) }));
                    let line = format!("{key} {}\n", value.expect("the store answers"));
                    // A line in one write, so that it is there as a whole or not at all.
                    std::io::stderr().write_all(line.as_bytes()).expect("somebody reads");
                }
            });
        }
    });
}

#[test]
fn what_a_killed_program_has_answered_is_right() {
    let kills: u64 = std::env::var("FOREBAY_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let folder = std::env::temp_dir().join(format!("forebay-kills-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (mut rng, mut answered) = (Seed(1).stream("kills"), 0_u64);
    for kill in 0..kills {
        answered += one_life(&folder, Duration::from_micros(rng.random_range(0..60_000)), kill);
    }
    std::fs::remove_dir(&folder).expect("nothing is left there");
    println!("{kills} kills, {answered} answers");
    assert!(answered > kills, "some lives are long enough");
}

/// Starts the program, kills it after a while, and gives how many answers it had.
fn one_life(folder: &Path, after: Duration, kill: u64) -> u64 {
    let path = folder.join("store");
    let listener = UnixListener::bind(&path).unwrap();
    let sent: Arc<Mutex<HashSet<(u64, u64)>>> = Arc::default();
    let open = Arc::new(AtomicU64::new(0));
    let (of_store, connections) = (Arc::clone(&sent), Arc::clone(&open));
    let store = std::thread::spawn(move || {
        for (fetch, stream) in (1..).zip(listener.incoming()) {
            let mut stream = stream.unwrap();
            let (sent, open) = (Arc::clone(&of_store), Arc::clone(&connections));
            open.fetch_add(1, Ordering::SeqCst);
            let mut key = [0; 8];
            // Nobody asks any more, or the program is gone.
            let asked = stream.read_exact(&mut key).is_ok() && key != [0xff; 8];
            let ends = !asked && key == [0xff; 8];
            std::thread::spawn(move || {
                if asked {
                    let key = u64::from_le_bytes(key);
                    lock(&sent).insert((key, fetch));
                    // The program may be gone, and ends the connection in any case.
                    let _gone = stream.write_all(&answer(key, fetch));
                    let _gone = stream.read(&mut [0]);
                }
                open.fetch_sub(1, Ordering::SeqCst);
            });
            if ends {
                return;
            }
        }
    });
    let mut command = Command::new(std::env::current_exe().unwrap());
    let command = command.args(["--exact", "kills::the_program", "--nocapture"]).env(STORE, &path).current_dir(folder);
    let mut program = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = program.stderr.take().unwrap();
    let read = std::thread::spawn(move || {
        let mut text = String::new();
        match lines.read_to_string(&mut text) {
            Err(error) if error.kind() != ErrorKind::Interrupted => panic!("{error}"),
            _ => text,
        }
    });
    std::thread::sleep(after);
    program.kill().unwrap();
    program.wait().unwrap();
    let text = read.join().unwrap();
    UnixStream::connect(&path).unwrap().write_all(&[0xff; 8]).unwrap();
    store.join().unwrap();
    std::fs::remove_file(&path).unwrap();
    for _ in 0..1_000 {
        if open.load(Ordering::SeqCst) == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(open.load(Ordering::SeqCst), 0, "kill {kill}: connections are left");
    let sent = lock(&sent);
    let mut fetched = HashSet::new();
    for line in text.lines() {
        let (key, fetch) = line.split_once(' ').unwrap_or_else(|| panic!("kill {kill}: {line}"));
        let answer = (key.parse().unwrap(), fetch.parse().unwrap());
        assert!(sent.contains(&answer), "kill {kill}: {line} was not sent");
        fetched.insert(answer);
    }
    let keys: HashSet<u64> = fetched.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys.len(), fetched.len(), "kill {kill}: a key that was there was fetched again");
    text.lines().map(|_| 1).sum()
}

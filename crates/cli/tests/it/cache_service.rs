//! Caches whose hits take time, whose requests leave one after another, whose stores are busy and whose objects expire.

use crate::support::Folder;
use serde_json::Value;

/// One object that lives for 2 s and then for 5 s, and one that lives for ever.
const TWITTER: &str = "0,a,1,9,1,set,2\n0,a,1,9,1,get,0\n1,a,1,9,1,get,0\n3,a,1,9,1,get,0\n4,b,1,9,1,get,0\n5,a,1,9,1,get,0\n\
                       6,a,1,9,1,set,5\n9,a,1,9,1,get,0\n";

#[test]
fn lifetimes_come_from_the_trace() {
    let folder = Folder::new();
    folder.write("twitter.csv", TWITTER);
    let cache = [
        "cache",
        "twitter.csv",
        "--format-in",
        "twitter-csv",
        "--policy",
        "lru",
        "--capacity",
        "5",
        "--latency",
        "5ms",
    ];
    let expired = |more: &[&str]| {
        let (text, _) = folder.run(&[&cache[..], more, &["--format", "json"]].concat()).ok_with_warnings();
        let json: Value = serde_json::from_str(&text).unwrap();
        let result = &json["results"][0];
        (result["expired"].as_u64().unwrap(), result["misses"].as_u64().unwrap())
    };
    assert_eq!(expired(&[]), (0, 2));
    // The last lifetime of `a` counts: it is requested at 0 s and 5 ms, and has expired at 9 s.
    assert_eq!(expired(&["--ttl", "trace"]), (1, 3));
    // At 1 s it is there, at 3 s, 5 s and 9 s it is not.
    assert_eq!(expired(&["--ttl", "1500ms"]), (3, 5));
    let (_, warned) = folder.run(&[&cache[..], &["--ttl", "trace"]].concat()).ok_with_warnings();
    let said = "the trace has a lifetime for 1 objects, and other objects never expire; 1 lines have another lifetime";
    assert!(warned.contains(said), "{warned}");
}

#[test]
fn the_study_of_service_plays_every_part() {
    let folder = Folder::new();
    let study = include_str!("../../../../docs/studies/cache-service.toml");
    let json = folder.json(study, &["--set", "cache.trace.requests=40_000", "--set", "repetitions=1"]);
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 3 * 3 * 4);
    let number = |result: &Value, name: &str| result[name].as_f64().unwrap();
    assert!(results.iter().all(|result| number(result, "mean_latency") >= 5.0), "the latency of hits");
    let expired = results.iter().filter(|result| number(result, "expired") > 0.0);
    assert!(expired.count() >= 12, "at least where objects live for two fetches");
}

//! Logs of servers, proxies and CDNs as request traces: `testdata/logs`. Another program counted the expected numbers.

use crate::support::Folder;
use serde_json::Value;

fn path(file: &str) -> String {
    format!("{}/../../testdata/logs/{file}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn one_command_tells_what_is_in_a_log() {
    for (file, format, requests, objects) in [
        ("nginx-combined.log", "access-log", 27, 15),
        ("varnish.log", "access-log", 26, 17),
        ("squid.log", "squid", 25, 15),
        ("haproxy-syslog.log", "haproxy", 26, 15),
        ("cloudfront.log", "cloudfront", 34, 6),
        ("fastly.log", "fastly", 27, 6),
        ("envoy.log", "envoy", 25, 7),
        ("s3.log", "s3", 14, 6),
    ] {
        let (text, warnings) =
            Folder::new().run(&["trace", "info", &path(file), "--format", "json"]).ok_with_warnings();
        let found: Value = serde_json::from_str(&text).unwrap();
        let expected = (&format.into(), &requests.into(), &objects.into());
        assert_eq!((&found["format"], &found["requests"], &found["objects"]), expected, "{file}");
        assert!(warnings.contains("with another method (`methods=all` takes them) were left out: "), "{warnings}");
    }
}

#[test]
fn one_command_plays_a_log() {
    let play = |file: &str, more: &[&str]| {
        let path = path(file);
        let command = ["cache", &path, "--policy", "lru", "--capacity", "1000", "--latency", "1ns", "--format", "json"];
        let (text, warnings) = Folder::new().run(&[&command, more].concat()).ok_with_warnings();
        (serde_json::from_str::<Value>(&text).unwrap(), warnings)
    };
    let (_, warnings) = play("squid.log", &[]);
    assert!(warnings.contains("the log says: 32.0 % hits (8 of 25 requests with a cache status)"), "{warnings}");
    let format = format!("access-log:log-format=@{}#cache,time=start", path("nginx.conf"));
    let (_, warnings) = play("nginx-cache.log", &["--format-in", &format]);
    assert!(warnings.contains("the log says: 40.7 % hits (11 of 27"), "{warnings}");
}

#[test]
fn a_scenario_finds_the_format_beside_it() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    for file in ["nginx-cache.log", "nginx.conf"] {
        folder.write(&format!("sub/{file}"), std::fs::read_to_string(path(file)).unwrap());
    }
    let scenario = "[cache]\ntrace = \"nginx-cache.log\"\nformat = \"access-log:log-format=@nginx.conf#cache\"\ncapacity = 5\nlatency = \"1 us\"\n\
                    [[policy]]\nname = \"lru\"\n";
    folder.write("sub/log.toml", scenario);
    let (_, warnings) = folder.run(&["run", "sub/log.toml"]).ok_with_warnings();
    assert!(warnings.contains("the log says: 40.7 % hits"), "{warnings}");
}

#[test]
fn a_format_that_a_log_does_not_have_is_said() {
    let folder = Folder::new();
    let refused = folder.run(&["trace", "info", "--format-in", "squid", &path("haproxy.log")]).refused();
    assert!(
        refused.contains("haproxy.log:1: a line must be like `1728568536.123 ")
            && refused.contains("36 of the first 36"),
        "{refused}"
    );
    let format = format!("access-log:log-format=@{}", path("nginx.conf"));
    let refused = folder.run(&["trace", "info", "--format-in", &format, &path("nginx-cache.log")]).refused();
    assert!(refused.contains("say which with `@FILE#NAME`: cache, json"), "{refused}");
}

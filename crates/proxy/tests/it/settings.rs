//! Settings with an error: one message that names the place and the fix, and status 2.

use crate::origin::{Answer, Origin};
use crate::proxy::{Proxy, command, free};

fn refused(options: &[&str]) -> String {
    let output = command().args(options).arg("--check").output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{options:?}: {text}");
    assert!(!text.contains("panicked"), "{text}");
    text
}

fn refused_file(content: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("proxy.toml");
    std::fs::write(&config, content).expect("a file");
    refused(&["--config", &config.to_string_lossy()])
}

#[test]
fn wrong_options_say_what_to_do() {
    let origin = "http://127.0.0.1:9";
    assert!(refused(&[]).contains("give --origin http://HOST:PORT"));
    assert!(refused(&["--origin", "127.0.0.1:9"]).contains("http://HOST:PORT"));
    assert!(refused(&["--origin", origin, "--policy", "lrru"]).contains("did you mean"));
    assert!(refused(&["--origin", origin, "--policy", "belady"]).contains("future"));
    assert!(refused(&["--origin", origin, "--listen", "127.0.0.1:0"]).contains("port 0"));
    assert!(refused(&["--origin", origin, "--listen", "nowhere"]).contains("127.0.0.1:8080"));
    assert!(refused(&["--origin", origin, "--size", "5"]).contains("5"));
    assert!(refused(&["--origin", origin, "--log", "/no/such/folder/log"]).contains("/no/such/folder/log"));
    assert!(refused(&["--origin", origin, "--config", "/no/such/file"]).contains("/no/such/file"));
    let used = std::net::TcpListener::bind(free()).expect("a port");
    let address = used.local_addr().expect("an address").to_string();
    assert!(refused(&["--origin", origin, "--listen", &address]).contains(&address));
}

#[test]
fn wrong_files_name_the_line() {
    let site = "[[site]]\norigins = [\"http://127.0.0.1:9\"]\n";
    assert!(refused_file("listen = 5\n").contains("line 1"));
    assert!(refused_file("\nlisten = [\"127.0.0.1:8080\"\n").contains("line"));
    let text = refused_file(&format!("{site}hots = [\"x\"]\n"));
    assert!(text.contains("line 3") && text.contains("hots") && text.contains("hosts"), "{text}");
    let text = refused_file(&format!("[storage]\nsize = \"12 parsecs\"\n{site}"));
    assert!(text.contains("line 2") && text.contains("MiB"), "{text}");
    assert!(refused_file("[[site]]\nhosts = [\"a\"]\n").contains("`origins`"));
    assert!(refused_file(&format!("[storage]\nsize = \"1 MB\"\nlargest = \"2 MB\"\n{site}")).contains("largest"));
    let mixed = "[[site]]\norigins = [\"http://127.0.0.1:9\", \"https://127.0.0.1:9\"]\n";
    assert!(refused_file(mixed).contains("https"));
}

#[test]
fn the_schema_knows_every_setting_of_the_documentation() {
    let output = command().arg("--schema").output().expect("it runs");
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let properties = schema["properties"].as_object().expect("properties");
    for name in ["listen", "admin", "policy", "threads", "log", "grace", "storage", "caching", "site"] {
        assert!(properties.contains_key(name), "{name}");
    }
}

#[test]
fn the_configuration_of_the_documentation_is_right() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/proxy.md");
    let text = std::fs::read_to_string(page).expect("the page");
    let config = text.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    let settings: forebay_proxy::Settings = toml::from_str(config).expect("settings");
    settings.check().expect("settings that fit together");
    assert_eq!(settings.sites.len(), 2);
}

#[test]
fn sites_are_chosen_by_host() {
    let (a, all) = (Origin::start(|_| Answer::ok("a")), Origin::start(|_| Answer::ok("all")));
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("proxy.toml");
    let text = format!(
        "[[site]]\nhosts = [\"a.test\"]\norigins = [\"{}\"]\n[[site]]\nhosts = [\"*.b.test\"]\norigins = [\"{}\"]\n",
        a.url(),
        all.url()
    );
    std::fs::write(&config, text).expect("a file");
    let proxy = Proxy::with(&["--config", &config.to_string_lossy()]);
    let ask = |host: &str| crate::client::ask(proxy.address, "GET", "/x", &[("host", host)]).expect("an answer");
    assert_eq!(ask("a.test").text(), "a");
    assert_eq!(ask("A.test:80").text(), "a");
    assert_eq!(ask("www.b.test").text(), "all");
    assert_eq!(ask("b.test").status, 421);
}

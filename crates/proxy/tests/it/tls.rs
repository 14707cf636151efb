//! HTTP/2 and TLS, asked with the system's curl, with certificates of the system's openssl.

use crate::origin::{Answer, Origin};
use crate::proxy::{Proxy, free};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Output};

fn run(command: &str, arguments: &[&str]) -> Option<Output> {
    Command::new(command).args(arguments).output().ok()
}

/// A certificate for localhost, signed by itself, and its key. [`None`], said aloud, if openssl or curl are missing.
#[expect(clippy::print_stdout, reason = "a test says what it skips")]
fn certificate(folder: &Path) -> Option<(String, String)> {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (certificate, key) = (path("cert.pem"), path("key.pem"));
    let curl = run("curl", &["--version"]).map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if !curl.is_some_and(|text| text.contains("HTTP2")) {
        println!("skipped: there is no curl that knows HTTP/2");
        return None;
    }
    let request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    let subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    let files = ["-keyout", &key, "-out", &certificate];
    let made = run("openssl", &[&request[..], &subject[..], &files[..]].concat());
    if !made.is_some_and(|output| output.status.success()) {
        println!("skipped: there is no openssl that makes certificates");
        return None;
    }
    Some((certificate, key))
}

/// The version of HTTP, the status, and the body that curl got.
fn curl(arguments: &[&str]) -> String {
    let fixed = ["--silent", "--show-error", "--max-time", "30", "--write-out", "|%{http_version}|%{http_code}"];
    let output = run("curl", &[&fixed[..], arguments].concat()).expect("curl is there");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn configured(folder: &Path, name: &str, text: &str, listen: &[SocketAddr]) -> Proxy {
    let config = folder.join(name);
    std::fs::write(&config, text).expect("a file");
    let proxy = Proxy::configured(&["--config", &config.to_string_lossy()]);
    proxy.wait_for("it listens", || listen.iter().all(|address| TcpStream::connect(address).is_ok()));
    proxy
}

#[test]
fn listeners_serve_both_versions_with_and_without_tls() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((certificate, key)) = certificate(folder.path()) else { return };
    let origin = Origin::start(|request| Answer::ok(request.header("x-forwarded-proto").unwrap_or("none").to_owned()));
    let (plain, tls) = (free(), free());
    let text = format!(
        "listen = [\"{plain}\", {{ address = \"{tls}\", certificate = \"{certificate}\", key = \"{key}\" }}]\n\
         [[site]]\norigins = [\"{}\"]\n",
        origin.url()
    );
    let _proxy = configured(folder.path(), "proxy.toml", &text, &[plain, tls]);
    let secure = format!("https://localhost:{}/a", tls.port());
    let resolve = format!("localhost:{}:127.0.0.1", tls.port());
    for _ in 0..2 {
        let ask = |version: &str, url: &str| curl(&["--cacert", &certificate, "--resolve", &resolve, version, url]);
        assert_eq!(ask("--http1.1", &secure), "https|1.1|200");
        assert_eq!(ask("--http2", &secure), "https|2|200");
        assert_eq!(ask("--http1.1", &format!("http://{plain}/a")), "http|1.1|200");
        assert_eq!(ask("--http2-prior-knowledge", &format!("http://{plain}/a")), "http|2|200");
    }
    // HTTP/1.1 and HTTP/2 share the object. The scheme is part of its key.
    assert_eq!(origin.count("/a"), 2);
}

#[test]
fn the_certificate_of_an_origin_is_checked_unless_told_otherwise() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((certificate, key)) = certificate(folder.path()) else { return };
    let origin = Origin::start(|_| Answer::ok("over TLS"));
    let (tls, strict, lax) = (free(), free(), free());
    // A proxy with TLS is the origin of two others.
    let behind = format!(
        "listen = [{{ address = \"{tls}\", certificate = \"{certificate}\", key = \"{key}\" }}]\n[[site]]\norigins = [\"{}\"]\n",
        origin.url()
    );
    let _behind = configured(folder.path(), "behind.toml", &behind, &[tls]);
    let front = |address, more: &str| {
        format!("listen = [\"{address}\"]\n[[site]]\norigins = [\"https://localhost:{}\"]\n{more}", tls.port())
    };
    let _strict = configured(folder.path(), "strict.toml", &front(strict, ""), &[strict]);
    let _lax = configured(folder.path(), "lax.toml", &front(lax, "accept-any-certificate = true\n"), &[lax]);
    let refused = curl(&["--http1.1", &format!("http://{strict}/a")]);
    assert!(refused.ends_with("|1.1|502"), "{refused}");
    assert_eq!(origin.count("/a"), 0);
    assert_eq!(curl(&["--http1.1", &format!("http://{lax}/a")]), "over TLS|1.1|200");
}

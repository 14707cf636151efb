//! Cases from RFC 9111 (caching), 9110 (HTTP), 9112 (HTTP/1.1), 5861 (stale answers) and 9211 (`Cache-Status`).
//!
//! A case is a list of requests to one address. Each step says what the origin answers if it is asked, whether it must be
//! asked, and what the client must get. `{path}` in a header of the
//! origin is the path of the case. The cases of a table run at the same time against one proxy.

mod conditional;
mod differences;
mod freshness;
mod invalidation;
mod messages;
mod ranges;
mod requests;
mod stale;
mod storing;
mod validation;
mod vary;

use crate::client::{Got, ask};
use crate::origin::{Answer, Origin, Request};
use crate::proxy::Proxy;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// How many cases run at the same time.
const AT_ONCE: usize = 8;

/// One rule, and requests that show it.
struct Case {
    section: &'static str,
    rule: &'static str,
    steps: Vec<Step>,
}

fn case<const N: usize>(section: &'static str, rule: &'static str, steps: [Step; N]) -> Case {
    Case { section, rule, steps: steps.into() }
}

/// Whether the origin must hear of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// It gets a request without conditions.
    Yes,
    /// It gets a request with `If-None-Match` or `If-Modified-Since`.
    Validates,
    No,
    /// It may hear of it, now or later.
    Perhaps,
}

type Expected = Vec<(&'static str, Option<String>)>;

/// A request, and what must happen.
struct Step {
    method: &'static str,
    suffix: &'static str,
    headers: Vec<(&'static str, String)>,
    answer: Answer,
    asks: Asks,
    /// 0 if the client must get no whole answer, or 502.
    status: u16,
    /// [`None`]: the number of the step whose answer it is.
    body: Option<String>,
    age: Option<u64>,
    got: Expected,
    sent: Expected,
}

impl Step {
    fn of(asks: Asks, status: u16, answer: Answer) -> Self {
        let (headers, got, sent) = (Vec::new(), Vec::new(), Vec::new());
        Self { method: "GET", suffix: "", headers, answer, asks, status, body: None, age: None, got, sent }
    }

    fn method(self, method: &'static str) -> Self {
        let body = if method == "HEAD" { Some(String::new()) } else { self.body };
        Self { method, body, ..self }
    }

    /// Asks for an address below that of the case, or with a query.
    fn at(self, suffix: &'static str) -> Self {
        Self { suffix, ..self }
    }

    /// What the origin sends if it is asked.
    fn answering(self, answer: Answer) -> Self {
        Self { answer, ..self }
    }

    /// Sends a header.
    fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// What the client must get.
    fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    fn body(self, body: &str) -> Self {
        Self { body: Some(body.to_owned()), ..self }
    }

    fn has(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.got.push((name, Some(value.into())));
        self
    }

    fn lacks(mut self, name: &'static str) -> Self {
        self.got.push((name, None));
        self
    }

    /// The `Age` that the client must get, or one of the next nine seconds.
    fn age(self, age: u64) -> Self {
        Self { age: Some(age), ..self }
    }

    /// What the origin must get.
    fn sent(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.sent.push((name, Some(value.into())));
        self
    }

    fn not_sent(mut self, name: &'static str) -> Self {
        self.sent.push((name, None));
        self
    }
}

/// A request that is answered by the origin.
fn fetch(answer: Answer) -> Step {
    Step::of(Asks::Yes, answer.status, answer)
}

/// A request that is answered without the origin.
fn hit() -> Step {
    Step::of(Asks::No, 200, Answer::of(200).header("cache-control", "no-store").body("the origin was asked"))
}

/// A request for which the origin is asked whether the stored answer is still right, and says so.
fn validated(answer: Answer) -> Step {
    Step::of(Asks::Validates, 200, Answer { status: 304, ..answer })
}

/// A request for which the origin is asked the same, and answers with a new object.
fn replaced(answer: Answer) -> Step {
    Step::of(Asks::Validates, answer.status, answer)
}

/// An answer with this `Cache-Control`.
fn ok(control: &str) -> Answer {
    Answer::of(200).header("cache-control", control)
}

/// An answer that says nothing about its lifetime.
fn plain() -> Answer {
    Answer::of(200)
}

/// The date so many seconds ago.
fn ago(seconds: u64) -> String {
    httpdate::fmt_http_date(SystemTime::now() - Duration::from_secs(seconds))
}

/// The date in so many seconds.
fn ahead(seconds: u64) -> String {
    httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(seconds))
}

/// What the origin has to answer for a case, and what it got.
#[derive(Default)]
struct Scene {
    answer: Option<Answer>,
    requests: Vec<Request>,
}

type Scenes = Arc<Mutex<HashMap<String, Scene>>>;

/// The part of a target that names its case.
fn name_of(target: &str) -> &str {
    target.split(['/', '?']).nth(1).unwrap_or_default()
}

/// Runs all cases against one proxy, and fails with a list of those that do not hold.
fn run(cases: &[Case]) {
    run_with("", cases);
}

/// The same, with further lines of `[caching]`.
fn run_with(caching: &str, cases: &[Case]) {
    run_storing("", caching, cases);
}

/// The same, with answers in files.
fn run_on_disk(cases: &[Case]) {
    let folder = tempfile::tempdir().expect("a folder");
    run_storing(&format!("folder = {:?}", folder.path()), "", cases);
}

fn run_storing(storage: &str, caching: &str, cases: &[Case]) {
    let scenes = Scenes::default();
    let shared = Arc::clone(&scenes);
    let origin = Origin::start(move |request| {
        let mut scenes = shared.lock().expect("no panic");
        let scene = scenes.entry(name_of(&request.target).to_owned()).or_default();
        scene.requests.push(request.clone());
        scene.answer.clone().unwrap_or_else(|| Answer::of(599))
    });
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("proxy.toml");
    let text = format!(
        "[storage]\nlargest = \"1 MB\"\n{storage}\n[caching]\n{caching}\n[[site]]\norigins = [\"{}\"]\n",
        origin.url()
    );
    std::fs::write(&config, text).expect("a file");
    let proxy = Proxy::with(&["--config", &config.to_string_lossy()]);
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::AcqRel)) {
                    if let Err(text) = play(case, &proxy, &scenes) {
                        failures.lock().expect("no panic").push(format!("{} {}: {text}", case.section, case.rule));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic");
    assert!(failures.is_empty(), "{} of {} cases fail:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

fn play(case: &Case, proxy: &Proxy, scenes: &Scenes) -> Result<(), String> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let name = format!("c{}", NUMBER.fetch_add(1, Ordering::AcqRel));
    let mut fetched = String::new();
    for (step, number) in case.steps.iter().zip(1..) {
        let mut answer = step.answer.clone();
        if answer.body.is_empty() && !matches!(answer.status, 204 | 304) {
            answer.body = number.to_string().into();
        }
        if matches!(step.asks, Asks::Yes | Asks::Validates) && answer.status != 304 {
            fetched = String::from_utf8_lossy(&answer.body).into_owned();
        }
        for (_, value) in &mut answer.headers {
            *value = value.replace("{path}", &format!("/{name}"));
        }
        *scenes.lock().expect("no panic").entry(name.clone()).or_default() =
            Scene { answer: Some(answer), requests: Vec::new() };
        let headers: Vec<(&str, &str)> = step.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let got = ask(proxy.address, step.method, &format!("/{name}{}", step.suffix), &headers);
        let requests = scenes.lock().expect("no panic").get(&name).expect("set above").requests.clone();
        check(step, got, &requests, &fetched).map_err(|text| format!("step {number}: {text}"))?;
    }
    Ok(())
}

fn check(step: &Step, got: std::io::Result<Got>, requests: &[Request], fetched: &str) -> Result<(), String> {
    if step.status == 0 {
        return match got {
            Ok(got) if got.status != 502 => Err(format!("the client got {got:?}")),
            _ => Ok(()),
        };
    }
    let got = got.map_err(|error| format!("no answer: {error}"))?;
    let same = |what: &str, left: &str, right: &str| {
        if left == right { Ok(()) } else { Err(format!("{what} is {left:?}, not {right:?}; {got:?}")) }
    };
    same("status", &got.status.to_string(), &step.status.to_string())?;
    let conditional =
        |request: &Request| ["if-none-match", "if-modified-since"].iter().any(|name| request.header(name).is_some());
    let asked = match requests {
        [] => "none",
        [one] if step.asks == Asks::Validates && !conditional(one) => "one without condition",
        [_] => "one",
        _ => "several",
    };
    let expected = if step.asks == Asks::No { "none" } else { "one" };
    if step.asks != Asks::Perhaps {
        same("the number of requests at the origin", asked, expected)?;
    }
    if !matches!(got.status, 304 | 416) {
        same("the body", &got.text(), step.body.as_deref().unwrap_or(fetched))?;
    }
    if let Some(age) = step.age {
        let found = got.header("age").and_then(|age| age.parse::<u64>().ok());
        if !found.is_some_and(|found| (age..age + 10).contains(&found)) {
            return Err(format!("Age is {found:?}, not {age}"));
        }
    }
    for (name, value) in &step.got {
        let found = got.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let found: Vec<_> = found.collect();
        same(name, &found.join(", "), value.as_deref().unwrap_or(""))?;
    }
    for (name, value) in &step.sent {
        let all = requests.iter().flat_map(|request| &request.headers).filter(|(known, _)| known == name);
        let found: Vec<_> = all.map(|(_, value)| value.as_str()).collect();
        same(&format!("{name} at the origin"), &found.join(", "), value.as_deref().unwrap_or(""))?;
    }
    Ok(())
}

//! Whole scenarios of caches: schedules as files, attribution, prefetching, estimates and comparisons of pairs.

use super::CacheReport;
use crate::scenario::Here;
use crate::{Answer, Changes, Question, Session, UserError};
use rand::RngExt as _;
use std::path::Path;

const TRACE: &str = "trace = \"zipf:objects=300,requests=6000,skew=0.9\"\ncapacity = 16\nlatency = 50\n";

fn question(text: &str) -> Result<Question, UserError> {
    Question::parse("s", text, &Here, &Changes::default())
}

fn answer(text: &str, out: Option<&Path>) -> Answer {
    let session = out.map_or_else(Session::default, |out| Session::default().keep(out));
    question(text).unwrap().run(&session).unwrap()
}

fn report(text: &str) -> CacheReport {
    let Answer::Cache(report) = answer(text, None) else { panic!("it has [cache]") };
    *report
}

/// The error of `[cache]` with these lines, and of these policies.
fn error(lines: &str, policies: &str) -> String {
    let text = format!("policy = [{policies}]\n[cache]\n{TRACE}{lines}\n");
    match question(&text) {
        Ok(question) => question.run(&Session::default()).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

const LRU: &str = "{ name = \"lru\" }";

#[test]
fn a_schedule_is_written_and_read_and_has_the_same_latency() {
    let out = tempfile::tempdir().unwrap();
    let text = format!("record = [\"schedule\"]\n[bound]\n{TRACE}iterations = 60\n");
    let Answer::Bound(found) = answer(&text, Some(out.path())) else { panic!("it has [bound]") };
    let file = out.path().join("schedule.csv");
    let schedule = format!("schedule = {:?}\nattribute = [\"lru\", \"(schedule)\"]\n", file.display().to_string());
    let text = format!("policy = [{LRU}]\n[cache]\n{TRACE}{schedule}");
    let played = answer(&text, None);
    let Answer::Cache(report) = &played else { panic!("it has [cache]") };
    let row = report.results.iter().find(|row| row.policy == "(schedule)").unwrap();
    assert_eq!(row.mean("total_latency"), found.results[0].limits.upper as f64);
    assert_eq!(row.mean("hits"), found.results[0].limits.hits as f64);
    assert!(played.table().contains("(schedule)") && !played.table().contains("(schedule) (offline)"));

    let attribution = &report.attributions[0];
    let lru = report.results.iter().find(|row| row.policy == "lru").unwrap();
    assert_eq!(attribution.total_before as f64, lru.mean("total_latency"));
    assert_eq!(attribution.total_after, found.results[0].limits.upper);
    let windows = &attribution.by_time;
    let requests: u64 = windows.iter().map(|window| window.requests).sum();
    assert!((20..40).contains(&windows.len()) && requests <= 6_000 && requests + windows[0].requests > 6_000);
    assert!(windows.windows(2).all(|pair| pair[0].start < pair[1].start));

    let files = played.files().unwrap();
    let csv = |name: &str| {
        let content = &files.iter().find(|(own, _)| own == name).unwrap().1;
        String::from_utf8(content.clone()).unwrap()
    };
    let objects = csv("attribution.csv");
    let header =
        "trace,capacity,latency,axes,before,after,object,requests,burstiness,latency_before,latency_after,difference";
    assert_eq!(objects.lines().next(), Some(header));
    assert_eq!(objects.lines().count(), attribution.objects.len() + 1);
    let difference: f64 =
        objects.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse::<f64>().unwrap()).sum();
    assert_eq!(difference, attribution.total_after as f64 - attribution.total_before as f64);
    assert_eq!(csv("attribution-windows.csv").lines().count(), windows.len() + 1);

    // Elsewhere it does not fit.
    let elsewhere = |from: &str, to: &str| {
        question(&text.replace(from, to)).unwrap().run(&Session::default()).unwrap_err().to_string()
    };
    assert!(elsewhere("capacity = 16", "capacity = 4").contains("give the capacity and the latency of the search"));
    assert!(elsewhere("requests=6000", "requests=5000").contains("has 6000 requests, but the trace has 5000"));
    assert!(elsewhere("skew=0.9", "skew=0.8").contains("give the schedule of this trace"));
}

#[test]
fn the_best_schedule_is_attributed_without_a_file() {
    let lines = "bound_iterations = 40\nattribute = [\"lru\", \"(best schedule found)\"]\n";
    let report = report(&format!("policy = [{LRU}]\n[cache]\n{TRACE}{lines}"));
    let attribution = &report.attributions[0];
    assert_eq!(attribution.total_after, report.bounds[0].limits.upper);
    assert!(attribution.by_time.len() >= 20);
}

#[test]
fn schedules_are_refused_where_they_mean_nothing() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "request,object,stays\n").unwrap();
    let schedule = format!("schedule = {:?}\n", file.path().display().to_string());
    for (lines, message) in [
        ("model = \"classical\"", "a schedule is played with delayed hits"),
        ("warmup = 5", "a schedule covers all requests; leave `warmup` out"),
        ("sample = \"50%\"", "a schedule covers all requests; leave `sample` out"),
        ("ttl = 100", "a schedule does not support `ttl`"),
        ("prefetch = \"next\"", "a schedule does not support `prefetch`"),
    ] {
        let error = error(&format!("{schedule}{lines}"), LRU);
        assert!(error.contains(message), "{message}: {error}");
    }
    assert!(error("schedule = \"nowhere.csv\"", LRU).contains("nowhere.csv"));
    assert!(error("attribute = [\"lru\", \"(schedule)\"]", LRU).contains("add for example `schedule = "));
    let text = format!("record = [\"schedule\"]\npolicy = [{LRU}]\n[cache]\n{TRACE}");
    assert!(question(&text).unwrap_err().to_string().contains("a schedule comes from a search for bounds"));
}

#[test]
fn prefetchers_are_an_axis_and_count_as_load() {
    let prefetch = "prefetch = [\"none\", \"next\", \"markov(degree=2)\", \"window(ahead=60)\"]\n";
    let report = report(&format!("policy = [{LRU}]\n[cache]\n{TRACE}{prefetch}"));
    let [none, next, markov, window] = &report.results[..] else { panic!("four prefetchers") };
    assert!(none.has_classical() && !next.has_classical());
    assert_eq!((none.mean("prefetches"), none.mean("prefetches_used")), (0.0, 0.0));
    for row in [next, markov, window] {
        assert!(row.mean("prefetches") >= row.mean("prefetches_used") && row.mean("prefetches_used") > 0.0);
    }
    assert!(window.mean("mean_latency") < none.mean("mean_latency"), "what comes is known");
    assert!(
        window.mean("prefetches_used") / window.mean("prefetches")
            > next.mean("prefetches_used") / next.mean("prefetches")
    );
}

#[test]
fn prefetching_is_refused_where_it_means_nothing() {
    for (lines, policies, message) in [
        ("prefetch = \"nxt\"", LRU, "did you mean `next`?"),
        ("prefetch = \"window\"", LRU, "`ahead` must be given"),
        ("prefetch = \"next\"\nmodel = \"both\"", LRU, "prefetching needs the model with delayed hits"),
        ("prefetch = \"next\"", "{ name = \"belady\" }", "`belady` plans for a future without prefetching"),
        ("prefetch = \"next\"\nsample = \"50%\"", LRU, "a sample of the objects would change the effect of `prefetch`"),
        ("prefetch = \"next\"\nbound_iterations = 5", LRU, "bounds do not support `prefetch`"),
    ] {
        let error = error(lines, policies);
        assert!(error.contains(message), "{message}: {error}");
    }
    let sized = TRACE.replace("skew=0.9", "skew=0.9,sizes=uniform");
    let text = format!("policy = [{LRU}]\n[cache]\n{sized}sizes = \"bytes\"\nprefetch = \"next\"\n");
    assert!(question(&text).unwrap_err().to_string().contains("is not known before its first request"));
}

#[test]
fn estimates_of_mad_forms_go_with_what_comes() {
    // Where requests are independent, an object's past is like what comes.
    let policies = "policy = [{ name = \"lru\" }, { name = \"lru-mad\" }, { name = \"arc-mad\" }]";
    let report = report(&format!("{policies}\n[cache]\n{TRACE}estimates = true\n"));
    let of = |policy: &str, name: &str| {
        report.results.iter().find(|row| row.policy == policy).unwrap().quantities.mean(name)
    };
    assert_eq!(of("lru", "delay_pearson"), None);
    assert!(of("lru-mad", "delay_pearson").unwrap() > 0.1 && of("lru-mad", "delay_rank_correlation").unwrap() > 0.1);
    assert!(of("lru-mad", "delay_estimates").unwrap() > 5_000.0);
    for (policies, message) in [
        (LRU, "no policy here is one; add one like lru-mad"),
        ("{ name = \"lru-mad(counters=cached)\" }", "counters=forever"),
        ("{ name = \"lru-mad(latency=mean)\" }", "latency=given"),
    ] {
        let error = error("estimates = true", policies);
        assert!(error.contains(message), "{message}: {error}");
    }
}

#[test]
fn pairs_are_compared_object_by_object() {
    let policies = "policy = [{ name = \"lru\" }, { name = \"lru-mad\" }, { name = \"belady-ad\" }]";
    let report = report(&format!("{policies}\n[cache]\n{TRACE}pairwise = true\n"));
    let pairwise = &report.pairwise[0];
    assert_eq!(pairwise.policies, ["lru", "lru-mad", "belady-ad"]);
    assert!((200..=300).contains(&pairwise.objects));
    for (a, row) in pairwise.better.iter().enumerate() {
        assert_eq!(row[a], 0);
        assert!((0..3).all(|b| row[b] + pairwise.better[b][a] <= pairwise.objects));
    }
    assert!(pairwise.better[2][0] > pairwise.better[0][2], "the future is worth something for most");
    assert!(error("pairwise = true", LRU).contains("needs two policies or more"));
}

/// 13 objects in four chains of four requests; small, but otherwise docs/studies/page-chains.toml.
#[test]
fn pages_are_played_in_a_closed_loop() {
    let study = include_str!("../../../../docs/studies/page-chains.toml").replace("200_000", "13_000");
    let report = report(&study);
    let of = |policy: &str, name: &str| {
        report.results.iter().find(|row| row.policy == policy).unwrap().quantities.mean(name).unwrap()
    };
    for policy in ["lru", "lru-mad", "arc", "s3-fifo"] {
        assert_eq!(of(policy, "requests"), 13_000.0);
        // The last pages may have no followers left within the trace.
        assert!((980.0..=1_010.0).contains(&of(policy, "pages")));
        // Three think times at least, and at most four fetches more.
        assert!(of(policy, "page_mean_latency") > 15e6 && of(policy, "page_latency_max") <= 815e6);
        assert!(of(policy, "page_latency_p50") <= of(policy, "page_latency_p99"));
        assert!(of(policy, "page_mean_latency") > of(policy, "mean_latency"));
    }
    let table = crate::caching::table(&report);
    assert!(table.contains("latency of pages under"), "{table}");
}

#[test]
fn pages_reject_what_must_know_when_requests_come() {
    const PAGES: &str = "trace = \"pages:requests=1000\"\nlatency = 50\n";
    let of = |table: &str, lines: &str, policy: &str| {
        let text = format!("policy = [{policy}]\n[{table}]\n{PAGES}{lines}\n");
        question(&text).unwrap_err().to_string()
    };
    let why = "requests of this trace follow others, so their times depend on the policy";
    for (lines, advice) in [
        ("capacity = 9\nsample = \"50%\"", "leave `sample` out"),
        ("capacity = 9\nbound_seconds = 1", "a bound is for requests whose times are known"),
        ("capacity = 9\nestimates = true", "future delays are not known"),
        ("capacity = 9\nattribute = [\"lru\", \"arc\"]", "compare objects with `pairwise = true`"),
        ("capacity = 9\nprefetch = \"window(ahead=100)\"", "requests cannot be announced"),
        ("capacity = \"5%active\"", "a share of all objects like 5%"),
    ] {
        let error = of("cache", lines, "{ name = \"lru-mad\" }, { name = \"arc\" }, { name = \"lru\" }");
        assert!(error.contains(why) && error.contains(advice), "{lines}: {error}");
    }
    let error = of("cache", "capacity = 9", "{ name = \"belady\" }");
    assert!(error.contains(why) && error.contains("`belady` needs the future requests"), "{error}");
    let error = of("curve", "", LRU);
    assert!(error.contains("curves are for requests whose times are known. Play it with [cache]"), "{error}");
    let bound = question(&format!("[bound]\n{PAGES}capacity = 9\n")).unwrap_err().to_string();
    assert!(bound.contains("bounds are for requests whose times are known. Play it with [cache]"), "{bound}");
}

/// Objects of a user of their own, so that users wait for what their objects wait for.
#[test]
fn users_wait_for_what_they_request() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.csv");
    let mut rng = forebay_core::Seed(45).stream("users");
    let row = |time: u64, user: u64, object: u64| format!("{time},{},u{user}\n", 100 * user + object);
    let rows: String = (0..4_000).map(|time| row(time, rng.random_range(0..6), rng.random_range(0..20))).collect();
    std::fs::write(&file, format!("time,url,client\n{rows}")).unwrap();
    let policies = "policy = [{ name = \"lru\" }, { name = \"lfu\" }, { name = \"belady-ad\" }]";
    let table = |more: &str| {
        let (file, format) = (file.display().to_string(), "columns:key=url,time=time,unit=ms");
        format!(
            "{policies}\n[cache]\ntrace = {file:?}\nformat = \"{format}\"\ncapacity = 16\nlatency = \"9 ms\"\n{more}\n"
        )
    };
    let users = "users = \"columns:key=client,time=time,unit=ms\"";
    for warmup in [0, 500] {
        let report = report(&table(&format!("pairwise = true\n{users}\nwarmup = {warmup}")));
        for row in &report.results {
            let objects = row.runs[0].latencies().unwrap();
            let mut sums: Vec<u64> = (0..6)
                .map(|user| objects.iter().filter(|own| own.key / 100 == user).map(|own| own.latency).sum())
                .collect();
            // Users stand by the hash of their names.
            sums.sort_unstable();
            let mut waited: Vec<u64> =
                row.runs[0].latencies_of_users().unwrap().iter().map(|own| own.latency).collect();
            waited.sort_unstable();
            assert_eq!(waited, sums, "{}", row.policy);
        }
        let own = report.pairwise[0].users.as_ref().unwrap();
        assert_eq!((own.users, own.policies_of_users.len()), (6, 3));
        assert_eq!(own.better_for_users[2][0], 6, "the future is worth something for each");
        let text = crate::caching::table(&report);
        assert!(text.contains("number of users, of 6, for which the policy of the row"), "{text}");
    }
    let error = |more: &str| match question(&table(more)) {
        Ok(question) => question.run(&Session::default()).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    assert!(error(users).contains("add `pairwise = true` (--pairwise)"));
    assert!(error(&format!("pairwise = true\n{users}\nsample = \"50%\"")).contains("leave `sample` out"));
    let other = error("pairwise = true\nusers = \"columns:key=client,time=time,unit=s\"");
    assert!(other.contains("`users`: request 2 is not the same when its key is the user"), "{other}");
    let unknown = error("pairwise = true\nusers = \"columns:key=who,time=time\"");
    assert!(unknown.contains("who"), "{unknown}");
    let recipe =
        self::error("pairwise = true\nusers = \"columns:key=client\"", "{ name = \"lru\" }, { name = \"arc\" }");
    assert!(recipe.contains("generated requests have no users"), "{recipe}");
}

/// The schedule that a search has found is one of those that are compared.
#[test]
fn the_best_schedule_stands_beside_the_pairs() {
    let policies = "policy = [{ name = \"lru\" }, { name = \"lru-mad\" }]";
    let report = report(&format!("{policies}\n[cache]\n{TRACE}pairwise = true\nbound_iterations = 40\n"));
    let pairwise = &report.pairwise[0];
    assert_eq!(pairwise.policies, ["lru", "lru-mad", "(best schedule found)"]);
    assert!(pairwise.better[2][0] > pairwise.better[0][2], "{:?}", pairwise.better);
}

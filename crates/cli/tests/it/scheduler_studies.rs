//! The studies of schedulers in the documentation, made shorter, show what the pages say.

use crate::support::Folder;
use serde_json::Value;

/// The results of a study by the names of their policies.
fn results(text: &str, arguments: &[&str]) -> impl Fn(&str) -> Value {
    let report = Folder::new().json(text, arguments);
    move |policy| {
        let mut all = report["results"].as_array().unwrap().iter();
        all.find(|result| result["policy"] == policy).unwrap_or_else(|| panic!("no policy {policy}")).clone()
    }
}

fn mean(quantities: &Value, name: &str) -> f64 {
    quantities[name]["mean"].as_f64().unwrap_or_else(|| panic!("{name} in {quantities}"))
}

#[test]
fn a_tree_of_sp_pifos_approximates_an_exact_tree() {
    let study = include_str!("../../../../docs/studies/tree-of-sp-pifos.toml");
    let of = results(study, &["--set", "repetitions=2", "--set", "traffic.packets=30_000"]);
    let inversions = |policy: &str| mean(&of(policy)["quantities"], "inversions");
    assert_eq!([inversions("exact"), inversions("calendar root"), inversions("SP-PIFO root")], [0.0; 3]);
    assert!(inversions("SP-PIFO leaves") > 0.0 && inversions("SP-PIFOs") > 0.0);
    assert_eq!(of("SP-PIFO root")["queue"], "sp-pifo(pifo, pifo)");
    assert_eq!(of("SP-PIFOs")["queue"], "sp-pifo");
}

#[test]
fn wf2q_spares_light_flows_the_bursts_of_wfq() {
    let study = include_str!("../../../../docs/studies/worst-case-fair.toml");
    let of = results(study, &["--set", "repetitions=2", "--set", "network.duration=5ms"]);
    let light = |policy: &str| {
        let result = of(policy);
        let groups = result["groups"].as_array().unwrap();
        let group = groups.iter().find(|group| group["workload"] == "light" && group["sizes"].is_null()).unwrap();
        mean(&group["quantities"], "fct_ns_mean")
    };
    assert!(light("WF2Q") < 0.6 * light("WFQ"), "{} ns and {} ns", light("WF2Q"), light("WFQ"));
}

#[test]
fn fdpa_is_nearly_as_fair_as_fair_queueing() {
    let study = include_str!("../../../../docs/studies/fdpa.toml");
    let of = results(study, &["--set", "repetitions=2"]);
    let fairness = |policy: &str| {
        let result = of(policy);
        let groups = result["groups"].as_array().unwrap();
        let all = groups.iter().find(|group| group["workload"].is_null() && group["sizes"].is_null()).unwrap();
        mean(&all["quantities"], "fairness")
    };
    assert!(fairness("FIFO") < 0.6, "{}", fairness("FIFO"));
    for policy in ["FDPA", "FDPA on SP-PIFO", "FDPA on a PIFO"] {
        assert!((fairness(policy) - fairness("fair queueing")).abs() < 0.03, "{policy}: {}", fairness(policy));
    }
}

#[test]
fn gearbox_reaches_far_with_few_queues() {
    let study = include_str!("../../../../docs/studies/gearbox.toml");
    let of = results(study, &["--set", "repetitions=1", "--set", "traffic.packets=30_000"]);
    let number = |policy: &str, name: &str| mean(&of(policy)["quantities"], name);
    assert_eq!(number("exact", "inversions"), 0.0);
    let dropped = |policy: &str| number(policy, "packets_dropped");
    let (gearbox, short) = (dropped("gearbox"), dropped("calendar, short days"));
    assert!(short > 1_000.0 && gearbox < short / 8.0, "{gearbox} and {short} dropped");
    let heavy = |policy: &str| {
        let result = of(policy);
        let mut classes = result["classes"].as_array().unwrap().iter();
        classes.find(|class| class["class"] == 46).unwrap()["delay_ns"]["p99"].as_f64().unwrap()
    };
    let (exact, gearbox, long) = (heavy("exact"), heavy("gearbox"), heavy("calendar, long days"));
    assert!(gearbox < 1.2 * exact && gearbox < long / 2.0, "{exact}, {gearbox} and {long} ns");
    let overtaken = |policy: &str| number(policy, "overtaken");
    let (gearbox, sp_pifo) = (overtaken("gearbox"), overtaken("SP-PIFO"));
    assert!(gearbox > 0.0 && gearbox < sp_pifo / 4.0, "{gearbox} and {sp_pifo} packets overtaken");
}

#[test]
fn reframer_saves_fetches_for_delay() {
    let study = include_str!("../../../../docs/studies/reframer.toml");
    let hold = "policy.reframer.port.rank.hold=['20 us', '80 us']";
    let report =
        Folder::new().json(study, &["--set", "repetitions=1", "--set", "network.duration=2 ms", "--set", hold]);
    let results = report["results"].as_array().unwrap();
    let misses: Vec<f64> = results.iter().map(|result| mean(&result["states"][0]["quantities"], "misses")).collect();
    let fct: Vec<f64> = results.iter().map(|result| mean(&result["groups"][0]["quantities"], "fct_ns_mean")).collect();
    assert!(misses[0] > 1.3 * misses[1] && misses[1] > 2.0 * misses[2], "{misses:?}");
    let added = [fct[1] - fct[0], fct[2] - fct[0]];
    assert!(added[0] < 20_000.0 && added[1] < 80_000.0 && added[1] > added[0], "no packet waits longer: {added:?}");
}

/// The bound of the paper: with n hosts, packets of P bytes and links of rate R, 2 n P / R and the time without other packets of the class.
#[test]
fn qjump_bounds_the_latency_of_a_class_by_limits_at_hosts() {
    let study = include_str!("../../../../docs/studies/qjump.toml");
    let of = results(study, &["--set", "network.duration=1 ms", "--set", "network.until=1 ms"]);
    let packet_ns = 1_500.0 * 8.0 / 10.0;
    let alone = 2.0 * (packet_ns + packet_ns + 20.0);
    for number in 0..4 {
        let longest = |policy: &str| {
            let result = of(policy);
            let workload = format!("guaranteed {number}");
            let mut groups = result["groups"].as_array().unwrap().iter();
            let group =
                groups.find(|group| group["workload"] == workload.as_str() && group["sizes"].is_null()).unwrap();
            mean(&group["quantities"], "fct_ns_max")
        };
        let bound = 2.0 * 5.0 * packet_ns + alone;
        assert!(longest("QJUMP") <= bound, "{number}: {} ns, and the bound is {bound} ns", longest("QJUMP"));
        assert!(longest("strict") > 5.0 * bound && longest("FIFO") > 5.0 * bound, "{number}: {}", longest("strict"));
    }
}

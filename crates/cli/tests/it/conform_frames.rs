//! `forebay conform --frames`: frames of all kinds, damaged ones too, are read alike by every datapath that reads frames.

use crate::conform::{compared, compiler, path, policy, target};
use crate::support::Folder;

/// Queues by flow, which programs in P4 cannot tell.
const BY_FLOW: &str = "q[1..2] = Queue(20 pkts);\nout = Port(100, q[1..2]);\n\
                       classify(p) = (mod(p.flow, 2) == 0, enter(q1)).(true, enter(q2));\n";
/// Queues that frames say.
const DIRECTED: &str =
    "q[1..8] = Queue(20 pkts);\nout = Port(100, q[1..8]);\nout.schedPrio(q1, q2) = (q1.size < q2.size);\n";
/// Frames are marked in all ways.
const MARKING: &str = "tell(q) = (arriving.class > 20 && arriving.rank > 40000, mark, notify).(arriving.class > 20, notify).\n    \
                       (arriving.rank > 40000, mark);\nq = Queue(30 pkts);\nq.congestion = tell(q);\nout = Port(100);\n";
/// An order of numbers in the payload.
const ORDERED: &str = "q = Queue(64 pkts);\nout = Port(100);\nq.procPrio(p1, p2) = (p1.rank < p2.rank);\n";

/// Plays frames on a policy, of which `p4` says why it cannot be had there, if it cannot. How many frames arrive.
fn play(folder: &Folder, file: &str, fields: &[&str], p4: Result<(), &str>) -> u64 {
    let targets = ["switch", "dpdk", "p4"].map(|target| format!("--target={target}"));
    let mut arguments: Vec<&str> = targets.iter().map(String::as_str).collect();
    arguments.extend(["--frames", file]);
    arguments.extend(fields);
    let (report, _) = compared(folder, &path(), &arguments);
    assert_eq!(target(&report, "switch"), ("equal", ""), "{file}");
    match target(&report, "dpdk") {
        ("equal", "") => {}
        ("skipped", why) if why.contains("install libdpdk-dev") => println!("skipped: {why}"),
        other => panic!("{file}: {other:?}"),
    }
    match (target(&report, "p4"), p4) {
        (found, Ok(())) => assert_eq!(found, ("equal", ""), "{file}"),
        ((result, why), Err(part)) => assert!(result == "skipped" && why.contains(part), "{file}: {result} {why}"),
    }
    assert!(report["departures"].as_u64().unwrap() > 1_000 && report["drops"].as_u64().unwrap() > 100, "{report:#}");
    report["arrivals"].as_u64().unwrap()
}

#[test]
fn frames_of_all_kinds_are_read_alike() {
    let folder = Folder::new();
    folder.write("flow.oq", BY_FLOW).write("directed.oq", DIRECTED);
    folder.write("marking.oq", MARKING).write("ordered.oq", ORDERED);
    let all = play(&folder, &policy("strict-priority"), &[], Ok(()));
    assert!(all > 14_000, "{all}");
    play(&folder, "flow.oq", &["--packets=4000"], Err("flow-hash"));
    play(&folder, "directed.oq", &["--packets=4000", "--field", "queue=pcp"], Ok(()));
    play(&folder, "marking.oq", &["--packets=4000", "--field", "rank=udp[0:2]"], Err("marks depend on an occupancy"));
    play(&folder, "ordered.oq", &["--packets=4000", "--field=rank=ip[12:4]", "--seed=2"], Ok(()));
}

#[test]
fn the_switch_reads_the_headers_inside_tunnels() {
    let arguments = ["--frames", "--target=switch", "--target=p4", "--field", "class=inner.dscp"];
    let (report, status) = compared(&Folder::new(), &path(), &[&arguments[..], &[&policy("strict-priority")]].concat());
    assert_eq!((target(&report, "switch"), status), (("equal", ""), 3));
    let (result, why) = target(&report, "p4");
    assert!(result == "skipped" && why.contains("inner.dscp"), "{why}");
}

/// A program whose parser lacks one of the encapsulations.
#[test]
fn a_parser_that_lacks_something_is_found() {
    let folder = Folder::new();
    let damaged = compiler(&folder, "sed -i 's/|| kind == 0x9200//' *.h\nPATH=${PATH#*:} exec cc \"$@\"");
    let arguments = ["--frames", "--target=dpdk", &policy("strict-priority")];
    match target(&compared(&folder, &damaged, &arguments).0, "dpdk") {
        ("different", why) => assert!(why.contains("expected: ") && why.contains("here: "), "{why}"),
        ("skipped", why) if why.contains("install libdpdk-dev") => println!("skipped: {why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_not_in_frames_is_refused() {
    let folder = Folder::new();
    folder.write("ordered.oq", ORDERED);
    for (arguments, part) in [
        (vec!["--frames"], "--frames: the policy reads `rank` of packets, and no header implies it"),
        (
            vec!["--frames", "--field", "rank=mark"],
            "--field: `mark` is not in a frame; name a header, such as rank=dscp",
        ),
        (vec!["--field", "rank=dscp"], "--frames"),
        (vec!["--frames", "--small"], "--small"),
        (vec!["--frames", "--field", "rank=udp"], "`udp` is not a source of a field"),
    ] {
        let said = folder.run(&[&["conform", "ordered.oq"], &arguments[..]].concat()).refused();
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
}

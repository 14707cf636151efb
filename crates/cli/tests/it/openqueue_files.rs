//! Policies in several files, and what only some programs have.

use crate::support::Folder;

const MAIN: &str = "include \"lib/orders.oq\";\nq = Queue(9 pkts);\nq.procPrio = shortest;\nout = Port(100%);\n";

fn folder(orders: &str) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("p/lib")).unwrap();
    folder.write("p/main.oq", MAIN).write("p/lib/orders.oq", orders);
    folder
}

#[test]
fn a_policy_in_several_files_is_checked_run_and_formatted() {
    let folder = folder("shortest(a, b) = (a.size < b.size);\nother(a, b) = (a.size > b.size);\n");
    assert_eq!(folder.run(&["check", "p/main.oq", "--target", "c"]).ok(), "1 file can be used\n");
    assert_eq!(folder.run(&["fmt", "--check", "p/main.oq", "p/lib/orders.oq"]).ok(), "");
    assert!(folder.run(&["explain", "p/main.oq"]).ok().contains("serves      shortest: lowest p.size"));
    let scenario = "[port]\nrate = \"1 Gbps\"\nbuffer = \"9 packets\"\n[traffic]\narrivals = \"poisson\"\nload = 1.2\npackets = 2_000\n\
                    [[policy]]\npolicy = \"p/main.oq\"\n";
    folder.write("s.toml", scenario);
    assert!(folder.run(&["run", "s.toml"]).ok().contains("main"));
}

#[test]
fn a_mistake_is_told_of_its_file() {
    let folder = folder("// orders\nshortest(a, b) = (a.sise < b.size);\n");
    let said = folder.run(&["check", "p/main.oq"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains(" --> p/lib/orders.oq:2:21"), "{}", said.stderr);
    let json = folder.run(&["check", "p/main.oq", "--format", "json"]).stdout;
    assert!(json.contains("\"file\": \"p/lib/orders.oq\"") && json.contains("\"line\": 2"), "{json}");
    folder.write("p/lib/orders.oq", "shortest(a, b) = (max(a.size, b.size) > b.size);\n");
    let refused = folder.run(&["check", "p/main.oq", "--target", "c"]);
    assert!(refused.stderr.contains("error: p/main.oq: order shortest of queue q"), "{}", refused.stderr);
    std::fs::remove_file(folder.path("p/lib/orders.oq")).unwrap();
    let gone = folder.run(&["check", "p/main.oq"]).stderr;
    assert!(gone.contains("`lib/orders.oq` cannot be included: there is no file `p/lib/orders.oq`"), "{gone}");
}

#[test]
fn actions_and_versions_are_refused_where_they_cannot_be() {
    let folder = Folder::new();
    let rest =
        "q = Queue(9 pkts)\nq.congestion(q) = (q.currSize > q.size, drop(1), paint(q.currSize))\nout = Port(100)\n";
    folder.write("a.oq", format!("extern action paint(depth)\n{rest}"));
    assert_eq!(folder.run(&["check", "a.oq", "--target", "c"]).ok(), "1 file can be used\n");
    assert!(folder.run(&["explain", "a.oq"]).ok().contains("paint(depth), which a program provides"));
    let said = folder.run(&["conform", "a.oq"]).refused();
    assert!(said.contains("the action `paint` is provided by a program"), "{said}");
    let traffic = "[port]\nrate = \"1 Gbps\"\nbuffer = \"9 packets\"\n[traffic]\narrivals = \"poisson\"\nload = 1.2\npackets = 100\n";
    folder.write("s.toml", format!("{traffic}[[policy]]\npolicy = \"a.oq\"\n"));
    assert!(folder.run(&["run", "s.toml"]).refused().contains("and a scenario cannot"));
    folder.write("v.oq", "q = Queue(9 pkts)\npolicyId(p) = p.class\nout = Port(100)\n");
    let said = folder.run(&["check", "v.oq", "--target", "c"]).stderr;
    assert!(said.contains("error: v.oq: policyId: chooses among several versions"), "{said}");
    let change = "changes = [{ at = \"20 us\", params = {} }]";
    folder.write("s.toml", format!("{traffic}[[policy]]\npolicy = \"v.oq\"\n{change}\n"));
    assert!(folder.run(&["run", "s.toml"]).ok().contains("version 2"));
}

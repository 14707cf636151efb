//! `--report`: a self-contained page.

use crate::support::{Folder, UNIFORM};

fn folder() -> Folder {
    let folder = Folder::new();
    let policy = "[[policy]]\nname = \"</script>\"\nrank = \"packet-rank\"\nqueue = \"fifo\"\n";
    folder.write("my scenario.toml", format!("{UNIFORM}{policy}"));
    folder
}

#[test]
fn every_kind_of_run_leaves_a_page() {
    let folder = folder();
    let zipf = "zipf:objects=100,requests=2e3";
    let cache = ["--capacity", "16", "--latency", "10"];
    let runs: [(&[&str], &str); 5] = [
        (&["run", "my scenario.toml"], "forebay run &#39;my scenario.toml&#39; --report p.html"),
        (
            &["cache", zipf, "--policy", "lru,arc", cache[0], cache[1], cache[2], cache[3]],
            "Which cache policy gives the lowest latency on",
        ),
        (&["curve", zipf, "--policy", "lru", cache[2], cache[3]], "change with the capacity of a cache"),
        (
            &["bound", zipf, cache[0], cache[1], cache[2], cache[3], "--iterations", "10"],
            "How low could the latency of any cache be",
        ),
        (&["attack", "--set", "innocent.packets=2000"], "How much innocent traffic does an attack displace"),
    ];
    for (run, words) in runs {
        folder.run(&[run, &["--report", "p.html"]].concat()).ok();
        let page = folder.read("p.html");
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{run:?}");
        assert!(page.contains(words) && page.contains("<table"), "{run:?}");
        assert_eq!(page.matches("</script>").count(), 3, "{run:?}");
    }
}

#[test]
fn a_wrong_place_is_found_before_the_run() {
    let folder = folder();
    for (file, message) in [
        ("page.pdf", "--report: `page.pdf` is not the name of a page; write it like report.html"),
        ("none/page.html", "--report: there is no folder none; make it first, or name another file"),
    ] {
        assert!(folder.run(&["run", "my scenario.toml", "--report", file]).refused().contains(message), "{file}");
    }
    std::fs::create_dir(folder.path("f.html")).unwrap();
    let refused = folder.run(&["run", "my scenario.toml", "--report", "f.html"]).refused();
    assert!(refused.contains("f.html is a folder; name a file in it, like f.html/report.html"), "{refused}");
}
